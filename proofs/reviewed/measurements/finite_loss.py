# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/finite_loss; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_precision:finite_loss ===

from opendp_lite.exact.rationals import Extended
from opendp_lite.sampling.lattice import Lattice

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def finite_loss(
    lattice: Lattice, precision: int, count: int, d_in: Extended
) -> Extended:
    return finite_epsilon(
        lattice.scale, lattice.half, d_in, precision, count
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
