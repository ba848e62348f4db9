# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/gaussian-sums; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.exact.gaussian_sums:gaussian_sum ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def gaussian_sum(start: int, scale: mpq, precision: int) -> Enclosure:
    half_square = mpq(start * start) / (_TWO * scale * scale)
    limit = precision << 12
    if half_square > limit:
        first = Enclosure(0, power_of_two(-limit))
    else:
        first = exp(-half_square, precision)
    return first * relative_gaussian_sum(start, scale, precision)


# === opendp_lite.exact.gaussian_sums:relative_gaussian_sum ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

def relative_gaussian_sum(start: int, scale: mpq, precision: int) -> Enclosure:
    if mpq(7) * scale * scale <= mpq(10 * start + 5 * precision):
        return _term_by_term(start, scale * scale, precision)
    return _integral(start, scale, precision) + _correction(start, scale, precision)


# === opendp_lite.exact.gaussian_sums:_term_by_term ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def _term_by_term(start: int, square: mpq, precision: int) -> Enclosure:
    rate = _HALF / square
    count, enough = 1, mpq(7 * precision, 5) * square
    while mpq(count * (2 * start + count)) < enough:
        count += 1
    total = Enclosure(1, 1)
    for n in range(1, count):
        total += exp(-rate * mpq(n * (2 * start + n)), precision)
    ratio_less_one = expm1(-rate * mpq(2 * (start + count) + 1), precision)
    rest = power_of_two(-precision) / -ratio_less_one
    return total + Enclosure(0, rest.hi)


# === opendp_lite.exact.gaussian_sums:_integral ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def _integral(start: int, scale: mpq, precision: int) -> Enclosure:
    square = scale * scale
    half_square = mpq(start * start) / (_TWO * square)
    if half_square > precision << 16:
        a = mpq(start)
        return Enclosure(a * square / (a * a + square), square / a)
    working = precision + 64
    mass = erfc(sqrt(half_square, working), working) * exp(half_square, working)
    return scale * sqrt(pi(working) * _HALF, working) * mass


# === opendp_lite.exact.gaussian_sums:_correction ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def _correction(start: int, scale: mpq, precision: int) -> Enclosure:
    slope, inverse = mpq(start) / (scale * scale), _ONE / (scale * scale)
    half_square = mpq(start) * slope * _HALF
    total, odd, even = _HALF, slope, slope * slope - inverse
    growth, power, series = mpq(126, 100) * scale, _ONE, _ONE
    k = 0
    while True:
        k += 1
        weight = _bernoulli(k)
        total += weight * odd
        odd = slope * even - mpq(2 * k) * inverse * odd
        even = slope * odd - mpq(2 * k + 1) * inverse * even
        growth *= mpq(2 * k) * inverse
        power *= half_square / mpq(k)
        series += power
        error = growth * abs(weight) * series
        if error <= power_of_two(-precision):
            return Enclosure(total - error, total + error)


# === opendp_lite.exact.gaussian_sums:_bernoulli ===

from functools import cache
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
import gmpy2

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

@cache
def _bernoulli(k: int) -> mpq:
    rest = _ONE / (mpq(gmpy2.fac(2 * k)) * power_of_two(2 * k + 1))
    for j in range(k):
        odd = 2 * (k - j) + 1
        rest -= _bernoulli(j) / (mpq(gmpy2.fac(odd)) * power_of_two(odd))
    return rest * _TWO


# === opendp_lite.exact.gaussian_sums:pi ===

from gmpy2 import mpq
from opendp_lite.exact.directed import context
from opendp_lite.exact.intervals import Enclosure
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')

def pi(precision: int) -> Enclosure:
    down, up = (
        context(precision, direction).const_pi()
        for direction in (gmpy2.RoundDown, gmpy2.RoundUp)
    )
    return Enclosure(mpq(*down.as_integer_ratio()), mpq(*up.as_integer_ratio()))


# === opendp_lite.exact.directed:context ===

from functools import lru_cache
from typing import cast
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError(
        "opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round "
        "as its context says. Run pip install -U gmpy2."
    )

@lru_cache(maxsize=256)
def context(precision: int, direction: int) -> Context:
    made = gmpy2.context(
        precision=precision,
        round=direction,
        emin=gmpy2.get_emin_min(),
        emax=gmpy2.get_emax_max(),
    )
    return cast(Context, made)
