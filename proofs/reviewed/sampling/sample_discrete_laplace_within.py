# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_discrete_laplace_within; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.clamped:sample_discrete_laplace_within ===

from gmpy2 import mpq
from opendp_lite.sampling.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform

def sample_discrete_laplace_within(scale: mpq, limit: int) -> int:
    if scale < 0:
        raise ValueError(f"scale must be non-negative, got {scale}")
    if limit < 0:
        raise ValueError(f"limit must be non-negative, got {limit}")
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
        divisor = denominator << precision
        least = min((lo - offset[1]) * numerator // divisor, limit)
        if hi is None:
            most = limit
        else:
            most = min((hi - offset[0]) * numerator // divisor, limit)
        return sign * least if least == most else None

    first = 68 + (limit + 1).bit_length()
    return LazyUniform().locate(decide, first)


# === opendp_lite.sampling.clamped:_split_and_offset ===

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


# === opendp_lite.sampling.clamped:_integers_around ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure

def _integers_around(x: Enclosure) -> tuple[int, int]:
    return floor_multiple(mpq(x.lo), 0), ceil_multiple(mpq(x.hi), 0)


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


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length


# === opendp_lite.sampling.lazy:LazyUniform.reveal ===

from opendp_lite.sampling.entropy import random_bits

class LazyUniform:
    def reveal(self, count: int) -> None:
        self.prefix = self.prefix << count | random_bits(count)
        self.length += count


# === opendp_lite.sampling.lazy:LazyUniform.locate ===

from collections.abc import Callable
from opendp_lite.sampling.entropy import granularity
from typing import TypeVar

T = TypeVar("T")

class LazyUniform:
    def locate(self, decide: Callable[[int, int], T | None], first: int = 64) -> T:
        step = granularity()
        if step > 1 and self.length < first:
            self.reveal(first - self.length)
        while (answer := decide(self.prefix, self.length)) is None:
            self.reveal(step - self.length % step)
        return answer
