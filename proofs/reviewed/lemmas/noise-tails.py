# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/noise-tails; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.tails:laplace_tail ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def laplace_tail(u: mpq, precision: int) -> Enclosure:
    beyond = _decay(abs(u), precision) * _HALF
    return beyond if u >= 0 else _ONE - beyond


# === opendp_lite.measurements.tails:discrete_laplace_tail ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def discrete_laplace_tail(a: int, scale: mpq, precision: int) -> Enclosure:
    size = a if a >= 1 else 1 - a
    power, first = (_decay(mpq(n) / scale, precision) for n in (size, 1))
    beyond = power / (1 + first)
    return beyond if a >= 1 else _ONE - beyond


# === opendp_lite.measurements.tails:gaussian_tail ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_FEW, _FAR = 64, 6

def gaussian_tail(u: mpq, precision: int) -> Enclosure:
    half_square = u * u * _HALF
    if half_square > precision << _FAR:
        beyond = _decay(half_square, precision) * Enclosure(0, _HALF)
    else:
        root = sqrt(half_square, precision + 64)
        beyond = erfc(root, precision) * _HALF
    return beyond if u >= 0 else _ONE - beyond


# === opendp_lite.measurements.tails:discrete_gaussian_tail ===

from gmpy2 import mpq
from opendp_lite.exact.gaussian_sums import gaussian_sum
from opendp_lite.exact.intervals import Enclosure

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def discrete_gaussian_tail(a: int, scale: mpq, precision: int) -> Enclosure:
    size = a if a >= 1 else 1 - a
    total = 1 + _TWO * gaussian_sum(1, scale, precision)
    beyond = gaussian_sum(size, scale, precision) / total
    return beyond if a >= 1 else _ONE - beyond


# === opendp_lite.measurements.tails:_decay ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure

_FEW, _FAR = 64, 6

def _decay(x: mpq, precision: int) -> Enclosure:
    limit = precision << _FAR
    if x > limit:
        return Enclosure(0, power_of_two(-limit))
    return exp(-x, precision)


# === opendp_lite.measurements.tails:chance_of_any ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import Extended
from opendp_lite.measurements.doubles import least_double
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_LAST_PRECISION = 4096
_TINY = power_of_two(-1075)

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


# === opendp_lite.measurements.tails:_any ===

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import log1p
from opendp_lite.exact.intervals import Enclosure

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_FEW, _FAR = 64, 6

def _any(count: int, p: Enclosure, precision: int) -> Enclosure:
    if count == 1:
        return p
    if p.width == 0 and count <= _FEW:
        none = (_ONE - mpq(p.lo)) ** mpz(count)
        return Enclosure(_ONE - none, _ONE - none)
    inside = Enclosure(max(p.lo, mpq(0)), min(p.hi, _ONE))
    return -expm1(count * log1p(-inside, precision), precision)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)
