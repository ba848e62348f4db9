"""Roots: numbers that are known by their squares, and compared by them."""

from __future__ import annotations

import copy
import math
import operator
import pickle
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.roots import Root, above, root, squared
from tests.rows import for_each

INF = math.inf
SQUARES = st.fractions(min_value=0, max_denominator=10**6) | st.integers(0, 50)
TESTS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


def number(x: Any) -> mpq:
    exact = Fraction(x)
    return mpq(exact.numerator, exact.denominator)


@given(SQUARES)
def test_a_root_has_its_square(square: Any) -> None:
    found = root(number(square))
    assert squared(found) == number(square)
    assert found >= 0
    if isinstance(found, Root):
        assert found > 0
    else:
        assert found * found == number(square)


@given(st.fractions(min_value=0))
def test_the_root_of_a_square_is_rational(x: Fraction) -> None:
    found = root(number(x) * number(x))
    assert type(found) is mpq
    assert found == number(x)


def test_roots_that_are_no_fractions() -> None:
    for square in (2, 3, 8, mpq(1, 2), mpq(4, 3), mpq(2, 9), 10**400 + 1):
        assert isinstance(root(square), Root)
    for square, found in ((0, 0), (1, 1), (mpq(4, 9), mpq(2, 3)), (10**400, 10**200)):
        assert root(square) == found
        assert not isinstance(root(square), Root)
    assert root(INF) == INF
    assert squared(INF) == INF
    assert squared(3) == 9
    assert squared(mpq(1, 3)) == mpq(1, 9)


@given(a=SQUARES, b=SQUARES)
def test_roots_compare_as_their_squares(a: Any, b: Any) -> None:
    left, right = root(number(a)), root(number(b))
    for test in TESTS:
        assert test(left, right) is test(Fraction(a), Fraction(b))


@given(square=SQUARES, x=st.fractions(max_denominator=1000) | st.integers(-9, 9))
def test_roots_compare_with_numbers_on_both_sides(square: Any, x: Any) -> None:
    left, right = root(number(square)), number(x)
    # Numbers below 0 have the order of -x^2 among those of the squares.
    signed = Fraction(x) * abs(Fraction(x))
    for test in TESTS:
        assert test(left, right) is test(Fraction(square), signed)
        assert test(right, left) is test(signed, Fraction(square))
        if isinstance(x, int):
            assert test(left, x) is test(Fraction(square), signed)
            assert test(x, left) is test(signed, Fraction(square))


@for_each("test", TESTS)
def test_roots_lie_between_the_infinities(test: Any) -> None:
    for square in (2, mpq(1, 10**400 + 1), 10**401):
        found = root(square)
        assert isinstance(found, Root)
        assert test(found, INF) is test(1, INF)
        assert test(INF, found) is test(INF, 1)
        assert test(found, -INF) is test(1, -INF)
        assert test(-INF, found) is test(-INF, 1)


def test_the_least_and_the_greatest() -> None:
    assert min(mpq(3, 2), root(2)) == root(2)
    assert max(1, root(2), root(3)) == root(3)
    assert min(root(2), INF) == root(2)
    assert root(2) in (0, root(2))
    assert root(2) not in (0, INF)


@for_each("other", [1.5, math.nan, "1", None, 1j, Fraction(3, 2)])
def test_what_is_no_exact_number_is_not_compared(other: Any) -> None:
    """A float in a comparison of distances would be a slip."""
    found = root(2)
    assert found != other
    assert other != found
    for test in TESTS[:4]:
        with pytest.raises(TypeError):
            test(found, other)
        with pytest.raises(TypeError):
            test(other, found)


def test_a_root_is_a_value() -> None:
    found = root(mpq(8, 9))
    assert isinstance(found, Root)
    assert repr(found) == "sqrt(8/9)"
    assert hash(found) == hash(root(mpq(16, 18)))
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again == found
    with pytest.raises(AttributeError):
        found.square = mpq(2)
    for operation in (operator.add, operator.mul, operator.truediv):
        with pytest.raises(TypeError):
            operation(found, 2)
    with pytest.raises(TypeError):
        float(found)  # type: ignore[arg-type]


@given(SQUARES, st.integers(-80, 80))
def test_above_is_the_least_multiple(square: Any, k: int) -> None:
    found = root(number(square))
    bound = above(found, k)
    assert type(bound) is mpq
    if not isinstance(found, Root):
        assert bound == found
        return
    grid = mpq(2) ** k
    assert (bound / grid).denominator == 1
    assert bound > found
    assert bound - grid < found


@pytest.mark.parametrize("k", [-1074, -(2**16) - 64, 2**16])
def test_above_on_the_finest_and_the_coarsest_grids(k: int) -> None:
    found = root(mpq(2, 9))
    bound, grid = above(found, k), mpq(2) ** k
    assert bound > found > bound - grid
