# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_discrete_laplace; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.discrete_laplace:sample_discrete_laplace ===

from gmpy2 import mpq
from opendp_lite.sampling.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform

def sample_discrete_laplace(scale: mpq) -> int:
    if scale < 0:
        raise ValueError(f"scale must be non-negative, got {scale}")
    if scale == 0:
        return 0
    numerator, denominator = int(scale.numerator), int(scale.denominator)

    def decide(prefix: int, length: int) -> int | None:
        split, offset = _split_and_offset(scale, length)
        if prefix + 1 <= split[0]:
            sign, tail = 1, prefix
        elif prefix >= split[1]:
            sign, tail = -1, (1 << length) - 1 - prefix
        else:
            return None
        precision = length + 32
        lo, hi = bound_exponential(tail, length, precision)
        if hi is None:
            return None
        divisor = denominator << precision
        least = (lo - offset[1]) * numerator // divisor
        most = (hi - offset[0]) * numerator // divisor
        return sign * least if least == most else None

    return LazyUniform().locate(decide, _bits_to_start_with(scale))


# === opendp_lite.sampling.discrete_laplace:_split_and_offset ===

from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import log1p
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure

@lru_cache(maxsize=256)
def _split_and_offset(
    scale: mpq, length: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    precision = length + 32
    if scale * precision <= 1:
        q = Enclosure(0, power_of_two(-precision))
    else:
        q = exp(mpq(-1) / scale, precision)
    split = (1 << length) / (1 + q)
    offset = (1 << precision) * log1p(q, precision)
    return _integers_around(split), _integers_around(offset)


# === opendp_lite.sampling.discrete_laplace:_integers_around ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure

def _integers_around(x: Enclosure) -> tuple[int, int]:
    return floor_multiple(mpq(x.lo), 0), ceil_multiple(mpq(x.hi), 0)


# === opendp_lite.sampling.discrete_laplace:_bits_to_start_with ===

from gmpy2 import mpq
from opendp_lite.exact.grids import exponent_at_least

def _bits_to_start_with(scale: mpq) -> int:
    return max(64, exponent_at_least(scale) + 48)


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


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
