"""Square roots that are kept: nonnegative numbers known by their rational squares.

L2 distances are such numbers. A map that has sqrt(2) for its value returns the number
itself, so that Gaussian noise, whose loss depends on the square, loses just what it
says: where a root were rounded up on the way, a loss of 1 would not fit a budget of 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.exact.grids import ceil_multiple, power_of_two
from opendp_lite.exact.rationals import Extended


@attrs.frozen(eq=False, repr=False)
class Root:
    """The square root of a rational number `square` > 0, itself not rational.

    `root` makes one. It is compared with roots, integers, rationals and infinity, by
    squares, and with nothing else: a finite float is no exact number.

    >>> root(2), root(2) < root(3), mpq(3, 2) >= root(2), root(2) == root(mpq(8, 4))
    (sqrt(2), True, True, True)
    """

    square: mpq

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and self.square == other.square  # proof: equal

    def __hash__(self) -> int:
        return hash((Root, self.square))

    def __lt__(self, other: Rooted) -> Any:
        return self._compared(other, lt)

    def __le__(self, other: Rooted) -> Any:
        return self._compared(other, le)

    def __gt__(self, other: Rooted) -> Any:
        return self._compared(other, gt)

    def __ge__(self, other: Rooted) -> Any:
        return self._compared(other, ge)

    def _compared(self, other: Any, test: Callable[[Any, Any], bool]) -> Any:
        if isinstance(other, Root):
            return test(self.square, other.square)  # proof: roots
        if isinstance(other, float) and not math.isinf(other):
            return NotImplemented  # proof: float
        if not isinstance(other, int | float | mpq):
            return NotImplemented  # proof: other
        if other <= 0:
            return test(1, 0)  # proof: negative
        return test(self.square, squared(other))  # proof: squares

    def __repr__(self) -> str:
        return f"sqrt({self.square})"


Rooted: TypeAlias = Extended | Root
"""An exact number that is not negative, a root among them, or infinity."""


def root(square: Extended) -> Rooted:
    """Return the square root of a number that is not negative, exactly.

    It is a rational if there is one, and a :class:`Root` otherwise.

    >>> root(mpq(4, 9)), root(mpq(4, 8)), root(math.inf)
    (mpq(2,3), sqrt(1/2), inf)
    """
    if square == math.inf:
        return math.inf  # proof: infinite
    number = mpq(square)
    over, under = (int(part) for part in (number.numerator, number.denominator))
    rational = mpq(math.isqrt(over), math.isqrt(under))  # proof: parts
    if rational * rational == number:
        return rational  # proof: rational
    return Root(number)  # proof: root


def squared(d: Rooted) -> Extended:
    """Return the square of a number that is not negative, exactly.

    >>> squared(root(2)), squared(3), squared(math.inf)
    (mpq(2,1), mpq(9,1), inf)
    """
    if isinstance(d, Root):
        return d.square  # proof: root
    return math.inf if d == math.inf else mpq(d) * mpq(d)  # proof: number


def above(d: Rooted, k: int) -> mpq:
    """Return `d`, which is finite, or the least multiple of 2^k above it if a root.

    >>> above(root(2), 0), above(root(2), -1), above(mpq(1, 3), 0)
    (mpq(2,1), mpq(3,2), mpq(1,3))
    """
    if not isinstance(d, Root):
        return mpq(d)  # proof: rational
    steps = math.isqrt(ceil_multiple(d.square, 2 * k) - 1) + 1  # proof: steps
    return mpq(steps) * power_of_two(k)  # proof: multiple
