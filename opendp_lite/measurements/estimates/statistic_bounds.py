"""Where a statistic lies, given where the data lie: bounds that no data set passes.

All are attained by some data set. They are rounded outward to doubles, and speak of
the exact statistic: one computed in floats may lie outside by its own rounding.
"""

from __future__ import annotations

import math

from gmpy2 import mpq

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import (
    integer_argument,
    pair_argument,
    rational_argument,
)
from opendp_lite.base.errors import refusal, shown
from opendp_lite.exact.rounding import round_down, round_up

_VARIANT = "InvalidDistance"
_RANGE_FIX = "Pass the least and the greatest value that the data may have"


def mean_bounds(lower: ExactNumber, upper: ExactNumber) -> tuple[float, float]:
    """Return bounds of the mean of numbers in [a, b]: a and b, rounded outward.

    :param lower: a, exact: int, float, Fraction, Decimal or text
    :param upper: b > a, exact likewise

    >>> mean_bounds(-3, 10)
    (-3.0, 10.0)

    Proof: proofs/measurements/variance_bounds.tex
    """
    a, b = _range("lower", lower, "upper", upper)  # proof: range
    return _doubles("upper", upper, a, b)  # proof: mean


def variance_bounds(
    lower: ExactNumber, upper: ExactNumber, size: ExactNumber
) -> tuple[float, float]:
    """Return bounds of the sample variance of n numbers in [a, b], n being `size`.

    With the denominator n - 1 it is at least 0 and at most

        floor(n/2) ceil(n/2) / (n (n - 1)) (b - a)^2,

    which half of the numbers at a and half at b attain; for odd n one more at either.

    :param lower: a, exact: int, float, Fraction, Decimal or text
    :param upper: b > a, exact likewise
    :param size: n, an integer of at least 2: the denominator is n - 1

    >>> variance_bounds(-1, 3, size=100)
    (0.0, 4.040404040404041)

    Proof: proofs/measurements/variance_bounds.tex
    """
    a, b = _range("lower", lower, "upper", upper)  # proof: range
    greatest = _largest_share(size) * (b - a) * (b - a)  # proof: greatest
    return _doubles("upper", upper, mpq(0), greatest)  # proof: variance


def covariance_bounds(
    x_bounds: Bounds, y_bounds: Bounds, size: ExactNumber
) -> tuple[float, float]:
    """Return bounds of the sample covariance of n pairs in [a, b] x [c, d].

    With the denominator n - 1, n being `size`, it is in size at most

        floor(n/2) ceil(n/2) / (n (n - 1)) (b - a) (d - c),

    which is attained with both signs.

    :param x_bounds: (a, b), a < b, exact: int, float, Fraction, Decimal or text
    :param y_bounds: (c, d), c < d, exact likewise
    :param size: n, an integer of at least 2: the denominator is n - 1

    >>> covariance_bounds((-1, 3), (0, 7), size=2)
    (-14.0, 14.0)

    Proof: proofs/measurements/variance_bounds.tex
    """
    a, b = _pair("x_bounds", x_bounds)  # proof: first
    c, d = _pair("y_bounds", y_bounds)  # proof: second
    greatest = _largest_share(size) * (b - a) * (d - c)  # proof: greatest
    return _doubles("x_bounds", x_bounds, -greatest, greatest)  # proof: covariance


def histogram_bounds(size: ExactNumber) -> tuple[float, float]:
    """Return bounds of a count of a histogram of n rows: 0 and n, n being `size`.

    :param size: n, an integer of at least 1, which must be public

    >>> histogram_bounds(size=100)
    (0.0, 100.0)

    Proof: proofs/measurements/variance_bounds.tex
    """
    fix = "Pass the number of rows, such as size=100"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=1)  # proof: size
    return _doubles("size", size, mpq(0), mpq(n))  # proof: histogram


def _largest_share(size: ExactNumber) -> mpq:
    """floor(n/2) ceil(n/2) / (n (n - 1)), for a size of at least 2."""
    fix = "Pass the number of rows: from one alone there is no sample variance"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=2)  # proof: size
    return mpq((n // 2) * ((n + 1) // 2), n * (n - 1))  # proof: share


def _pair(name: str, bounds: Bounds) -> tuple[mpq, mpq]:
    lower, upper = pair_argument(_VARIANT, name, bounds, _RANGE_FIX)  # proof: pair
    return _range(name, lower, name, upper)  # proof: range


def _range(
    lower_name: str, lower: object, upper_name: str, upper: object
) -> tuple[mpq, mpq]:
    a: mpq = rational_argument(  # proof: lower
        _VARIANT, lower_name, lower, fix=_RANGE_FIX
    )
    b: mpq = rational_argument(  # proof: upper
        _VARIANT, upper_name, upper, fix=_RANGE_FIX
    )
    if not a < b:  # proof: order
        rule = f"must be greater than the lower one, {shown(lower)}"
        raise refusal(_VARIANT, upper_name, upper, rule, _RANGE_FIX)
    return a, b


def _doubles(
    name: str, value: object, least: mpq, greatest: mpq
) -> tuple[float, float]:
    """The two numbers, rounded outward, if they are in the range of doubles."""
    lower, upper = round_down(least), round_up(greatest)  # proof: outward
    if lower == -math.inf or upper == math.inf:  # proof: finite
        rule = "the statistic may pass the largest double"
        raise refusal(_VARIANT, name, value, rule, "Pass a narrower range")
    return lower, upper
