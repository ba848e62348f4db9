"""Checks of the arguments that the functions about snapping share."""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import pair_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.measurements.snapping.lattice import Lattice

_BOUNDS_FIX = "Pass two numbers such as bounds=(0.0, 10.0), the lower one first"
_SCALE_FIX = "Pass a number such as scale=1.0; Fraction, Decimal and text are exact too"


def lattice_argument(
    variant: str, scale: ExactNumber, bounds: Bounds | None
) -> Lattice:
    """Return the lattice of a scale above 0 and of bounds, or refuse them."""
    lower, upper = bounds_argument(variant, bounds)  # proof: bounds
    number = positive_argument(variant, "scale", scale, _SCALE_FIX)  # proof: scale
    return Lattice(lower, upper, number)  # proof: lattice


def bounds_argument(variant: str, bounds: Bounds | None) -> tuple[mpq, mpq]:
    """Return the bounds L < U, with a double from L to U, or refuse them."""
    first, second = pair_argument(  # proof: pair
        variant, "bounds", bounds, _BOUNDS_FIX
    )
    lower: mpq = rational_argument(  # proof: lower
        variant, "bounds", first, fix=_BOUNDS_FIX
    )
    upper: mpq = rational_argument(  # proof: upper
        variant, "bounds", second, fix=_BOUNDS_FIX
    )
    if not lower < upper:  # proof: order
        rule = "the first must be less than the second"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    if not round_up(lower) <= round_down(upper):  # proof: double
        rule = "there must be a double between the two"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    return lower, upper


def positive_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    """Return a number above 0, or refuse it."""
    number: mpq = rational_argument(variant, name, value, fix=fix)  # proof: number
    if number <= 0:  # proof: positive
        raise refusal(variant, name, value, "must be above 0", fix)
    return number


def level_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    """Return a probability above 0 and at most 1, or refuse it."""
    level: mpq = rational_argument(  # proof: number
        variant, name, value, fix=fix, at_most=1
    )
    if level <= 0:  # proof: positive
        raise refusal(variant, name, value, "must be above 0", fix)
    return level
