"""Sums of p^alpha q^(1 - alpha) at many orders alpha, bounded from both sides.

Logarithms of the masses are enclosed once, in integers. What is left for each order are
products of integers and exponentials by MPFR, rounded in the direction of the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import gmpy2
from gmpy2 import mpq, mpz

from opendp_lite.exact.directed import context
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.grids import ceil_multiple, floor_multiple
from opendp_lite.exact.intervals import End

__all__ = ["PowerSum"]

_PRECISION = 128
_UNITS = 192  # logarithms are counted in units of 2^-192
_WIDE = 256  # bits of an exponent, which is large where the order is

_Lines: TypeAlias = list[tuple[mpz, mpz]]
"""Bounds on ln(p/q) and on ln q for each pair, in units."""


class PowerSum:
    """The sum of p^alpha q^(1 - alpha) over pairs of positive p, q, for alpha > 1.

    `greatest` is an upper bound on the greatest ln(p/q). Where a bound on the logarithm
    of the sum would be below 0 it is 0.

    >>> total = PowerSum([(mpq(1), mpq(1, 2))])
    >>> total.log_at_least(mpq(2)) < total.log_at_most(mpq(2)) < mpq("0.6932")
    True
    """

    def __init__(self, pairs: Iterable[tuple[mpq, mpq]]) -> None:
        # The sum of e^(alpha ln(p/q) + ln q).
        logs = [(ln(p / q, _PRECISION), ln(q, _PRECISION)) for p, q in pairs]
        self.greatest = max((mpq(ratio.hi) for ratio, _ in logs), default=mpq(0))
        self._below = _lines(((x.lo, y.lo) for x, y in logs), floor_multiple)
        self._above = _lines(((x.hi, y.hi) for x, y in logs), ceil_multiple)

    def log_at_least(self, alpha: mpq) -> mpq:
        """Return a lower bound on the logarithm of the sum."""
        return _logarithm(self._below, alpha, gmpy2.RoundDown)

    def log_at_most(self, alpha: mpq) -> mpq:
        """Return an upper bound on the logarithm of the sum."""
        return _logarithm(self._above, alpha, gmpy2.RoundUp)


def _lines(
    logs: Iterable[tuple[End, End]], rounded: Callable[[mpq, int], int]
) -> _Lines:
    return [
        (mpz(rounded(mpq(x), -_UNITS)), mpz(rounded(mpq(y), -_UNITS))) for x, y in logs
    ]


def _logarithm(lines: _Lines, alpha: mpq, direction: int) -> mpq:
    """The logarithm of the sum, rounded in that direction; 0 if it is negative."""
    n, d = alpha.numerator, alpha.denominator
    exponents = [n * ratio + d * log for ratio, log in lines]
    if not exponents:
        return mpq(0)
    # In units of the greatest power no sum is too large for MPFR.
    unit, greatest = d << _UNITS, max(exponents)
    wide, short = context(_WIDE, direction), context(_PRECISION, direction)
    total = short.div(0, 1)
    for exponent in exponents:
        total = short.add(total, short.exp(wide.div(exponent - greatest, unit)))
    rest = mpq(*short.log(total).as_integer_ratio())
    return max(mpq(0), mpq(greatest, unit) + rest)
