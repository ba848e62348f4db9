# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/laplacian_scale_to_accuracy; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.accuracy:laplacian_scale_to_accuracy ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.measurements.doubles import least_double
from typing import Any

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def laplacian_scale_to_accuracy(scale: Any, alpha: Any, T: Any = None) -> float:
    s, level = _size("scale", scale), _level(alpha)
    _check_type(T)
    return least_double(lambda p: s * ln(_ONE / level, p))


# === opendp_lite.measurements.accuracy:accuracy_to_laplacian_scale ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.measurements.doubles import greatest_double
from typing import Any

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

def accuracy_to_laplacian_scale(accuracy: Any, alpha: Any, T: Any = None) -> float:
    a, level = _size("accuracy", accuracy), _level(alpha, below_one=True)
    _check_type(T)
    return greatest_double(lambda p: a / ln(_ONE / level, p))


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
