from __future__ import annotations

import math
import sys
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import example, given
from hypothesis import strategies as st

from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import (
    BINARY32,
    BINARY64,
    FloatFormat,
    divide_to_double,
    round_down,
    round_nearest,
    round_up,
    to_double,
)
from tests.rows import for_each

LARGEST = sys.float_info.max
TINY = 5e-324

# Equal to BINARY64 but not it: takes the general way instead of the short one.
GENERAL64 = FloatFormat(53, -1074, 971)

TOYS = [
    FloatFormat(2, 0, 0),
    FloatFormat(3, -3, 2),
    FloatFormat(4, -2, 1),
    FloatFormat(5, -4, -1),
    FloatFormat(5, 1, 3),
]


def values(fmt: FloatFormat) -> list[mpq]:
    """All values of a small format, by its definition."""
    bound = 1 << fmt.significand_bits
    return sorted(
        {
            m * power_of_two(e)
            for m in range(-bound + 1, bound)
            for e in range(fmt.min_exponent, fmt.max_exponent + 1)
        }
    )


def _integer(x: mpq) -> int:
    assert x.denominator == 1
    return int(x)


@cache
def _in_units(fmt: FloatFormat, unit: mpq) -> list[int]:
    return [_integer(value / unit) for value in values(fmt)]


def significand(value: mpq, fmt: FloatFormat) -> int:
    """The m of value = m 2^e with the least e that leaves |m| < 2^bits."""
    for e in range(fmt.min_exponent, fmt.max_exponent + 1):
        m = value / power_of_two(e)
        if m.denominator == 1 and abs(m) < 1 << fmt.significand_bits:
            return int(m)
    raise AssertionError("not a value of the format")


def by_brute_force(x: mpq, fmt: FloatFormat, table: list[mpq]) -> mpq:
    # Distances in a unit in which all are integers, which are compared faster.
    unit = power_of_two(fmt.min_exponent - 3) / 3
    point = _integer(x / unit)
    off = [abs(value - point) for value in _in_units(fmt, unit)]
    least = min(off)
    nearest = [value for value, each in zip(table, off, strict=True) if each == least]
    if len(nearest) == 1:
        return nearest[0]
    (even,) = [value for value in nearest if significand(value, fmt) % 2 == 0]
    return even


doubles = st.floats(allow_nan=False, allow_infinity=False)
wide = st.builds(
    lambda n, d, k: mpq(n, d) * power_of_two(k),
    st.integers(-(2**120), 2**120),
    st.integers(1, 2**60),
    st.integers(-1250, 1050),
)


@pytest.mark.parametrize("fmt", TOYS, ids=str)
def test_toy_formats_are_rounded_as_brute_force_does(fmt: FloatFormat) -> None:
    table = values(fmt)
    assert table[-1] == fmt.largest
    step = power_of_two(fmt.min_exponent - 3)  # all midpoints, and what lies between
    reach = int(fmt.largest / step) + 9
    stride = max(1, reach // 3000)
    for m in [*range(-reach, reach + 1, stride), -reach, reach]:
        for nudge in (mpq(0), step / 3, -step / 3):
            x = m * step + nudge
            assert round_nearest(x, fmt) == by_brute_force(x, fmt, table)


@for_each("fmt", TOYS, ids=str)
def test_every_midpoint_of_a_toy_format(fmt: FloatFormat) -> None:
    table = values(fmt)
    nudge = power_of_two(fmt.min_exponent - 40)
    for lower, upper in pairwise(table):
        middle = (lower + upper) / 2
        assert round_nearest(middle - nudge, fmt) == lower
        assert round_nearest(middle + nudge, fmt) == upper
        assert round_nearest(middle, fmt) == by_brute_force(middle, fmt, table)


@for_each("fmt", TOYS, ids=str)
def test_toy_formats_are_monotone_odd_and_saturate(fmt: FloatFormat) -> None:
    points = [n * fmt.largest / 400 for n in range(-900, 901)]
    rounded = [round_nearest(x, fmt) for x in points]
    assert rounded == sorted(rounded)
    assert rounded == [-value for value in reversed(rounded)]
    assert rounded[0] == -fmt.largest
    assert rounded[-1] == fmt.largest
    assert round_nearest(fmt.largest * 10**30, fmt) == fmt.largest


@given(wide)
@example(mpq(0))
@example(mpq(LARGEST))
@example(mpq(LARGEST) + power_of_two(970))
@example(mpq(LARGEST) + power_of_two(970) - power_of_two(-2000))
@example(power_of_two(1024))
@example(power_of_two(-1075))
@example(power_of_two(-1075) + power_of_two(-3000))
@example(3 * power_of_two(-1075))
@example(power_of_two(-1022) - power_of_two(-1075))
def test_doubles_both_ways_and_as_division_rounds(x: mpq) -> None:
    try:
        expected = int(x.numerator) / int(x.denominator)
    except OverflowError:
        expected = LARGEST if x > 0 else -LARGEST
    assert to_double(x) == expected
    assert round_nearest(x) == mpq(expected)
    assert round_nearest(x, GENERAL64) == mpq(expected)
    assert isinstance(round_nearest(x), mpq)


@given(
    doubles, st.sampled_from([mpq(1, 4), mpq(1, 2), mpq(3, 4)]), st.integers(60, 900)
)
@example(TINY, mpq(1, 2), 60)
@example(0.0, mpq(1, 2), 60)
@example(math.nextafter(LARGEST, 0.0), mpq(1, 2), 60)
@example(sys.float_info.min, mpq(1, 2), 60)
@example(math.nextafter(sys.float_info.min, 0.0), mpq(1, 2), 60)
@example(math.nextafter(1.0, 0.0), mpq(1, 2), 60)
def test_doubles_against_their_neighbours(value: float, part: mpq, bits: int) -> None:
    above = math.nextafter(value, math.inf)
    if math.isinf(above):
        return
    gap = mpq(above) - mpq(value)
    inside = mpq(value) + part * gap
    assert round_down(inside) == value
    assert round_up(inside) == above
    even = value if int(mpq(value) / gap) % 2 == 0 else above
    expected = value if part < mpq(1, 2) else above if part > mpq(1, 2) else even
    for fmt in (BINARY64, GENERAL64):
        assert round_nearest(inside, fmt) == mpq(expected)
        nudge = gap * power_of_two(-bits)
        middle = mpq(value) + gap / 2
        assert round_nearest(middle - nudge, fmt) == mpq(value)
        assert round_nearest(middle + nudge, fmt) == mpq(above)


@given(doubles)
def test_doubles_are_fixed(value: float) -> None:
    x = mpq(value)
    assert round_nearest(x) == round_nearest(x, GENERAL64) == x
    assert to_double(x) == round_up(x) == round_down(x) == value


@given(wide)
def test_singles_as_numpy_rounds_within_range(x: mpq) -> None:
    # numpy rounds a double, so the number is first made one.
    value = to_double(x)
    with np.errstate(all="ignore"):
        single = float(np.float32(value))
    if math.isinf(single):
        single = math.copysign(float(np.finfo(np.float32).max), single)
    assert round_nearest(mpq(value), BINARY32) == mpq(single)


def test_the_format_of_singles() -> None:
    assert BINARY32.largest == mpq(float(np.finfo(np.float32).max))
    least = mpq(float(np.finfo(np.float32).smallest_subnormal))
    assert least == power_of_two(BINARY32.min_exponent)


@given(wide)
def test_round_up_and_down_bracket(x: mpq) -> None:
    lower, upper = round_down(x), round_up(x)
    assert lower <= x <= upper
    assert lower == upper or math.nextafter(lower, math.inf) == upper
    assert round_down(-x) == -upper


@for_each(
    ("x", "lower", "upper"),
    [
        (mpq(1, 10**400), 0.0, TINY),
        (mpq(-1, 10**400), -TINY, 0.0),
        (10**400, LARGEST, math.inf),
        (-(10**400), -math.inf, -LARGEST),
        (mpq(LARGEST) + mpq(1, 10**400), LARGEST, math.inf),
        (2**53 + 1, 2.0**53, 2.0**53 + 2),
        (0, 0.0, 0.0),
        (math.inf, math.inf, math.inf),
        (-math.inf, -math.inf, -math.inf),
    ],
)
def test_round_up_and_down_at_the_edges(
    x: int | mpq | float, lower: float, upper: float
) -> None:
    assert round_down(x) == lower
    assert round_up(x) == upper


@for_each("x", [0, mpq(0), mpq(-1, 10**400), power_of_two(-1075) * -1])
def test_zero_has_no_sign(x: int | mpq) -> None:
    for value in (to_double(x), float(round_nearest(mpq(x)))):
        assert math.copysign(1.0, value) == 1.0


@for_each("function", [round_up, round_down])
@for_each("x", [0.5, math.nan])
def test_a_float_is_not_exact(function, x: float) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError, match="got a float"):
        function(x)


def test_a_format_is_checked() -> None:
    with pytest.raises(ValueError, match="significand_bits must be at least 2"):
        FloatFormat(1, 0, 1)
    with pytest.raises(ValueError, match="max_exponent must be at least min_exponent"):
        FloatFormat(3, 2, 1)


def test_formats_compare_by_value() -> None:
    assert GENERAL64 == BINARY64
    assert hash(GENERAL64) == hash(BINARY64)
    assert BINARY32 != BINARY64


@given(wide, st.integers(1, 2**70))
@example(mpq(0), 3)
@example(mpq(-1, 10**400), 1)
@example(mpq(LARGEST) + power_of_two(970), 7)
@example(mpq(LARGEST) + power_of_two(970) - power_of_two(-2000), 7)
@example(-power_of_two(5000), 1)
def test_a_quotient_need_not_be_in_lowest_terms(x: mpq, factor: int) -> None:
    """Halfway between the largest double and 2^1024 is where division overflows."""
    quotient = divide_to_double(int(x.numerator) * factor, int(x.denominator) * factor)
    assert mpq(quotient) == round_nearest(x, GENERAL64)
    assert str(quotient) != "-0.0"
