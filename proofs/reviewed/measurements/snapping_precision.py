# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/snapping_precision; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_precision:snapping_precision ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_extended
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_LEAST = 118
_GREATEST = 2**20

def snapping_precision(epsilon: Any, half_width: Any, d_in: Any) -> int:
    target = _positive("epsilon", epsilon, "Pass the loss, such as epsilon=1.0")
    half = _positive("half_width", half_width, "Pass half of the width of the bounds")
    distance: Extended = rational_argument(
        "InvalidDistance",
        "d_in",
        d_in,
        fix="Pass the greatest distance of neighbours, such as d_in=1",
        convert=to_extended,
    )
    if distance <= 0:
        rule = "must be positive: at distance 0 nothing is lost"
        raise refusal("InvalidDistance", "d_in", d_in, rule, "Pass d_in=1")
    size = exponent_at_least(target)
    ratio = exponent_at_least(half / _least(distance, half + half))
    precision = max(_LEAST, 8 - size, ratio + max(58, 3 + size))
    if precision > _GREATEST:
        rule = (
            f"with this half_width and this d_in needs a precision of {precision}, and "
            f"at most {_GREATEST} is allowed"
        )
        fix = "Leave precision out: the exact arithmetic needs none"
        raise refusal("InvalidDistance", "epsilon", epsilon, rule, fix)
    return precision


# === opendp_lite.measurements.snapping_precision:_positive ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

def _positive(name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(
        "InvalidDistance", name, value, fix=fix
    )
    if number <= 0:
        raise refusal("InvalidDistance", name, value, "must be positive", fix)
    return number


# === opendp_lite.measurements.snapping_precision:_least ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _least(d_in: Extended, most: mpq) -> mpq:
    return most if isinstance(d_in, float) or d_in > most else mpq(d_in)


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1
