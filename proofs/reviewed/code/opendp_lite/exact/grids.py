# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.grids; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from gmpy2 import mpz


# === power_of_two with mpq, mpz
def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === exponent_at_least with mpq
def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


# === nearest_multiple with mpq
def nearest_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


# === floor_multiple with mpq
def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


# === ceil_multiple with mpq
def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === _quotient with mpq, mpz
def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)
