"""What proofs trust of gmpy2: how its numbers compare with floats.

Scores, distances and ends of intervals are rationals or infinite floats, and are
compared with one another: by `max`, `min` and `in` as well, which ask these operators.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gmpy2
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import for_each

OPERATORS = [
    operator.lt,
    operator.le,
    operator.eq,
    operator.ne,
    operator.gt,
    operator.ge,
]
NUMBERS = [
    mpq(0),
    mpq(-3, 7),
    mpq(2**1024),
    mpq(-(10**5000), 3),
    mpq(1, 10**5000),
    mpz(0),
    mpz(-(10**5000)),
]
CONTEXTS = {
    "the default": gmpy2.context(),
    "two bits, and every trap set": gmpy2.context(
        precision=2,
        emax=1,
        emin=-1,
        trap_divzero=True,
        trap_erange=True,
        trap_inexact=True,
        trap_invalid=True,
        trap_overflow=True,
        trap_underflow=True,
    ),
}
Compare = Callable[[Any, Any], Any]


@for_each("context", CONTEXTS.values(), ids=CONTEXTS)
@for_each("number", NUMBERS, ids=range(len(NUMBERS)))
@for_each("compare", OPERATORS, ids=lambda each: each.__name__)
@for_each("infinity", [math.inf, -math.inf])
def test_every_number_lies_between_the_infinities(
    context: Any, number: Any, compare: Compare, infinity: float
) -> None:
    with gmpy2.context(context):
        assert compare(number, infinity) is compare(0.0, infinity)
        assert compare(infinity, number) is compare(infinity, 0.0)


@for_each("context", CONTEXTS.values(), ids=CONTEXTS)
@for_each("number", NUMBERS, ids=range(len(NUMBERS)))
def test_the_greatest_the_least_and_the_members_of_mixed_lists(
    context: Any, number: Any
) -> None:
    with gmpy2.context(context):
        for scores in ([number, math.inf], [math.inf, number]):
            assert max(scores) == math.inf
            assert min(scores) is number
        for scores in ([number, -math.inf], [-math.inf, number]):
            assert max(scores) is number
            assert min(scores) == -math.inf
        assert number not in (math.inf, -math.inf)
        assert math.inf not in [number]


@for_each("context", CONTEXTS.values(), ids=CONTEXTS)
@for_each("number", NUMBERS, ids=range(len(NUMBERS)))
@for_each("compare", OPERATORS, ids=lambda each: each.__name__)
def test_nan_is_unlike_every_number(
    context: Any, number: Any, compare: Compare
) -> None:
    with gmpy2.context(context):
        assert compare(number, math.nan) is (compare is operator.ne)
        assert compare(math.nan, number) is (compare is operator.ne)


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-3, 3),
    st.sampled_from(OPERATORS),
    st.sampled_from(list(CONTEXTS.values())),
)
def test_a_finite_float_is_the_number_that_it_stores(
    x: float, thousandths: int, compare: Compare, context: Any
) -> None:
    # So near to x that a rounding of either would show.
    near = Fraction(x) + Fraction(thousandths, 1000) * Fraction(math.ulp(x))
    number = mpq(near.numerator, near.denominator)
    with gmpy2.context(context):
        assert compare(number, x) is compare(near, Fraction(x))
        assert compare(x, number) is compare(Fraction(x), near)
