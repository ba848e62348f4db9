# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/RealNoise.release; written by
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


# === opendp_lite.sampling.real:RealNoise.release ===

from bisect import bisect_right
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.sampling.blocks import TEST_BITS
from opendp_lite.sampling.entropy import random_parts
from opendp_lite.sampling.table import CELL_BITS
from struct import Struct

opendp_lite.sampling.blocks.TEST_BITS = 15
_HEAD_BITS = CELL_BITS + 1 + TEST_BITS
_TEST_MASK = (1 << TEST_BITS) - 1
_PLACE_BITS = 64
_WORD_BITS = _HEAD_BITS + _PLACE_BITS
_WORD = Struct(">HHQ")
_LEAST = 2.0**-1000
opendp_lite.sampling.table.CELL_BITS = 16

class RealNoise:
    def release(self, x: float) -> float:
        try:
            n, d = x.as_integer_ratio()
        except OverflowError:
            return x
        numerator = self.numerator
        parts = random_parts(_WORD) if numerator else None
        if parts is None:
            return self._draw(n, d, divide_to_double)
        cell, rest, place = parts
        passed, ahead, quick = self.blocks.sure
        y = bisect_right(passed, cell)
        if cell < ahead[y] and rest & _TEST_MASK < quick[y]:
            slope = -numerator * d if rest > _TEST_MASK else numerator * d
            t = (y << _PLACE_BITS) + place
            start = n * self.unit + slope * t
            try:
                unit = self.float_unit / d
                near: float = start * unit
                far = (start + slope) * unit
                if near == far and abs(near) > _LEAST:
                    return near
            except OverflowError:
                pass
        word = cell << _WORD_BITS - CELL_BITS | rest << _PLACE_BITS | place
        return self._draw(n, d, divide_to_double, word)


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
