"""Enclosures of what is drawn: weights of integers, and exponential variables.

The weights e^(-rate j^power) of integers j = 0, 1, 2, ... are enclosed by integers. The
standard exponential variable E = -ln U is bounded from a prefix of U, or to 22 bits in
a few operations on integers.
"""

from __future__ import annotations

from functools import lru_cache

import attrs
import gmpy2
from gmpy2 import mpq

from opendp_lite.exact.directed import context
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure, decide


@attrs.frozen
class Weights:
    """Integers lower[j] <= 2^p e^(-rate j^power) <= upper[j], and a bound of the rest.

    `rest` is at least the sum of 2^p e^(-rate j^power) over all j that are not listed.
    """

    lower: list[int]
    upper: list[int]
    rest: int


def enclose_weights(rate: mpq, power: int, precision: int, least: int) -> Weights:
    """Enclose 2^p e^(-rate j^power), with p = precision, down to 2^least or below.

    The power is 1 or 2. Let r_j = e^(-rate ((j+1)^power - j^power)). Each weight is
    r_j times the one before it; each r_j is the one before it times e^(-2 rate), or
    the same where the power is 1. As the ratios never grow, the weights behind j sum
    to at most r_j/(1 - r_j) times the weight of j. The rate must be at least
    2^-16, and p and `least` large enough that rounding does not hide the decrease:
    p >= 64 and 20 <= least < p.

    >>> weights = enclose_weights(mpq(1), 1, 64, 32)
    >>> round(weights.lower[1] / 2**64, 6), len(weights.lower)
    (0.367879, 24)
    """
    one = 1 << precision  # proof: one
    ratio, ratio_up = _enclose_exp(rate, precision)  # proof: first-ratio
    change, change_up = one, one
    if power == 2:
        change, change_up = _enclose_exp(rate + rate, precision)  # proof: change
    lower, upper = [one], [one]
    while upper[-1] >> least:  # proof: until
        lower.append(lower[-1] * ratio >> precision)  # proof: lower
        upper.append(_ceil_shift(upper[-1] * ratio_up, precision))  # proof: upper
        ratio = ratio * change >> precision  # proof: ratio
        ratio_up = _ceil_shift(ratio_up * change_up, precision)  # proof: ratio-up
    rest = -(-upper[-1] * ratio_up // (one - ratio_up))  # proof: rest
    return Weights(lower, upper, rest)


def _enclose_exp(x: mpq, precision: int) -> tuple[int, int]:
    """Integers around 2^p e^(-x), where x > 0 and p is the precision."""
    if x >= precision:  # then e^(-x) < 2^-p
        return 0, 1  # proof: tiny
    value = exp(-x, precision + 4)
    scale = power_of_two(precision)
    return (
        floor_multiple(mpq(value.lo) * scale, 0),  # proof: floor
        ceil_multiple(mpq(value.hi) * scale, 0),  # proof: ceil
    )


def _ceil_shift(x: int, count: int) -> int:
    return -(-x >> count)  # proof: ceil-shift


def bound_exponential(
    prefix: int, length: int, precision: int
) -> tuple[int, int | None]:
    """Return integers lo <= -2^p ln u <= hi for all u > 0 with w/2^n <= u <= (w+1)/2^n.

    Here w is ``prefix``, n is ``length``, p is ``precision``, and p > n. Let
    L = -ln((w+1)/2^n). Then L <= -ln u <= L + ln(1 + 1/w) <= L + 1/w. The quotient
    is exact; the logarithm, rounded up, and the floor each lose less than one unit
    2^-p of L, as L <= n. So hi - lo <= 2^p/w + 3. At w = 0 nothing bounds -ln u, and
    hi is None.

    >>> bound_exponential(0, 0, 32)
    (0, None)
    >>> bound_exponential(3, 2, 32)[0]
    0
    """
    up = context(precision + length.bit_length(), gmpy2.RoundUp)  # proof: context
    logarithm = up.log(up.div(prefix + 1, 1 << length))  # proof: logarithm
    mantissa, exponent = logarithm.as_mantissa_exp()
    shift = exponent + precision
    lo = int(-mantissa << shift if shift >= 0 else -mantissa >> -shift)  # proof: floor
    if prefix == 0:  # proof: unbounded
        return lo, None
    return lo, lo + (1 << precision) // prefix + 3  # proof: upper


UNIT_BITS = 64
"""E is given in units of 2^-64."""

SLACK = 1 << 42
"""How many units it may be off."""

_LEADING_BITS = 8
_LEAST_BITS = 40


def near_exponential(prefix: int, length: int) -> int | None:
    """Return an e with |2^64 E - e| < 2^42 for all U in [w/2^n, (w+1)/2^n], or None.

    Here w is ``prefix``, n is ``length``, and w < 2^n, n <= 64. With t the first 8
    bits of w, w = t 2^k (1 + f) with f < 2^-7, and ln w = ln t + k ln 2 + f - f^2/2 up
    to f^3/3. Of a w below 2^39 too few bits are known, and the answer is None.

    >>> near_exponential(1 << 62, 63) / 2**64
    0.6931471805599453
    >>> near_exponential(5, 63) is None
    True
    """
    bits = prefix.bit_length()
    if bits < _LEAST_BITS:
        return None  # proof: few
    k = bits - _LEADING_BITS
    t = prefix >> k  # proof: leading
    head = t << k
    f = (prefix - head << UNIT_BITS) // head  # proof: fraction
    two, logarithms = _logarithms()
    whole = (length - k) * two - logarithms[t]  # proof: whole
    return whole - f + (f * f >> UNIT_BITS + 1)  # proof: series


@lru_cache(maxsize=1)
def _logarithms() -> tuple[int, list[int]]:
    """2^64 ln 2, and 2^64 ln t for t below 256, rounded down; 0 for t < 128."""
    table = [0] * 128 + [_scaled(t) for t in range(128, 256)]  # proof: table
    return _scaled(2), table


def _scaled(t: int) -> int:
    """2^64 ln t, rounded down."""

    def test(value: Enclosure) -> int | None:
        low, high = (
            floor_multiple(mpq(end), -UNIT_BITS) for end in (value.lo, value.hi)
        )
        return low if low == high else None  # proof: same

    return decide(lambda precision: ln(t, precision), test, 96)  # proof: scaled
