"""Privacy profiles: what is read, what is shown, and the search for an epsilon."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import opendp.prelude as oracle
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.measures.profiles import epsilon_at
from opendp_lite.laws.conversions import profile_of_pair
from tests.rows import for_each

SPACE = dp.atom_domain(T=int), dp.absolute_distance(T=int)


pytestmark = pytest.mark.usefixtures("honest")


def step(eps: Any) -> float:
    return 1.0 if eps < 0.5 else 1e-8


def falling(eps: Any) -> Any:
    """1/(1 + eps)^3, exactly."""
    return 0 if eps == math.inf else 1 / (1 + eps) ** 3


def test_opendps_example() -> None:
    oracle.enable_features("contrib", "honest-but-curious")
    ours, theirs = dp.new_privacy_profile(step), oracle.new_privacy_profile(step)
    for epsilon in (0.0, 0.499, 0.5, 3.0):
        assert ours.delta(epsilon) == ours(epsilon)
        assert ours.delta(epsilon=epsilon) == theirs.delta(epsilon=epsilon)
    for delta in (1e-8, 1e-9, 0.3, 1.0):
        assert ours.epsilon(delta=delta) == theirs.epsilon(delta=delta)


def test_a_curve_is_given_fractions_and_inverted() -> None:
    seen: list[Any] = []

    def curve(eps: Any) -> Any:
        seen.append(eps)
        return falling(eps)

    profile = dp.new_privacy_profile(curve)
    assert profile.delta("1") == 0.125
    assert profile.delta(math.inf) == 0
    assert profile.epsilon("0.125") == 1
    assert profile.epsilon("1e-300") == pytest.approx(1e100, rel=1e-15)
    assert profile.epsilon(0) == math.inf
    assert {type(eps) for eps in seen} == {Fraction, float}


@for_each("delta", ["1e-12", "1/3", "0.999999", "1e-30"])
def test_the_search_is_close_and_on_the_safe_side(delta: str) -> None:
    def cube(eps: Any) -> Any:
        return mpq(1) / (1 + eps) ** 3

    allowed = mpq(Fraction(delta))
    found = epsilon_at(cube, allowed)
    assert mpq(1) / (1 + found) ** 3 <= allowed
    less = found * (1 - mpq(1, 2**58))
    assert mpq(1) / (1 + less) ** 3 > allowed


def test_the_search_ends() -> None:
    asked: list[Any] = []

    def tiny(eps: Any) -> Any:
        """Falls at 2^-1000, below which nothing is looked for."""
        asked.append(eps)
        return mpq(0) if eps * 2**1000 >= 1 else mpq(1, 2)

    assert 0 < epsilon_at(tiny, mpq(1, 4)) <= mpq(1, 2**256)
    assert epsilon_at(lambda eps: mpq(1, 2), mpq(1, 4)) == math.inf
    assert epsilon_at(lambda eps: mpq(1, 2), mpq(1, 2)) == 0
    assert epsilon_at(lambda eps: mpq(1, 2), mpq(1)) == 0
    assert len(asked) < 900


def test_what_rises_is_still_true() -> None:
    """The epsilon found is one at which the curve was asked."""

    def waves(eps: Any) -> Any:
        return mpq(1, 2) if eps == 0 or int(eps * 8) % 2 else mpq(1, 8)

    found = epsilon_at(waves, mpq(1, 4))
    assert waves(found) <= mpq(1, 4)


def test_an_inverse_is_used_if_there_is_one() -> None:
    profile = profile_of_pair(mpq(1), mpq(0))
    shown = dp.smoothed_max_divergence().present(profile)
    assert isinstance(shown, dp.PrivacyProfile)
    assert (shown.epsilon(0), shown.delta(1), shown(2)) == (1.0, 0.0, 0.0)
    exact = dp.smoothed_max_divergence().present(profile, exact=True)
    assert exact.epsilon(0) == Fraction(1)
    assert type(exact.epsilon(0)) is type(exact.delta(0)) is Fraction
    assert Fraction(shown.delta(0.5)) >= exact.delta("0.5")
    assert "PrivacyProfile" in repr(shown)


@for_each("bad", [-1, math.nan, None, True, "x", 1.5, math.inf])
def test_deltas_that_are_refused(bad: Any) -> None:
    profile = dp.new_privacy_profile(step)
    with pytest.raises(dp.OpenDPException, match=r"delta=.*such as 1e-9"):
        profile.epsilon(bad)


@for_each("bad", [-1, math.nan, None, True, "x"])
def test_epsilons_that_are_refused(bad: Any) -> None:
    with pytest.raises(dp.OpenDPException, match=r"epsilon=.*Pass a number"):
        dp.new_privacy_profile(step).delta(bad)


@for_each("bad", [-1, 1.5, math.nan, None, math.inf, "x"])
def test_curves_that_leave_the_probabilities(bad: Any) -> None:
    with pytest.raises(dp.OpenDPException, match=r"curve\(epsilon\)=.*such as 1e-9"):
        dp.new_privacy_profile(lambda eps: bad).delta(1)


def test_what_is_no_curve() -> None:
    with pytest.raises(dp.OpenDPException, match=r"curve=1.*Pass a function"):
        dp.new_privacy_profile(1)  # type: ignore[arg-type]
    dp.disable_features("honest-but-curious")
    with pytest.raises(dp.OpenDPException, match="honest-but-curious"):
        dp.new_privacy_profile(step)


def test_a_measurement_of_ones_own_returns_a_profile() -> None:
    profile = dp.new_privacy_profile(falling)
    measure = dp.smoothed_max_divergence()
    made = dp.m.make_user_measurement(
        *SPACE, measure, lambda x: 0, lambda d_in: profile, TO=int
    )
    assert made.map(1).delta(1) == 0.125
    dp.enable_features("contrib")
    fixed = dp.c.make_fix_delta(made, delta="1/8")
    dp.disable_features("contrib")
    assert fixed.map(1) == (1.0, 0.125)


# Pictures


def gaussian_profile() -> Any:
    dp.enable_features("contrib")
    noisy = dp.m.make_gaussian(*SPACE, scale=1)
    profile = dp.c.make_zCDP_to_approxDP(noisy).map(1)
    dp.disable_features("contrib")
    return profile


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    figure = gaussian_profile().plot(deltas=["1e-3", 1e-6, 0])
    (axes,) = figure.axes
    line, *points = axes.lines
    epsilons, deltas = line.get_data()
    assert (epsilons[0], len(epsilons)) == (0, 201)
    assert list(deltas) == sorted(deltas, reverse=True)
    assert deltas[-1] == pytest.approx(1e-12, rel=1e-6)
    profile = gaussian_profile()
    assert [profile.delta(x) for x in epsilons[::50]] == pytest.approx(deltas[::50])
    # Where epsilon is infinite nothing is marked; labels are rounded up.
    assert [tuple(float(v[0]) for v in p.get_data()) for p in points] == [
        (profile.epsilon("1e-3"), 1e-3),
        (profile.epsilon(1e-6), 1e-6),
    ]
    labels = [text.get_text() for text in axes.texts]
    assert labels == ["(3.537, 0.001)", "(5.222, 1e-06)"]
    marked = [10.0**-i for i in range(1, 10)]
    texts = profile.plot(marked).axes[0].texts
    for delta, text in zip(marked, texts, strict=True):
        # A rounding to the nearest would fail half the time.
        assert float(text.get_text()[1:].split(",")[0]) >= profile.epsilon(delta)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("epsilon", "delta (upper bound)")
    path = tmp_path / "profile.png"
    figure.savefig(path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_pictures_of_pure_and_of_unknown_profiles() -> None:
    """A delta of 0 has no place on a logarithmic axis: the line ends there."""
    pure = dp.smoothed_max_divergence().present(profile_of_pair(mpq(1), mpq(0)), True)
    epsilons, deltas = pure.plot().axes[0].lines[0].get_data()
    assert max(epsilons) < 1
    assert min(deltas) > 0
    nothing = dp.new_privacy_profile(lambda eps: 0).plot().axes[0]
    assert [text.get_text() for text in nothing.texts] == ["delta is 0"]
    unknown = dp.new_privacy_profile(lambda eps: 0.5).plot().axes[0]
    assert unknown.get_xlim() == (0, 10.5)
    with pytest.raises(dp.OpenDPException, match=r"deltas=.*\[1e-9, 1e-6\]"):
        pure.plot(1e-6)  # type: ignore[arg-type]
    with pytest.raises(dp.OpenDPException, match="delta=2"):
        pure.plot([2])


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(dp.OpenDPException, match=r"pip install 'opendp-lite\[plots\]'"):
        gaussian_profile().plot()
