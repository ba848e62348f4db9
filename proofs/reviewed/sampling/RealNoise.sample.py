# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/RealNoise.sample; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.real:RealNoise.__init__ ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.sampling.blocks import blocks
from opendp_lite.sampling.law import GAUSSIAN
from opendp_lite.sampling.law import LAPLACE
from opendp_lite.sampling.law import Law

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)
opendp_lite.sampling.law.GAUSSIAN = opendp_lite.sampling.law.Law('Gaussian', 2, 2)
_BLOCK_BITS = {1: 5, 2: 6}
_MOST_BLOCK_BITS = 7
_PLACE_BITS = 64

class RealNoise:
    def __init__(self, law: Law, scale: mpq, block_bits: int | None = None) -> None:
        if law not in (LAPLACE, GAUSSIAN):
            raise ValueError(f"law must be laplace or gaussian, got {law.name}")
        if scale < 0:
            raise ValueError(f"scale must be non-negative, got {scale}")
        if block_bits is None:
            block_bits = _BLOCK_BITS[law.power]
        if not 0 <= block_bits <= _MOST_BLOCK_BITS:
            raise ValueError(f"block_bits must be from 0 to 7, got {block_bits}")
        self.law = law
        self.scale = scale
        width = scale / power_of_two(block_bits)
        self.numerator, self.denominator = int(width.numerator), int(width.denominator)
        self.unit = self.denominator << _PLACE_BITS
        dyadic = self.unit.bit_count() == 1
        self.float_unit = 1 / self.unit if dyadic else 0.0
        rate = law.rate(power_of_two(block_bits))
        self.blocks = blocks(rate, law.power)


# === opendp_lite.sampling.real:RealNoise.sample ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import BINARY64
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import round_nearest

opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)

class RealNoise:
    def sample(self, shift: mpq, fmt: FloatFormat = BINARY64) -> mpq:
        def rounded(n: int, d: int) -> mpq:
            return round_nearest(mpq(n, d), fmt)

        n, d = int(shift.numerator), int(shift.denominator)
        return self._draw(n, d, rounded)


# === opendp_lite.sampling.real:RealNoise._draw ===

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

class RealNoise:
    def _draw(
        self,
        n: int,
        d: int,
        rounded: Callable[[int, int], T],
        word: int | None = None,
    ) -> T:
        if self.numerator == 0:
            return rounded(n, d)
        noise = self.trial(word)
        while noise is None:
            noise = self.trial()
        return self.finish(n, d, *noise, rounded)


# === opendp_lite.sampling.real:RealNoise.finish ===

from collections.abc import Callable
from opendp_lite.sampling.lazy import LazyUniform
from typing import TypeVar

T = TypeVar("T")

class RealNoise:
    def finish(
        self,
        n: int,
        d: int,
        negative: int,
        y: int,
        place: LazyUniform,
        rounded: Callable[[int, int], T],
    ) -> T:
        slope = -self.numerator * d if negative else self.numerator * d
        base = n * self.denominator
        product = d * self.denominator

        def decide(prefix: int, length: int) -> T | None:
            t = (y << length) + prefix
            start = base << length
            unit = product << length
            near = rounded(start + slope * t, unit)
            far = rounded(start + slope * (t + 1), unit)
            return near if near == far else None

        answer = decide(place.prefix, place.length)
        return place.locate(decide) if answer is None else answer


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.sampling.blocks:blocks ===

from functools import lru_cache
from gmpy2 import mpq

@lru_cache(maxsize=64)
def blocks(rate: mpq, power: int) -> Blocks:
    return Blocks(rate, power)
