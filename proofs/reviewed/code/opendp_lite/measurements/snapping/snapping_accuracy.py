# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.snapping_accuracy; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.doubles import greatest_double
from opendp_lite.exact.doubles import least_double
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.measurements.snapping.arguments import bounds_argument
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.arguments import level_argument
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
_VARIANT = "InvalidDistance"
_HALF, _ONE = mpq(1, 2), mpq(1)


# === snapping_scale_to_accuracy with mpq, Bounds, ExactNumber, least_double, ln,
#    Enclosure, lattice_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _VARIANT, _HALF
def snapping_scale_to_accuracy(
    scale: ExactNumber, bounds: Bounds, alpha: ExactNumber
) -> float:
    lattice = lattice_argument(_VARIANT, scale, bounds)
    level = alpha_argument(alpha)
    width = lattice.upper - lattice.lower

    def accuracy(precision: int) -> Enclosure:
        noise = lattice.scale * ln(_ONE / level, precision)
        return _at_most(noise + _HALF * lattice.step, width)

    return least_double(accuracy)


# === accuracy_to_snapping_scale with mpq, Bounds, ExactNumber, rational_argument,
#    refusal, bounds_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _VARIANT
def accuracy_to_snapping_scale(
    accuracy: ExactNumber, bounds: Bounds, alpha: ExactNumber
) -> float:
    fix = "Pass an accuracy that is less than the width of the bounds"
    a: mpq = rational_argument(
        _VARIANT, "accuracy", accuracy, fix=fix, at_least=0
    )
    lower, upper = bounds_argument(_VARIANT, bounds)
    level = alpha_argument(alpha, below_one=True)
    if a >= upper - lower:
        rule = "must be below the width of the bounds: every scale has that accuracy"
        raise refusal(_VARIANT, "accuracy", accuracy, rule, fix)
    return greatest_snapping_scale(a, level)


# === greatest_snapping_scale with mpq, greatest_double, ln, exponent_at_least,
#    power_of_two, Enclosure, decide, math, _HALF
def greatest_snapping_scale(accuracy: mpq, level: mpq) -> float:
    if accuracy == 0:
        return 0.0

    def exponent(value: Enclosure) -> int | None:
        if value.lo <= 0 or value.hi == math.inf:
            return None
        least, most = exponent_at_least(mpq(value.lo)), exponent_at_least(mpq(value.hi))
        return least if least == most else None

    k = decide(
        lambda precision: accuracy / (ln(_ONE / level, precision) + _ONE), exponent
    )
    rest = accuracy - power_of_two(k - 1)
    return greatest_double(
        lambda precision: _at_most(rest / ln(_ONE / level, precision), power_of_two(k))
    )


# === alpha_argument with mpq, refusal, level_argument, _VARIANT
def alpha_argument(alpha: object, below_one: bool = False) -> mpq:
    fix = "Pass the probability with which noise may be larger, such as alpha=0.05"
    level = level_argument(_VARIANT, "alpha", alpha, fix)
    if below_one and level == 1:
        rule = "must be below 1: at 1 every scale has every accuracy"
        raise refusal(_VARIANT, "alpha", alpha, rule, fix)
    return level


# === _at_most with mpq, Enclosure
def _at_most(value: Enclosure, most: mpq) -> Enclosure:
    return Enclosure(min(value.lo, most), min(value.hi, most))
