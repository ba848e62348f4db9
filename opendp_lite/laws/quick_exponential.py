"""The exponential variable E = -ln U to 22 bits, in a few operations on integers."""

from __future__ import annotations

from functools import lru_cache

from gmpy2 import mpq

from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure, decide

__all__ = ["SLACK", "UNIT_BITS", "near_exponential"]

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
