"""Bounds on sums of powers lie on either side of the value, close to it."""

from __future__ import annotations

import math

from flint import arb, ctx
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.verify.divergences import PowerSum

Pairs = list[tuple[mpq, mpq]]
masses = st.integers(1, 1000).map(lambda n: mpq(n, 777))
several = st.lists(st.tuples(masses, masses), min_size=1, max_size=4)
orders = st.sampled_from([mpq(33, 32), mpq(2), mpq(12345, 7), mpq(2**20 + 1)])


def real(x: mpq) -> arb:
    return arb(int(x.numerator)) / int(x.denominator)


def logarithm(pairs: Pairs, alpha: mpq) -> arb:
    a, total = real(alpha), arb(0)
    for p, q in pairs:
        total += real(p) ** a * real(q) ** (1 - a)
    return total.log()


@given(several, orders)
def test_the_bounds_enclose_the_logarithm(pairs: Pairs, alpha: mpq) -> None:
    ctx.prec = 500
    total, value = PowerSum(pairs), logarithm(pairs, alpha)
    if abs(value) < arb(2) ** -300:  # it is 0, which is enclosed too
        value = arb(0)
    lower, upper = real(total.log_at_least(alpha)), real(total.log_at_most(alpha))
    if value < 0:
        assert lower == 0
        assert upper < arb(2) ** -80
        return
    assert not lower > value
    assert not upper < value
    assert upper - lower < arb(2) ** -80


@given(several)
def test_the_greatest_ratio_is_enclosed(pairs: Pairs) -> None:
    ctx.prec = 500
    greatest = real(PowerSum(pairs).greatest)
    value = real(max(p / q for p, q in pairs)).log()
    assert not greatest < value
    assert greatest - value < arb(2) ** -100


def test_the_ends_are_apart_where_the_value_is_irrational() -> None:
    pairs = [(mpq(2), mpq(1)), (mpq(1, 3), mpq(1, 2))]
    # Where logarithms of the masses are exact, the last rounding alone counts.
    for each in (pairs, pairs[:1], [(mpq(1), mpq(1))] * 3):
        total = PowerSum(each)
        assert total.log_at_least(mpq(2)) < total.log_at_most(mpq(2))


def test_a_sum_without_terms_is_zero() -> None:
    total = PowerSum([])
    assert total.log_at_least(mpq(2)) == total.log_at_most(mpq(2)) == 0


def test_no_order_is_too_large() -> None:
    ctx.prec = 500
    alpha = mpq(10**40)
    for pairs in ([(mpq(2), mpq(1))] * 2, [(mpq(2), mpq(1)), (mpq(1), mpq(2))]):
        total = PowerSum(pairs)
        value = alpha * mpq(*math.log(2).as_integer_ratio())
        for bound in (total.log_at_least(alpha), total.log_at_most(alpha)):
            assert abs(bound / value - 1) < mpq(1, 10**15)
