"""The bounds of -ln U hold, are narrow, and use MPFR in its directed roundings."""

from __future__ import annotations

from collections.abc import Callable

import gmpy2
import pytest
from gmpy2 import mpq
from hypothesis import example, given
from hypothesis import strategies as st

from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.rounding import BINARY64, FloatFormat
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.randomness.draws import sample_bernoulli_exp
from opendp_lite.randomness.real import RealNoise
from tests.randomness.integer_noise import sample_discrete_laplace
from tests.randomness.tree import run
from tests.rows import for_each


def check_bounds(prefix: int, length: int, precision: int) -> None:
    lo, hi = bound_exponential(prefix, length, precision)
    assert type(lo) is int
    unit = mpq(1, 1 << precision)
    finer = 2 * precision + 64
    # The infimum of -ln u, not attained, and the maximum.
    nearest = -ln(mpq(prefix + 1, 1 << length), finer)
    assert 0 <= lo * unit <= nearest.lo
    assert nearest.hi < (lo + 2) * unit
    if prefix == 0:
        assert hi is None
        return
    farthest = -ln(mpq(prefix, 1 << length), finer)
    assert hi is not None
    assert type(hi) is int
    assert farthest.hi <= hi * unit
    assert hi - lo <= (1 << precision) // prefix + 3


@pytest.mark.parametrize("guard", [1, 2, 32])
def test_the_bounds_hold_on_every_short_prefix(guard: int) -> None:
    for length in range(8):
        for prefix in range(1 << length):
            check_bounds(prefix, length, length + guard)


@given(data=st.data(), length=st.integers(1, 1200), guard=st.integers(1, 80))
def test_the_bounds_hold(data: st.DataObject, length: int, guard: int) -> None:
    top = (1 << length) - 1
    shift = data.draw(st.integers(0, length))
    prefix = data.draw(
        st.one_of(
            st.integers(0, top),
            st.integers(0, 3).map(lambda k: min(k, top)),
            st.integers(0, 3).map(lambda k: max(top - k, 0)),
            st.integers(0, top).map(lambda w: w >> shift),
            st.integers(0, top).map(lambda w: top - (w >> shift)),
        )
    )
    check_bounds(prefix, length, length + guard)


@given(st.integers(0, 5000))
@example(0)
def test_the_first_prefix_is_unbounded(length: int) -> None:
    check_bounds(0, length, length + 32)


def test_the_width_tends_to_zero_along_a_string() -> None:
    string, bits = 2**400 // 7, 400
    widths = []
    for length in range(40, bits, 40):
        lo, hi = bound_exponential(string >> (bits - length), length, length + 32)
        assert hi is not None
        widths.append(mpq(hi - lo, 1 << (length + 32)))
        assert widths[-1] < mpq(8, 1 << length)
    assert widths == sorted(widths, reverse=True)


DRAWS: dict[str, Callable[[], object]] = {
    "coin": lambda: sample_bernoulli_exp(mpq(2, 3)),
    "discrete": lambda: sample_discrete_laplace(mpq(10**9, 7)),
    "rounded": lambda: RealNoise(LAPLACE, mpq(7)).sample(mpq(1, 3), BINARY64),
    "toy": lambda: RealNoise(LAPLACE, mpq(7)).sample(mpq(1, 3), FloatFormat(4, -4, 2)),
}


@for_each("name", DRAWS)
def test_the_context_of_the_caller_decides_nothing(name: str) -> None:
    """gmpy2 rounds by the current context wherever none is named."""
    string = int.from_bytes(bytes(range(7, 207)), "big")
    for shift in range(20):
        word = string >> shift
        expected = run(DRAWS[name], word, 1600 - shift, 64)
        for rounding in (gmpy2.RoundUp, gmpy2.RoundDown, gmpy2.RoundToZero):
            with gmpy2.context(precision=4, round=rounding, emin=-5, emax=5):
                assert run(DRAWS[name], word, 1600 - shift, 64) == expected
