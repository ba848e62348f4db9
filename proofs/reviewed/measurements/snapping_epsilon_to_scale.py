# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/snapping_epsilon_to_scale; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_budget:snapping_epsilon_to_scale ===

from opendp_lite.core.errors import refusal
from opendp_lite.measurements.snapping_precision import finite_scale
from opendp_lite.measurements.snapping_precision import precision_argument
from typing import Any

_VARIANT = "InvalidDistance"

def snapping_epsilon_to_scale(
    epsilon: Any, d_in: Any, bounds: Any, precision: Any = None, *, size: Any = 1
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


# === opendp_lite.measurements.snapping_budget:snapping_scale_to_epsilon ===

from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping_arguments import lattice_argument
from opendp_lite.measurements.snapping_precision import finite_epsilon
from opendp_lite.measurements.snapping_precision import precision_argument
from typing import Any

_VARIANT = "InvalidDistance"

def snapping_scale_to_epsilon(
    scale: Any, d_in: Any, bounds: Any, precision: Any = None, *, size: Any = 1
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


# === opendp_lite.measurements.snapping_budget:_extent ===

from gmpy2 import mpq
from opendp_lite.core.arguments import distance_argument
from opendp_lite.core.arguments import integer_argument
from opendp_lite.exact.rationals import Extended
from opendp_lite.measurements.snapping_arguments import bounds_argument
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_VARIANT = "InvalidDistance"
_HALF = mpq(1, 2)

def _extent(d_in: Any, bounds: Any, size: Any) -> tuple[Extended, mpq, int]:
    fix = "Pass the greatest distance of neighbours, such as d_in=1"
    distance = distance_argument("d_in", d_in, fix, whole=False)
    lower, upper = bounds_argument(_VARIANT, bounds)
    fix = "Pass size=1 for a number, or the size of the vector"
    count = integer_argument(_VARIANT, "size", size, fix=fix, at_least=1)
    return distance, _HALF * (upper - lower), count


# === opendp_lite.measurements.snapping_budget:_moved ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _moved(distance: Extended, half: mpq, count: int) -> mpq:
    most = mpq(2 * count) * half
    return most if distance >= most else mpq(distance)


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


# === opendp_lite.measurements.snapping_precision:finite_epsilon ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def finite_epsilon(
    scale: mpq, half_width: mpq, d_in: Extended, precision: int, count: int = 1
) -> Extended:
    _check_reach("FailedMap", scale, half_width, precision)
    if d_in == 0:
        return 0
    moved, added = _shares(half_width, d_in, precision, count)
    return moved / scale + added


# === opendp_lite.measurements.snapping_precision:finite_scale ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.core.errors import shown
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_FINER = "Pass a greater precision, such as that of snapping_precision"

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


# === opendp_lite.measurements.snapping_precision:_shares ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _shares(
    half_width: mpq, d_in: Extended, precision: int, count: int
) -> tuple[mpq, mpq]:
    unit = mpq(count) * power_of_two(-precision)
    moved = _least(d_in, mpq(2 * count) * half_width)
    return moved + mpq(12) * half_width * unit, unit + unit


# === opendp_lite.measurements.snapping_precision:_least ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _least(d_in: Extended, most: mpq) -> mpq:
    return most if isinstance(d_in, float) or d_in > most else mpq(d_in)


# === opendp_lite.measurements.snapping_precision:_check_reach ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import power_of_two
from opendp_lite.sampling.finite_logarithm import LEAST_PRECISION

_FINER = "Pass a greater precision, such as that of snapping_precision"
opendp_lite.sampling.finite_logarithm.LEAST_PRECISION = 4

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


# === opendp_lite.core.arguments:distance_argument ===

from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_extended
from typing import Any

def distance_argument(name: str, value: object, fix: str, *, whole: bool) -> Any:
    number = rational_argument(
        "InvalidDistance", name, value, fix=fix, convert=to_extended, at_least=0
    )
    if not whole or isinstance(number, float):
        return number
    if number.denominator != 1:
        raise refusal("InvalidDistance", name, value, "must be an integer", fix)
    return int(number)


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
