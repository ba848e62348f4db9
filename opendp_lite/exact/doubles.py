"""The doubles in their order, and those next to a number.

The doubles are numbered in their order, so a search among them is a search among
integers. The number is known by enclosures or by a search.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable

from gmpy2 import mpq

from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.intervals import Enclosure, decide
from opendp_lite.exact.rounding import round_down, round_up, to_double


def double_index(value: float) -> int:
    """Return the place of a double, or infinity, in their order; that of zeros is 0.

    >>> double_index(5e-324), double_index(-0.0), double_index(-5e-324)
    (1, 0, -1)
    """
    bits: int = struct.unpack(">q", struct.pack(">d", value))[0]
    return bits if bits >= 0 else -(bits & (2**63 - 1))  # proof: sign


def double_at(index: int) -> float:
    """Return the double at that place: the inverse of :func:`double_index`.

    >>> double_at(0), double_at(double_index(-1.5))
    (0.0, -1.5)
    """
    magnitude: float = struct.unpack(">d", struct.pack(">q", abs(index)))[0]
    return -magnitude if index < 0 else magnitude  # proof: magnitude


def least_double(enclose: Callable[[int], Enclosure]) -> float:
    """Return the least double that is at least the number enclosed."""

    def test(value: Enclosure) -> float | None:
        least = round_up(value.hi)
        return least if least == round_up(value.lo) else None

    return decide(enclose, test)


def greatest_double(enclose: Callable[[int], Enclosure]) -> float:
    """Return the greatest finite double that is at most the number >= 0 enclosed."""

    def test(value: Enclosure) -> float | None:
        greatest = min(round_down(value.lo), sys.float_info.max)
        same = greatest == min(round_down(value.hi), sys.float_info.max)
        return greatest if same else None

    return decide(enclose, test)


def greatest_scale(suffices: Callable[[mpq], bool], guess: mpq) -> float:
    """Return the greatest finite double that suffices, if 0 and all below one do."""
    last = double_index(sys.float_info.max)

    def holds(i: int) -> bool:
        return i <= last and suffices(mpq(double_at(i)))

    return double_at(last_index(holds, double_index(to_double(max(guess, mpq(0))))))


def last_index(holds: Callable[[int], bool], guess: int) -> int:
    """Return the greatest i >= 0 for which `holds`, true up to there; 0 is not asked.

    The steps from the guess double until the answer lies between two of them.
    """
    low, high, step = guess, guess + 1, 1
    while low > 0 and not holds(low):  # proof: down
        low, high, step = max(low - step, 0), low, 2 * step
    while holds(high):  # proof: up
        low, high, step = high, high + step, 2 * step
    while high - low > 1:  # proof: halve
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


_WHOLE = 2**53
_OFFSET = double_index(float(_WHOLE)) - _WHOLE


def integer_double(i: int) -> float:
    """Return the i-th double that is an integer; all are, from 2^53 on; then inf."""
    if i <= _WHOLE:
        return float(i)
    return double_at(min(i + _OFFSET, double_index(math.inf)))


def integer_index(x: mpq) -> int:
    """Return the index, among the doubles that are integers, of one next to x >= 0."""
    if x <= _WHOLE:
        return ceil_multiple(x, 0)
    return double_index(to_double(x)) - _OFFSET
