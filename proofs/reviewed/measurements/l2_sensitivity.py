# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/l2_sensitivity; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.grid:l2_sensitivity ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def l2_sensitivity(d_in: Extended, k: int, step: mpq, size: int) -> Extended:
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:
        return d_in
    if d_in == 0 or size == 0:
        return 0
    root = math.isqrt((size << 128) - 1) + 1
    return mpq(d_in) + mpq(root, 1 << 64) * (grid - step)


# === opendp_lite.measurements.grid:spacing ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.atom import AtomDomain
from opendp_lite.exact.grids import power_of_two

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}

def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)
