"""Enclosures of the error function and of the quantiles of the normal law.

The widths, and the points where the value is rational, are described in
:mod:`opendp_lite.exact.enclosures`.
"""

from __future__ import annotations

import math

import gmpy2
from gmpy2 import mpfr, mpq, mpz

from opendp_lite.exact.directed import Rounding, context, image, image_of_decreasing
from opendp_lite.exact.enclosures import sqrt
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Argument, Enclosure, End

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_ZERO_POINT, _ONE_POINT = Enclosure(0, 0), Enclosure(1, 1)


def erf(x: Argument, precision: int) -> Enclosure:
    r"""Return the error function, :math:`\frac{2}{\sqrt\pi} \int_0^x e^{-t^2} dt`."""
    if isinstance(x, Enclosure):
        return image(_erf, x.lo, x.hi, precision)
    return image(_erf, x, x, precision) if x != 0 else _ZERO_POINT


def erfc(x: Argument, precision: int) -> Enclosure:
    """Return 1 - erf(x), with small relative width in the upper tail too."""
    if isinstance(x, Enclosure):
        return image_of_decreasing(_erfc, x.lo, x.hi, precision)
    return image_of_decreasing(_erfc, x, x, precision) if x != 0 else _ONE_POINT


def normal_quantile(p: Argument, precision: int) -> Enclosure:
    r"""Return the z with :math:`\Phi(z) = p`, for 0 < p < 1; exact at 1/2.

    Phi is the distribution function of a standard normal variable. The candidate
    that Newton's method finds is used only after enclosures of erf or erfc have
    shown that z lies next to it.

    >>> z = normal_quantile(mpq("0.975"), 64)
    >>> bool(mpq("1.95996398454005423") < z.lo < z.hi < mpq("1.95996398454005424"))
    True
    """
    if isinstance(p, Enclosure):
        if p.hi <= 0 or p.lo >= 1:
            raise ValueError("normal_quantile needs a probability between 0 and 1")
        lo = -math.inf if p.lo <= 0 else normal_quantile(mpq(p.lo), precision).lo
        hi = math.inf if p.hi >= 1 else normal_quantile(mpq(p.hi), precision).hi
        return Enclosure(lo, hi)
    if not 0 < p < 1:
        raise ValueError("normal_quantile needs a probability between 0 and 1")
    if p < _HALF:
        return -normal_quantile(_ONE - mpq(p), precision)
    # Phi(z) = (1 + erf(z / sqrt 2)) / 2
    return sqrt(2, precision + 4) * _inverse_erf(_TWO * mpq(p) - _ONE, precision)


def _erf(rounding: Rounding, x: int | End) -> mpfr:
    return rounding.result.erf(rounding.argument(x))


def _erfc(rounding: Rounding, x: int | End) -> mpfr:
    return rounding.result.erfc(rounding.argument(x))


def _inverse_erf(s: mpq, precision: int) -> Enclosure:
    """The y with erf(y) = s, for 0 <= s < 1.

    erf is compared with s where s <= 1/2 and erfc with 1 - s elsewhere: the one with
    the small value is enclosed with the smaller width. As the working precision grows
    the candidate tends to y, and lo and hi to numbers below and above: so this ends.
    """
    if s == 0:
        return _ZERO_POINT
    working = precision + 64
    while True:
        candidate = _newton(s, working)
        margin = candidate * power_of_two(-precision)
        lo, hi = candidate - margin, candidate + margin
        if s <= _HALF:
            proved = erf(lo, working).hi <= s <= erf(hi, working).lo
        else:
            proved = erfc(lo, working).lo >= _ONE - s >= erfc(hi, working).hi
        if proved:
            return Enclosure(lo, hi)
        working *= 2


def _newton(s: mpq, precision: int) -> mpq:
    """About the y > 0 with erf(y) = s, for 0 < s < 1. Nothing is certified here.

    Newton's method for erf(y) = s or, in the tail, ln erfc(y) = ln(1 - s). Both
    functions are concave and the starts lie on the side from which it converges
    monotonically: erf(y) <= 2 y / sqrt(pi) and erfc(y) <= exp(-y^2). The first steps
    are made with few bits; then each step has almost twice as many as the last. If
    rounding has put y beyond the solution, one step leads back to the right side.
    """
    bits, y = min(64, precision), None
    while True:
        y = _improved(s, y, bits)
        if bits == precision:
            return mpq(*y.as_integer_ratio())
        bits = min(2 * bits - 16, precision)


def _improved(s: mpq, y: mpfr | None, precision: int) -> mpfr:
    """Newton's method at one precision, from y or from the start."""
    near = context(precision, gmpy2.RoundToNearest)
    half_sqrt_pi = near.div(near.sqrt(near.const_pi()), 2)
    close = mpz(1) << (precision // 2 + 4)
    tail = s > _HALF
    rest = _ONE - s
    target = near.div(s.numerator, s.denominator)
    if tail:
        target = near.log(near.div(rest.numerator, rest.denominator))
    if y is None:
        y = near.sqrt(near.minus(target)) if tail else near.mul(target, half_sqrt_pi)
    for _ in range(precision):
        slope = near.div(near.exp(near.minus(near.square(y))), half_sqrt_pi)
        if tail:
            value = near.erfc(y)
            step = near.div(near.sub(near.log(value), target), near.div(slope, value))
            y = near.add(y, step)
        else:
            step = near.div(near.sub(near.erf(y), target), slope)
            y = near.sub(y, step)
        # The number of right digits doubles with every step.
        if near.abs(step) <= near.div(y, close):
            break
    return y
