# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.precision; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.base.errors import shown
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_extended
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.snapping.finite_logarithm import LEAST_PRECISION
from opendp_lite.measurements.snapping.lattice import Lattice

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_LEAST = 118
_GREATEST = 2**20
_MAKE = "MakeMeasurement"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_FINER = "Pass a greater precision, such as that of snapping_precision"
opendp_lite.measurements.snapping.finite_logarithm.LEAST_PRECISION = 4


# === precision_argument with ExactNumber, integer_argument, ?,
#    opendp_lite.base.aliases.ExactNumber, _LEAST, _GREATEST
def precision_argument(variant: str, precision: ExactNumber) -> int:
    fix = "Pass precision=118, or leave it out: the exact arithmetic costs nothing"
    return integer_argument(
        variant, "precision", precision, fix=fix, at_least=_LEAST, at_most=_GREATEST
    )


# === check_precision with ExactNumber, refusal, NumberSpace, Lattice, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE
def check_precision(
    precision: ExactNumber, lattice: Lattice, space: NumberSpace
) -> int:
    number = precision_argument(_MAKE, precision)
    _check_reach(_MAKE, lattice.scale, lattice.half, number)
    if space.vector and space.size is None:
        rule = (
            "the finite arithmetic costs something for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave precision out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "precision", precision, rule, fix)
    return number


# === finite_loss with Extended, Lattice, opendp_lite.exact.rationals.Extended
def finite_loss(
    lattice: Lattice, precision: int, count: int, d_in: Extended
) -> Extended:
    return finite_epsilon(
        lattice.scale, lattice.half, d_in, precision, count
    )


# === finite_epsilon with mpq, Extended, opendp_lite.exact.rationals.Extended
def finite_epsilon(
    scale: mpq, half_width: mpq, d_in: Extended, precision: int, count: int = 1
) -> Extended:
    _check_reach("FailedMap", scale, half_width, precision)
    if d_in == 0:
        return 0
    moved, added = _shares(half_width, d_in, precision, count)
    return moved / scale + added


# === finite_scale with mpq, refusal, shown, Extended,
#    opendp_lite.exact.rationals.Extended, _FINER
def finite_scale(
    epsilon: mpq, half_width: mpq, d_in: Extended, precision: int, count: int = 1
) -> mpq:
    moved, added = _shares(half_width, d_in, precision, count)
    if epsilon <= added:
        cost = f"{shown(2 * count)} * 2^{-precision}"
        rule = f"must be above {cost}, which the finite arithmetic costs at any scale"
        raise refusal("FailedMap", "epsilon", epsilon, rule, _FINER)
    scale = moved / (epsilon - added)
    _check_reach("FailedMap", scale, half_width, precision)
    return scale


# === snapping_precision with ExactNumber, rational_argument, refusal,
#    exponent_at_least, Extended, to_extended, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.exact.rationals.Extended, _LEAST, _GREATEST
def snapping_precision(
    epsilon: ExactNumber, half_width: ExactNumber, d_in: ExactNumber
) -> int:
    target = _positive("epsilon", epsilon, "Pass the loss, such as epsilon=1.0")
    half = _positive("half_width", half_width, "Pass half of the width of the bounds")
    distance: Extended = rational_argument(
        "InvalidDistance",
        "d_in",
        d_in,
        fix="Pass the greatest distance of neighbours, such as d_in=1",
        convert=to_extended,
    )
    if distance <= 0:
        rule = "must be positive: at distance 0 nothing is lost"
        raise refusal("InvalidDistance", "d_in", d_in, rule, "Pass d_in=1")
    size = exponent_at_least(target)
    ratio = exponent_at_least(half / _least(distance, half + half))
    precision = max(_LEAST, 8 - size, ratio + max(58, 3 + size))
    if precision > _GREATEST:
        rule = (
            f"with this half_width and this d_in needs a precision of {precision}, and "
            f"at most {_GREATEST} is allowed"
        )
        fix = "Leave precision out: the exact arithmetic needs none"
        raise refusal("InvalidDistance", "epsilon", epsilon, rule, fix)
    return precision


# === _positive with mpq, rational_argument, refusal
def _positive(name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(
        "InvalidDistance", name, value, fix=fix
    )
    if number <= 0:
        raise refusal("InvalidDistance", name, value, "must be positive", fix)
    return number


# === _shares with mpq, power_of_two, Extended, opendp_lite.exact.rationals.Extended
def _shares(
    half_width: mpq, d_in: Extended, precision: int, count: int
) -> tuple[mpq, mpq]:
    unit = mpq(count) * power_of_two(-precision)
    moved = _least(d_in, mpq(2 * count) * half_width)
    return moved + mpq(12) * half_width * unit, unit + unit


# === _least with mpq, Extended, opendp_lite.exact.rationals.Extended
def _least(d_in: Extended, most: mpq) -> mpq:
    return most if isinstance(d_in, float) or d_in > most else mpq(d_in)


# === _check_reach with mpq, refusal, power_of_two, LEAST_PRECISION,
#    opendp_lite.measurements.snapping.finite_logarithm.LEAST_PRECISION, _FINER
def _check_reach(variant: str, scale: mpq, half_width: mpq, precision: int) -> None:
    if precision < LEAST_PRECISION:
        rule = f"must be at least {LEAST_PRECISION}"
        raise refusal(variant, "precision", precision, rule, _FINER)
    if half_width > scale * power_of_two(precision - 3):
        rule = (
            "must be at least 3 plus the logarithm, to the base 2, of half the width "
            "of the bounds divided by the scale"
        )
        raise refusal(variant, "precision", precision, rule, _FINER)
