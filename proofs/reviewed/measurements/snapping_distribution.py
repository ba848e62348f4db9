# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/snapping_distribution; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_law:snapping_distribution ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_extended
from opendp_lite.measurements.snapping_arguments import lattice_argument
from typing import Any

_VARIANT = "InvalidDistance"
_PRECISION = 128
_MOST = 10_000

def snapping_distribution(scale: Any, bounds: Any, x: Any) -> dict[float, Enclosure]:
    lattice = lattice_argument(_VARIANT, scale, bounds)
    fix = "Pass a guess of the number to be released, such as x=0.0"
    guess = rational_argument(
        _VARIANT, "x", x, fix=fix, convert=to_extended
    )
    if 2 * lattice.last + 1 > _MOST:
        rule = (
            f"with these bounds the lattice has more than {_MOST} indices, too many to "
            "list"
        )
        fix = "Pass a greater scale or narrower bounds; snapping_bias lists nothing"
        raise refusal(_VARIANT, "scale", scale, rule, fix)
    if isinstance(guess, float):
        guess = lattice.upper if guess > 0 else lattice.lower
    offset = lattice.offset(guess)
    law: dict[float, Enclosure] = {}
    for index in range(-lattice.last, lattice.last + 1):
        value = lattice.released(index)
        probability = index_probability(lattice, offset, index, _PRECISION)
        law[value] = law[value] + probability if value in law else probability
    return law


# === opendp_lite.measurements.snapping_law:index_probability ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.lattice import Lattice

_HALF = mpq(1, 2)

def index_probability(
    lattice: Lattice, offset: mpq, index: int, precision: int
) -> Enclosure:
    low = ((mpq(index) - _HALF) * lattice.step - offset) / lattice.scale
    high = ((mpq(index) + _HALF) * lattice.step - offset) / lattice.scale
    if index == -lattice.last:
        return _below(high, precision)
    if index == lattice.last:
        return _below(-low, precision)
    if low < 0 < high:
        return -_HALF * (expm1(low, precision) + expm1(-high, precision))
    near = high if high <= 0 else -low
    return -_HALF * exp(near, precision) * expm1(low - high, precision)


# === opendp_lite.measurements.snapping_law:_below ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.intervals import Enclosure

_HALF = mpq(1, 2)

def _below(x: mpq, precision: int) -> Enclosure:
    if x <= 0:
        return _HALF * exp(x, precision)
    return _HALF - _HALF * expm1(-x, precision)


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
