# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/RealNoise.trial; written by
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


# === opendp_lite.sampling.real:RealNoise.trial ===

from opendp_lite.sampling.blocks import TEST_BITS
from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.entropy import random_bits
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.table import CELL_BITS

opendp_lite.sampling.blocks.TEST_BITS = 15
_HEAD_BITS = CELL_BITS + 1 + TEST_BITS
_TEST_MASK = (1 << TEST_BITS) - 1
_PLACE_BITS = 64
_WORD_BITS = _HEAD_BITS + _PLACE_BITS
_PLACE_MASK = (1 << _PLACE_BITS) - 1
opendp_lite.sampling.table.CELL_BITS = 16

class RealNoise:
    def trial(self, word: int | None = None) -> tuple[int, int, LazyUniform] | None:
        blocks = self.blocks
        if granularity() > 1:
            if word is None:
                word = random_bits(_WORD_BITS)
            place = LazyUniform(word & _PLACE_MASK, _PLACE_BITS)
            head = word >> _PLACE_BITS
            y = blocks.table.continued(head >> TEST_BITS + 1)
            negative = head >> TEST_BITS & 1
            if blocks.accepts_quickly(y, head & _TEST_MASK):
                return negative, y, place
            test = LazyUniform(head & _TEST_MASK, TEST_BITS)
            test.reveal(64 - TEST_BITS)
        else:
            y = blocks.table.sample()
            negative, place, test = random_bits(1), LazyUniform(), LazyUniform()
        accepted = self.accepts(y, place, test)
        return (negative, y, place) if accepted else None


# === opendp_lite.sampling.real:RealNoise.accepts ===

from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.lazy import LazyUniform

class RealNoise:
    def accepts(self, y: int, place: LazyUniform, test: LazyUniform) -> bool:
        step = granularity()
        while True:
            answer = self.blocks.decide(
                y,
                place.prefix,
                place.prefix + 1,
                place.length,
                test.prefix,
                test.length,
            )
            if answer is not None:
                return answer
            test.reveal(step)
            place.reveal(step)


# === opendp_lite.sampling.blocks:blocks ===

from functools import lru_cache
from gmpy2 import mpq

@lru_cache(maxsize=64)
def blocks(rate: mpq, power: int) -> Blocks:
    return Blocks(rate, power)


# === opendp_lite.sampling.law:Law.rate ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class Law:
    power: int
    def rate(self, scale: mpq) -> mpq:
        if self.power == 1:
            return mpq(1) / scale
        return mpq(1) / (mpq(2) * scale * scale)


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


# === opendp_lite.sampling.table:Table.continued ===

from bisect import bisect_right
from opendp_lite.sampling.lazy import LazyUniform

CELL_BITS = 16

class Table:
    def continued(self, cell: int) -> int:
        passed, ahead = self._borders or self.borders()
        k = bisect_right(passed, cell)
        if cell < ahead[k]:
            return k
        return LazyUniform(cell, CELL_BITS).locate(self.decide)
