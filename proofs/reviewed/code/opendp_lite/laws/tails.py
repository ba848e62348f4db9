# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.tails; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.doubles import least_double
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import log1p
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.gaussian_sums import gaussian_sum
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc
from opendp_lite.exact.rationals import Extended
import math

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_FEW, _FAR = 64, 6
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_LAST_PRECISION = 4096
_TINY = power_of_two(-1075)


# === laplace_tail with mpq, Enclosure, _HALF
def laplace_tail(u: mpq, precision: int) -> Enclosure:
    beyond = _decay(abs(u), precision) * _HALF
    return beyond if u >= 0 else _ONE - beyond


# === discrete_laplace_tail with mpq, Enclosure, _HALF
def discrete_laplace_tail(a: int, scale: mpq, precision: int) -> Enclosure:
    size = a if a >= 1 else 1 - a
    power, first = (_decay(mpq(n) / scale, precision) for n in (size, 1))
    beyond = power / (1 + first)
    return beyond if a >= 1 else _ONE - beyond


# === gaussian_tail with mpq, sqrt, Enclosure, erfc, _HALF, _FEW
def gaussian_tail(u: mpq, precision: int) -> Enclosure:
    half_square = u * u * _HALF
    if half_square > precision << _FAR:
        beyond = _decay(half_square, precision) * Enclosure(0, _HALF)
    else:
        root = sqrt(half_square, precision + 64)
        beyond = erfc(root, precision) * _HALF
    return beyond if u >= 0 else _ONE - beyond


# === discrete_gaussian_tail with mpq, gaussian_sum, Enclosure, _HALF
def discrete_gaussian_tail(a: int, scale: mpq, precision: int) -> Enclosure:
    size = a if a >= 1 else 1 - a
    total = 1 + _TWO * gaussian_sum(1, scale, precision)
    beyond = gaussian_sum(size, scale, precision) / total
    return beyond if a >= 1 else _ONE - beyond


# === chance_of_any with Callable, mpq, least_double, power_of_two, Enclosure, Extended,
#    math, opendp_lite.exact.rationals.Extended, _HALF, _LAST_PRECISION, _TINY
def chance_of_any(count: Extended, chance: Callable[[int], Enclosure]) -> mpq:
    rough = chance(64)
    if rough.hi == 0:
        return mpq(0)
    if count == math.inf or rough.lo == 1:
        return _ONE

    def enclose(precision: int) -> Enclosure:
        p = rough if precision == 64 else chance(precision)
        any_of = _any(int(count), p, precision)
        lo = min(max(any_of.lo, _TINY), _ONE)
        hi = min(max(any_of.hi, _TINY), _ONE)
        return Enclosure(lo if precision < _LAST_PRECISION else hi, hi)

    return mpq(least_double(enclose))


# === _decay with mpq, exp, power_of_two, Enclosure, _FEW
def _decay(x: mpq, precision: int) -> Enclosure:
    limit = precision << _FAR
    if x > limit:
        return Enclosure(0, power_of_two(-limit))
    return exp(-x, precision)


# === _any with mpq, mpz, expm1, log1p, Enclosure, _HALF, _FEW
def _any(count: int, p: Enclosure, precision: int) -> Enclosure:
    if count == 1:
        return p
    if p.width == 0 and count <= _FEW:
        none = (_ONE - mpq(p.lo)) ** mpz(count)
        return Enclosure(_ONE - none, _ONE - none)
    inside = Enclosure(max(p.lo, mpq(0)), min(p.hi, _ONE))
    return -expm1(count * log1p(-inside, precision), precision)
