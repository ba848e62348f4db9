# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.snapping_law; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_extended
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.lattice import Lattice

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
_VARIANT = "InvalidDistance"
_PRECISION = 128
_MOST = 10_000
_HALF = mpq(1, 2)


# === snapping_distribution with Bounds, ExactNumber, rational_argument, refusal,
#    Enclosure, to_extended, lattice_argument, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Bounds, _VARIANT, _PRECISION, _MOST
def snapping_distribution(
    scale: ExactNumber, bounds: Bounds, x: ExactNumber
) -> dict[float, Enclosure]:
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


# === index_probability with mpq, exp, expm1, Enclosure, Lattice, _HALF
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


# === _below with mpq, exp, expm1, Enclosure, _HALF
def _below(x: mpq, precision: int) -> Enclosure:
    if x <= 0:
        return _HALF * exp(x, precision)
    return _HALF - _HALF * expm1(-x, precision)
