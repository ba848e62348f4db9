r"""Certified enclosures of exp, ln, sqrt and powers.

The functions, and those of :mod:`opendp_lite.exact.normal`, evaluate with MPFR, which
rounds correctly in the direction asked for: the lower end is rounded down and the upper
end up, the conversion of a rational argument included. So the interval holds the value
at every precision p, and its width tends to 0 as p grows. At a rational argument of
size below 2^30 the width is at most :math:`2^{5-p}` times the size of the value, unless
that lies outside of about :math:`2^{\pm 2^{17} p}`: such a rational would take
megabytes, and one end is then 0 or infinite.

Where the value is rational the interval is that one point, so that
:func:`~opendp_lite.exact.intervals.decide` ends there: exp 0, ln 1, rational roots and
powers.

Of an :class:`Enclosure` a function encloses the image of the part that lies in its
domain: a number known to be positive may be enclosed by an interval that reaches
below 0.
"""

from __future__ import annotations

import gmpy2
from gmpy2 import mpfr, mpq, mpz

from opendp_lite.exact.directed import Rounding, image, image_of_point
from opendp_lite.exact.intervals import Argument, Enclosure, End

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_ZERO_POINT, _ONE_POINT = Enclosure(0, 0), Enclosure(1, 1)


def exp(x: Argument, precision: int) -> Enclosure:
    """Return e^x.

    >>> exp(0, 64)
    Enclosure(lo=mpq(1,1), hi=mpq(1,1))
    >>> e = exp(1, 64)
    >>> bool(mpq("2.71828182845904523") < e.lo < e.hi < mpq("2.71828182845904524"))
    True
    """
    if isinstance(x, Enclosure):
        return image(_exp, x.lo, x.hi, precision)
    if x == 0:
        return _ONE_POINT
    enclosed = image_of_point(_exp, x, precision)
    return Enclosure(enclosed.lo, _ONE) if x < 0 and enclosed.hi > 1 else enclosed


def expm1(x: Argument, precision: int) -> Enclosure:
    """Return e^x - 1, with small relative width near 0 too."""
    if isinstance(x, Enclosure):
        return image(_expm1, x.lo, x.hi, precision)
    return image(_expm1, x, x, precision) if x != 0 else _ZERO_POINT


def ln(x: Argument, precision: int) -> Enclosure:
    """Return the natural logarithm of x > 0, with small relative width near 1 too.

    >>> ln(1, 64)
    Enclosure(lo=mpq(0,1), hi=mpq(0,1))
    """
    if isinstance(x, Enclosure):
        if x.hi <= 0:
            raise ValueError("ln needs a positive argument")
        return image(_ln, max(x.lo, 0), x.hi, precision)
    if x <= 0:
        raise ValueError("ln needs a positive argument")
    return image_of_point(_ln, x, precision) if x != 1 else _ZERO_POINT


def log1p(x: Argument, precision: int) -> Enclosure:
    """Return ln(1 + x) for x > -1, with small relative width near 0 too."""
    shifted = x + 1 if isinstance(x, Enclosure) else mpq(x) + _ONE
    if (shifted.hi if isinstance(shifted, Enclosure) else shifted) <= 0:
        raise ValueError("log1p needs an argument above -1")
    return ln(shifted, precision)


def sqrt(x: Argument, precision: int) -> Enclosure:
    """Return the square root of x >= 0.

    >>> sqrt(mpq(4, 9), 64)
    Enclosure(lo=mpq(2,3), hi=mpq(2,3))
    """
    if isinstance(x, Enclosure):
        if x.hi < 0:
            raise ValueError("sqrt needs an argument of at least 0")
        return image(_sqrt, max(x.lo, 0), x.hi, precision)
    if x < 0:
        raise ValueError("sqrt needs an argument of at least 0")
    root = _root(mpq(x), 2)
    if root is not None:
        return Enclosure(root, root)
    return image(_sqrt, x, x, precision)


def power(base: Argument, exponent: Argument, precision: int) -> Enclosure:
    """Return base^exponent for base >= 0, or any base if the exponent is an integer.

    A rational power is enclosed by a point from the precision on at which its size
    in bits is at most 2^10 times the precision. An interval as base is taken to
    enclose a number that is at least 0.

    >>> power(mpq(8, 27), mpq(-1, 3), 64)
    Enclosure(lo=mpq(3,2), hi=mpq(3,2))
    >>> power(-2, 3, 64)
    Enclosure(lo=mpq(-8,1), hi=mpq(-8,1))
    """
    if not isinstance(base, Enclosure):
        if not isinstance(exponent, Enclosure):
            return _power(mpq(base), mpq(exponent), precision)
        if base < 0:
            raise ValueError("power needs a base of at least 0")
        base = Enclosure(base, base)
    elif base.hi < 0:
        raise ValueError("power needs a base of at least 0")
    return _power_by_exp(base, exponent, precision)


def _exp(rounding: Rounding, x: int | End) -> mpfr:
    return rounding.result.exp(rounding.argument(x))


def _expm1(rounding: Rounding, x: int | End) -> mpfr:
    return rounding.result.expm1(rounding.argument(x))


def _ln(rounding: Rounding, x: int | End) -> mpfr:
    # Near 1 the rounding of x would be large beside ln x; x - 1 is exact.
    if _HALF < x < _TWO:
        return rounding.result.log1p(rounding.argument(mpq(x) - _ONE))
    return rounding.result.log(rounding.argument(x))


def _sqrt(rounding: Rounding, x: int | End) -> mpfr:
    return rounding.result.sqrt(rounding.argument(x))


def _root(x: mpq, degree: int) -> mpq | None:
    """The root of x >= 0 of that degree, if it is rational.

    n/d in lowest terms has a rational root exactly if n and d are perfect powers.
    """
    if degree == 1 or x in (0, 1):
        return x
    if degree > max(x.numerator.bit_length(), x.denominator.bit_length()):
        return None  # a perfect power other than 0 and 1 is at least 2^degree
    n, perfect = gmpy2.iroot(x.numerator, degree)
    if not perfect:
        return None
    d, perfect = gmpy2.iroot(x.denominator, degree)
    return mpq(n, d) if perfect else None


def _power(base: mpq, exponent: mpq, precision: int) -> Enclosure:
    degree, times = int(exponent.denominator), int(exponent.numerator)
    if base < 0:
        if degree != 1:
            raise ValueError("power needs a base of at least 0, or an integer exponent")
        size = _power(-base, exponent, precision)
        return size if times % 2 == 0 else -size
    if base == 0 and times < 0:
        raise ValueError("power needs an exponent of at least 0 for the base 0")
    if base == 1 or times == 0:
        return _ONE_POINT
    root = _root(base, degree)
    if root is not None:
        bits = max(root.numerator.bit_length(), root.denominator.bit_length())
        if bits * abs(times) <= precision << 10:
            value = root ** mpz(times)
            return Enclosure(value, value)
    return _power_by_exp(Enclosure(base, base), exponent, precision)


def _power_by_exp(base: Enclosure, exponent: Argument, precision: int) -> Enclosure:
    """exp(exponent * ln(base)) for a base of at least 0."""
    if base.hi == 0:
        if (exponent.lo if isinstance(exponent, Enclosure) else exponent) > 0:
            return _ZERO_POINT
        raise ValueError("power needs a positive exponent for the base 0")
    # The absolute error of the product becomes a relative error of the power, and
    # an exponent may be large.
    return exp(ln(base, precision + 64) * exponent, precision)
