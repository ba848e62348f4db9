# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.utilities.statistic_bounds; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.errors import shown
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from typing import Any
import math

_VARIANT = "InvalidDistance"
_RANGE_FIX = "Pass the least and the greatest value that the data may have"


# === mean_bounds with Any
def mean_bounds(lower: Any, upper: Any) -> tuple[float, float]:
    a, b = _range("lower", lower, "upper", upper)
    return _doubles("upper", upper, a, b)


# === variance_bounds with mpq, Any
def variance_bounds(lower: Any, upper: Any, size: Any) -> tuple[float, float]:
    a, b = _range("lower", lower, "upper", upper)
    greatest = _largest_share(size) * (b - a) * (b - a)
    return _doubles("upper", upper, mpq(0), greatest)


# === covariance_bounds with Any
def covariance_bounds(x_bounds: Any, y_bounds: Any, size: Any) -> tuple[float, float]:
    a, b = _pair("x_bounds", x_bounds)
    c, d = _pair("y_bounds", y_bounds)
    greatest = _largest_share(size) * (b - a) * (d - c)
    return _doubles("x_bounds", x_bounds, -greatest, greatest)


# === histogram_bounds with mpq, integer_argument, Any, _VARIANT
def histogram_bounds(size: Any) -> tuple[float, float]:
    fix = "Pass the number of rows, such as size=100"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=1)
    return _doubles("size", size, mpq(0), mpq(n))


# === _largest_share with mpq, integer_argument, Any, _VARIANT
def _largest_share(size: Any) -> mpq:
    fix = "Pass the number of rows: from one alone there is no sample variance"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=2)
    return mpq((n // 2) * ((n + 1) // 2), n * (n - 1))


# === _pair with mpq, refusal, Any, _VARIANT, _RANGE_FIX
def _pair(name: str, bounds: Any) -> tuple[mpq, mpq]:
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal(_VARIANT, name, bounds, "must be a pair", _RANGE_FIX)
    return _range(name, bounds[0], name, bounds[1])


# === _range with mpq, rational_argument, refusal, shown, _VARIANT, _RANGE_FIX
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


# === _doubles with mpq, refusal, round_down, round_up, math, _VARIANT
def _doubles(
    name: str, value: object, least: mpq, greatest: mpq
) -> tuple[float, float]:
    lower, upper = round_down(least), round_up(greatest)
    if lower == -math.inf or upper == math.inf:
        rule = "the statistic may pass the largest double"
        raise refusal(_VARIANT, name, value, rule, "Pass a narrower range")
    return lower, upper
