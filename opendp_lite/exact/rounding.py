"""Rounding of exact numbers to floating-point values, and to decimals.

A privacy loss that is shown to a person is rounded up (:func:`round_up`), and so is an
upper bound in decimals (:func:`shown_above`). A real-valued release is rounded to the
nearest value of a format (:func:`round_nearest`); the format is a parameter, so that
everything proved and run for doubles can also be run, exhaustively, for formats of a
few bits.
"""

from __future__ import annotations

import decimal
import math
import sys

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended


@attrs.frozen
class FloatFormat:
    r"""The values :math:`m 2^e` with integers m, e, :math:`|m| < 2^p` and
    :math:`e_{\min} \le e \le e_{\max}`, where p is ``significand_bits``, e_min is
    ``min_exponent`` and e_max is ``max_exponent``. Subnormal values are among them;
    infinities and nan are not.

    >>> BINARY64.largest == mpq(1.7976931348623157e308)
    True
    """

    significand_bits: int
    min_exponent: int
    max_exponent: int
    largest: mpq = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        # With 1 bit both sides of a tie may be odd.
        if self.significand_bits < 2:  # proof: bits
            raise ValueError("significand_bits must be at least 2")
        if self.max_exponent < self.min_exponent:  # proof: order
            raise ValueError("max_exponent must be at least min_exponent")
        significand = power_of_two(self.significand_bits) - mpq(1)
        largest = significand * power_of_two(self.max_exponent)  # proof: largest
        object.__setattr__(self, "largest", largest)


BINARY64 = FloatFormat(53, -1074, 971)
"""The finite values of a double, Python's float."""

BINARY32 = FloatFormat(24, -149, 104)
"""The finite values of a single."""


def round_nearest(x: mpq, fmt: FloatFormat = BINARY64) -> mpq:
    """Return the value of the format nearest to x, ties to the even significand.

    Beyond the largest value of the format the result is that value, with the sign
    of x. So the function is total, monotone, odd, and never infinite.

    >>> round_nearest(mpq(1, 10)) == mpq(0.1)
    True
    >>> round_nearest(mpq(7, 2), FloatFormat(2, 0, 0))
    mpq(3,1)
    """
    if fmt is BINARY64:
        return mpq(*to_double(x).as_integer_ratio())  # proof: double
    n, d = x.numerator, x.denominator
    # 2^(length-1) < |x| < 2^(length+1), so e or e+1 is the exponent that leaves
    # significand_bits bits; e+1 is right when |x| >= 2^length.
    length = n.bit_length() - d.bit_length()
    magnitude = abs(n)
    if magnitude << max(-length, 0) >= d << max(length, 0):  # proof: length
        length += 1
    e = max(length - fmt.significand_bits, fmt.min_exponent)  # proof: exponent
    if e >= 0:
        d <<= e
    else:
        magnitude <<= -e
    nearest = min(_half_even(magnitude, d) * power_of_two(e), fmt.largest)  # proof: cap
    return -nearest if n < 0 else nearest


def to_double(x: mpq | int) -> float:
    """Return the nearest double, ties to even, saturating; never infinite, never -0.0.

    Python's division of integers is correctly rounded, subnormal results included,
    and raises exactly when the rounded quotient passes the largest double.

    >>> to_double(mpq(1, 10)), to_double(-(10**400)), to_double(mpq(-1, 10**400))
    (0.1, -1.7976931348623157e+308, 0.0)
    """
    return divide_to_double(int(x.numerator), int(x.denominator))  # proof: ratio


def divide_to_double(n: int, d: int) -> float:
    """Return the double nearest to n/d, where d > 0: `to_double` of the quotient.

    >>> divide_to_double(1, 10), divide_to_double(-(10**400), 1)
    (0.1, -1.7976931348623157e+308)
    """
    try:
        nearest = n / d  # proof: division
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max  # proof: overflow
    # -0.0 + 0.0 is 0.0.
    return nearest + 0.0  # proof: zero


def round_up(x: Extended) -> float:
    """Return the least double that is at least x; inf above the largest double.

    >>> round_up(mpq(1, 10)), round_up(mpq(1, 10**400)), round_up(10**400)
    (0.1, 5e-324, inf)
    """
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


def round_down(x: Extended) -> float:
    """Return the greatest double that is at most x; -inf below the least double.

    >>> round_down(mpq(1, 10)), round_down(mpq(1, 10**400))
    (0.09999999999999999, 0.0)
    """
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


def _infinity(x: float) -> float:
    """x, which must be infinite: an exact number is an int or a rational."""
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x


def _half_even(n: mpz, d: mpz) -> mpz:
    """n/d rounded to the nearest integer, ties to even; d > 0."""
    quotient, remainder = divmod(n, d)
    twice = remainder << 1
    if twice > d or (twice == d and quotient.is_odd()):  # proof: half
        return quotient + mpz(1)
    return quotient


def shown_above(number: Extended, digits: int = 6) -> str:
    """Return a decimal with so many digits that is not below `number`.

    >>> from gmpy2 import mpq
    >>> shown_above(mpq(2, 3)), shown_above(mpq(1, 10**9)), shown_above(2)
    ('0.666667', '1e-9', '2')
    """
    return _shown(number, decimal.ROUND_CEILING, digits)


def shown_below(number: Extended, digits: int = 6) -> str:
    """Return a decimal with so many digits that is not above `number`.

    >>> from gmpy2 import mpq
    >>> shown_below(mpq(2, 3)), shown_below(1 - mpq(1, 10**9))
    ('0.666666', '0.999999')
    """
    return _shown(number, decimal.ROUND_FLOOR, digits)


def _shown(number: Extended, rounding: str, digits: int) -> str:
    if isinstance(number, float):
        return str(number)
    # The quotient of two exact decimals is rounded once, in the direction asked for.
    context = decimal.Context(digits, rounding, -(10**9), 10**9)
    numerator, denominator = int(number.numerator), int(number.denominator)
    quotient = context.divide(decimal.Decimal(numerator), decimal.Decimal(denominator))
    return f"{context.normalize(quotient):g}"
