# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.arguments; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import pair_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping.lattice import Lattice

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
_SCALE_FIX = "Pass a number such as scale=1.0; Fraction, Decimal and text are exact too"
_BOUNDS_FIX = "Pass two numbers such as bounds=(0.0, 10.0), the lower one first"


# === lattice_argument with Bounds, ExactNumber, Lattice, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds, _SCALE_FIX
def lattice_argument(
    variant: str, scale: ExactNumber, bounds: Bounds | None
) -> Lattice:
    lower, upper = bounds_argument(variant, bounds)
    number = positive_argument(variant, "scale", scale, _SCALE_FIX)
    return Lattice(lower, upper, number)


# === bounds_argument with mpq, Bounds, pair_argument, rational_argument, refusal,
#    round_down, round_up, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _BOUNDS_FIX
def bounds_argument(variant: str, bounds: Bounds | None) -> tuple[mpq, mpq]:
    first, second = pair_argument(
        variant, "bounds", bounds, _BOUNDS_FIX
    )
    lower: mpq = rational_argument(
        variant, "bounds", first, fix=_BOUNDS_FIX
    )
    upper: mpq = rational_argument(
        variant, "bounds", second, fix=_BOUNDS_FIX
    )
    if not lower < upper:
        rule = "the first must be less than the second"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    if not round_up(lower) <= round_down(upper):
        rule = "there must be a double between the two"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    return lower, upper


# === positive_argument with mpq, rational_argument, refusal
def positive_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(variant, name, value, fix=fix)
    if number <= 0:
        raise refusal(variant, name, value, "must be above 0", fix)
    return number


# === level_argument with mpq, rational_argument, refusal
def level_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    level: mpq = rational_argument(
        variant, name, value, fix=fix, at_most=1
    )
    if level <= 0:
        raise refusal(variant, name, value, "must be above 0", fix)
    return level
