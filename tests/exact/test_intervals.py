from __future__ import annotations

import math
import operator
import pickle
from collections.abc import Callable

import attrs
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.intervals import Enclosure, decide, lower_bound, upper_bound
from tests.rows import for_each

numbers = st.builds(mpq, st.integers(-50, 50), st.integers(1, 8))


@st.composite
def intervals_and_points(draw: st.DrawFn) -> tuple[Enclosure, mpq]:
    """An interval, an end of which may be infinite, and a point in it."""
    lo, point, hi = sorted([draw(numbers), draw(numbers), draw(numbers)])
    lower = -math.inf if draw(st.integers(0, 7)) == 0 else lo
    upper = math.inf if draw(st.integers(0, 7)) == 0 else hi
    return Enclosure(lower, upper), point


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


def is_end(x: object) -> bool:
    return type(x) is mpq or x in (math.inf, -math.inf)


@pytest.mark.parametrize("operation", OPERATORS)
@given(intervals_and_points(), intervals_and_points())
def test_results_hold_the_results_of_points(
    operation: Callable[..., Enclosure],
    one: tuple[Enclosure, mpq],
    other: tuple[Enclosure, mpq],
) -> None:
    (left, x), (right, y) = one, other
    if operation is operator.truediv and y == 0:
        return
    expected = operation(x, y)
    results = [operation(left, right), operation(left, y), operation(x, right)]
    if y.denominator == 1:
        results.append(operation(left, int(y)))
    if x.denominator == 1:
        results.append(operation(int(x), right))
    for result in results:
        assert result.contains(expected)  # type: ignore[arg-type]
        assert is_end(result.lo)
        assert is_end(result.hi)


@pytest.mark.parametrize("operation", OPERATORS)
@given(numbers, numbers)
def test_points_give_points(
    operation: Callable[..., Enclosure], x: mpq, y: mpq
) -> None:
    if operation is operator.truediv and y == 0:
        return
    value = operation(x, y)
    assert operation(Enclosure(x, x), y) == Enclosure(value, value)  # type: ignore[arg-type]


@pytest.mark.parametrize("operation", OPERATORS[:3])
@given(intervals_and_points(), intervals_and_points())
def test_finite_results_are_the_narrowest(
    operation: Callable[..., Enclosure],
    one: tuple[Enclosure, mpq],
    other: tuple[Enclosure, mpq],
) -> None:
    left, right = one[0], other[0]
    ends = (left.lo, left.hi, right.lo, right.hi)
    if any(isinstance(end, float) for end in ends):
        return
    corners = [operation(a, b) for a in ends[:2] for b in ends[2:]]
    assert operation(left, right) == Enclosure(min(corners), max(corners))  # type: ignore[arg-type]


def test_quotients() -> None:
    one_to_two = Enclosure(1, 2)
    assert 1 / one_to_two == Enclosure(mpq(1, 2), 1)
    assert 1 / Enclosure(0, 2) == Enclosure(mpq(1, 2), math.inf)
    assert 1 / Enclosure(-2, 0) == Enclosure(-math.inf, mpq(-1, 2))
    assert 1 / Enclosure(2, math.inf) == Enclosure(0, mpq(1, 2))
    assert 1 / Enclosure(-1, 1) == Enclosure(-math.inf, math.inf)
    assert 1 / Enclosure(0, 0) == Enclosure(-math.inf, math.inf)


def test_zero_times_an_infinite_end_is_zero() -> None:
    assert Enclosure(0, 1) * Enclosure(1, math.inf) == Enclosure(0, math.inf)
    assert Enclosure(1, math.inf) * 0 == Enclosure(0, 0)


@given(intervals_and_points())
def test_negation_width_and_containment(case: tuple[Enclosure, mpq]) -> None:
    interval, point = case
    mirrored = -interval
    assert mirrored.contains(-point)
    assert -mirrored == interval
    assert interval.width >= 0
    assert is_end(interval.width)
    assert interval.contains(interval.lo)
    assert interval.contains(interval.hi)
    if interval.hi < math.inf:
        assert not interval.contains(interval.hi + mpq(1, 10**9))  # type: ignore[arg-type]
        assert interval.contains(int(point)) == (
            interval.lo <= int(point) <= interval.hi
        )


def test_ends_are_checked_and_made_rational() -> None:
    assert type(Enclosure(0, 1).lo) is mpq
    with pytest.raises(ValueError, match="lower end must not exceed the upper end"):
        Enclosure(mpq(2), mpq(1))
    for bad in (0.5, math.nan):
        with pytest.raises(TypeError, match="must be rational or infinite"):
            Enclosure(bad, 1)


def test_an_enclosure_is_a_value() -> None:
    interval = Enclosure(0, mpq(1, 3))
    assert pickle.loads(pickle.dumps(interval)) == interval
    assert hash(interval) == hash(Enclosure(mpq(0), mpq(1, 3)))
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        interval.lo = mpq(1)


def test_the_precision_is_doubled_until_there_is_an_answer() -> None:
    asked: list[int] = []

    def enclose(precision: int) -> Enclosure:
        asked.append(precision)
        return Enclosure(-mpq(1, precision), mpq(1, precision))

    def narrow(v: Enclosure) -> str | None:
        return "narrow" if v.width < mpq(1, 100) else None

    assert decide(enclose, narrow, precision=30) == "narrow"
    assert asked == [30, 60, 120, 240]


def test_an_answer_may_be_false_or_zero() -> None:
    assert decide(lambda p: Enclosure(0, 0), lambda v: False) is False
    assert decide(lambda p: Enclosure(0, 0), lambda v: 0) == 0


def compare_with(r: mpq) -> Callable[[Enclosure], int | None]:
    """-1, 0 or 1 as the number is below, at or above r."""

    def test(v: Enclosure) -> int | None:
        if v.lo == v.hi == r:
            return 0
        return 1 if v.lo > r else -1 if v.hi < r else None

    return test


@for_each("bits", [10, 100, 1000, 5000])
def test_comparisons_of_irrational_numbers_end_however_close(bits: int) -> None:
    close = exp(1, bits)
    below, above = compare_with(mpq(close.lo)), compare_with(mpq(close.hi))
    assert decide(lambda p: exp(1, p), below) == 1
    assert decide(lambda p: exp(1, p), above) == -1


def test_comparisons_at_equality_end_where_the_value_is_known() -> None:
    assert decide(lambda p: exp(0, p), compare_with(mpq(1))) == 0
    assert decide(lambda p: ln(1, p), compare_with(mpq(0))) == 0


def test_bounds_wait_for_a_finite_end() -> None:
    def enclose(precision: int) -> Enclosure:
        if precision < 200:
            return Enclosure(-math.inf, math.inf)
        return Enclosure(1, 1 + mpq(1, precision))

    assert upper_bound(enclose) == 1 + mpq(1, 256)
    assert lower_bound(enclose) == 1
    assert upper_bound(enclose, precision=500) == 1 + mpq(1, 500)


def test_bounds_of_ln_two() -> None:
    assert lower_bound(lambda p: ln(2, p)) < mpq("0.69314718055994530942")
    assert upper_bound(lambda p: ln(2, p)) > mpq("0.69314718055994530941")
