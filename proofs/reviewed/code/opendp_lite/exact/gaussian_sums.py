# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.gaussian_sums; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import cache
from gmpy2 import mpq
from opendp_lite.exact.directed import context
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc
import gmpy2

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')


# === gaussian_sum with mpq, exp, power_of_two, Enclosure, _HALF
def gaussian_sum(start: int, scale: mpq, precision: int) -> Enclosure:
    half_square = mpq(start * start) / (_TWO * scale * scale)
    limit = precision << 12
    if half_square > limit:
        first = Enclosure(0, power_of_two(-limit))
    else:
        first = exp(-half_square, precision)
    return first * relative_gaussian_sum(start, scale, precision)


# === relative_gaussian_sum with mpq, Enclosure
def relative_gaussian_sum(start: int, scale: mpq, precision: int) -> Enclosure:
    if mpq(7) * scale * scale <= mpq(10 * start + 5 * precision):
        return _term_by_term(start, scale * scale, precision)
    return _integral(start, scale, precision) + _correction(start, scale, precision)


# === _term_by_term with mpq, exp, expm1, power_of_two, Enclosure, _HALF
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


# === _integral with mpq, exp, sqrt, Enclosure, erfc, _HALF
def _integral(start: int, scale: mpq, precision: int) -> Enclosure:
    square = scale * scale
    half_square = mpq(start * start) / (_TWO * square)
    if half_square > precision << 16:
        a = mpq(start)
        return Enclosure(a * square / (a * a + square), square / a)
    working = precision + 64
    mass = erfc(sqrt(half_square, working), working) * exp(half_square, working)
    return scale * sqrt(pi(working) * _HALF, working) * mass


# === _correction with mpq, power_of_two, Enclosure, _HALF
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


# === _bernoulli with cache, mpq, power_of_two, gmpy2, _HALF
@cache
def _bernoulli(k: int) -> mpq:
    rest = _ONE / (mpq(gmpy2.fac(2 * k)) * power_of_two(2 * k + 1))
    for j in range(k):
        odd = 2 * (k - j) + 1
        rest -= _bernoulli(j) / (mpq(gmpy2.fac(odd)) * power_of_two(odd))
    return rest * _TWO


# === pi with mpq, context, Enclosure, gmpy2, ?
def pi(precision: int) -> Enclosure:
    down, up = (
        context(precision, direction).const_pi()
        for direction in (gmpy2.RoundDown, gmpy2.RoundUp)
    )
    return Enclosure(mpq(*down.as_integer_ratio()), mpq(*up.as_integer_ratio()))
