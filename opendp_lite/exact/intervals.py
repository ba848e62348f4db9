"""Intervals with rational ends, and questions asked of better and better ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import attrs
from gmpy2 import mpq

T = TypeVar("T")

End: TypeAlias = mpq | float
"""An end of an interval: a rational, or a float that is an infinity."""


def _end(x: int | mpq | float) -> End:
    if type(x) is mpq:
        return x
    if isinstance(x, float) and not math.isinf(x):
        raise TypeError("an end must be rational or infinite, got a finite float")
    return x if isinstance(x, float) else mpq(x)


@attrs.frozen
class Enclosure:
    r"""The closed interval :math:`[lo, hi]`, known to hold some real number.

    The sum, difference, product and quotient of two enclosures hold the sum,
    difference, product and quotient of the numbers that the two hold; an int or
    mpq stands for an interval of one point. The ends are computed exactly.

    >>> Enclosure(1, 2) - Enclosure(0, mpq(1, 2))
    Enclosure(lo=mpq(1,2), hi=mpq(2,1))
    >>> mpq(1, 3) * Enclosure(-1, 2) + 1
    Enclosure(lo=mpq(2,3), hi=mpq(5,3))
    """

    lo: End = attrs.field(converter=_end)
    hi: End = attrs.field(converter=_end)

    def __attrs_post_init__(self) -> None:
        if not self.lo <= self.hi:
            raise ValueError("the lower end must not exceed the upper end")

    @property
    def width(self) -> End:
        """hi - lo; inf if an end is infinite.

        >>> Enclosure(1, mpq(3, 2)).width
        mpq(1,2)
        """
        return _sum(self.hi, -self.lo)

    def contains(self, x: int | mpq | float) -> bool:
        """Whether x lies in the interval, ends included.

        >>> Enclosure(0, 1).contains(1)
        True
        """
        return bool(self.lo <= x <= self.hi)

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.hi, -self.lo)

    def __add__(self, other: Enclosure | int | mpq) -> Enclosure:
        that = _interval(other)
        return Enclosure(_sum(self.lo, that.lo), _sum(self.hi, that.hi))

    def __radd__(self, other: int | mpq) -> Enclosure:
        return self + other

    def __sub__(self, other: Enclosure | int | mpq) -> Enclosure:
        return self + -_interval(other)

    def __rsub__(self, other: int | mpq) -> Enclosure:
        return -self + other

    def __mul__(self, other: Enclosure | int | mpq) -> Enclosure:
        that = _interval(other)
        ends = [_product(a, b) for a in (self.lo, self.hi) for b in (that.lo, that.hi)]
        return Enclosure(min(ends), max(ends))

    def __rmul__(self, other: int | mpq) -> Enclosure:
        return self * other

    def __truediv__(self, other: Enclosure | int | mpq) -> Enclosure:
        return self * _reciprocal(_interval(other))

    def __rtruediv__(self, other: int | mpq) -> Enclosure:
        return _reciprocal(self) * other


Argument: TypeAlias = int | mpq | Enclosure
"""A point or an interval."""


def decide(
    enclose: Callable[[int], Enclosure],
    test: Callable[[Enclosure], T | None],
    precision: int = 64,
) -> T:
    """Return the answer of ``test`` about a number v that ``enclose(p)`` encloses.

    ``test`` gives an answer that is right for every number in the interval, or
    None if there is none. The precision p is doubled until it answers.

    What the caller must guarantee, or this does not return: that ``test`` answers
    every interval around v that is narrow enough (or, if v is rational, the interval
    that is the point v), and that the width of ``enclose(p)`` tends to 0 (or
    ``enclose(p)`` becomes that point). So a comparison of v with a rational r ends
    if v is not r, or if v = r is enclosed as a point.

    The functions of :mod:`opendp_lite.exact.enclosures` at a rational argument
    return a point wherever their value is known to be rational. For exp, expm1, ln,
    log1p, sqrt and power every other value is irrational, so a comparison with any
    rational ends. For erf, erfc and normal_quantile no other rational value is
    known, but that there is none is not proved: compare them with a rational only
    where the answer at equality is known and given. Nothing is known about a sum
    or a product in general: a comparison of ln 4 - 2 ln 2 with 0 does not end.

    >>> from opendp_lite.exact.enclosures import exp
    >>> def above_3(v: Enclosure) -> bool | None:
    ...     return True if v.lo > 3 else False if v.hi < 3 else None
    >>> decide(lambda precision: exp(1, precision), above_3)
    False
    """
    while True:
        answer = test(enclose(precision))
        if answer is not None:
            return answer
        precision *= 2


def upper_bound(enclose: Callable[[int], Enclosure], precision: int = 64) -> mpq:
    """Return a rational that is at least the number which ``enclose(p)`` encloses.

    The precision is doubled until the upper end is finite.

    >>> upper_bound(lambda precision: Enclosure(0, 1))
    mpq(1,1)
    """
    return decide(enclose, lambda v: _finite(v.hi), precision)


def lower_bound(enclose: Callable[[int], Enclosure], precision: int = 64) -> mpq:
    """Return a rational that is at most the number which ``enclose(p)`` encloses.

    The precision is doubled until the lower end is finite.

    >>> lower_bound(lambda precision: Enclosure(0, 1))
    mpq(0,1)
    """
    return decide(enclose, lambda v: _finite(v.lo), precision)


def _finite(end: End) -> mpq | None:
    return None if isinstance(end, float) else end


def _interval(x: Enclosure | int | mpq) -> Enclosure:
    return x if isinstance(x, Enclosure) else Enclosure(x, x)


def _sum(a: End, b: End) -> End:
    """a + b, where a and b are not opposite infinities.

    A float must not meet an mpq: gmpy2 would round to the current context.
    """
    if isinstance(a, float):
        return a
    return b if isinstance(b, float) else a + b


def _product(a: End, b: End) -> End:
    """a * b, where 0 times an infinity is 0: an infinite end is never attained."""
    if not (isinstance(a, float) or isinstance(b, float)):
        return a * b
    if a == 0 or b == 0:
        return mpq(0)
    return math.inf if (a > 0) == (b > 0) else -math.inf


def _reciprocal(x: Enclosure) -> Enclosure:
    """The interval of all 1/y, y in x, where x does not hold 0 inside.

    An x with the end 0 is taken to enclose a number that is not 0.
    """
    if x.lo < 0 < x.hi or x.lo == x.hi == 0:
        return Enclosure(-math.inf, math.inf)
    lower = -math.inf if x.hi == 0 else _inverse(x.hi)
    upper = math.inf if x.lo == 0 else _inverse(x.lo)
    return Enclosure(lower, upper)


def _inverse(x: End) -> End:
    return mpq(0) if isinstance(x, float) else mpq(1) / x
