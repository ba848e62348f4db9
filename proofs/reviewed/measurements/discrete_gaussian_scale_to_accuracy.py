# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/discrete_gaussian_scale_to_accuracy; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.accuracy:discrete_gaussian_scale_to_accuracy ===

from gmpy2 import mpq
from opendp_lite.measurements.doubles import integer_double
from opendp_lite.measurements.doubles import integer_index
from opendp_lite.measurements.doubles import last_index
from typing import Any
import math

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def discrete_gaussian_scale_to_accuracy(scale: Any, alpha: Any, T: Any = None) -> float:
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


# === opendp_lite.measurements.accuracy:accuracy_to_discrete_gaussian_scale ===

from gmpy2 import mpq
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.measurements.doubles import greatest_scale
from typing import Any

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def accuracy_to_discrete_gaussian_scale(
    accuracy: Any, alpha: Any, T: Any = None
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


# === opendp_lite.measurements.accuracy:_tail_at_most ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.gaussian_sums import gaussian_sum
from opendp_lite.exact.gaussian_sums import relative_gaussian_sum

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_LAST_PRECISION = 4096

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


# === opendp_lite.measurements.accuracy:_quantile ===

from gmpy2 import mpq
from opendp_lite.exact.normal import normal_quantile

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def _quantile(level: mpq) -> mpq:
    return mpq(normal_quantile(_ONE - level * _HALF, 64).hi)


# === opendp_lite.measurements.accuracy:_size ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument

def _size(name: str, value: object) -> mpq:
    fix = f"Pass a number such as {name}=1.0; Fraction, Decimal and text are exact too"
    size: mpq = rational_argument(
        "InvalidDistance", name, value, fix=fix, at_least=0
    )
    return size


# === opendp_lite.measurements.accuracy:_level ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

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


# === opendp_lite.measurements.accuracy:_check_type ===

from opendp_lite.core.errors import refusal

def _check_type(T: object) -> None:
    if T not in (None, float, "float", "f64"):
        rule = "must be float: accuracies and scales are doubles"
        raise refusal("InvalidDistance", "T", T, rule, "Leave T out")


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)
