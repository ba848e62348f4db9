"""The law of snapping adds up and is that of its definition; its bias is its mean.

Probabilities are compared with differences of the Laplace distribution function in ball
arithmetic (FLINT), at precisions where nothing cancels; the bias with sums over all
outputs, which share no code with the closed form.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest
from flint import arb
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.snapping_bias import mean_offset, mean_rounding
from tests.rows import for_each

VECTORS = json.loads(
    (Path(__file__).parents[2] / "data/snapping_utility_vectors.json").read_text()
)
TINY = Fraction(1, 2**100)


@pytest.fixture(autouse=True)
def high_precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = 1500
    yield
    flint.ctx.prec = before


def fraction(x: Any) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator))


def ball(x: Any) -> arb:
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


def laplace(t: Fraction, scale: Fraction) -> arb:
    """P(Y < t) for Laplace noise."""
    if t < 0:
        return ball(t / scale).exp() / 2
    return 1 - ball(-t / scale).exp() / 2


@functools.cache
def power_at_least(x: Fraction) -> Fraction:
    power = Fraction(1)
    while power < x:
        power *= 2
    while power / 2 >= x:
        power /= 2
    return power


def definition(scale: Any, bounds: tuple[Any, Any], x: Any) -> dict[float, arb]:
    """The law from the words of the mechanism: clamp, add noise, snap, clamp, round."""
    scale, lower, upper = (Fraction(each) for each in (scale, *bounds))
    step, middle, half = power_at_least(scale), (lower + upper) / 2, (upper - lower) / 2
    v = min(max(Fraction(x), lower), upper) - middle
    n = math.floor(half / step) + 1
    law: dict[float, arb] = {}
    for j in range(-n, n + 1):
        # The multiple j of the step; the last ones stand for all beyond them.
        low = arb(0) if j == -n else laplace((j - Fraction(1, 2)) * step - v, scale)
        high = arb(1) if j == n else laplace((j + Fraction(1, 2)) * step - v, scale)
        place = middle + min(max(j * step, -half), half)
        value = place.numerator / place.denominator
        if Fraction(value) < lower:
            value = math.nextafter(value, math.inf)
        if Fraction(value) > upper:
            value = math.nextafter(value, -math.inf)
        law[value] = law.get(value, arb(0)) + (high - low)
    return law


def total(law: dict[float, Enclosure]) -> Enclosure:
    return sum(law.values(), Enclosure(0, 0))


places = st.fractions(-30, 30, max_denominator=40)
widths = st.fractions(Fraction(1, 10), 40, max_denominator=40)
some_scales = st.fractions(Fraction(1, 20), 50, max_denominator=60)


@given(scale=some_scales, lower=places, width=widths, x=places)
def test_the_law_is_that_of_the_definition(
    scale: Fraction, lower: Fraction, width: Fraction, x: Fraction
) -> None:
    bounds = (lower, lower + width)
    law, expected = (
        dp.snapping_distribution(scale, bounds, x),
        definition(scale, bounds, x),
    )
    assert list(law) == sorted(law)
    assert set(law) <= set(expected)
    for value, probability in expected.items():
        held = law.get(value, Enclosure(0, 0))
        assert ball(fraction(held.lo)) <= probability + ball(TINY**9)
        assert probability <= ball(fraction(held.hi)) + ball(TINY**9)
        assert fraction(held.width) <= TINY * fraction(held.hi)


@pytest.mark.parametrize(
    "vector",
    [v for v in VECTORS if v["function"] == "snapping_pmf_unclamped"],
    ids=lambda v: v["id"],
)
def test_the_vectors_without_a_clamp(vector: dict[str, Any]) -> None:
    inputs = vector["inputs"]
    law = dp.snapping_distribution(inputs["lambda"], (-1024, 1024), inputs["x"])
    held = law[float(inputs["n"])]
    assert abs(fraction(held.lo) - Fraction(vector["expected"])) < Fraction(1, 10**28)


@for_each("scale", ["1e-300", "1e-150", "0.001", "1", "1e150", "1e300"])
def test_the_law_adds_up_at_every_scale(scale: str) -> None:
    small = itertools.product([0.3, 1.0, 7.7], [0.0, 0.31, 1.0])
    for width, place in (*small, (300.0, 0.31)):
        upper = Fraction(scale) * Fraction(width)
        law = dp.snapping_distribution(scale, (-upper, upper), upper * Fraction(place))
        whole = total(law)
        assert whole.contains(1)
        assert fraction(whole.width) < TINY


def test_outputs_that_become_one_double_are_added() -> None:
    """Around 2^60 doubles are 256 apart, so most steps of 1 are rounded away."""
    law = dp.snapping_distribution(1, (2**60, 2**60 + 512), 2**60 + 256)
    assert list(law) == [2.0**60, 2.0**60 + 256, 2.0**60 + 512]
    assert total(law).contains(1)
    expected = definition(1, (2**60, 2**60 + 512), 2**60 + 256)
    middle = law[2.0**60 + 256]
    assert ball(fraction(middle.lo)) <= expected[2.0**60 + 256]
    assert expected[2.0**60 + 256] <= ball(fraction(middle.hi))


def test_infinite_guesses_are_clamped() -> None:
    inner = {end: dp.snapping_distribution(1, (0, 9), end) for end in (0, 9)}
    assert dp.snapping_distribution(1, (0, 9), -math.inf) == inner[0]
    assert dp.snapping_distribution(1, (0, 9), "inf") == inner[9]
    assert dp.snapping_distribution(1, (0, 9), 10**500) == inner[9]


def test_long_lists_are_refused() -> None:
    assert len(dp.snapping_distribution(1, (-4999, 4999), 0)) == 9999
    with pytest.raises(dp.OpenDPException, match="more than 10000 indices") as caught:
        dp.snapping_distribution(1, (-5000, 5000), 0)
    assert caught.value.variant == "InvalidDistance"
    began = time.process_time()
    with pytest.raises(dp.OpenDPException, match="scale='1e-300'"):
        dp.snapping_distribution("1e-300", (-1e300, 1e300), 0)
    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    "function", [dp.snapping_distribution, dp.snapping_bias], ids=lambda f: f.__name__
)
def test_refusals(function: Any) -> None:
    for arguments, text in [
        ((0, (0, 1), 0), "scale=0: must be above 0"),
        ((math.inf, (0, 1), 0), "scale=inf: must be a finite number"),
        (("x", (0, 1), 0), "must be a number such as"),
        ((1, None, 0), "bounds=None: must be a pair"),
        ((1, (1, 1), 0), "must be less than"),
        ((1, (0, math.inf), 0), "finite"),
        ((1, (0, 1), math.nan), "must be a .*number, got nan"),
        ((1, (0, 1), "here"), "must be a number such as"),
        ((1, (0, 1), None), "of type NoneType"),
    ]:
        with pytest.raises(dp.OpenDPException, match=text) as caught:
            function(*arguments)
        assert caught.value.variant == "InvalidDistance"
    with pytest.raises(dp.OpenDPException, match="finite"):
        dp.snapping_bias(1, (0, 1), math.inf)


def mean(law: dict[float, Enclosure]) -> Enclosure:
    return sum((p * mpq(value) for value, p in law.items()), Enclosure(0, 0))


def check_bias(scale: Any, bounds: tuple[Any, Any], x: Any) -> Fraction:
    """The bias lies between the ends; return how far these are apart."""
    bias = dp.snapping_bias(scale, bounds, x)
    x = Fraction(x)
    summed = mean(dp.snapping_distribution(scale, bounds, x))
    low, high = fraction(summed.lo) - x, fraction(summed.hi) - x
    assert Fraction(bias.lower) <= high
    assert low <= Fraction(bias.upper)
    return Fraction(bias.upper) - Fraction(bias.lower)


@given(scale=some_scales, lower=places, width=widths, x=places)
def test_the_bias_is_the_mean_of_the_law(
    scale: Fraction, lower: Fraction, width: Fraction, x: Fraction
) -> None:
    """Ends of any kind: rounding moves what is released, and stands in the interval."""
    apart = check_bias(scale, (lower, lower + width), x)
    assert apart < Fraction(1, 10**12)


@given(
    scale=some_scales,
    lower=st.integers(-30, 30),
    width=st.integers(1, 40),
    x=places,
)
def test_the_bias_is_the_mean_of_the_law_to_a_double(
    scale: Fraction, lower: int, width: int, x: Fraction
) -> None:
    """Whole ends: nothing is rounded, so the ends are neighbours around the mean."""
    bounds = (lower, lower + width)
    check_bias(scale, bounds, x)
    bias = dp.snapping_bias(scale, bounds, x)
    assert bias.upper in (bias.lower, math.nextafter(bias.lower, math.inf))
    law = definition(scale, bounds, x)
    summed = sum((ball(v) * p for v, p in law.items()), arb(0)) - ball(x)
    assert ball(bias.lower) <= summed + ball(TINY**9)
    assert summed <= ball(bias.upper) + ball(TINY**9)
    if bias.lower < bias.upper:
        assert ball(bias.lower) < summed < ball(bias.upper)


@for_each("scale", ["1e-300", "1e-150", "0.001", "1", "1e150", "1e300"])
def test_the_bias_at_every_scale(scale: str) -> None:
    small = itertools.product([0.3, 1.0, 7.7], [0.31, 0.99, 1.0, 2])
    for width, place in (*small, (300.0, 0.99)):
        upper = Fraction(scale) * Fraction(width)
        apart = check_bias(scale, (-upper, upper), upper * Fraction(place))
        assert apart <= upper * 2 / 2**50


def test_the_bias_is_exactly_nothing_in_the_middle() -> None:
    assert dp.snapping_bias(3, (-8, 8), 0) == (0.0, 0.0)
    assert dp.snapping_bias("0.01", (0, 5), "2.5") == (0.0, 0.0)
    assert dp.snapping_bias("1e-300", (-1e300, 1e300), 0)[0] <= 0.0


def test_the_bias_beyond_the_bounds_is_counted_from_the_guess() -> None:
    inside, outside = (dp.snapping_bias(1, (-8, 8), x) for x in (8, 11))
    assert Fraction(outside.lower) <= Fraction(inside.upper) - 3
    assert Fraction(inside.lower) - 3 <= Fraction(outside.upper)
    assert outside.upper - outside.lower < 1e-15


def test_the_bias_of_bounds_beyond_the_largest_double() -> None:
    """What lies above the largest double is released as that: at U, which is 2^1014
    more, nearly all releases lose that."""
    lower, upper = 2**1024 - 2**1015, 2**1024 + 2**1014
    for x in (lower, (lower + upper) // 2, upper):
        apart = check_bias(2**1010, (lower, upper), x)
        assert 2**1015 < apart < 2**1016
    assert dp.snapping_bias(2**1010, (lower, upper), upper).lower < -(2.0**1014)
    # Bounds that pass it by all doubles leave nothing to say.
    assert dp.snapping_bias(1, (0, 10**400), 5) == (-math.inf, math.inf)


def test_the_bias_among_the_least_doubles() -> None:
    """The middle, 3/2 of the least double, is released as 2: the bias at 8/5, which
    would be below 0, is above."""
    least = Fraction(1, 2**1074)
    scale, bounds, x = 5 * least, (0, 3 * least), Fraction(8, 5) * least
    assert list(dp.snapping_distribution(scale, bounds, x)) == [0.0, 1e-323, 1.5e-323]
    summed = mean(dp.snapping_distribution(scale, bounds, x))
    assert fraction(summed.lo) > x
    assert check_bias(scale, bounds, x) <= 3 * least


def test_so_many_outputs_cost_nothing() -> None:
    began = time.process_time()
    for x in (0, 1, "1.3", -(2.0**1000), 2.0**1000, "1e250"):
        bias = dp.snapping_bias(1, (-(2.0**1000), 2.0**1000), x)
        assert bias.lower <= bias.upper
    # At the bound half of the noise is lost: -lambda/2 and what the snapping adds.
    end = dp.snapping_bias(1.0, (-(2**1000), 2**1000), 2**1000)
    assert end.lower < -0.479
    assert end.upper > -0.48
    # 2^53 steps are all doubles, so the bias is exact, and at a multiple of 1/2 tiny.
    wide = dp.snapping_bias(1, (-(2**52), 2**52), 1)
    assert -5e-324 <= wide.lower <= wide.upper <= 5e-324
    edge = dp.snapping_bias(1, (-(2**52), 2**52), 2**52)
    series = -(ball(Fraction(-1, 2)).exp() / (1 - ball(-1).exp())) / 2
    assert ball(edge.lower) < series < ball(edge.upper)
    assert edge.upper == math.nextafter(edge.lower, 0.0)
    assert time.process_time() - began < 10


def test_the_bias_is_odd() -> None:
    for scale, x in itertools.product([Fraction(1, 3), 1, 5], ["0.1", "2.7", "7.9"]):
        there = dp.snapping_bias(scale, (-8, 8), Fraction(x))  # type: ignore[arg-type]
        back = dp.snapping_bias(scale, (-8, 8), -Fraction(x))  # type: ignore[arg-type]
        assert (there.lower, there.upper) == (-back.upper, -back.lower)


def test_what_rounding_may_move() -> None:
    exact = [(-2, 3, 1), (0, 2.0**53, 2), (-0.5, 0.25, "0.01"), (0, 5e-324, 1)]
    for lower, upper, scale in exact:
        lattice = Lattice(mpq(lower), mpq(upper), mpq(scale))  # type: ignore[call-overload]
        moved = mean_rounding(lattice, mpq(0))
        # The middle of 0 and the least double is none.
        assert (moved == 0) == (upper != 5e-324)
    third = Lattice(mpq(0), mpq(1, 3), mpq(1))
    assert 0 < mean_rounding(third, mpq(0)) < mpq(1, 2**52)
    beyond = Lattice(mpq(0), mpq(10**400), mpq(1))
    assert mean_rounding(beyond, mpq(0)) > 10**399
    # Far from 0 the same lattice is rounded more.
    wide = Lattice(mpq(-(2**60)), mpq(2**60), mpq(1))
    near, far = (mean_rounding(wide, mpq(v)) for v in (0, 2**60))
    assert near < mpq(1, 2**50) < 1 <= far


def test_the_mean_of_all_steps_is_enclosed_more_and_more_closely() -> None:
    lattice = Lattice(mpq(-8), mpq(8), mpq(3, 4))
    wide, narrow = (mean_offset(lattice, mpq(5), p) for p in (64, 256))
    assert wide.lo <= narrow.lo <= narrow.hi <= wide.hi
    assert narrow.width * 2**180 < wide.width
