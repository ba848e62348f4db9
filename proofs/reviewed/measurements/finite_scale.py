# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/finite_scale; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_precision:finite_scale ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.core.errors import shown
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_FINER = "Pass a greater precision, such as that of snapping_precision"

def finite_scale(
    epsilon: mpq, half_width: mpq, d_in: Extended, precision: int, count: int = 1
) -> mpq:
    moved, added = _shares(half_width, d_in, precision, count)
    if epsilon <= added:
        cost = f"{shown(2 * count)} * 2^{-precision}"
        rule = f"must be above {cost}, which the finite arithmetic costs at any scale"
        raise refusal("FailedMap", "epsilon", epsilon, rule, _FINER)
    scale = moved / (epsilon - added)
    _check_reach("FailedMap", scale, half_width, precision)
    return scale


# === opendp_lite.measurements.snapping_precision:_shares ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _shares(
    half_width: mpq, d_in: Extended, precision: int, count: int
) -> tuple[mpq, mpq]:
    unit = mpq(count) * power_of_two(-precision)
    moved = _least(d_in, mpq(2 * count) * half_width)
    return moved + mpq(12) * half_width * unit, unit + unit


# === opendp_lite.measurements.snapping_precision:_least ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _least(d_in: Extended, most: mpq) -> mpq:
    return most if isinstance(d_in, float) or d_in > most else mpq(d_in)


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
