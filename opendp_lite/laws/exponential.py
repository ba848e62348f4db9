"""The standard exponential variable E = -ln U, bounded from a prefix of U."""

from __future__ import annotations

import gmpy2

from opendp_lite.exact.directed import context

__all__ = ["bound_exponential"]


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
