r"""Enclosures of the sums :math:`\sum_{z \ge a} e^{-z^2/(2 s^2)}` over integers.

They are the tails of the discrete Gaussian, up to its normaliser, which is one of them
too: :math:`\sum_{z \in \mathbb{Z}} e^{-z^2/(2 s^2)}` is 1 plus twice the sum from 1 on.

Two ways, for every rational s > 0 and integer a >= 1. Where few terms matter they are
added and the rest is bounded by a geometric series. Elsewhere the sum is the integral
plus a correction (Euler and Maclaurin) whose error is bounded.
"""

from __future__ import annotations

from functools import cache

import gmpy2
from gmpy2 import mpq

from opendp_lite.exact.directed import context
from opendp_lite.exact.enclosures import exp, expm1, sqrt
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)


def gaussian_sum(start: int, scale: mpq, precision: int) -> Enclosure:
    r"""Return the sum of :math:`e^{-z^2/(2 s^2)}` over all integers z >= a.

    Here a is ``start``, at least 1, and s is ``scale``, positive. The width tends to 0
    as the precision p grows, and is about 2^-p of a sum that is not extremely small.

    >>> total = 1 + 2 * gaussian_sum(1, mpq(1), 64)  # close to sqrt(2 pi)
    >>> bool(mpq("2.5066282880429") < total.lo < total.hi < mpq("2.5066282880430"))
    True
    """
    half_square = mpq(start * start) / (_TWO * scale * scale)
    limit = precision << 12  # beyond, the digits would fill pages
    if half_square > limit:  # proof: tiny
        first = Enclosure(0, power_of_two(-limit))
    else:
        first = exp(-half_square, precision)
    return first * relative_gaussian_sum(start, scale, precision)  # proof: product


def relative_gaussian_sum(start: int, scale: mpq, precision: int) -> Enclosure:
    r"""Return the same sum in units of its first term, :math:`e^{-a^2/(2 s^2)}`.

    >>> bool(relative_gaussian_sum(1000, mpq(1), 64).hi < 1 + mpq(1, 10**18))
    True
    """
    if mpq(7) * scale * scale <= mpq(10 * start + 5 * precision):  # proof: few
        return _term_by_term(start, scale * scale, precision)
    return _integral(start, scale, precision) + _correction(start, scale, precision)


def _term_by_term(start: int, square: mpq, precision: int) -> Enclosure:
    """The first terms and a bound of the rest; `square` is s^2.

    The first term left out is below 2^-p of the first of all: for the n terms that are
    added 5 (2 a n + n^2) >= 7 p s^2, and ln 2 < 7/10.
    """
    rate = _HALF / square
    count, enough = 1, mpq(7 * precision, 5) * square
    while mpq(count * (2 * start + count)) < enough:  # proof: count
        count += 1
    total = Enclosure(1, 1)
    for n in range(1, count):
        total += exp(-rate * mpq(n * (2 * start + n)), precision)  # proof: terms
    ratio_less_one = expm1(-rate * mpq(2 * (start + count) + 1), precision)
    rest = power_of_two(-precision) / -ratio_less_one  # proof: rest
    return total + Enclosure(0, rest.hi)  # proof: total


def _integral(start: int, scale: mpq, precision: int) -> Enclosure:
    r"""The integral of f from a on in units of f(a), :math:`f(x) = e^{-x^2/(2 s^2)}`.

    With u = a/s it is s times the ratio of Mills,
    :math:`\sqrt{\pi/2}\, \mathrm{erfc}(u/\sqrt 2)\, e^{u^2/2}`, which lies between
    u/(u^2 + 1) and 1/u.
    """
    square = scale * scale
    half_square = mpq(start * start) / (_TWO * square)
    if half_square > precision << 16:  # proof: mills
        a = mpq(start)
        return Enclosure(a * square / (a * a + square), square / a)
    working = precision + 64
    mass = erfc(sqrt(half_square, working), working) * exp(half_square, working)
    return scale * sqrt(pi(working) * _HALF, working) * mass  # proof: area


def _correction(start: int, scale: mpq, precision: int) -> Enclosure:
    r"""What the sum exceeds the integral by, in units of f(a), with u = a/s.

    :math:`1/2 + \sum_{k=1}^{m} b_k He_{2k-1}(u) / s^{2k-1}` with
    :math:`b_k = B_{2k}/(2k)!`, Bernoulli's numbers, and Hermite's polynomials; and the
    error is at most :math:`\sqrt{2\pi}\, |b_m| s^{1-2m} 2^{m-1} m! \sum_{j=0}^m
    (u^2/2)^j / j!`.
    """
    slope, inverse = mpq(start) / (scale * scale), _ONE / (scale * scale)
    half_square = mpq(start) * slope * _HALF
    total, odd, even = _HALF, slope, slope * slope - inverse  # h_1, h_2
    growth, power, series = mpq(126, 100) * scale, _ONE, _ONE
    k = 0
    while True:
        k += 1
        weight = _bernoulli(k)
        total += weight * odd  # proof: term
        # h_n = He_n(u) / s^n, so h_(n+1) = (u/s) h_n - (n/s^2) h_(n-1).
        odd = slope * even - mpq(2 * k) * inverse * odd  # proof: odd
        even = slope * odd - mpq(2 * k + 1) * inverse * even  # proof: even
        growth *= mpq(2 * k) * inverse  # proof: growth
        power *= half_square / mpq(k)
        series += power
        error = growth * abs(weight) * series  # proof: error
        if error <= power_of_two(-precision):  # proof: enough
            return Enclosure(total - error, total + error)


@cache
def _bernoulli(k: int) -> mpq:
    """B_2k / (2k)!, the coefficient of x^(2k) in (x/2) coth(x/2).

    >>> _bernoulli(1), _bernoulli(2)
    (mpq(1,12), mpq(-1,720))
    """
    # (x/2) cosh(x/2) is the series times sinh(x/2); compare x^(2k+1).
    rest = _ONE / (mpq(gmpy2.fac(2 * k)) * power_of_two(2 * k + 1))
    for j in range(k):
        odd = 2 * (k - j) + 1
        rest -= _bernoulli(j) / (mpq(gmpy2.fac(odd)) * power_of_two(odd))
    return rest * _TWO  # proof: coefficient


def pi(precision: int) -> Enclosure:
    """Return the number pi.

    >>> bool(pi(64).lo < mpq("3.14159265358979323847") and pi(64).width > 0)
    True
    """
    down, up = (
        context(precision, direction).const_pi()
        for direction in (gmpy2.RoundDown, gmpy2.RoundUp)
    )
    return Enclosure(mpq(*down.as_integer_ratio()), mpq(*up.as_integer_ratio()))
