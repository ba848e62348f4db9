r"""The law of the snapping mechanism: how likely each of its outputs is.

With the lattice of the scale lambda and the bounds, and v the clamped number measured
from the middle, the index of v + Y, where Y has the density e^(-|y|/lambda)/(2 lambda),
is at most j < N with probability P(Y < (j + 1/2) Lambda - v), N being the last index.
This is the law of the exact arithmetic (`precision` left out).
"""

from __future__ import annotations

import math
from typing import Any, Literal

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.enclosures import exp, expm1
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_extended
from opendp_lite.laws.noise import Noise, write_short
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.finite_logarithm import GUARD_BITS
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.snapping_accuracy import lattice_accuracy

_VARIANT = "InvalidDistance"
_HALF = mpq(1, 2)
_PRECISION = 128

# To list more takes seconds, and is of no use in a plot.
_MOST = 10_000


@attrs.frozen
class SnappedNoise(Noise):
    """Laplace noise that is added to a clamped number, and snapped to a lattice.

    `precision` is that of the finite arithmetic, None for the exact one.

    Proof: proofs/measurements/SnappedNoise.quantile.tex
    """

    lattice: Lattice
    precision: int | None
    space: NumberSpace

    @property
    def title(self) -> str:
        """The scale, the step of the lattice and the bounds."""
        lattice = self.lattice
        ends = f"({write_short(lattice.lower)}, {write_short(lattice.upper)})"
        return (
            f"Snapping, scale {write_short(lattice.scale)}, steps of "
            f"{write_short(lattice.step)}, bounds {ends}"
        )

    @property
    def scale(self) -> mpq:
        """The scale of the noise, before it is snapped."""
        return self.lattice.scale

    @property
    def form(self) -> Literal["number", "vector", "map"]:
        """A number or a vector, as the space says."""
        return "vector" if self.space.vector else "number"

    @property
    def size(self) -> int | None:
        """The number of entries of a vector, or None if it is not known."""
        return self.space.size

    @property
    def step(self) -> mpq:
        """The step of the lattice."""
        return self.lattice.step

    @property
    def ends(self) -> tuple[mpq, mpq]:
        """The doubles within the bounds that are nearest to them."""
        return mpq(self.lattice.least), mpq(self.lattice.greatest)

    @property
    def _error(self) -> mpq:
        """2^-w for words of w bits, which is 0 in exact arithmetic."""
        if self.precision is None:
            return mpq(0)
        return power_of_two(-self.precision - GUARD_BITS)

    def replace_infinity(self, number: Any) -> Any:
        """Return the bound to which an infinite number is clamped."""
        if number in (math.inf, -math.inf):
            return self.lattice.clamped(float(number))  # proof: infinite
        return number

    def start(self, number: mpq) -> mpq:
        """Return the number, clamped to the bounds."""
        return self.lattice.offset(number) + self.lattice.middle

    def origin(self, start: mpq) -> mpq:
        """Return the middle of the bounds."""
        return self.lattice.middle

    def measure_rounding(self, start: mpq) -> mpq:
        """Return how far a release without noise is from the start."""
        index = self.lattice.index(self.lattice.offset(start))
        return abs(mpq(self.lattice.released(index)) - start)

    def margins(self, start: mpq, reach: mpq) -> tuple[mpq | None, mpq | None]:
        """Return how far down and up N may go and leave the release within reach."""
        lattice = self.lattice
        offset = lattice.offset(start)
        here = lattice.index(offset)
        found: list[mpq | None] = []
        for sign in (-1, 1):

            def is_near(i: int, sign: int = sign) -> bool:
                j = here + sign * i
                away = sign * (mpq(lattice.released(j)) - start)
                return abs(j) <= lattice.last and away <= reach

            edge = here + sign * last_index(is_near, 0)  # proof: edge
            last = edge * sign >= lattice.last  # proof: last
            beyond = mpq(2 * edge + sign) * _HALF * lattice.step - offset
            found.append(None if last else abs(beyond))  # proof: beyond
        return found[0], found[1]

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        """Enclose P(N > distance): between two bounds, in finite arithmetic."""
        twice, ratio = 2 * self._error, distance / self.lattice.scale
        least = exp(-ratio * (1 + twice + twice * twice), precision)  # proof: least
        most = exp(-ratio * (1 - twice) + twice, precision)  # proof: most
        return _HALF * Enclosure(least.lo, min(most.hi, mpq(1)))

    def quantile(self, level: mpq) -> mpq | float:
        """Return as `snapping_scale_to_accuracy`, and more in finite arithmetic."""
        found = lattice_accuracy(self.lattice, level, self._error)  # proof: reach
        return math.inf if found == math.inf else mpq(found)


def snapping_distribution(
    scale: ExactNumber, bounds: Bounds, x: ExactNumber
) -> dict[float, Enclosure]:
    """Return the probability of each output of the snapping mechanism for a guess `x`.

    Guarantee: the keys are all doubles that `make_snapping` with this `scale` and these
    `bounds`, and with exact arithmetic, may release for the number `x`, in increasing
    order; each value is an interval that holds the probability of its key. The ends
    agree to some 100 bits. Lattices of more than 10000 indices are refused, also where
    several indices are released as one double. `x` is a guess or a public number, never
    the data.

    :param scale: lambda > 0, exact: int, float, Fraction, Decimal or text
    :param bounds: (L, U), L < U, exact likewise
    :param x: a number, exact likewise, or an infinity

    >>> law = snapping_distribution(scale=1, bounds=(-2, 2), x=0)
    >>> {value: round(float(p.lo), 4) for value, p in law.items()}
    {-2.0: 0.1116, -1.0: 0.1917, 0.0: 0.3935, 1.0: 0.1917, 2.0: 0.1116}

    Proof: proofs/measurements/snapping_distribution.tex
    """
    lattice = lattice_argument(_VARIANT, scale, bounds)  # proof: lattice
    fix = "Pass a guess of the number to be released, such as x=0.0"
    guess = rational_argument(  # proof: guess
        _VARIANT, "x", x, fix=fix, convert=to_extended
    )
    if 2 * lattice.last + 1 > _MOST:  # proof: count
        rule = (
            f"with these bounds the lattice has more than {_MOST} indices, too many to "
            "list"
        )
        fix = "Pass a greater scale or narrower bounds; snapping_bias lists nothing"
        raise refusal(_VARIANT, "scale", scale, rule, fix)
    if isinstance(guess, float):  # proof: infinite
        guess = lattice.upper if guess > 0 else lattice.lower
    offset = lattice.offset(guess)  # proof: offset
    law: dict[float, Enclosure] = {}
    for index in range(-lattice.last, lattice.last + 1):  # proof: indices
        value = lattice.released(index)  # proof: value
        probability = index_probability(lattice, offset, index, _PRECISION)
        law[value] = law[value] + probability if value in law else probability
    return law  # proof: law


def index_probability(
    lattice: Lattice, offset: mpq, index: int, precision: int
) -> Enclosure:
    """Return the probability of an index, -last to last, for a number at the offset.

    >>> lattice = Lattice(mpq(-2), mpq(2), mpq(1))
    >>> p = index_probability(lattice, mpq(0), 0, 64)
    >>> bool(mpq("0.39346934028736657") < p.lo < p.hi < mpq("0.39346934028736658"))
    True
    """
    # The two edges of the cell of the index, seen from the offset, in units of lambda.
    low = ((mpq(index) - _HALF) * lattice.step - offset) / lattice.scale  # proof: low
    high = ((mpq(index) + _HALF) * lattice.step - offset) / lattice.scale  # proof: high
    if index == -lattice.last:  # proof: lowest
        return _below(high, precision)
    if index == lattice.last:  # proof: highest
        return _below(-low, precision)
    if low < 0 < high:  # proof: across
        return -_HALF * (expm1(low, precision) + expm1(-high, precision))
    near = high if high <= 0 else -low  # proof: near
    return -_HALF * exp(near, precision) * expm1(low - high, precision)  # proof: side


def _below(x: mpq, precision: int) -> Enclosure:
    """P(Y < x lambda), Laplace noise Y of scale lambda."""
    if x <= 0:  # proof: left
        return _HALF * exp(x, precision)
    return _HALF - _HALF * expm1(-x, precision)  # proof: right
