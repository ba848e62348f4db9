# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/variance_bounds; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.statistic_bounds:variance_bounds ===

from gmpy2 import mpq
from typing import Any

def variance_bounds(lower: Any, upper: Any, size: Any) -> tuple[float, float]:
    a, b = _range("lower", lower, "upper", upper)
    greatest = _largest_share(size) * (b - a) * (b - a)
    return _doubles("upper", upper, mpq(0), greatest)


# === opendp_lite.measurements.statistic_bounds:covariance_bounds ===

from typing import Any

def covariance_bounds(x_bounds: Any, y_bounds: Any, size: Any) -> tuple[float, float]:
    a, b = _pair("x_bounds", x_bounds)
    c, d = _pair("y_bounds", y_bounds)
    greatest = _largest_share(size) * (b - a) * (d - c)
    return _doubles("x_bounds", x_bounds, -greatest, greatest)


# === opendp_lite.measurements.statistic_bounds:mean_bounds ===

from typing import Any

def mean_bounds(lower: Any, upper: Any) -> tuple[float, float]:
    a, b = _range("lower", lower, "upper", upper)
    return _doubles("upper", upper, a, b)


# === opendp_lite.measurements.statistic_bounds:histogram_bounds ===

from gmpy2 import mpq
from opendp_lite.core.arguments import integer_argument
from typing import Any

_VARIANT = "InvalidDistance"

def histogram_bounds(size: Any) -> tuple[float, float]:
    fix = "Pass the number of rows, such as size=100"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=1)
    return _doubles("size", size, mpq(0), mpq(n))


# === opendp_lite.measurements.statistic_bounds:_largest_share ===

from gmpy2 import mpq
from opendp_lite.core.arguments import integer_argument
from typing import Any

_VARIANT = "InvalidDistance"

def _largest_share(size: Any) -> mpq:
    fix = "Pass the number of rows: from one alone there is no sample variance"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=2)
    return mpq((n // 2) * ((n + 1) // 2), n * (n - 1))


# === opendp_lite.measurements.statistic_bounds:_pair ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from typing import Any

_VARIANT = "InvalidDistance"
_RANGE_FIX = "Pass the least and the greatest value that the data may have"

def _pair(name: str, bounds: Any) -> tuple[mpq, mpq]:
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal(_VARIANT, name, bounds, "must be a pair", _RANGE_FIX)
    return _range(name, bounds[0], name, bounds[1])


# === opendp_lite.measurements.statistic_bounds:_range ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.errors import shown

_VARIANT = "InvalidDistance"
_RANGE_FIX = "Pass the least and the greatest value that the data may have"

def _range(
    lower_name: str, lower: object, upper_name: str, upper: object
) -> tuple[mpq, mpq]:
    a: mpq = rational_argument(
        _VARIANT, lower_name, lower, fix=_RANGE_FIX
    )
    b: mpq = rational_argument(
        _VARIANT, upper_name, upper, fix=_RANGE_FIX
    )
    if not a < b:
        rule = f"must be greater than the lower one, {shown(lower)}"
        raise refusal(_VARIANT, upper_name, upper, rule, _RANGE_FIX)
    return a, b


# === opendp_lite.measurements.statistic_bounds:_doubles ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
import math

_VARIANT = "InvalidDistance"

def _doubles(
    name: str, value: object, least: mpq, greatest: mpq
) -> tuple[float, float]:
    lower, upper = round_down(least), round_up(greatest)
    if lower == -math.inf or upper == math.inf:
        rule = "the statistic may pass the largest double"
        raise refusal(_VARIANT, name, value, rule, "Pass a narrower range")
    return lower, upper


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


# === opendp_lite.exact.rounding:round_up ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_up(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


# === opendp_lite.exact.rounding:round_down ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_down(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


# === opendp_lite.exact.rounding:_infinity ===

import math

def _infinity(x: float) -> float:
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x
