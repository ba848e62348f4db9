# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/nearest-doubles; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.doubles:least_double ===

from collections.abc import Callable
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.exact.rounding import round_up

def least_double(enclose: Callable[[int], Enclosure]) -> float:
    def test(value: Enclosure) -> float | None:
        least = round_up(value.hi)
        return least if least == round_up(value.lo) else None

    return decide(enclose, test)


# === opendp_lite.measurements.doubles:greatest_double ===

from collections.abc import Callable
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.exact.rounding import round_down
import sys

def greatest_double(enclose: Callable[[int], Enclosure]) -> float:
    def test(value: Enclosure) -> float | None:
        greatest = min(round_down(value.lo), sys.float_info.max)
        same = greatest == min(round_down(value.hi), sys.float_info.max)
        return greatest if same else None

    return decide(enclose, test)


# === opendp_lite.measurements.doubles:greatest_scale ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.order import double_at
from opendp_lite.exact.order import double_index
from opendp_lite.exact.rounding import to_double
import sys

def greatest_scale(suffices: Callable[[mpq], bool], guess: mpq) -> float:
    last = double_index(sys.float_info.max)

    def holds(i: int) -> bool:
        return i <= last and suffices(mpq(double_at(i)))

    return double_at(last_index(holds, double_index(to_double(max(guess, mpq(0))))))


# === opendp_lite.measurements.doubles:last_index ===

from collections.abc import Callable

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


# === opendp_lite.exact.order:double_index ===

import struct

def double_index(value: float) -> int:
    bits: int = struct.unpack(">q", struct.pack(">d", value))[0]
    return bits if bits >= 0 else -(bits & (2**63 - 1))


# === opendp_lite.exact.order:double_at ===

import struct

def double_at(index: int) -> float:
    magnitude: float = struct.unpack(">d", struct.pack(">q", abs(index)))[0]
    return -magnitude if index < 0 else magnitude


# === opendp_lite.measurements.doubles:integer_double ===

from opendp_lite.exact.order import double_at
from opendp_lite.exact.order import double_index
import math

_WHOLE = 2**53
_OFFSET = double_index(float(_WHOLE)) - _WHOLE

def integer_double(i: int) -> float:
    if i <= _WHOLE:
        return float(i)
    return double_at(min(i + _OFFSET, double_index(math.inf)))


# === opendp_lite.measurements.doubles:integer_index ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.order import double_index
from opendp_lite.exact.rounding import to_double

_WHOLE = 2**53
_OFFSET = double_index(float(_WHOLE)) - _WHOLE

def integer_index(x: mpq) -> int:
    if x <= _WHOLE:
        return ceil_multiple(x, 0)
    return double_index(to_double(x)) - _OFFSET


# === opendp_lite.exact.intervals:decide ===

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

def decide(
    enclose: Callable[[int], Enclosure],
    test: Callable[[Enclosure], T | None],
    precision: int = 64,
) -> T:
    while True:
        answer = test(enclose(precision))
        if answer is not None:
            return answer
        precision *= 2


# === opendp_lite.exact.rounding:round_up ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_up(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


# === opendp_lite.exact.rounding:round_down ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_down(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


# === opendp_lite.exact.rounding:_infinity ===

import math

def _infinity(x: float) -> float:
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:divide_to_double ===

import sys

def divide_to_double(n: int, d: int) -> float:
    try:
        nearest = n / d
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max
    return nearest + 0.0


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)
