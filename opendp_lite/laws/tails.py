r"""Upper tails of the four noises, and the chance that any of several keys is released.

All are enclosures that become narrower as the precision grows. Where a tail is known to
be rational it is a point.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from gmpy2 import mpq, mpz

from opendp_lite.exact.doubles import least_double
from opendp_lite.exact.enclosures import exp, expm1, log1p, sqrt
from opendp_lite.exact.gaussian_sums import gaussian_sum
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc
from opendp_lite.exact.rationals import Extended

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_LAST_PRECISION = 4096
_TINY = power_of_two(-1075)
_FEW, _FAR = 64, 6


def laplace_tail(u: mpq, precision: int) -> Enclosure:
    """Return P(Y >= u) for Y of the density e^(-|y|)/2.

    >>> laplace_tail(mpq(0), 64)
    Enclosure(lo=mpq(1,2), hi=mpq(1,2))
    """
    beyond = _decay(abs(u), precision) * _HALF  # proof: beyond
    return beyond if u >= 0 else _ONE - beyond  # proof: side


def discrete_laplace_tail(a: int, scale: mpq, precision: int) -> Enclosure:
    """Return P(Z >= a) for Z discrete Laplace, P(Z = z) like e^(-|z|/s), s > 0.

    >>> float(discrete_laplace_tail(5, mpq(1), 64).hi)  # e^-5 / (1 + e^-1)
    0.004925833956035...
    """
    size = a if a >= 1 else 1 - a
    power, first = (_decay(mpq(n) / scale, precision) for n in (size, 1))
    beyond = power / (1 + first)  # proof: beyond
    return beyond if a >= 1 else _ONE - beyond  # proof: side


def gaussian_tail(u: mpq, precision: int) -> Enclosure:
    """Return P(Y >= u) for Y standard normal.

    >>> gaussian_tail(mpq(0), 64)
    Enclosure(lo=mpq(1,2), hi=mpq(1,2))
    """
    half_square = u * u * _HALF
    if half_square > precision << _FAR:  # proof: far
        beyond = _decay(half_square, precision) * Enclosure(0, _HALF)
    else:
        root = sqrt(half_square, precision + 64)
        beyond = erfc(root, precision) * _HALF  # proof: beyond
    return beyond if u >= 0 else _ONE - beyond  # proof: side


def discrete_gaussian_tail(a: int, scale: mpq, precision: int) -> Enclosure:
    """Return P(Z >= a) for Z discrete Gaussian, P(Z = z) like e^(-z^2/(2 s^2)).

    >>> float(discrete_gaussian_tail(1, mpq(1), 64).hi)
    0.3005...
    """
    size = a if a >= 1 else 1 - a
    total = 1 + _TWO * gaussian_sum(1, scale, precision)
    beyond = gaussian_sum(size, scale, precision) / total  # proof: beyond
    return beyond if a >= 1 else _ONE - beyond  # proof: side


def chance_of_any(count: Extended, chance: Callable[[int], Enclosure]) -> mpq:
    """Return the least double not below 1 - (1 - p)^n, where `chance` encloses p.

    Here n is `count`, at least 1 and perhaps infinite, and p is a probability that
    `chance` encloses as a point if it is 0 or 1. Should p be so close to a double that
    4000 bits do not tell on which side it is, the result may be the next double.

    >>> chance_of_any(2, lambda precision: Enclosure(mpq(1, 2), mpq(1, 2)))
    mpq(3,4)
    """
    rough = chance(64)
    if rough.hi == 0:  # proof: never
        return mpq(0)
    if count == math.inf or rough.lo == 1:  # proof: always
        return _ONE

    def enclose(precision: int) -> Enclosure:
        p = rough if precision == 64 else chance(precision)
        any_of = _any(int(count), p, precision)
        # It is in (0, 1], and no double is between 0 and 2^-1074.
        lo = min(max(any_of.lo, _TINY), _ONE)  # proof: lower
        hi = min(max(any_of.hi, _TINY), _ONE)  # proof: upper
        return Enclosure(lo if precision < _LAST_PRECISION else hi, hi)  # proof: last

    return mpq(least_double(enclose))  # proof: least


def _decay(x: mpq, precision: int) -> Enclosure:
    """e^-x for x >= 0; where its digits would fill pages, from 0 to a tiny number."""
    limit = precision << _FAR
    if x > limit:  # proof: tiny
        return Enclosure(0, power_of_two(-limit))
    return exp(-x, precision)  # proof: decay


def _any(count: int, p: Enclosure, precision: int) -> Enclosure:
    """1 - (1 - p)^n."""
    if count == 1:  # proof: one
        return p
    if p.width == 0 and count <= _FEW:  # proof: few
        none = (_ONE - mpq(p.lo)) ** mpz(count)
        return Enclosure(_ONE - none, _ONE - none)
    inside = Enclosure(max(p.lo, mpq(0)), min(p.hi, _ONE))  # proof: inside
    return -expm1(count * log1p(-inside, precision), precision)  # proof: many
