r"""The bias of the snapping mechanism, in closed form.

Let the lattice have the steps -h, -(N-1) Lambda, ..., (N-1) Lambda, h around its middle
m, let v be the clamped number measured from there, and let f be the least index whose
upper edge (f + 1/2) Lambda is at least v. The mean of the release, before it is
rounded, is

.. math:: m + c_f + \tfrac12 \sum_{j \ge f} s_j e^{-t_j/\lambda}
          - \tfrac12 \sum_{j < f} s_j e^{t_j/\lambda},

where c_f is f Lambda clamped to [-h, h], s_j is the step from index j to j + 1, and t_j
is (j + 1/2) Lambda - v. All steps but the first and the last are Lambda, so both sums
are geometric: the cost does not depend on the number of outputs.
"""

from __future__ import annotations

from typing import NamedTuple

from gmpy2 import mpq

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.exact.enclosures import exp, expm1
from opendp_lite.exact.grids import ceil_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import BINARY64, round_down, round_up
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.lattice import Lattice

_HALF = mpq(1, 2)

# Where the two sums nearly cancel the bias may be as small as e^(-2^1000). It is
# enclosed up to this precision, and then given by the interval that is there.
_LAST_PRECISION = 2048


class Bias(NamedTuple):
    """Two doubles with the bias between them."""

    lower: float
    upper: float


def snapping_bias(scale: ExactNumber, bounds: Bounds, estimate: ExactNumber) -> Bias:
    """Return the bias of the snapping mechanism at a guess of the number.

    Guarantee: the mean of the release r for x, less x, is at least `lower` and at most
    `upper`, where x is `estimate` and r the release of `make_snapping` with this
    `scale` and these `bounds`, and with exact arithmetic. If L and U are doubles, and
    the middle and Lambda multiples of some 2^g, g <= 0, all of whose multiples up to
    |L| and |U| are doubles, as with whole bounds up to 2^52 and a scale above 1/2, then
    the two are neighbouring doubles, or equal, unless the bias agrees with a double to
    some 2000 bits. If not, a bound of what the rounding adds stands on both sides:
    about 2^-52 of the mean size of what is released, and all by which the bounds pass
    the largest double. `estimate` is a guess or public, never the data.

    :param scale: lambda > 0, exact: int, float, Fraction, Decimal or text
    :param bounds: (L, U), L < U, exact likewise
    :param estimate: x, exact likewise; it may lie outside of the bounds

    >>> snapping_bias(scale=1, bounds=(-8, 8), estimate=6)
    Bias(lower=-0.06492787897007714, upper=-0.06492787897007712)
    >>> snapping_bias(scale=1, bounds=(-8, 8), estimate=0)
    Bias(lower=0.0, upper=0.0)

    Proof: proofs/measurements/snapping_bias.tex
    """
    lattice = lattice_argument("InvalidDistance", scale, bounds)  # proof: lattice
    fix = "Pass a guess of the number to be released, such as estimate=0.0"
    x: mpq = rational_argument(  # proof: estimate
        "InvalidDistance", "estimate", estimate, fix=fix
    )
    offset = lattice.offset(x)  # proof: offset
    moved = mean_rounding(lattice, offset)  # proof: moved
    precision = 64
    while True:
        mean = mean_offset(lattice, offset, precision)
        bias = mean + (lattice.middle - x)  # proof: bias
        low, high = bias - moved, bias + moved  # proof: ends
        lower, upper = round_down(low.lo), round_up(high.hi)  # proof: outward
        settled = lower == round_down(low.hi) and upper == round_up(high.lo)
        if settled or precision >= _LAST_PRECISION:  # proof: settled
            return Bias(lower, upper)
        precision *= 2


def mean_offset(lattice: Lattice, offset: mpq, precision: int) -> Enclosure:
    """Return the mean of clamp(j Lambda, -h, h), j the index of noise at offset v."""
    if offset == 0:  # proof: symmetric
        return Enclosure(0, 0)
    before = offset - _HALF * lattice.step
    first = ceil_multiple(before, lattice.exponent)  # proof: first
    centre = min(max(mpq(first) * lattice.step, -lattice.half), lattice.half)
    upward = _sum_of_steps(lattice, offset, first, precision)  # proof: upward
    downward = _sum_of_steps(lattice, -offset, -first, precision)  # proof: downward
    return centre + _HALF * (upward - downward)  # proof: mean


def _sum_of_steps(
    lattice: Lattice, offset: mpq, first: int, precision: int
) -> Enclosure:
    """The sum of s_j e^(-t_j/lambda) over the indices j from the first to last - 1."""
    last, step, scale = lattice.last, lattice.step, lattice.scale
    end = lattice.half - mpq(last - 1) * step  # proof: end

    def decay(j: int) -> Enclosure:
        x = ((mpq(j) + _HALF) * step - offset) / scale  # proof: exponent
        if x > 2 * precision:  # proof: far
            return Enclosure(0, power_of_two(-2 * precision))
        return exp(-x, precision)  # proof: near

    total = Enclosure(0, 0)
    if first == -last:  # proof: lowest
        total += end * decay(-last)
    inner = max(first, 1 - last)  # proof: inner
    count = last - 1 - inner
    if count > 0:  # proof: geometric
        ratio = step / scale
        terms = expm1(mpq(-count) * ratio, precision) / expm1(-ratio, precision)
        total += step * decay(inner) * terms
    if first < last:  # proof: highest
        total += end * decay(last - 1)
    return total


def mean_rounding(lattice: Lattice, offset: mpq) -> mpq:
    """Return a bound of the mean distance by which rounding moves the release.

    A double is off by at most 2^-53 of the number that it stands for, or 2^-52 where it
    had to stay within the bounds, and the mean size of that number is at most
    |m + v| + lambda + Lambda/2.

    >>> mean_rounding(Lattice(mpq(-2), mpq(3), mpq(3, 4)), mpq(1))
    mpq(0,1)
    """
    size = max(abs(lattice.lower), abs(lattice.upper))  # proof: size
    closed = lattice.least == lattice.lower and lattice.greatest == lattice.upper
    if closed and _all_doubles(lattice, size):  # proof: exact
        return mpq(0)
    reach = abs(lattice.middle + offset) + lattice.scale + _HALF * lattice.step
    unit = power_of_two((0 if closed else 1) - BINARY64.significand_bits)  # proof: unit
    beyond = max(size - BINARY64.largest, mpq(0))  # proof: beyond
    least = power_of_two(BINARY64.min_exponent)
    return unit * min(reach, size) + least + beyond  # proof: bound


def _all_doubles(lattice: Lattice, size: mpq) -> bool:
    """Whether the middle and Lambda are multiples of a power of two that is so large
    that all its multiples up to the size are doubles."""
    unit = lattice.middle.denominator  # proof: unit
    length = unit.bit_length() - 1
    if unit != 1 << length:  # proof: dyadic
        return False
    exponent = min(lattice.exponent, -length)  # proof: grid
    most = power_of_two(exponent + BINARY64.significand_bits)
    return bool(exponent >= BINARY64.min_exponent and size <= most)  # proof: doubles
