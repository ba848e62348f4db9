# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/snapping_bias; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_bias:snapping_bias ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping_arguments import lattice_argument
from typing import Any

_LAST_PRECISION = 2048

def snapping_bias(scale: Any, bounds: Any, estimate: Any) -> Bias:
    lattice = lattice_argument("InvalidDistance", scale, bounds)
    fix = "Pass a guess of the number to be released, such as estimate=0.0"
    x: mpq = rational_argument(
        "InvalidDistance", "estimate", estimate, fix=fix
    )
    offset = lattice.offset(x)
    moved = mean_rounding(lattice, offset)
    precision = 64
    while True:
        mean = mean_offset(lattice, offset, precision)
        bias = mean + (lattice.middle - x)
        low, high = bias - moved, bias + moved
        lower, upper = round_down(low.lo), round_up(high.hi)
        settled = lower == round_down(low.hi) and upper == round_up(high.lo)
        if settled or precision >= _LAST_PRECISION:
            return Bias(lower, upper)
        precision *= 2


# === opendp_lite.measurements.snapping_bias:Bias ===

from typing import NamedTuple

class Bias(NamedTuple):
    lower: float
    upper: float


# === opendp_lite.measurements.snapping_bias:mean_offset ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.lattice import Lattice

_HALF = mpq(1, 2)

def mean_offset(lattice: Lattice, offset: mpq, precision: int) -> Enclosure:
    if offset == 0:
        return Enclosure(0, 0)
    before = offset - _HALF * lattice.step
    first = ceil_multiple(before, lattice.exponent)
    centre = min(max(mpq(first) * lattice.step, -lattice.half), lattice.half)
    upward = _sum_of_steps(lattice, offset, first, precision)
    downward = _sum_of_steps(lattice, -offset, -first, precision)
    return centre + _HALF * (upward - downward)


# === opendp_lite.measurements.snapping_bias:_sum_of_steps ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.lattice import Lattice

_HALF = mpq(1, 2)

def _sum_of_steps(
    lattice: Lattice, offset: mpq, first: int, precision: int
) -> Enclosure:
    last, step, scale = lattice.last, lattice.step, lattice.scale
    end = lattice.half - mpq(last - 1) * step

    def decay(j: int) -> Enclosure:
        x = ((mpq(j) + _HALF) * step - offset) / scale
        if x > 2 * precision:
            return Enclosure(0, power_of_two(-2 * precision))
        return exp(-x, precision)

    total = Enclosure(0, 0)
    if first == -last:
        total += end * decay(-last)
    inner = max(first, 1 - last)
    count = last - 1 - inner
    if count > 0:
        ratio = step / scale
        terms = expm1(mpq(-count) * ratio, precision) / expm1(-ratio, precision)
        total += step * decay(inner) * terms
    if first < last:
        total += end * decay(last - 1)
    return total


# === opendp_lite.measurements.snapping_bias:mean_rounding ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import BINARY64
from opendp_lite.sampling.lattice import Lattice

opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)
_HALF = mpq(1, 2)

def mean_rounding(lattice: Lattice, offset: mpq) -> mpq:
    size = max(abs(lattice.lower), abs(lattice.upper))
    closed = lattice.least == lattice.lower and lattice.greatest == lattice.upper
    if closed and _all_doubles(lattice, size):
        return mpq(0)
    reach = abs(lattice.middle + offset) + lattice.scale + _HALF * lattice.step
    unit = power_of_two((0 if closed else 1) - BINARY64.significand_bits)
    beyond = max(size - BINARY64.largest, mpq(0))
    least = power_of_two(BINARY64.min_exponent)
    return unit * min(reach, size) + least + beyond


# === opendp_lite.measurements.snapping_bias:_all_doubles ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import BINARY64
from opendp_lite.sampling.lattice import Lattice

opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)

def _all_doubles(lattice: Lattice, size: mpq) -> bool:
    unit = lattice.middle.denominator
    length = unit.bit_length() - 1
    if unit != 1 << length:
        return False
    exponent = min(lattice.exponent, -length)
    most = power_of_two(exponent + BINARY64.significand_bits)
    return bool(exponent >= BINARY64.min_exponent and size <= most)


# === opendp_lite.measurements.snapping_arguments:lattice_argument ===

from opendp_lite.sampling.lattice import Lattice
from typing import Any

_SCALE_FIX = "Pass a number such as scale=1.0; Fraction, Decimal and text are exact too"

def lattice_argument(variant: str, scale: Any, bounds: Any) -> Lattice:
    lower, upper = bounds_argument(variant, bounds)
    number = positive_argument(variant, "scale", scale, _SCALE_FIX)
    return Lattice(lower, upper, number)


# === opendp_lite.measurements.snapping_arguments:bounds_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from typing import Any

_BOUNDS_FIX = "Pass two numbers such as bounds=(0.0, 10.0), the lower one first"

def bounds_argument(variant: str, bounds: Any) -> tuple[mpq, mpq]:
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal(variant, "bounds", bounds, "must be a pair", _BOUNDS_FIX)
    lower: mpq = rational_argument(
        variant, "bounds", bounds[0], fix=_BOUNDS_FIX
    )
    upper: mpq = rational_argument(
        variant, "bounds", bounds[1], fix=_BOUNDS_FIX
    )
    if not lower < upper:
        rule = "the first must be less than the second"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    if not round_up(lower) <= round_down(upper):
        rule = "there must be a double between the two"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    return lower, upper


# === opendp_lite.measurements.snapping_arguments:positive_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

def positive_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(variant, name, value, fix=fix)
    if number <= 0:
        raise refusal(variant, name, value, "must be above 0", fix)
    return number


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
