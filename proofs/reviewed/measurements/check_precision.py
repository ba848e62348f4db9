# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/check_precision; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_precision:check_precision ===

from opendp_lite.core.errors import refusal
from opendp_lite.measurements.additive import NumberSpace
from opendp_lite.sampling.lattice import Lattice
from typing import Any

_MAKE = "MakeMeasurement"

def check_precision(precision: Any, lattice: Lattice, space: NumberSpace) -> int:
    number = precision_argument(_MAKE, precision)
    _check_reach(_MAKE, lattice.scale, lattice.half, number)
    if space.vector and space.size is None:
        rule = (
            "the finite arithmetic costs something for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave precision out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "precision", precision, rule, fix)
    return number


# === opendp_lite.measurements.snapping_precision:precision_argument ===

from opendp_lite.core.arguments import integer_argument
from typing import Any

_LEAST = 118
_GREATEST = 2**20

def precision_argument(variant: str, precision: Any) -> int:
    fix = "Pass precision=118, or leave it out: the exact arithmetic costs nothing"
    return integer_argument(
        variant, "precision", precision, fix=fix, at_least=_LEAST, at_most=_GREATEST
    )


# === opendp_lite.measurements.snapping_precision:_check_reach ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import power_of_two
from opendp_lite.sampling.finite_logarithm import LEAST_PRECISION

_FINER = "Pass a greater precision, such as that of snapping_precision"
opendp_lite.sampling.finite_logarithm.LEAST_PRECISION = 4

def _check_reach(variant: str, scale: mpq, half_width: mpq, precision: int) -> None:
    if precision < LEAST_PRECISION:
        rule = f"must be at least {LEAST_PRECISION}"
        raise refusal(variant, "precision", precision, rule, _FINER)
    if half_width > scale * power_of_two(precision - 3):
        rule = (
            "must be at least 3 plus the logarithm, to the base 2, of half the width "
            "of the bounds divided by the scale"
        )
        raise refusal(variant, "precision", precision, rule, _FINER)
