# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/grids; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


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


# === opendp_lite.exact.grids:nearest_multiple ===

from gmpy2 import mpq

def nearest_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1
