"""Accuracies against epsilon: those of the measurements, and every jump upright."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite import plots
from opendp_lite.testing import canonical_tolerance
from tests.show.pictures.read import INTEGERS, REALS, curve

BOUNDS = (0.0, 1000.0)


def laplace(scale: Any) -> dp.Measurement:
    return dp.m.make_laplace(*REALS, scale)


def snapping(scale: Any) -> dp.Measurement:
    return dp.m.make_snapping(*REALS, scale, BOUNDS)


def gaussian(scale: Any) -> dp.Measurement:
    return dp.m.make_gaussian(*REALS, scale)


def canonical(epsilon: Any) -> dp.Measurement:
    return dp.m.make_canonical_noise(*REALS, 1.0, (epsilon, 1e-6))


@pytest.fixture(scope="module")
def pure() -> Any:
    made = {"Laplace": laplace, "snapping": snapping}
    return plots.accuracies(made, 1.0, epsilons=("0.75", 2.5))


def test_accuracies_are_those_of_the_measurements(pure: Any) -> None:
    points = curve(pure, "Laplace")
    assert (points[0][0], points[-1][0]) == (0.75, 2.5)
    for epsilon, size in points[::5]:
        scale = dp.binary_search_param(laplace, 1.0, epsilon)
        assert size == laplace(scale).accuracy("0.05")
    for epsilon, size in curve(pure, "snapping")[::9]:
        scale = dp.binary_search_param(snapping, 1.0, epsilon)
        assert size == snapping(scale).accuracy("0.05")


def test_the_steps_of_snapping_are_upright(pure: Any) -> None:
    """They double where the scale passes a power of two: at 1 and at 2."""
    jumps = [
        (left, right)
        for left, right in pairwise(curve(pure, "snapping"))
        if right[0] < left[0] * 1.003 and left[1] > right[1] * 1.1
    ]
    assert [round(right[0], 2) for _, right in jumps] == [1.0, 2.0]
    for power, (left, right) in zip((1, 2), jumps, strict=True):
        assert left[0] < power <= right[0]
    # Between the jumps there are none.
    falls = [a[1] / b[1] / (b[0] / a[0]) for a, b in pairwise(curve(pure, "snapping"))]
    assert sum(fall > 1.01 for fall in falls) == len(jumps)
    steady = curve(pure, "Laplace")
    assert all(a[1] / b[1] <= b[0] / a[0] * 1.001 for a, b in pairwise(steady))


def test_each_step_of_integers_is_seen() -> None:
    figure = plots.accuracies(
        lambda scale: dp.m.make_laplace(*INTEGERS, scale), 1, ("0.5", 4)
    )
    points = curve(figure)
    assert {y for _, y in points} == {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}  # and 0 is none
    for left, right in pairwise(points):
        assert left[1] == right[1] or right[0] <= left[0] * 1.003


def test_with_a_delta_all_are_compared_at_a_pair() -> None:
    made = {"Laplace": laplace, "Gaussian": gaussian, "canonical": canonical}
    figure = plots.accuracies(made, 1.0, (1, 2), alpha="0.1", delta=1e-6)

    def fixed(scale: Any) -> dp.Measurement:
        converted = dp.c.make_zCDP_to_approxDP(gaussian(scale))
        return dp.c.make_fix_delta(converted, 1e-6)

    found = dp.binary_search_chain(fixed, 1.0, (1.0, 1e-6))
    assert curve(figure, "Gaussian")[0] == (1.0, found.accuracy("0.1"))
    assert curve(figure, "Laplace")[-1] == (2.0, laplace(0.5).accuracy("0.1"))
    tight = canonical_tolerance(1.0, (1.0, 1e-6), "0.1")
    assert curve(figure, "canonical")[0][1] == pytest.approx(tight, rel=1e-12)
    title = figure.axes[0].get_title(loc="left")
    assert title == "Accuracy at alpha = 0.1, with delta = 1e-06"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"mechanisms": 3}, "mechanisms=3: must be one, or a mapping"),
        ({"mechanisms": {"a": 3}}, "that of 'a' must be a function"),
        ({"mechanisms": {"a": lambda s: s}}, "must be a Measurement"),
        ({"mechanisms": {"G": gaussian}}, "'G' measures loss by Zero.*delta=1e-6"),
        ({"epsilons": 1}, "epsilons=1: must be a pair"),
        ({"epsilons": (2, 1)}, "epsilons=.*the second above the first"),
        ({"epsilons": (0, 1)}, "the first must be above 0"),
        ({"alpha": 0}, "alpha=0"),
        ({"delta": 0}, "delta=0: must be above 0"),
        ({"delta": 2}, "delta=2"),
        ({"d_in": -1}, "d_in=-1"),
        ({"theme": ""}, "theme=''"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: dict[str, Any], told: str, no_matplotlib: None
) -> None:
    good: dict[str, Any] = {"mechanisms": laplace, "d_in": 1.0}
    with pytest.raises(dp.OpenDPException, match=told):
        plots.accuracies(**{**good, **arguments})


def test_several_releases_are_refused(no_matplotlib: None) -> None:
    def twice(scale: Any) -> dp.Measurement:
        return dp.c.make_composition([laplace(scale)] * 2)

    with pytest.raises(dp.OpenDPException, match="'both' makes several releases"):
        plots.accuracies({"both": twice}, 1.0)
