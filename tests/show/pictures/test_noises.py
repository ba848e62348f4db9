"""Pictures of noise: probabilities are those of the laws, intervals those told."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import plots
from opendp_lite.laws.tails import (
    discrete_gaussian_tail,
    discrete_laplace_tail,
    gaussian_tail,
    laplace_tail,
)
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.testing import canonical_tolerance
from tests.rows import for_each
from tests.show.pictures.read import INTEGERS, REALS, bars, stairs

ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


def intervals(figure: Any) -> list[tuple[float, float]]:
    """The ends of the intervals, in their order from the law upwards."""
    return [tuple(map(float, line.get_xdata())) for line in figure.axes[0].lines]


def middle(mass: Any) -> float:
    return float((mpq(mass.lo) + mpq(mass.hi)) / 2)


@for_each(
    ("noisy", "tail"),
    [
        (dp.m.make_laplace(*INTEGERS, 2), discrete_laplace_tail),
        (dp.m.make_geometric(*INTEGERS, 2), discrete_laplace_tail),
        (dp.m.make_gaussian(*INTEGERS, 2), discrete_gaussian_tail),
        (
            dp.m.make_noise(*INTEGERS, dp.zero_concentrated_divergence(), 2),
            discrete_gaussian_tail,
        ),
    ],
)
def test_integers_have_a_bar_each(noisy: Any, tail: Any) -> None:
    figure = plots.noise(noisy, alphas=["0.5", "0.05"], at=7)
    found = bars(figure)
    assert [*found] == [*range(int(min(found)), 15 - int(min(found)))]
    for place in (7, 8, 5):
        n = abs(place - 7)
        mass = tail(n, mpq(2), 96) - tail(n + 1, mpq(2), 96)
        assert found[place] == pytest.approx(middle(mass), rel=1e-12)
    assert 0.99 < sum(found.values()) < 1
    wide, narrow = noisy.accuracy("0.05"), noisy.accuracy("0.5")
    assert intervals(figure) == [(7 - narrow, 7 + narrow), (7 - wide, 7 + wide)]


@pytest.mark.parametrize(
    ("noisy", "tail"),
    [
        (dp.m.make_laplace(*REALS, 2.0), laplace_tail),
        (dp.m.make_gaussian(*REALS, 2.0), gaussian_tail),
    ],
)
def test_the_areas_of_cells_are_probabilities(noisy: Any, tail: Any) -> None:
    figure = plots.noise(noisy, alphas=["0.01"], at="1/2")
    heights, edges = stairs(figure)
    beyond = 0.0
    for height, (a, b) in list(zip(heights, pairwise(edges), strict=True))[::-1]:
        beyond += height * (b - a)
        if b > 0.5 and a == pytest.approx(2.5, abs=0.02):
            most = tail((mpq(a) - mpq(1, 2)) / 2, 96) - tail(
                mpq(edges[-1] - 0.5) / 2, 96
            )
            assert beyond == pytest.approx(middle(most), rel=1e-9)
            break
    else:
        pytest.fail("no edge is near to the scale")
    size = noisy.accuracy("0.01")
    assert intervals(figure) == [(0.5 - size, 0.5 + size)]
    assert figure.axes[0].get_ylabel() == "density"


def test_chains_and_conversions_are_read() -> None:
    chain = ROWS >> dp.t.then_count() >> dp.m.then_gaussian(3)
    converted = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(chain), 1e-6)
    first = bars(plots.noise(dp.m.make_gaussian(*INTEGERS, 3)))
    assert bars(plots.noise(converted)) == first


def test_a_grid_has_its_steps() -> None:
    figure = plots.noise(dp.m.make_laplace(*REALS, 2.0, k=-1), at="0.3")
    found = bars(figure)
    assert {b - a for a, b in pairwise(found)} == {0.5}
    assert max(found, key=lambda x: found[x]) == 0.5  # to which 0.3 is rounded
    mass = discrete_laplace_tail(0, mpq(4), 96) - discrete_laplace_tail(1, mpq(4), 96)
    assert found[0.5] == pytest.approx(middle(mass), rel=1e-12)
    assert intervals(figure) == [(float(mpq("0.3") - mpq(6.25)), 6.55)]
    assert figure.axes[0].get_title(loc="left").endswith("on multiples of 0.5")


def test_bounds_hold_what_is_beyond_them() -> None:
    noisy = dp.m.make_geometric(*INTEGERS, 4, bounds=(0, 100))
    found = bars(plots.noise(noisy, at=3))
    assert min(found) == 0
    beyond = middle(discrete_laplace_tail(3, mpq(4), 96))
    assert found[0] == pytest.approx(beyond, rel=1e-12)
    assert found[3] == max(v for k, v in found.items() if k > 0)
    whole = bars(plots.noise(dp.m.make_geometric(*INTEGERS, 4, bounds=(0, 5)), at=9))
    assert [*whole] == [0, 1, 2, 3, 4, 5]
    assert sum(whole.values()) == pytest.approx(1)
    assert whole[5] == pytest.approx(middle(discrete_laplace_tail(0, mpq(4), 96)))


def test_many_integers_are_drawn_in_cells() -> None:
    noisy = dp.m.make_geometric(*INTEGERS, 400, bounds=(0, 10**4))
    figure = plots.noise(noisy, at=300)
    heights, edges = stairs(figure)
    masses = [h * (b - a) for h, (a, b) in zip(heights, pairwise(edges), strict=True)]
    inside = 1 - middle(discrete_laplace_tail(int(edges[-1] + 0.5) - 300, mpq(400), 96))
    assert edges[0] == -0.5
    assert sum(masses) == pytest.approx(inside, rel=1e-9)
    assert figure.axes[0].get_ylabel() == "mean probability of a value"


def test_canonical_noise_has_its_steps_and_its_end() -> None:
    noisy = dp.m.make_canonical_noise(*REALS, 2.0, (1, "0.1"))
    figure = plots.noise(noisy, alphas=["0.05"], at=10)
    heights, edges = stairs(figure)
    tradeoff = ApproximateTradeoff(1, "0.1")
    law = CanonicalRV(mpq(0), mpq(2), tradeoff, tradeoff.fixed_point)
    end = float(law.support(96)[1])
    steps = [10 - end, 7, 9, 11, 13, 10 + end]
    assert edges[0] < steps[0] < steps[-1] < edges[-1]
    cells = list(zip(heights, pairwise(edges), strict=True))
    assert {h for h, (a, b) in cells if b < steps[0] or a > steps[-1]} == {0}
    for low, high in pairwise(steps):  # between the steps the density is the same
        inside = [h for h, (a, b) in cells if low <= a < b <= high]
        ends = (min(max(mpq(x), mpq(steps[0])), mpq(steps[-1])) for x in (low, high))
        below, up_to = (law.cdf(x - 10, 96) for x in ends)
        assert inside == pytest.approx(
            [middle(up_to - below) / (high - low)] * len(inside)
        )
        assert len(inside) > 50
    areas = [h * (b - a) for h, (a, b) in cells]
    assert sum(areas) == pytest.approx(1)
    size = canonical_tolerance(2.0, (1, "0.1"), "0.05")
    assert intervals(figure)[0] == pytest.approx((10 - size, 10 + size), rel=1e-15)


@pytest.mark.parametrize("kind", ["canonical", "tradeoff"])
def test_canonical_noise_on_integers_has_bars(kind: str) -> None:
    tradeoff = ApproximateTradeoff(1, "0.1")
    noisy = {
        "canonical": dp.m.make_canonical_noise(*INTEGERS, 2.5, (1, "0.1")),
        "tradeoff": dp.m.make_tradeoff_noise(*INTEGERS, 2.5, tradeoff),
    }[kind]
    figure = plots.noise(noisy, alphas=["0.05"], at=10)
    law = CanonicalRV(mpq(10), mpq("2.5"), tradeoff, tradeoff.fixed_point)
    found = bars(figure)
    for y, mass in found.items():
        low, high = (law.cdf(mpq(y) + side, 96) for side in (mpq(-1, 2), mpq(1, 2)))
        assert mass == pytest.approx(middle(high - low))
    assert sum(found.values()) == pytest.approx(1)
    size = noisy.accuracy("0.05")
    assert size.is_integer()
    assert intervals(figure)[0] == (10 - size, 10 + size)
    assert figure.axes[0].get_ylabel() == "probability"
    with pytest.raises(dp.OpenDPException, match=r"at=0\.5: must be an integer"):
        plots.noise(noisy, at=0.5)


def test_a_tradeoff_is_drawn_in_cells() -> None:
    noisy = dp.m.make_tradeoff_noise(*REALS, 1.0, dp.m.gaussian_tradeoff(1))
    heights, edges = stairs(plots.noise(noisy))
    tradeoff = dp.m.gaussian_tradeoff(1)
    law = CanonicalRV(mpq(0), mpq(1), tradeoff, tradeoff.fixed_point)
    at = min(range(len(heights)), key=lambda i: abs(edges[i] - 1))
    mass = law.cdf(mpq(edges[at + 1]), 96) - law.cdf(mpq(edges[at]), 96)
    assert heights[at] * (edges[at + 1] - edges[at]) == pytest.approx(
        middle(mass), rel=1e-6
    )


def test_snapping_has_the_steps_of_its_lattice() -> None:
    noisy = dp.m.make_snapping(*REALS, 1.5, (0.0, 100.0))
    figure = plots.noise(noisy, at="40.3")
    found = bars(figure)
    exact = dp.snapping_distribution(1.5, (0, 100), "40.3")
    assert {b - a for a, b in pairwise(found)} == {2.0}
    assert {x: middle(exact[x]) for x in found} == pytest.approx(found)
    size = noisy.accuracy("0.05")
    assert intervals(figure)[0] == pytest.approx((40.3 - size, 40.3 + size), rel=1e-15)
    exact = dp.snapping_distribution(1, (-2, 2), 0)
    for precision in (None, 118):  # 118 bits are seen by nobody in a picture
        ends = bars(
            plots.noise(dp.m.make_snapping(*REALS, 1, (-2, 2), precision=precision))
        )
        assert ends == pytest.approx({x: middle(p) for x, p in exact.items()})


@pytest.mark.parametrize(
    "still",
    [
        dp.m.make_laplace(*INTEGERS, 0),
        dp.m.make_laplace(*REALS, 0.0),
        dp.m.make_canonical_noise(*REALS, 0.0, (1, 0)),
        dp.m.make_canonical_noise(*INTEGERS, 0.0, (1, 0)),
    ],
)
def test_without_noise_there_is_one_value(still: Any) -> None:
    figure = plots.noise(still, at=3)
    assert bars(figure) == {3.0: 1.0}
    assert intervals(figure) == [(3.0, 3.0)]


def test_labels_are_rounded_up() -> None:
    noisy = dp.m.make_laplace(*REALS, 1.0)
    for alpha in ("0.5", "0.05", "0.3"):
        (text,) = plots.noise(noisy, alphas=[alpha]).axes[0].texts
        _, size, *_, sure, _ = text.get_text().split()
        assert 0 <= float(size) - noisy.accuracy(alpha) < 1e-3 * float(size)
        assert float(sure) == pytest.approx(100 - 100 * float(alpha))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"measurement": 3}, "measurement=<int>: must be a Measurement"),
        ({"alphas": 0.05}, r"alphas=.*list or a tuple.*alphas=\[0.5, 0.05\]"),
        ({"alphas": [0.1] * 5}, "at most 4"),
        ({"alphas": ["many"]}, "each must be a number"),
        ({"alphas": [0]}, "alpha=0: must be above 0"),
        ({"alphas": [2]}, "alpha=2.*at most 1"),
        ({"at": 0.5}, "at=0.5: must be an integer"),
        ({"at": "x"}, "at='x'"),
        ({"theme": "sepia"}, "theme='sepia': must be 'light' or 'dark'"),
        ({"theme": None}, "theme=None"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: dict[str, Any], told: str, no_matplotlib: None
) -> None:
    good: dict[str, Any] = {"measurement": dp.m.make_laplace(*INTEGERS, 2)}
    with pytest.raises(dp.OpenDPException, match=told):
        plots.noise(**{**good, **arguments})


@pytest.mark.parametrize(
    ("noisy", "told"),
    [
        (dp.m.make_randomized_response_bool("0.75"), "does not say which noise"),
        (dp.m.make_laplace(*REALS, 1e200), "too large or too small"),
        (
            dp.c.make_composition([dp.m.make_laplace(*INTEGERS, 2)] * 2),
            "it releases several",
        ),
    ],
)
def test_what_has_no_picture_says_why(
    noisy: Any, told: str, no_matplotlib: None
) -> None:
    with pytest.raises(dp.OpenDPException, match=told):
        plots.noise(noisy)


def test_a_number_that_hides_the_noise_is_refused(no_matplotlib: None) -> None:
    noisy = dp.m.make_laplace(*REALS, 1.0)
    with pytest.raises(dp.OpenDPException, match="another number for at"):
        plots.noise(noisy, at=Fraction(10**30))
