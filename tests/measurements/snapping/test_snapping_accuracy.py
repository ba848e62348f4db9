"""Accuracies of snapping hold, by its exact law; scales are the greatest, by balls.

The numbers that the functions are compared with are computed by FLINT, and the laws by
sums over all outputs; neither shares code with the functions tested.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from tests.rows import for_each

VECTORS = json.loads(
    (Path(__file__).parents[2] / "data/snapping_utility_vectors.json").read_text()
)
LEVELS = [1e-300, 1e-9, 0.001, 0.05, 0.3, 0.9, 1 - 2.0**-53]
SCALES = [5e-324, 1e-300, 1e-7, 0.2, 0.5, 1.0, 1.5, 4.0, 17.3, 1e16, 1e300]
HUGE = (-(10**400), 10**400)


@pytest.fixture(autouse=True)
def high_precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = 2500
    yield
    flint.ctx.prec = before


def exact(x: Any) -> arb:
    x = Fraction(x)
    return arb(x.numerator) / arb(x.denominator)


def up(x: float) -> float:
    return math.nextafter(x, math.inf)


@functools.cache
def power_at_least(x: Fraction) -> Fraction:
    """The least power of two that is at least x, by trying."""
    power = Fraction(1)
    while power < x:
        power *= 2
    while power / 2 >= x:
        power /= 2
    return power


def accuracy(scale: Any, alpha: Any) -> arb:
    noise = exact(scale) * (1 / exact(alpha)).log()
    return noise + exact(power_at_least(Fraction(scale)) / 2)


def vectors(function: str) -> Any:
    chosen = [v for v in VECTORS if v["function"] == function]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda v: v["id"])


@vectors("accuracy_2020")
def test_the_accuracies_of_the_source(vector: dict[str, Any]) -> None:
    given = vector["inputs"]
    scale, half = 1 / Fraction(given["eps_prime"]), Fraction(given["B"])
    a = dp.snapping_scale_to_accuracy(scale, (-half, half), given["alpha"])
    # The vector has 30 digits, so it says which double is the least above.
    expected = Fraction(vector["expected"])
    assert math.nextafter(a, 0.0) < expected <= a


@vectors("eps_prime_from_accuracy_exact")
def test_the_inverse_of_the_source(vector: dict[str, Any]) -> None:
    given = vector["inputs"]
    scale = dp.accuracy_to_snapping_scale(
        given["accuracy"], (-1000, 1000), given["alpha"]
    )
    assert scale <= 1 / Fraction(vector["expected"]) < up(scale)


def test_the_accuracy_is_the_least_double_of_its_formula() -> None:
    for scale, alpha in itertools.product(SCALES, LEVELS):
        a = dp.snapping_scale_to_accuracy(scale, HUGE, alpha)
        assert accuracy(scale, alpha) <= exact(a) or a == math.inf
        assert accuracy(scale, alpha) > exact(math.nextafter(a, 0.0))


def test_the_width_of_the_bounds_is_an_accuracy() -> None:
    assert dp.snapping_scale_to_accuracy(1, (-1, 2), "0.001") == 3.0
    assert dp.snapping_scale_to_accuracy(1e300, (0, "0.1"), "0.05") == 0.1
    assert dp.snapping_scale_to_accuracy(10**400, (0, 1), "0.05") == 1.0
    assert dp.snapping_scale_to_accuracy(10**400, HUGE, "0.05") == math.inf
    # At level 1 only the snapping counts.
    assert dp.snapping_scale_to_accuracy("0.7", (0, 10), 1) == 0.5


def failure(scale: Any, bounds: tuple[Any, Any], x: Any, distance: Fraction) -> arb:
    """P(|release - x| > distance), from the law, for an x within the bounds."""
    law = dp.snapping_distribution(scale, bounds, x)
    far = [p for value, p in law.items() if abs(Fraction(value) - x) > distance]
    return sum(
        (exact(Fraction(int(p.hi.numerator), int(p.hi.denominator))) for p in far),  # type: ignore[union-attr]
        arb(0),
    )


@given(
    scale=st.fractions(Fraction(1, 8), 10, max_denominator=50),
    lower=st.integers(-20, 0),
    width=st.integers(1, 40),
    place=st.fractions(0, 1, max_denominator=60),
    alpha=st.fractions(Fraction(1, 1000), 1, max_denominator=1000),
)
def test_the_accuracy_holds(
    scale: Fraction, lower: int, width: int, place: Fraction, alpha: Fraction
) -> None:
    """Bounds are whole, so what is released is exact before it is rounded."""
    bounds = (lower, lower + width)
    a = Fraction(dp.snapping_scale_to_accuracy(scale, bounds, alpha))
    x = lower + place * width
    assert failure(scale, bounds, x, a) <= exact(alpha) + exact(Fraction(1, 10**30))


@given(
    scale=st.floats(0.1, 10.0),
    lower=st.floats(-20.0, 0.0),
    width=st.floats(0.5, 40.0),
    place=st.fractions(0, 1, max_denominator=60),
    alpha=st.floats(0.001, 1.0),
)
def test_the_accuracy_holds_but_for_the_last_rounding(
    scale: float, lower: float, width: float, place: Fraction, alpha: float
) -> None:
    upper = lower + width
    a = Fraction(dp.snapping_scale_to_accuracy(scale, (lower, upper), alpha))
    half_ulp = Fraction(math.ulp(max(abs(lower), abs(upper)))) / 2
    x = Fraction(lower) + place * (Fraction(upper) - Fraction(lower))
    failed = failure(scale, (lower, upper), x, a + half_ulp)
    assert failed <= exact(alpha) + exact(Fraction(1, 10**30))


@given(
    scale=st.fractions(Fraction(1, 8), 10, max_denominator=50),
    lower=st.fractions(-20, 20, max_denominator=70),
    width=st.fractions(Fraction(1, 10), 40, max_denominator=70),
    shift=st.sampled_from([0, 10**14, -(10**16)]),
    place=st.fractions(0, 1, max_denominator=60),
    alpha=st.fractions(Fraction(1, 1000), 1, max_denominator=1000),
)
def test_an_ulp_is_enough_for_bounds_that_are_no_doubles(
    scale: Fraction,
    lower: Fraction,
    width: Fraction,
    shift: int,
    place: Fraction,
    alpha: Fraction,
) -> None:
    """With the shift an ulp is 1/64 or 2, beside a scale of about 1."""
    bounds = (lower + shift, lower + shift + width)
    assume(math.ulp(float(shift)) < width)
    a = Fraction(dp.snapping_scale_to_accuracy(scale, bounds, alpha))
    # ulp(float(S)) is that of S, or of the next power of two if S is rounded up to it.
    ulp = Fraction(math.ulp(float(max(map(abs, bounds)))))
    x = bounds[0] + place * width
    failed = failure(scale, bounds, x, a + ulp)
    assert failed <= exact(alpha) + exact(Fraction(1, 10**30))


@for_each("scale", [1e-300, 1e-5, 3.0, 1e200, 1e300])
def test_the_accuracy_is_nearly_attained(scale: float) -> None:
    """A number just above an edge, and a level at which the next edge is reached."""
    step = power_at_least(Fraction(scale))
    bounds = (-100 * step, 100 * step)
    x = step / 2
    # At distance 4.5 steps the next output lies; a little less is not enough.
    nearer = Fraction(9, 2) * step * Fraction(999, 1000)
    alpha = Fraction(str(1.001 * math.e ** float(-4 * step / Fraction(scale))))
    a = Fraction(dp.snapping_scale_to_accuracy(scale, bounds, alpha))
    assert nearer < a < Fraction(9, 2) * step
    assert failure(scale, bounds, x, a) <= exact(alpha)
    assert failure(scale, bounds, x, Fraction(7, 2) * step - step / 1000) > exact(alpha)


def test_the_scale_suffices_and_is_the_greatest() -> None:
    accuracies = [1e-300, 1e-5, 0.3, 1.0, 3.0, 3.5, 3.7, 3.99, 4.0, 12345.678, 1e300]
    for a, alpha in itertools.product(accuracies, LEVELS):
        scale = dp.accuracy_to_snapping_scale(a, HUGE, alpha)
        assert accuracy(scale, alpha) <= exact(a), (a, alpha)
        if scale < sys.float_info.max:
            assert accuracy(up(scale), alpha) > exact(a), (a, alpha)


@given(
    a=st.fractions(Fraction(1, 10**9), 10**9),
    alpha=st.fractions(Fraction(1, 10**9), 1, max_denominator=10**9),
)
def test_there_and_back(a: Fraction, alpha: Fraction) -> None:
    if alpha == 1:
        alpha = Fraction(1, 2)
    scale = dp.accuracy_to_snapping_scale(a, HUGE, alpha)
    assert accuracy(scale, alpha) <= exact(a)
    assert accuracy(up(scale), alpha) > exact(a)


def test_the_accuracy_jumps_at_powers_of_two() -> None:
    below = dp.snapping_scale_to_accuracy(1.0, HUGE, "0.05")
    above = dp.snapping_scale_to_accuracy(up(1.0), HUGE, "0.05")
    assert 3.4957 < below < 3.4958
    assert 3.9957 < above < 3.9958
    # All accuracies in the gap have the scale below it.
    for a in (below, "3.6", "3.99"):
        assert dp.accuracy_to_snapping_scale(a, HUGE, "0.05") == 1.0
    assert dp.accuracy_to_snapping_scale("3.9958", HUGE, "0.05") > 1.0


@for_each("alpha", ["0.05", "1e-50", 1 - Fraction(1, 10**50)])
@for_each("k", [-60, 0, 7])
def test_an_accuracy_next_to_the_end_of_a_gap(alpha: Any, k: int) -> None:
    """Nearer to 2^k (ln(1/alpha) + 1) than the first enclosures are narrow."""
    end = ((1 / exact(alpha)).log() + 1) * arb(2) ** k
    mantissa, exponent = end.mid().man_exp()
    near = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    for side in (-1, 1):
        a = near * (1 + side * Fraction(1, 2**300))
        assert dp.accuracy_to_snapping_scale(a, HUGE, alpha) == 2.0**k


def test_one_double_between_the_bounds_is_enough() -> None:
    tiny = Fraction(1, 10**30)
    assert dp.snapping_scale_to_accuracy(1, (1 - tiny, 1 + tiny), 0.5) == 2e-30
    assert dp.accuracy_to_snapping_scale(tiny, (1 - tiny, 1 + tiny), 0.5) > 0


def test_extremes() -> None:
    assert dp.accuracy_to_snapping_scale(0, (0, 1), 0.5) == 0.0
    assert dp.accuracy_to_snapping_scale("1e-1000", (0, 1), 0.5) == 0.0
    assert dp.accuracy_to_snapping_scale(5e-324, (0, 1), 0.05) == 0.0
    assert dp.accuracy_to_snapping_scale(10**390, HUGE, 0.5) == sys.float_info.max
    assert dp.accuracy_to_snapping_scale("1e-1000", (0, 1), "1e-100000") == 0.0
    # Below level 1 by very little, all but the snapping is within the accuracy.
    assert dp.accuracy_to_snapping_scale(1, (0, 9), 1 - Fraction(1, 10**99)) == 1.0


def test_numbers_are_exact_in_every_form() -> None:
    forms = ["0.1", Decimal("0.1"), Fraction(1, 10), "1/10"]
    same = {dp.snapping_scale_to_accuracy(f, ("-1", 5.0), f) for f in forms}  # type: ignore[arg-type]
    assert len(same) == 1
    assert len({dp.accuracy_to_snapping_scale(f, [0, f"{5}"], f) for f in forms}) == 1  # type: ignore[arg-type]
    # Not rounded to a double, so it is above the power of two.
    above = 1 + Fraction(1, 2**60)
    assert dp.snapping_scale_to_accuracy(above, HUGE, "0.05") > 3.9957


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("scale", {"scale": 0}, "scale=0: must be above 0"),
    ("scale", {"scale": -1.0}, "scale=-1.0: must be above 0"),
    ("scale", {"scale": math.inf}, "scale=inf: must be a finite number"),
    ("scale", {"scale": math.nan}, "must be a finite number, got nan"),
    ("scale", {"scale": "much"}, "must be a number such as"),
    ("scale", {"scale": True}, "truth value"),
    ("scale", {"scale": None}, "of type NoneType"),
    ("both", {"alpha": 0}, "alpha=0: must be above 0"),
    ("both", {"alpha": "1.1"}, "must be above 0 and at most 1"),
    ("both", {"alpha": -0.1}, "must be above 0"),
    ("accuracy", {"alpha": 1}, "must be below 1"),
    ("both", {"bounds": 3}, "must be a pair"),
    ("both", {"bounds": (1, 2, 3)}, "must be a pair"),
    ("both", {"bounds": (2, 2)}, "must be less than"),
    ("both", {"bounds": (3, 2)}, "must be less than"),
    ("both", {"bounds": (0, math.inf)}, "finite"),
    ("both", {"bounds": (math.nan, 2)}, "finite"),
    ("both", {"bounds": ("1/3", Fraction(10**20, 3 * 10**20 - 1))}, "a double between"),
    ("accuracy", {"accuracy": -1}, "must be at least 0"),
    ("accuracy", {"accuracy": 10}, "must be below the width"),
    ("accuracy", {"accuracy": 1e300}, "must be below the width"),
    ("accuracy", {"accuracy": math.inf}, "finite"),
]


@for_each(("which", "bad", "text"), REFUSED)
def test_refusals(which: str, bad: dict[str, Any], text: str) -> None:
    good = {"bounds": (0, 10), "alpha": 0.05}
    if which != "accuracy":
        with pytest.raises(dp.OpenDPException, match=text) as caught:
            dp.snapping_scale_to_accuracy(**{"scale": 1, **good, **bad})
        assert caught.value.variant == "InvalidDistance"
    if which != "scale":
        with pytest.raises(dp.OpenDPException, match=text) as caught:
            dp.accuracy_to_snapping_scale(**{"accuracy": 1, **good, **bad})
        assert caught.value.variant == "InvalidDistance"
