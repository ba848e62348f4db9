# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.estimates.statistic_bounds; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import pair_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.base.errors import shown
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
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
_RANGE_FIX = "Pass the least and the greatest value that the data may have"


# === mean_bounds with ExactNumber, ?, opendp_lite.base.aliases.ExactNumber
def mean_bounds(lower: ExactNumber, upper: ExactNumber) -> tuple[float, float]:
    a, b = _range("lower", lower, "upper", upper)
    return _doubles("upper", upper, a, b)


# === variance_bounds with mpq, ExactNumber, ?, opendp_lite.base.aliases.ExactNumber
def variance_bounds(
    lower: ExactNumber, upper: ExactNumber, size: ExactNumber
) -> tuple[float, float]:
    a, b = _range("lower", lower, "upper", upper)
    greatest = _largest_share(size) * (b - a) * (b - a)
    return _doubles("upper", upper, mpq(0), greatest)


# === covariance_bounds with Bounds, ExactNumber, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds
def covariance_bounds(
    x_bounds: Bounds, y_bounds: Bounds, size: ExactNumber
) -> tuple[float, float]:
    a, b = _pair("x_bounds", x_bounds)
    c, d = _pair("y_bounds", y_bounds)
    greatest = _largest_share(size) * (b - a) * (d - c)
    return _doubles("x_bounds", x_bounds, -greatest, greatest)


# === histogram_bounds with mpq, ExactNumber, integer_argument, ?,
#    opendp_lite.base.aliases.ExactNumber, _VARIANT
def histogram_bounds(size: ExactNumber) -> tuple[float, float]:
    fix = "Pass the number of rows, such as size=100"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=1)
    return _doubles("size", size, mpq(0), mpq(n))


# === _largest_share with mpq, ExactNumber, integer_argument, ?,
#    opendp_lite.base.aliases.ExactNumber, _VARIANT
def _largest_share(size: ExactNumber) -> mpq:
    fix = "Pass the number of rows: from one alone there is no sample variance"
    n = integer_argument(_VARIANT, "size", size, fix=fix, at_least=2)
    return mpq((n // 2) * ((n + 1) // 2), n * (n - 1))


# === _pair with mpq, Bounds, pair_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _VARIANT, _RANGE_FIX
def _pair(name: str, bounds: Bounds) -> tuple[mpq, mpq]:
    lower, upper = pair_argument(_VARIANT, name, bounds, _RANGE_FIX)
    return _range(name, lower, name, upper)


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
