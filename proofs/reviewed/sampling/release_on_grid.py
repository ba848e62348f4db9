# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/release_on_grid; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk_grid:release_on_grid ===

from gmpy2 import mpq
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.bulk_discrete import saturated
import math

def release_on_grid(x: int | float, noise: int, k: int) -> int | float:
    if isinstance(x, float) and math.isinf(x):
        return x
    value = mpq(nearest_multiple(mpq(x), k) + noise) * power_of_two(k)
    if isinstance(x, float):
        return to_double(value)
    return saturated(int(value))


# === opendp_lite.exact.grids:nearest_multiple ===

from gmpy2 import mpq

def nearest_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


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


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:divide_to_double ===

import sys

def divide_to_double(n: int, d: int) -> float:
    try:
        nearest = n / d
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max
    return nearest + 0.0


# === opendp_lite.sampling.bulk_discrete:saturated ===

_LEAST, _MOST = -(2**63), 2**63 - 1

def saturated(x: int) -> int:
    return min(max(x, _LEAST), _MOST)
