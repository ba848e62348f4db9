# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/l1_sensitivity; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.grid:l1_sensitivity ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def l1_sensitivity(d_in: Extended, k: int, step: mpq, size: int) -> Extended:
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:
        return d_in
    if d_in == 0 or size == 0:
        return 0
    if mpq(d_in) < mpq(size) * step:
        return mpq(floor_multiple(mpq(d_in) / step, 0)) * grid
    rest = mpq(d_in) - mpq(size - 1) * step
    return mpq(size - 1 + ceil_multiple(rest, k)) * grid


# === opendp_lite.measurements.grid:spacing ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.atom import AtomDomain
from opendp_lite.exact.grids import power_of_two

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}

def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)
