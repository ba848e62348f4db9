# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.doubles; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.exact.rounding import to_double
import math
import struct
import sys

_WHOLE = 2**53
_OFFSET = double_index(float(_WHOLE)) - _WHOLE


# === double_index with struct
def double_index(value: float) -> int:
    bits: int = struct.unpack(">q", struct.pack(">d", value))[0]
    return bits if bits >= 0 else -(bits & (2**63 - 1))


# === double_at with struct
def double_at(index: int) -> float:
    magnitude: float = struct.unpack(">d", struct.pack(">q", abs(index)))[0]
    return -magnitude if index < 0 else magnitude


# === least_double with Callable, Enclosure, decide, round_up
def least_double(enclose: Callable[[int], Enclosure]) -> float:
    def test(value: Enclosure) -> float | None:
        least = round_up(value.hi)
        return least if least == round_up(value.lo) else None

    return decide(enclose, test)


# === greatest_double with Callable, Enclosure, decide, round_down, sys
def greatest_double(enclose: Callable[[int], Enclosure]) -> float:
    def test(value: Enclosure) -> float | None:
        greatest = min(round_down(value.lo), sys.float_info.max)
        same = greatest == min(round_down(value.hi), sys.float_info.max)
        return greatest if same else None

    return decide(enclose, test)


# === greatest_scale with Callable, mpq, to_double, sys
def greatest_scale(suffices: Callable[[mpq], bool], guess: mpq) -> float:
    last = double_index(sys.float_info.max)

    def holds(i: int) -> bool:
        return i <= last and suffices(mpq(double_at(i)))

    return double_at(last_index(holds, double_index(to_double(max(guess, mpq(0))))))


# === last_index with Callable
def last_index(holds: Callable[[int], bool], guess: int) -> int:
    low, high, step = guess, guess + 1, 1
    while low > 0 and not holds(low):
        low, high, step = max(low - step, 0), low, 2 * step
    while holds(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


# === integer_double with math, _WHOLE, _OFFSET
def integer_double(i: int) -> float:
    if i <= _WHOLE:
        return float(i)
    return double_at(min(i + _OFFSET, double_index(math.inf)))


# === integer_index with mpq, ceil_multiple, to_double, _WHOLE, _OFFSET
def integer_index(x: mpq) -> int:
    if x <= _WHOLE:
        return ceil_multiple(x, 0)
    return double_index(to_double(x)) - _OFFSET
