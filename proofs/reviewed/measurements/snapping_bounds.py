# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/snapping_bounds; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_bounds:snapping_bounds ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.snapping_accuracy import alpha_argument
from opendp_lite.measurements.snapping_accuracy import greatest_snapping_scale
from opendp_lite.measurements.snapping_arguments import level_argument
from opendp_lite.measurements.snapping_arguments import positive_argument
from opendp_lite.measurements.snapping_budget import double_scale
from opendp_lite.measurements.snapping_budget import epsilon_argument
from opendp_lite.measurements.snapping_precision import precision_argument
from typing import Any
import math
import sys

_VARIANT = "InvalidDistance"
_ONE = mpq(1)

def snapping_bounds(
    statistic_bound: Any,
    gamma: Any,
    *,
    epsilon: Any = None,
    accuracy: Any = None,
    alpha: Any = None,
    d_in: Any = 1,
    precision: Any = None,
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


# === opendp_lite.measurements.snapping_bounds:_exact_bound ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.measurements.doubles import least_double

_ONE = mpq(1)

def _exact_bound(inner: mpq, share: mpq, scale: mpq) -> float:
    half = power_of_two(exponent_at_least(scale) - 1)
    return least_double(
        lambda bits: inner + half + scale * ln(_ONE / share, bits)
    )


# === opendp_lite.measurements.snapping_bounds:_finite_bound ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.measurements.doubles import least_double
import math

_VARIANT = "InvalidDistance"
_ONE = mpq(1)
_TINY = power_of_two(-117)
_WIDER = _ONE + mpq(12) * power_of_two(-52)

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


# === opendp_lite.measurements.snapping_bounds:_above_tiny ===

from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure

_TINY = power_of_two(-117)

def _above_tiny(rate: Enclosure) -> bool | None:
    return True if rate.lo > _TINY else False if rate.hi <= _TINY else None


# === opendp_lite.measurements.snapping_budget:double_scale ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_up
import math

_VARIANT = "InvalidDistance"

def double_scale(exact: mpq, epsilon: object) -> float:
    scale = round_up(exact)
    if scale == math.inf:
        rule = "needs a scale beyond the largest double"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, "Pass a greater epsilon")
    return scale


# === opendp_lite.measurements.snapping_budget:epsilon_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_VARIANT = "InvalidDistance"

def epsilon_argument(epsilon: object) -> mpq:
    fix = "Pass the privacy loss that is allowed, such as epsilon=1.0"
    target: Extended = rational_argument(
        _VARIANT, "epsilon", epsilon, fix=fix, convert=to_loss
    )
    if isinstance(target, float) or target <= 0:
        rule = "must be above 0 and finite"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, fix)
    return mpq(target)


# === opendp_lite.measurements.snapping_accuracy:greatest_snapping_scale ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.measurements.doubles import greatest_double
import math

_HALF, _ONE = mpq(1, 2), mpq(1)

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


# === opendp_lite.measurements.snapping_accuracy:_at_most ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

def _at_most(value: Enclosure, most: mpq) -> Enclosure:
    return Enclosure(min(value.lo, most), min(value.hi, most))


# === opendp_lite.measurements.snapping_accuracy:alpha_argument ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.measurements.snapping_arguments import level_argument

_VARIANT = "InvalidDistance"

def alpha_argument(alpha: object, below_one: bool = False) -> mpq:
    fix = "Pass the probability with which noise may be larger, such as alpha=0.05"
    level = level_argument(_VARIANT, "alpha", alpha, fix)
    if below_one and level == 1:
        rule = "must be below 1: at 1 every scale has every accuracy"
        raise refusal(_VARIANT, "alpha", alpha, rule, fix)
    return level


# === opendp_lite.measurements.snapping_precision:precision_argument ===

from opendp_lite.core.arguments import integer_argument
from typing import Any

_LEAST = 118
_GREATEST = 2**20

def precision_argument(variant: str, precision: Any) -> int:
    fix = "Pass precision=118, or leave it out: the exact arithmetic costs nothing"
    return integer_argument(
        variant, "precision", precision, fix=fix, at_least=_LEAST, at_most=_GREATEST
    )


# === opendp_lite.measurements.snapping_arguments:positive_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

def positive_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(variant, name, value, fix=fix)
    if number <= 0:
        raise refusal(variant, name, value, "must be above 0", fix)
    return number


# === opendp_lite.measurements.snapping_arguments:level_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

def level_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    level: mpq = rational_argument(
        variant, name, value, fix=fix, at_most=1
    )
    if level <= 0:
        raise refusal(variant, name, value, "must be above 0", fix)
    return level


# === opendp_lite.core.arguments:integer_argument ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal

def integer_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> int:
    number: mpq = rational_argument(
        variant, name, value, fix=fix, at_least=at_least, at_most=at_most
    )
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1
