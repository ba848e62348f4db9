# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_geometric; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.discrete_laplace:sample_geometric ===

from gmpy2 import mpq
from opendp_lite.sampling.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform

def sample_geometric(scale: mpq) -> int:
    if scale < 0:
        raise ValueError(f"scale must be non-negative, got {scale}")
    if scale == 0:
        return 0
    numerator, denominator = int(scale.numerator), int(scale.denominator)

    def decide(prefix: int, length: int) -> int | None:
        precision = length + 32
        lo, hi = bound_exponential(prefix, length, precision)
        if hi is None:
            return None
        divisor = denominator << precision
        least = lo * numerator // divisor
        most = hi * numerator // divisor
        return least if least == most else None

    return LazyUniform().locate(decide, _bits_to_start_with(scale))


# === opendp_lite.sampling.discrete_laplace:_bits_to_start_with ===

from gmpy2 import mpq
from opendp_lite.exact.grids import exponent_at_least

def _bits_to_start_with(scale: mpq) -> int:
    return max(64, exponent_at_least(scale) + 48)


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
