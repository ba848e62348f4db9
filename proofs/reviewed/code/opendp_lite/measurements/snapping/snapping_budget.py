# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.snapping_budget; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import distance_argument
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping.arguments import bounds_argument
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.precision import finite_epsilon
from opendp_lite.measurements.snapping.precision import finite_scale
from opendp_lite.measurements.snapping.precision import precision_argument
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
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_HALF = mpq(1, 2)


# === snapping_epsilon_to_scale with Bounds, ExactNumber, refusal, finite_scale,
#    precision_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _VARIANT
def snapping_epsilon_to_scale(
    epsilon: ExactNumber,
    d_in: ExactNumber,
    bounds: Bounds,
    precision: ExactNumber | None = None,
    *,
    size: ExactNumber = 1,
) -> float:
    target = epsilon_argument(epsilon)
    distance, half, count = _extent(d_in, bounds, size)
    if distance == 0:
        rule = "must be above 0: at distance 0 every scale has the loss 0"
        raise refusal(_VARIANT, "d_in", d_in, rule, "Pass d_in=1")
    if precision is None:
        exact = _moved(distance, half, count) / target
    else:
        digits = precision_argument(_VARIANT, precision)
        exact = finite_scale(target, half, distance, digits, count)
    return double_scale(exact, epsilon)


# === snapping_scale_to_epsilon with Bounds, ExactNumber, round_up, lattice_argument,
#    finite_epsilon, precision_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _VARIANT
def snapping_scale_to_epsilon(
    scale: ExactNumber,
    d_in: ExactNumber,
    bounds: Bounds,
    precision: ExactNumber | None = None,
    *,
    size: ExactNumber = 1,
) -> float:
    lattice = lattice_argument(_VARIANT, scale, bounds)
    within = lattice.lower, lattice.upper
    distance, half, count = _extent(d_in, within, size)
    if precision is None:
        return round_up(_moved(distance, half, count) / lattice.scale)
    digits = precision_argument(_VARIANT, precision)
    return round_up(
        finite_epsilon(lattice.scale, half, distance, digits, count)
    )


# === double_scale with mpq, refusal, round_up, math, _VARIANT
def double_scale(exact: mpq, epsilon: object) -> float:
    scale = round_up(exact)
    if scale == math.inf:
        rule = "needs a scale beyond the largest double"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, "Pass a greater epsilon")
    return scale


# === epsilon_argument with mpq, rational_argument, refusal, Extended, to_loss,
#    opendp_lite.exact.rationals.Extended, _VARIANT
def epsilon_argument(epsilon: object) -> mpq:
    fix = "Pass the privacy loss that is allowed, such as epsilon=1.0"
    target: Extended = rational_argument(
        _VARIANT, "epsilon", epsilon, fix=fix, convert=to_loss
    )
    if isinstance(target, float) or target <= 0:
        rule = "must be above 0 and finite"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, fix)
    return mpq(target)


# === _extent with mpq, Bounds, ExactNumber, distance_argument, integer_argument,
#    Extended, bounds_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, opendp_lite.exact.rationals.Extended, _VARIANT,
#    _HALF
def _extent(
    d_in: ExactNumber, bounds: Bounds, size: ExactNumber
) -> tuple[Extended, mpq, int]:
    fix = "Pass the greatest distance of neighbours, such as d_in=1"
    distance = distance_argument("d_in", d_in, fix, whole=False)
    lower, upper = bounds_argument(_VARIANT, bounds)
    fix = "Pass size=1 for a number, or the size of the vector"
    count = integer_argument(_VARIANT, "size", size, fix=fix, at_least=1)
    return distance, _HALF * (upper - lower), count


# === _moved with mpq, Extended, opendp_lite.exact.rationals.Extended
def _moved(distance: Extended, half: mpq, count: int) -> mpq:
    most = mpq(2 * count) * half
    return most if distance >= most else mpq(distance)
