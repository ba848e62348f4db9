# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.tolerances; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.doubles import greatest_double
from opendp_lite.exact.elementary import log1p
from opendp_lite.exact.elementary import power
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import normal_quantile
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.noise.accuracies import discrete_gaussian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import discrete_laplacian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import gaussian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import laplacian_scale_to_accuracy
from opendp_lite.testing.ledger import check_flakiness
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_LAST_PRECISION = 4096


# === laplace_tolerance with ExactNumber, laplacian_scale_to_accuracy, check_flakiness,
#    ?, opendp_lite.base.aliases.ExactNumber
def laplace_tolerance(scale: ExactNumber, flakiness: ExactNumber) -> float:
    level = check_flakiness(flakiness)
    return laplacian_scale_to_accuracy(scale, level)


# === gaussian_tolerance with ExactNumber, gaussian_scale_to_accuracy, check_flakiness,
#    ?, opendp_lite.base.aliases.ExactNumber
def gaussian_tolerance(sigma: ExactNumber, flakiness: ExactNumber) -> float:
    level = check_flakiness(flakiness)
    return gaussian_scale_to_accuracy(_size("sigma", sigma), level)


# === discrete_laplace_tolerance with ExactNumber, discrete_laplacian_scale_to_accuracy,
#    check_flakiness, ?, opendp_lite.base.aliases.ExactNumber
def discrete_laplace_tolerance(
    scale: ExactNumber, flakiness: ExactNumber
) -> int | float:
    level = check_flakiness(flakiness)
    bound = discrete_laplacian_scale_to_accuracy(scale, level)
    return _floor(bound)


# === discrete_gaussian_tolerance with ExactNumber, discrete_gaussian_scale_to_accuracy,
#    check_flakiness, ?, opendp_lite.base.aliases.ExactNumber
def discrete_gaussian_tolerance(
    sigma: ExactNumber, flakiness: ExactNumber
) -> int | float:
    level, s = check_flakiness(flakiness), _size("sigma", sigma)
    least = _floor(discrete_gaussian_scale_to_accuracy(s, level))
    return max(least - 1, 0)


# === complementary_laplace_tolerance with ExactNumber, greatest_double, log1p,
#    check_flakiness, ?, opendp_lite.base.aliases.ExactNumber
def complementary_laplace_tolerance(
    scale: ExactNumber, flakiness: ExactNumber
) -> float:
    s, level = _size("scale", scale), check_flakiness(flakiness)
    return greatest_double(lambda p: -s * log1p(-level, p))


# === complementary_gaussian_tolerance with mpq, ExactNumber, greatest_double,
#    Enclosure, normal_quantile, check_flakiness, ?,
#    opendp_lite.base.aliases.ExactNumber, _HALF, _LAST_PRECISION
def complementary_gaussian_tolerance(
    sigma: ExactNumber, flakiness: ExactNumber
) -> float:
    s, level = _size("sigma", sigma), check_flakiness(flakiness)

    def enclose(precision: int) -> Enclosure:
        value = s * normal_quantile(_HALF + level * _HALF, precision)
        last = precision >= _LAST_PRECISION
        return Enclosure(value.lo, value.lo) if last else value

    return greatest_double(enclose)


# === integer_tolerance with ExactNumber, nearest_multiple, ?,
#    opendp_lite.base.aliases.ExactNumber
def integer_tolerance(tolerance: ExactNumber) -> int:
    return nearest_multiple(_size("tolerance", tolerance), 0)


# === partition_flakiness with mpq, ExactNumber, integer_argument, refusal,
#    greatest_double, power, round_down, check_flakiness, ?,
#    opendp_lite.base.aliases.ExactNumber, _HALF
def partition_flakiness(
    flakiness: ExactNumber, partitions: ExactNumber, *, dependent: bool = False
) -> float:
    level = check_flakiness(flakiness)
    fix = "Pass the number of results that are compared, such as partitions=3"
    count = integer_argument(
        "InvalidDistance", "partitions", partitions, fix=fix, at_least=1
    )
    if dependent:
        part = round_down(level / mpq(count))
    else:
        none, root = _ONE - level, mpq(1, count)
        part = greatest_double(lambda p: _ONE - power(none, root, p))
    if part == 0:
        rule = "is so small that a part of it is below every positive double"
        fix = "Pass a greater flakiness, or compare fewer partitions"
        raise refusal("InvalidDistance", "flakiness", flakiness, rule, fix)
    return part


# === mean_flakiness with ExactNumber, ?, opendp_lite.base.aliases.ExactNumber
def mean_flakiness(flakiness: ExactNumber) -> float:
    return partition_flakiness(flakiness, 2)


# === mean_tolerance with mpq, ExactNumber, refusal, round_up, ?,
#    opendp_lite.base.aliases.ExactNumber, _HALF
def mean_tolerance(
    lower: ExactNumber,
    upper: ExactNumber,
    normalized_sum: ExactNumber,
    count: ExactNumber,
    sum_tolerance: ExactNumber,
    count_tolerance: ExactNumber,
) -> float:
    low, high = _number("lower", lower), _number("upper", upper)
    if low > high:
        fix = "Pass the bounds of the data in their order"
        raise refusal("InvalidDistance", "lower", lower, "is above upper", fix)
    total, size = _number("normalized_sum", normalized_sum), _size("count", count)
    a = _size("sum_tolerance", sum_tolerance)
    b = _size("count_tolerance", count_tolerance)
    few, many = max(size - b, _ONE), max(size + b, _ONE)
    least, most = total - a, total + a

    def mean(numerator: mpq, denominator: mpq) -> mpq:
        return min(max((low + high) / _TWO + numerator / denominator, low), high)

    exact = mean(total, max(size, _ONE))
    smallest = mean(least, many if least >= 0 else few)
    greatest = mean(most, few if most >= 0 else many)
    return round_up(max(greatest - exact, exact - smallest))


# === _floor with math
def _floor(bound: float) -> int | float:
    return bound if bound == math.inf else int(bound)


# === _number with mpq, rational_argument
def _number(name: str, value: object) -> mpq:
    fix = f"Pass a number such as {name}=1.0; Fraction, Decimal and text are exact too"
    number: mpq = rational_argument(
        "InvalidDistance", name, value, fix=fix
    )
    return number


# === _size with mpq, rational_argument
def _size(name: str, value: object) -> mpq:
    fix = f"Pass a number such as {name}=1.0; Fraction, Decimal and text are exact too"
    size: mpq = rational_argument(
        "InvalidDistance", name, value, fix=fix, at_least=0
    )
    return size
