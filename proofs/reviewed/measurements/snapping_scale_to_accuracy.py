# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/snapping_scale_to_accuracy; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_accuracy:snapping_scale_to_accuracy ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.doubles import least_double
from opendp_lite.measurements.snapping_arguments import lattice_argument
from typing import Any

_VARIANT = "InvalidDistance"
_HALF, _ONE = mpq(1, 2), mpq(1)

def snapping_scale_to_accuracy(scale: Any, bounds: Any, alpha: Any) -> float:
    lattice = lattice_argument(_VARIANT, scale, bounds)
    level = alpha_argument(alpha)
    width = lattice.upper - lattice.lower

    def accuracy(precision: int) -> Enclosure:
        noise = lattice.scale * ln(_ONE / level, precision)
        return _at_most(noise + _HALF * lattice.step, width)

    return least_double(accuracy)


# === opendp_lite.measurements.snapping_accuracy:accuracy_to_snapping_scale ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.measurements.snapping_arguments import bounds_argument
from typing import Any

_VARIANT = "InvalidDistance"

def accuracy_to_snapping_scale(accuracy: Any, bounds: Any, alpha: Any) -> float:
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


# === opendp_lite.measurements.snapping_accuracy:_at_most ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

def _at_most(value: Enclosure, most: mpq) -> Enclosure:
    return Enclosure(min(value.lo, most), min(value.hi, most))


# === opendp_lite.measurements.snapping_arguments:lattice_argument ===

from opendp_lite.sampling.lattice import Lattice
from typing import Any

_SCALE_FIX = "Pass a number such as scale=1.0; Fraction, Decimal and text are exact too"

def lattice_argument(variant: str, scale: Any, bounds: Any) -> Lattice:
    lower, upper = bounds_argument(variant, bounds)
    number = positive_argument(variant, "scale", scale, _SCALE_FIX)
    return Lattice(lower, upper, number)


# === opendp_lite.measurements.snapping_arguments:bounds_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from typing import Any

_BOUNDS_FIX = "Pass two numbers such as bounds=(0.0, 10.0), the lower one first"

def bounds_argument(variant: str, bounds: Any) -> tuple[mpq, mpq]:
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal(variant, "bounds", bounds, "must be a pair", _BOUNDS_FIX)
    lower: mpq = rational_argument(
        variant, "bounds", bounds[0], fix=_BOUNDS_FIX
    )
    upper: mpq = rational_argument(
        variant, "bounds", bounds[1], fix=_BOUNDS_FIX
    )
    if not lower < upper:
        rule = "the first must be less than the second"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    if not round_up(lower) <= round_down(upper):
        rule = "there must be a double between the two"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    return lower, upper


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


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1
