# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.accuracies; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.doubles import greatest_double
from opendp_lite.exact.doubles import greatest_scale
from opendp_lite.exact.doubles import integer_double
from opendp_lite.exact.doubles import integer_index
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.doubles import least_double
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.elementary import log1p
from opendp_lite.exact.gaussian_sums import gaussian_sum
from opendp_lite.exact.gaussian_sums import relative_gaussian_sum
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.exact.normal import normal_quantile
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_LAST_PRECISION = 4096


# === laplacian_scale_to_accuracy with mpq, ExactNumber, TypeArgument, least_double, ln,
#    ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.data.type_arguments.TypeArgument, _HALF
def laplacian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    s, level = _size("scale", scale), _level(alpha)
    _check_type(T)
    return least_double(lambda p: s * ln(_ONE / level, p))


# === accuracy_to_laplacian_scale with mpq, ExactNumber, TypeArgument, greatest_double,
#    ln, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.data.type_arguments.TypeArgument, _HALF
def accuracy_to_laplacian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    a, level = _size("accuracy", accuracy), _level(alpha, below_one=True)
    _check_type(T)
    return greatest_double(lambda p: a / ln(_ONE / level, p))


# === gaussian_scale_to_accuracy with mpq, ExactNumber, TypeArgument, least_double,
#    normal_quantile, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.data.type_arguments.TypeArgument, _HALF
def gaussian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    s, level = _size("scale", scale), _level(alpha)
    _check_type(T)
    return least_double(
        lambda p: _upper_end_at_last(s * normal_quantile(_ONE - level * _HALF, p), p)
    )


# === accuracy_to_gaussian_scale with mpq, ExactNumber, TypeArgument, greatest_double,
#    normal_quantile, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.data.type_arguments.TypeArgument, _HALF
def accuracy_to_gaussian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    a, level = _size("accuracy", accuracy), _level(alpha, below_one=True)
    _check_type(T)
    return greatest_double(
        lambda p: _lower_end_at_last(a / normal_quantile(_ONE - level * _HALF, p), p)
    )


# === discrete_laplacian_scale_to_accuracy with ExactNumber, TypeArgument, least_double,
#    ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.data.type_arguments.TypeArgument
def discrete_laplacian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    s, level = _size("scale", scale), _level(alpha)
    _check_type(T)
    return least_double(
        lambda p: _discrete_laplacian_accuracy(s, level, p)
    )


# === accuracy_to_discrete_laplacian_scale with mpq, ExactNumber, TypeArgument,
#    greatest_scale, ln, decide, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.data.type_arguments.TypeArgument, _HALF
def accuracy_to_discrete_laplacian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    a, level = _size("accuracy", accuracy), _level(alpha, below_one=True)
    _check_type(T)

    def suffices(scale: mpq) -> bool:
        return decide(
            lambda p: _discrete_laplacian_accuracy(scale, level, p),
            lambda v: True if v.hi <= a else False if v.lo > a else None,
        )

    rate = mpq(ln(_ONE / level, 64).hi)
    guess = max((a - _HALF) / rate, a / (rate + _ONE))
    return greatest_scale(suffices, guess)


# === discrete_gaussian_scale_to_accuracy with mpq, ExactNumber, TypeArgument,
#    integer_double, integer_index, last_index, math, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.data.type_arguments.TypeArgument,
#    _HALF
def discrete_gaussian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    s, level = _size("scale", scale), _level(alpha)
    _check_type(T)
    if s == 0:
        return 0.0
    if level == 1:
        return 1.0

    def exceeded(i: int) -> bool:
        a = integer_double(i)
        return a < math.inf and not _tail_at_most(int(a), s, level)

    guess = s * _quantile(level) + _HALF
    start = integer_index(guess)
    return integer_double(last_index(exceeded, start) + 1)


# === accuracy_to_discrete_gaussian_scale with mpq, ExactNumber, TypeArgument,
#    greatest_scale, floor_multiple, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.data.type_arguments.TypeArgument, _HALF
def accuracy_to_discrete_gaussian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    a, level = _size("accuracy", accuracy), _level(alpha, below_one=True)
    _check_type(T)
    whole = floor_multiple(a, 0)
    if whole == 0:
        return 0.0
    guess = (mpq(whole) - _HALF) / _quantile(level)
    return greatest_scale(
        lambda scale: _tail_at_most(whole, scale, level), guess
    )


# === _discrete_laplacian_accuracy with mpq, expm1, ln, log1p, Enclosure, _HALF
def _discrete_laplacian_accuracy(scale: mpq, level: mpq, precision: int) -> Enclosure:
    if scale == 0:
        return Enclosure(0, 0)
    half_less_one = expm1(-_ONE / scale, precision) * _HALF
    return scale * (ln(_ONE / level, precision) - log1p(half_less_one, precision))


# === _tail_at_most with mpq, ln, gaussian_sum, relative_gaussian_sum, _HALF,
#    _LAST_PRECISION
def _tail_at_most(start: int, scale: mpq, level: mpq) -> bool:
    if scale == 0:
        return True
    exponent = mpq(start * start) / (_TWO * scale * scale)
    precision = 64
    while precision <= _LAST_PRECISION:
        total = 1 + _TWO * gaussian_sum(1, scale, precision)
        tail = _TWO * relative_gaussian_sum(start, scale, precision)
        margin = ln(level, precision) + ln(total / tail, precision) + exponent
        if margin.lo >= 0:
            return True
        if margin.hi < 0:
            return False
        precision *= 2
    return False


# === _upper_end_at_last with Enclosure, _LAST_PRECISION
def _upper_end_at_last(value: Enclosure, precision: int) -> Enclosure:
    return value if precision < _LAST_PRECISION else Enclosure(value.hi, value.hi)


# === _lower_end_at_last with Enclosure, _LAST_PRECISION
def _lower_end_at_last(value: Enclosure, precision: int) -> Enclosure:
    return value if precision < _LAST_PRECISION else Enclosure(value.lo, value.lo)


# === _quantile with mpq, normal_quantile, _HALF
def _quantile(level: mpq) -> mpq:
    return mpq(normal_quantile(_ONE - level * _HALF, 64).hi)


# === _size with mpq, rational_argument
def _size(name: str, value: object) -> mpq:
    fix = f"Pass a number such as {name}=1.0; Fraction, Decimal and text are exact too"
    size: mpq = rational_argument(
        "InvalidDistance", name, value, fix=fix, at_least=0
    )
    return size


# === _level with mpq, rational_argument, refusal
def _level(alpha: object, below_one: bool = False) -> mpq:
    fix = "Pass the probability with which noise may be larger, such as alpha=0.05"
    level: mpq = rational_argument(
        "InvalidDistance", "alpha", alpha, fix=fix
    )
    if not 0 < level <= 1:
        rule = "must be above 0 and at most 1"
        raise refusal("InvalidDistance", "alpha", alpha, rule, fix)
    if below_one and level == 1:
        rule = "must be below 1: at 1 every scale has every accuracy"
        raise refusal("InvalidDistance", "alpha", alpha, rule, fix)
    return level


# === _check_type with refusal
def _check_type(T: object) -> None:
    if T not in (None, float, "float", "f64"):
        rule = "must be float: accuracies and scales are doubles"
        raise refusal("InvalidDistance", "T", T, rule, "Leave T out")
