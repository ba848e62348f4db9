"""Profiles and tradeoffs: the numbers drawn are the certified ones, and bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import plots
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.show.pictures.guarantees import least_errors, profile_of
from tests.show.pictures.read import INTEGERS, REALS, curve

LAPLACE = dp.m.make_laplace(*REALS, 1.0)
GAUSSIAN = dp.m.make_gaussian(*REALS, 1.0)
CANONICAL = dp.m.make_canonical_noise(*REALS, 1.0, (1, "0.1"))
EXACT = dp.m.make_tradeoff_noise(*REALS, 1.0, dp.m.gaussian_tradeoff(1))
COMPARED = {"pure": LAPLACE, "zCDP": GAUSSIAN, "pair": CANONICAL, "profile": EXACT}


def renyi(measure: Any, loss: Any) -> dp.Measurement:
    dp.enable_features("honest-but-curious")
    try:
        made = dp.m.make_user_measurement(*INTEGERS, measure, lambda x: 0, loss)
    finally:
        dp.disable_features("honest-but-curious")
    return made


RENYI = renyi(dp.renyi_divergence(), lambda d: lambda a: a * Fraction(d) ** 2 / 2)
PART = renyi(
    dp.approximate(dp.renyi_divergence()), lambda d: (lambda a: a * d / 2, "1/100")
)


@pytest.fixture(scope="module")
def compared() -> Any:
    return plots.profiles(COMPARED, d_in=1.0, deltas=["1/5"])


def test_profiles_are_those_of_the_conversions(compared: Any) -> None:
    pair = dp.c.make_fixed_approxDP_to_approxDP
    known = {
        "pure": pair(dp.c.make_approximate(LAPLACE)).map(1.0),
        "zCDP": dp.c.make_zCDP_to_approxDP(GAUSSIAN).map(1.0),
        "pair": pair(CANONICAL).map(1.0),
        "profile": EXACT.map(1.0),
    }
    for name, profile in known.items():
        epsilon = profile.epsilon("1/5")
        (line,) = [
            each
            for each in compared.axes[0].lines
            if str(each.get_label()).startswith(name)
        ]
        points = list(zip(*line.get_data(), strict=True))
        assert len(points) > 150 or name == "pure"
        for x, y in points[:: len(points) // 7]:
            assert y == pytest.approx(profile.delta(float(x)), rel=1e-12)
        told = line.get_label().removeprefix(f"{name}: (").split(",")[0]
        assert 0 <= float(told) - epsilon < 1e-3


def test_marks_lie_on_the_curves(compared: Any) -> None:
    marks = [line for line in compared.axes[0].lines if line.get_marker() == "o"]
    assert [float(mark.get_ydata()[0]) for mark in marks] == [0.2] * 4
    assert compared.axes[0].get_ylabel() == "delta (upper bound)"


def test_a_pure_profile_falls_to_nothing_where_it_ends() -> None:
    points = curve(
        plots.profiles({"pure": LAPLACE, "zCDP": GAUSSIAN}, 1.0, deltas=[]), "pure"
    )
    assert points[-1][0] == pytest.approx(1)
    assert points[-1][0] < 1
    assert 0 < points[-1][1] < 1e-11


def test_renyi_and_profiles_are_taken() -> None:
    known = dp.c.make_RDP_to_approxDP(RENYI).map(1)
    assert profile_of(RENYI, 1).delta(2) == known.delta(2)
    part = dp.c.make_RDP_to_approxDP(PART).map(1)
    assert profile_of(PART, 1).delta(9) == part.delta(9) >= 0.01
    assert curve(plots.profiles(known, 1))[20] == curve(plots.profiles(RENYI, 1))[20]


def test_the_tradeoff_of_a_pair_is_its_own() -> None:
    figure = plots.tradeoffs({"pair": CANONICAL, "pure": LAPLACE}, 1.0)
    exact = {
        "pair": ApproximateTradeoff(1, "0.1"),
        "pure": ApproximateTradeoff(1, 0),
    }
    for name, tradeoff in exact.items():
        points = curve(figure, name)
        corner = float(tradeoff.fixed_point(96).lo)
        assert any(x == pytest.approx(corner) for x, _ in points)
        for x, y in points:
            assert y <= float(tradeoff.value(mpq(x), 96).hi) + 1e-15
            assert y == pytest.approx(float(tradeoff.value(mpq(x), 96).lo), abs=1e-12)
    assert "lower bound" in figure.axes[0].get_ylabel()


def test_a_tradeoff_from_a_profile_is_a_bound_and_close() -> None:
    exact = dp.m.gaussian_tradeoff(1)
    points = least_errors(EXACT.map(1.0))
    for x, y in points[1:-1]:
        value = float(exact.value(mpq(x), 96).lo)
        assert value - 3e-4 <= y <= value + 1e-12
    # What is known by the rho alone is less.
    weaker = dict(least_errors(profile_of(GAUSSIAN, 1.0)))
    assert 0 < weaker[0.5] < dict(points)[0.5]


def test_at_distance_0_nothing_is_learnt() -> None:
    assert least_errors(profile_of(GAUSSIAN, 0.0)) == [(0.0, 1.0), (1.0, 0.0)]
    nothing = plots.profiles(LAPLACE, 0.0).axes[0]
    assert [text.get_text() for text in nothing.texts] == ["delta is 0"]


def test_what_knows_no_guarantee_errs_by_nothing() -> None:
    unknown = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*REALS, 0.0)).map(1.0)
    assert {y for _, y in least_errors(unknown)} == {0.0}


@pytest.mark.parametrize("draw", [plots.profiles, plots.tradeoffs])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"measurements": 3}, "measurements=<int>: must be one, or a mapping"),
        ({"measurements": {}}, "not empty"),
        ({"measurements": {"a": 3}}, "that of 'a' must be a Measurement"),
        ({"measurements": {3: LAPLACE}}, "each name must be text"),
        ({"measurements": {str(i): LAPLACE for i in range(9)}}, "more than 8"),
        ({"d_in": -1}, "d_in=-1"),
        ({"d_in": "far"}, "d_in='far'"),
        ({"theme": "Dark"}, "theme='Dark'"),
    ],
)
def test_wrong_arguments_are_refused(
    draw: Any, arguments: dict[str, Any], told: str, no_matplotlib: None
) -> None:
    good = {"measurements": LAPLACE, "d_in": 1.0}
    with pytest.raises(dp.OpenDPException, match=told):
        draw(**{**good, **arguments})


def test_a_measure_without_conversion_is_refused(no_matplotlib: None) -> None:
    dp.enable_features("honest-but-curious")
    own = dp.user_divergence("mine")
    made = dp.m.make_user_measurement(*INTEGERS, own, lambda x: 0, lambda d: d)
    dp.disable_features("honest-but-curious")
    with pytest.raises(dp.OpenDPException, match="no conversion to a profile"):
        plots.profiles(made, 1)
