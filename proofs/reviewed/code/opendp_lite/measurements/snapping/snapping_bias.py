# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.snapping_bias; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import BINARY64
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.lattice import Lattice
from typing import NamedTuple

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
_LAST_PRECISION = 2048
_HALF = mpq(1, 2)
opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)


# === Bias with NamedTuple
class Bias(NamedTuple):
    lower: float
    upper: float


# === snapping_bias with mpq, Bounds, ExactNumber, rational_argument, round_down,
#    round_up, lattice_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _LAST_PRECISION
def snapping_bias(scale: ExactNumber, bounds: Bounds, estimate: ExactNumber) -> Bias:
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


# === mean_offset with mpq, ceil_multiple, Enclosure, Lattice, _HALF
def mean_offset(lattice: Lattice, offset: mpq, precision: int) -> Enclosure:
    if offset == 0:
        return Enclosure(0, 0)
    before = offset - _HALF * lattice.step
    first = ceil_multiple(before, lattice.exponent)
    centre = min(max(mpq(first) * lattice.step, -lattice.half), lattice.half)
    upward = _sum_of_steps(lattice, offset, first, precision)
    downward = _sum_of_steps(lattice, -offset, -first, precision)
    return centre + _HALF * (upward - downward)


# === _sum_of_steps with mpq, exp, expm1, power_of_two, Enclosure, Lattice, _HALF
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


# === mean_rounding with mpq, power_of_two, BINARY64, Lattice,
#    opendp_lite.exact.rounding.BINARY64, _HALF
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


# === _all_doubles with mpq, power_of_two, BINARY64, Lattice,
#    opendp_lite.exact.rounding.BINARY64
def _all_doubles(lattice: Lattice, size: mpq) -> bool:
    unit = lattice.middle.denominator
    length = unit.bit_length() - 1
    if unit != 1 << length:
        return False
    exponent = min(lattice.exponent, -length)
    most = power_of_two(exponent + BINARY64.significand_bits)
    return bool(exponent >= BINARY64.min_exponent and size <= most)
