# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.snapping_bounds; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.doubles import least_double
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.measurements.snapping.arguments import level_argument
from opendp_lite.measurements.snapping.arguments import positive_argument
from opendp_lite.measurements.snapping.precision import precision_argument
from opendp_lite.measurements.snapping.snapping_accuracy import alpha_argument
from opendp_lite.measurements.snapping.snapping_accuracy import greatest_snapping_scale
from opendp_lite.measurements.snapping.snapping_budget import double_scale
from opendp_lite.measurements.snapping.snapping_budget import epsilon_argument
import math
import sys

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_VARIANT = "InvalidDistance"
_ONE = mpq(1)
_TINY = power_of_two(-117)
_WIDER = _ONE + mpq(12) * power_of_two(-52)


# === snapping_bounds with mpq, ExactNumber, rational_argument, refusal, ln, Enclosure,
#    level_argument, positive_argument, precision_argument, alpha_argument,
#    greatest_snapping_scale, double_scale, epsilon_argument, math, sys, ?,
#    opendp_lite.base.aliases.ExactNumber, _VARIANT, _ONE
def snapping_bounds(
    statistic_bound: ExactNumber,
    gamma: ExactNumber,
    *,
    epsilon: ExactNumber | None = None,
    accuracy: ExactNumber | None = None,
    alpha: ExactNumber | None = None,
    d_in: ExactNumber = 1,
    precision: ExactNumber | None = None,
) -> float:
    fix = "Pass the largest size of the statistic, such as statistic_bound=5.0"
    inner: mpq = rational_argument(
        _VARIANT, "statistic_bound", statistic_bound, fix=fix, at_least=0
    )
    fix = "Pass how likely the bounds may bind, such as gamma=0.05"
    share = level_argument(_VARIANT, "gamma", gamma, fix)
    fix = "Pass the greatest distance of neighbours, such as d_in=1"
    distance = positive_argument(_VARIANT, "d_in", d_in, fix)
    if epsilon is not None and accuracy is None and alpha is None:
        target = epsilon_argument(epsilon)
        scale = double_scale(distance / target, epsilon)

        def rate(bits: int) -> Enclosure:
            return Enclosure(target, target)

    elif epsilon is None and accuracy is not None and alpha is not None:
        fix = "Pass how far the release may lie from the number, such as accuracy=3.0"
        a = positive_argument(_VARIANT, "accuracy", accuracy, fix)
        level = alpha_argument(alpha, below_one=True)
        scale = greatest_snapping_scale(a, level)
        if scale == 0:
            rule = "must be greater: no double above 0 is a scale of that accuracy"
            raise refusal(_VARIANT, "accuracy", accuracy, rule, fix)

        def rate(bits: int) -> Enclosure:
            return distance * ln(_ONE / level, bits) / a

    else:
        rule = "must be given alone, or be left out where accuracy and alpha are given"
        fix = "Pass epsilon=1.0, or accuracy=3.0 and alpha=0.05"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, fix)
    if precision is None:
        bound = _exact_bound(inner, share, mpq(scale))
    else:
        digits = precision_argument(_VARIANT, precision)
        if scale <= sys.float_info.min:
            rule = "needs a scale of at most 2^-1022, where doubles are coarse"
            fix = "Leave precision out: the exact arithmetic costs nothing"
            raise refusal(_VARIANT, "precision", precision, rule, fix)
        bound = _finite_bound(inner, share, distance, rate, digits)
    if bound == math.inf:
        rule = "needs bounds beyond the largest double"
        fix = "Pass a smaller statistic_bound, or a greater gamma or epsilon"
        raise refusal(_VARIANT, "statistic_bound", statistic_bound, rule, fix)
    return bound


# === _exact_bound with mpq, least_double, ln, exponent_at_least, power_of_two, _ONE
def _exact_bound(inner: mpq, share: mpq, scale: mpq) -> float:
    half = power_of_two(exponent_at_least(scale) - 1)
    return least_double(
        lambda bits: inner + half + scale * ln(_ONE / share, bits)
    )


# === _finite_bound with Callable, mpq, refusal, least_double, ln, exponent_at_least,
#    power_of_two, Enclosure, decide, math, _VARIANT, _ONE, _TINY, _WIDER
def _finite_bound(
    inner: mpq,
    share: mpq,
    distance: mpq,
    rate: Callable[[int], Enclosure],
    digits: int,
) -> float:
    if not decide(rate, _above_tiny):
        rule = "the finite arithmetic needs a loss above 2^-117"
        fix = "Leave precision out: the exact arithmetic costs nothing"
        raise refusal(_VARIANT, "precision", digits, rule, fix)

    def bound(bits: int) -> Enclosure:
        half = distance * _WIDER / (rate(bits) - _TINY)
        return inner + half * (_ONE + mpq(2) * ln(_ONE / share, bits))

    least = least_double(bound)
    if least < math.inf:
        needed = 53 + exponent_at_least(mpq(least) / distance)
        if digits < needed:
            rule = f"must be at least {needed} for bounds of this width"
            fix = f"Pass precision={needed}, or that of snapping_precision"
            raise refusal(_VARIANT, "precision", digits, rule, fix)
    return least


# === _above_tiny with power_of_two, Enclosure, _TINY
def _above_tiny(rate: Enclosure) -> bool | None:
    return True if rate.lo > _TINY else False if rate.hi <= _TINY else None
