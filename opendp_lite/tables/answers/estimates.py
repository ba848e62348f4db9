r"""What is made of noisy integers: numbers with intervals, for each key by itself.

All of it is post-processing: it sees releases, public bounds and the law of the noise,
and no data. An interval holds what it is about, *the exact statistic of the bounded
data*, with probability at least 1 - alpha, for every table and for each key by itself.
In the bounded data values are clipped and rounded, and of each person no more rows and
groups count than the query says. Ends are rounded outward. The reasons are short:

* A number with noise Z is within w of the exact one if \|Z\| <= w, and w is the least
  whole number with P(\|Z\| > w) <= alpha.
* A mean is s/n with n >= 1 rows. If s and n are in their intervals, each at its part of
  alpha, s/n lies between the corners, as it is monotone in s, and in n for each s.
* A variance is (q - s^2/n) / (n - ddof): here the ends are put together by interval
  arithmetic, which can only widen.
* A quantile: see `tables/answers/quantiles.py`.

A mean that rounding of rows brought out of their bounds counts as the bound here, and a
variance that it brought below 0 as 0. Where no row is there, or for a variance with a
ddof of 1 only one, there is no mean, variance or quantile, and nothing is said of it:
it is then some number within the bounds.

Each function is given what is public, and returns the function of the integers of one
key. These are Python's, of any size, and each end is one exact quotient, rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.core.domains import AtomDomain
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.laws.noise import Law
from opendp_lite.measurements.noise.added_noise import AddedNoise
from opendp_lite.measurements.noise.additive import NumberSpace

Ends: TypeAlias = tuple[Any, ...]
"""An estimate, the lower and the upper end of its interval; and so on for the next."""

Width: TypeAlias = int | None
"""How far the exact number is at most, in steps; None where there is no limit."""

_INTEGERS = NumberSpace(AtomDomain(T=int), vector=False, size=None)
_LEAST, _MOST = -(2**63), 2**63 - 1


@attrs.frozen
class Noise:
    """The noise on a vector of integers: its law and its scale, and what a step is.

    A scale of 0 is no noise at all. `unit` is what 1 stands for: a power of two.
    """

    law: Law
    scale: mpq
    unit: mpq = attrs.field(factory=lambda: mpq(1))

    def width(self, alpha: mpq) -> Width:
        """Return the least w, in steps, with P(|Z| > w) <= alpha, or None if none is.

        :param alpha: above 0 and at most 1
        """
        if self.scale == 0:
            return 0
        steps = _width(self.law, self.scale, alpha)
        return None if steps == math.inf else int(steps)


@lru_cache(maxsize=256)
def _width(law: Law, scale: mpq, alpha: mpq) -> float:
    return AddedNoise(law, _INTEGERS, scale).accuracy(alpha)


def whole(width: Width) -> Callable[[int], Ends]:
    """Return what makes an interval of an integer, saturated as int64 is.

    Saturating keeps the order, so that an exact number that fits int64 stays inside.

    >>> whole(3)(7), whole(3)(2**70)[0] == 2**63 - 1
    ((7, 4, 10), True)
    """

    def make(value: int) -> Ends:
        if width is None:
            return _saturated(value), _LEAST, _MOST
        return (
            _saturated(value),
            _saturated(value - width),
            _saturated(value + width),
        )

    return make


def _saturated(value: int) -> int:
    return value if _LEAST <= value <= _MOST else (_LEAST if value < 0 else _MOST)


def bins(width: Width) -> Callable[[Sequence[int]], Ends]:
    """Return what makes intervals of integers, one by one.

    >>> bins(3)([7, 0])
    (7, 4, 10, 0, -3, 3)
    """
    each = whole(width)
    return lambda values: tuple(end for value in values for end in each(value))


def real(width: Width, unit: mpq) -> Callable[[int], Ends]:
    """Return what makes an interval of a number of steps, in floats.

    >>> real(1, mpq(1, 4))(3)
    (0.75, 0.5, 1.0)
    """
    n, d = int(unit.numerator), int(unit.denominator)

    def make(value: int) -> Ends:
        middle = divide_to_double(value * n, d)
        if width is None:
            return middle, -math.inf, math.inf
        return middle, down((value - width) * n, d), up((value + width) * n, d)

    return make


def mean(
    widths: tuple[Width, Width], unit: mpq, centre: mpq, bounds: tuple[mpq, mpq]
) -> Callable[[int, int], Ends]:
    """Return what makes a mean of rows and a sum, within the bounds of a row.

    :param widths: of the number of rows, and of the sum of what lies beside the centre
    :param unit: of the sum
    :param centre: what was subtracted from each row
    :param bounds: of a row

    >>> mean((2, 10), mpq(1), mpq(5), (mpq(0), mpq(10)))(10, 20)
    (7.0, 5.83..., 8.75)
    """
    (step, middle, least, most), d = whole_numbers(unit, centre, *bounds)
    anywhere = down(least, d), up(most, d)
    beside, apart = widths

    def kept(total: int, n: int) -> int:
        """Return n d times the mean, brought into the bounds."""
        return min(max(middle * n + step * total, least * n), most * n)

    def make(rows: int, total: int) -> Ends:
        n = max(rows, 1)
        value = divide_to_double(kept(total, n), n * d)
        if beside is None or apart is None or rows + beside < 1:
            return value, *anywhere
        fewest, largest = max(rows - beside, 1), rows + beside
        low, high = total - apart, total + apart
        n, m = (fewest, largest)[low >= 0], (fewest, largest)[high < 0]
        return value, down(kept(low, n), n * d), up(kept(high, m), m * d)

    return make


def mean_accuracy(
    widths: tuple[Width, Width],
    unit: mpq,
    size: mpq,
    bounds: tuple[mpq, mpq],
    rows: int,
) -> mpq:
    r"""Return how far a mean of so many rows, or more, is from the exact one at most.

    Let S be the exact sum of what lies beside the centre in n rows, and let s and r be
    the noise of the sum and of the number of rows, with \|s\| <= v and \|r\| <= w < n.
    The noisy mean (S + s) / (n + r) and the exact one S / n differ by the quotient
    \|n s - S r\| / (n (n + r)). It is at most (v + M w) / (n - w), as \|S\| <= n M. It
    falls as n rises. To bring both means into the bounds makes their difference no
    larger, and leaves it within the distance of the bounds.

    :param widths: w of the number of rows, and v of the sum, as of `mean`
    :param unit: of the sum
    :param size: how far a row lies from the centre at most, M
    :param bounds: of a row
    :param rows: n, at least 1

    >>> mean_accuracy((2, 10), mpq(1), mpq(5), (mpq(0), mpq(10)), 42)
    mpq(1,2)
    """
    (beside, apart), span = widths, bounds[1] - bounds[0]
    if beside is None or apart is None or rows <= beside:
        return span
    return min((apart * unit + size * beside) / (rows - beside), span)


def variance(
    widths: tuple[Width, Width, Width], units: tuple[mpq, mpq], ddof: int, most: mpq
) -> Callable[[int, int, int], Ends]:
    """Return what makes a variance of rows, a sum and one of squares around a centre.

    It lies from 0 to the greatest that there can be.

    :param widths: of the number of rows, of the sum, and of that of squares
    :param units: of both sums
    :param ddof: 1 for the estimate from a sample, 0 for the variance of the rows
    :param most: the greatest square

    >>> variance((0, 0, 0), (mpq(1), mpq(1)), 0, mpq(25))(10, 0, 40)
    (4.0, 4.0, 4.0)
    """
    bound = most * (1 + ddof)  # n / (n - 1) is at most 2
    (square, of_sum, top), d = whole_numbers(units[1], units[0] * units[0], bound)
    anywhere = 0.0, up(top, d)
    beside, apart, around = widths

    def ratio(squares: int, sums: int, n: int, freedom: int) -> tuple[int, int]:
        """Return (squares - sums / n) / freedom as a quotient, within the bounds."""
        below = n * freedom
        return min(max(square * squares * n - of_sum * sums, 0), top * below), below * d

    def make(rows: int, total: int, squares: int) -> Ends:
        n = max(rows, 1 + ddof)
        value = divide_to_double(*ratio(squares, total * total, n, n - ddof))
        if beside is None or apart is None or around is None or rows + beside <= ddof:
            return value, *anywhere
        fewest, largest = max(rows - beside, 1 + ddof), rows + beside
        farthest = (abs(total) + apart) ** 2
        nearest = max(abs(total) - apart, 0) ** 2
        low = ratio(squares - around, farthest, fewest, largest - ddof)
        high = ratio(squares + around, nearest, largest, fewest - ddof)
        return value, down(*low), up(*high)

    return make


def whole_numbers(*numbers: mpq) -> tuple[list[int], int]:
    """Return numbers as integers, and what these are to be divided by."""
    d = math.lcm(*(int(each.denominator) for each in numbers))
    return [int(each * d) for each in numbers], d


def down(n: int, d: int) -> float:
    """Return the greatest double, or -inf, that is at most n/d, where d > 0."""
    nearest = divide_to_double(n, d)
    p, q = nearest.as_integer_ratio()
    return math.nextafter(nearest, -math.inf) if p * d > n * q else nearest


def up(n: int, d: int) -> float:
    """Return the least double, or inf, that is at least n/d, where d > 0."""
    nearest = divide_to_double(n, d)
    p, q = nearest.as_integer_ratio()
    return math.nextafter(nearest, math.inf) if p * d < n * q else nearest
