r"""The law of the snapping mechanism: how likely each of its outputs is.

With the lattice of the scale lambda and the bounds, and v the clamped number measured
from the middle, the index of v + Y, where Y has the density e^(-|y|/lambda)/(2 lambda),
is at most j < N with probability P(Y < (j + 1/2) Lambda - v), N being the last index.
This is the law of the exact arithmetic (`precision` left out).
"""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.enclosures import exp, expm1
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_extended
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.lattice import Lattice

_VARIANT = "InvalidDistance"
_HALF = mpq(1, 2)
_PRECISION = 128

# To list more takes seconds, and is of no use in a plot.
_MOST = 10_000


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
