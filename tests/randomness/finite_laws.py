"""The finite arithmetic of the snapping mechanism once more, slowly, and its exact law.

Nothing here is shared with the package: fractions, and the logarithm by Arb's balls.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cache
from itertools import pairwise

import attrs
import flint
from flint import arb, fmpq


def exponent(x: Fraction) -> int:
    """The e with 2^e <= |x| < 2^(e+1)."""
    x = abs(x)
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if x >= Fraction(2) ** e else e - 1


def nearest(x: Fraction, word: int) -> Fraction:
    """The number of that many bits nearest to x, ties to even."""
    unit = Fraction(2) ** (exponent(x) - word + 1)
    return round(x / unit) * unit  # Python rounds halves to even


def cut(x: Fraction, word: int) -> Fraction:
    """x > 0 without the bits after so many significant ones."""
    unit = Fraction(2) ** (exponent(x) - word + 1)
    return math.floor(x / unit) * unit


def ball(x: arb) -> tuple[Fraction, Fraction]:
    """The ends of a ball."""
    (m, e), (n, f) = (
        (int(a), int(b)) for a, b in (x.mid().man_exp(), x.rad().man_exp())
    )
    middle, radius = m * Fraction(2) ** e, n * Fraction(2) ** f
    return middle - radius, middle + radius


def logarithm(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Ends around ln x, about 2^-bits apart in relation to their size."""
    before = flint.ctx.prec
    flint.ctx.prec = bits + 2 * max(x.denominator.bit_length(), 1)
    try:
        return ball(arb(fmpq(x.numerator, x.denominator)).log())
    finally:
        flint.ctx.prec = before


def exponential(x: Fraction, bits: int = 200) -> tuple[Fraction, Fraction]:
    """Ends around e^x."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        return ball(arb(fmpq(x.numerator, x.denominator)).exp())
    finally:
        flint.ctx.prec = before


def magnitude(u: Fraction, scale: Fraction, word: int) -> Fraction:
    """-RN(scale RN(ln u)), with u cut off first."""
    u = cut(u, word)
    return -nearest(scale * rounded_logarithm(u.numerator, u.denominator, word), word)


@cache
def rounded_logarithm(numerator: int, denominator: int, word: int) -> Fraction:
    """RN(ln u), which is the same for all scales."""
    ends = logarithm(Fraction(numerator, denominator), 2 * word + 64)
    low, high = (nearest(end, word) for end in ends)
    assert low == high  # the ball says which way to round
    return low


@attrs.frozen
class FiniteLaw:
    """The law of s M: the distinct values of M, and P(M >= value) and P(M > value).

    `values` decrease, for u from 2^-`binades` up; what is below that is only known to
    have values at least as great as the first.
    """

    values: list[Fraction]
    at_least: list[Fraction]

    def more_than(self, y: Fraction) -> Fraction:
        """P(M > y), for y > 0 well below the greatest value listed."""
        # M > y exactly for u below the least u with M <= y.
        i = bisect_left(self.values, -y, key=lambda value: -value)
        assert i > 0
        return self.at_least[i - 1]

    def from_on(self, y: Fraction) -> Fraction:
        """P(M >= y), for y > 0 well below the greatest value listed."""
        i = bisect_right(self.values, -y, key=lambda value: -value)
        assert i > 0
        return self.at_least[i - 1]

    def below(self, y: Fraction) -> Fraction:
        """P(s M < y)."""
        if y <= 0:
            return self.more_than(-y) / 2 if y < 0 else Fraction(1, 2)
        return 1 - self.from_on(y) / 2

    def cells(self, v: Fraction, step: Fraction, last: int) -> list[Fraction]:
        """P(index = j) for the indices from -last to last, where z = v + s M."""
        edges = [
            (Fraction(j) - Fraction(1, 2)) * step for j in range(1 - last, last + 1)
        ]
        sums = [Fraction(0), *(self.below(t - v) for t in edges), Fraction(1)]
        return [b - a for a, b in pairwise(sums)]


@cache
def finite_law(scale: Fraction, word: int, binades: int) -> FiniteLaw:
    """All mantissas and the exponents of u from 2^-binades to 1, enumerated."""
    values: list[Fraction] = []
    at_least: list[Fraction] = []
    for k in range(binades, 0, -1):
        unit = Fraction(1, 2 ** (word - 1 + k))
        for m in range(2 ** (word - 1), 2**word):
            value = magnitude(m * unit, scale, word)
            if values and value == values[-1]:
                at_least[-1] = (m + 1) * unit
                continue
            assert not values or value < values[-1]
            values.append(value)
            at_least.append((m + 1) * unit)
    assert at_least[-1] == 1
    return FiniteLaw(values, at_least)
