r"""What the finite arithmetic of the snapping mechanism costs, and how fine it must be.

With precision p, :math:`\eta = 2^{-p}`, words of p + 6 bits, the scale lambda and the
half width h of the bounds, n entries at the L1 distance d lose at most

.. math:: \min(d, 2hn)/\lambda + n(12 h \eta/\lambda + 2\eta),

provided that :math:`h/\lambda \le 2^{p-3}`. All of it is exact: rationals in, rationals
out, nothing rounded.
"""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.errors import refusal, shown
from opendp_lite.exact.grids import exponent_at_least, power_of_two
from opendp_lite.exact.rationals import Extended, to_extended
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.snapping.finite_logarithm import LEAST_PRECISION
from opendp_lite.measurements.snapping.lattice import Lattice

# The source asks for at least so much.
_LEAST = 118

# A draw with a word of a million bits takes seconds.
_GREATEST = 2**20

_MAKE = "MakeMeasurement"
_FINER = "Pass a greater precision, such as that of snapping_precision"


def precision_argument(variant: str, precision: ExactNumber) -> int:
    """Return `precision` as an int from 118 to 2^20, or refuse it."""
    fix = "Pass precision=118, or leave it out: the exact arithmetic costs nothing"
    return integer_argument(  # proof: range
        variant, "precision", precision, fix=fix, at_least=_LEAST, at_most=_GREATEST
    )


def check_precision(
    precision: ExactNumber, lattice: Lattice, space: NumberSpace
) -> int:
    """Return the precision of the finite arithmetic, or refuse it.

    It is an integer from 118 to 2^20, fine enough for the lattice. A vector of unknown
    size is refused, since every entry adds to the loss.
    """
    number = precision_argument(_MAKE, precision)  # proof: number
    _check_reach(_MAKE, lattice.scale, lattice.half, number)  # proof: reach
    if space.vector and space.size is None:
        rule = (
            "the finite arithmetic costs something for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave precision out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "precision", precision, rule, fix)  # proof: size
    return number


def finite_loss(
    lattice: Lattice, precision: int, count: int, d_in: Extended
) -> Extended:
    """Return what `count` entries lose at the L1 distance `d_in`; 0 at the distance 0.

    >>> finite_loss(Lattice(mpq(-1), mpq(1), mpq(1)), 4, 1, mpq(1))
    mpq(15,8)
    """
    return finite_epsilon(  # proof: loss
        lattice.scale, lattice.half, d_in, precision, count
    )


def finite_epsilon(
    scale: mpq, half_width: mpq, d_in: Extended, precision: int, count: int = 1
) -> Extended:
    """Return min(d, 2hn)/lambda + n(12 h eta/lambda + 2 eta); 0 at the distance 0.

    lambda > 0 is `scale`, h > 0 `half_width`, d `d_in`, eta 2^-`precision` and n
    `count`.

    >>> finite_epsilon(mpq(1), mpq(8), mpq(1), 10)
    mpq(561,512)
    """
    _check_reach("FailedMap", scale, half_width, precision)  # proof: reach
    if d_in == 0:
        return 0  # proof: zero
    moved, added = _shares(half_width, d_in, precision, count)  # proof: shares
    return moved / scale + added  # proof: loss


def finite_scale(
    epsilon: mpq, half_width: mpq, d_in: Extended, precision: int, count: int = 1
) -> mpq:
    """Return the least scale at which :func:`finite_epsilon` is at most `epsilon`.

    It is (min(d, 2hn) + 12 h n eta)/(epsilon - 2 n eta), and refused unless that is
    positive and the arithmetic fine enough. In the notes, for one number and d = 1, it
    is 1/epsilon', with epsilon' = (epsilon - 2 eta)/(1 + 12 h eta). `d_in` is not 0.

    >>> finite_scale(mpq(1), mpq(8), mpq(1), 10)
    mpq(80,73)
    """
    moved, added = _shares(half_width, d_in, precision, count)  # proof: shares
    if epsilon <= added:  # proof: positive
        cost = f"{shown(2 * count)} * 2^{-precision}"
        rule = f"must be above {cost}, which the finite arithmetic costs at any scale"
        raise refusal("FailedMap", "epsilon", epsilon, rule, _FINER)
    scale = moved / (epsilon - added)  # proof: scale
    _check_reach("FailedMap", scale, half_width, precision)  # proof: reach
    return scale


def snapping_precision(
    epsilon: ExactNumber, half_width: ExactNumber, d_in: ExactNumber
) -> int:
    """Return a precision that leaves nearly all of epsilon to the noise.

    Guarantee: at this precision p, a number has a scale lambda of loss epsilon, by
    :func:`finite_scale`, and d/lambda is more than 0.98 epsilon. Here h is
    `half_width`, and d is `d_in`, or 2 h if that is less.
    p = max(118, m + 8, 58 + l), with 2^-m the least power of two that is at least
    epsilon and 2^l the least that is at least h/d; beyond epsilon = 2^55 more.

    :param epsilon: above 0, exact: int, float, Fraction, Decimal or text
    :param half_width: h > 0, half of U - L for the bounds (L, U)
    :param d_in: above 0, the greatest distance of neighbours; may be infinite

    >>> snapping_precision(epsilon=1, half_width=8, d_in=1)
    118
    >>> snapping_precision(epsilon="1e-40", half_width=8, d_in=1)
    140

    Proof: proofs/measurements/snapping_precision.tex
    """
    target = _positive("epsilon", epsilon, "Pass the loss, such as epsilon=1.0")
    half = _positive("half_width", half_width, "Pass half of the width of the bounds")
    distance: Extended = rational_argument(  # proof: distance
        "InvalidDistance",
        "d_in",
        d_in,
        fix="Pass the greatest distance of neighbours, such as d_in=1",
        convert=to_extended,
    )
    if distance <= 0:  # proof: apart
        rule = "must be positive: at distance 0 nothing is lost"
        raise refusal("InvalidDistance", "d_in", d_in, rule, "Pass d_in=1")
    size = exponent_at_least(target)  # proof: epsilon
    ratio = exponent_at_least(half / _least(distance, half + half))  # proof: ratio
    precision = max(_LEAST, 8 - size, ratio + max(58, 3 + size))  # proof: precision
    if precision > _GREATEST:  # proof: greatest
        rule = (
            f"with this half_width and this d_in needs a precision of {precision}, and "
            f"at most {_GREATEST} is allowed"
        )
        fix = "Leave precision out: the exact arithmetic needs none"
        raise refusal("InvalidDistance", "epsilon", epsilon, rule, fix)
    return precision


def _positive(name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(  # proof: number
        "InvalidDistance", name, value, fix=fix
    )
    if number <= 0:  # proof: positive
        raise refusal("InvalidDistance", name, value, "must be positive", fix)
    return number


def _shares(
    half_width: mpq, d_in: Extended, precision: int, count: int
) -> tuple[mpq, mpq]:
    """min(d, 2hn) + 12 h n eta, which the scale divides, and 2 n eta."""
    unit = mpq(count) * power_of_two(-precision)  # proof: unit
    moved = _least(d_in, mpq(2 * count) * half_width)  # proof: moved
    return moved + mpq(12) * half_width * unit, unit + unit  # proof: shares


def _least(d_in: Extended, most: mpq) -> mpq:
    """The lesser of a distance, which may be infinite, and a finite one."""
    return most if isinstance(d_in, float) or d_in > most else mpq(d_in)  # proof: least


def _check_reach(variant: str, scale: mpq, half_width: mpq, precision: int) -> None:
    """Refuse a precision p that is too coarse: below 4, or h/lambda > 2^(p-3)."""
    if precision < LEAST_PRECISION:  # proof: least
        rule = f"must be at least {LEAST_PRECISION}"
        raise refusal(variant, "precision", precision, rule, _FINER)
    if half_width > scale * power_of_two(precision - 3):  # proof: reach
        rule = (
            "must be at least 3 plus the logarithm, to the base 2, of half the width "
            "of the bounds divided by the scale"
        )
        raise refusal(variant, "precision", precision, rule, _FINER)
