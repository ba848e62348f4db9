# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/DiscreteNoise; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.discrete:DiscreteNoise.__init__ ===

from gmpy2 import mpq
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.sampling.blocks import Blocks
from opendp_lite.sampling.blocks import blocks
from opendp_lite.sampling.law import Law
from opendp_lite.sampling.table import Table

_BLOCKS_PER_SCALE = 32

class DiscreteNoise:
    def __init__(self, law: Law, scale: mpq) -> None:
        if scale < 0:
            raise ValueError(f"scale must be non-negative, got {scale}")
        self.law = law
        self.scale = scale
        self.bits = 0
        self.table: Table | None = None
        self.blocks: Blocks | None = None
        if scale == 0:
            return
        per_scale = mpq(_BLOCKS_PER_SCALE)
        bits = -exponent_at_least(per_scale / scale)
        if bits < 0:
            self.table = Table(law.rate(scale), law.power, law.sides)
        else:
            self.bits = bits
            rate = law.rate(scale / power_of_two(bits))
            self.blocks = blocks(rate, law.power)


# === opendp_lite.sampling.discrete:DiscreteNoise.sample ===

class DiscreteNoise:
    def sample(self) -> int:
        if self.table is not None:
            k = self.table.sample()
            return (k >> 1) ^ -(k & 1) if self.law.sides == 2 else k
        if self.blocks is None:
            return 0
        while (x := self.trial(self.blocks)) is None:
            pass
        return x


# === opendp_lite.sampling.discrete:DiscreteNoise.trial ===

from bisect import bisect_right
from opendp_lite.sampling.blocks import Blocks
from opendp_lite.sampling.blocks import TEST_BITS
from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.entropy import random_bits
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.table import CELL_BITS

opendp_lite.sampling.blocks.TEST_BITS = 15
_HEAD_BITS = CELL_BITS + 1 + TEST_BITS
_TEST_MASK = (1 << TEST_BITS) - 1
opendp_lite.sampling.table.CELL_BITS = 16

class DiscreteNoise:
    def trial(self, blocks: Blocks) -> int | None:
        bits, signs = self.bits, self.law.sides - 1
        if granularity() > 1:
            word = random_bits(_HEAD_BITS + bits)
            head = word >> bits
            low = word - (head << bits)
            negative, start = head >> TEST_BITS & signs, head & _TEST_MASK
            cell = head >> TEST_BITS + 1
            passed, ahead, quick = blocks.sure
            y = bisect_right(passed, cell)
            if cell < ahead[y] and start < quick[y]:
                return ((y ^ -negative) << bits) + low
            y = blocks.table.continued(cell)
            accepted = blocks.accepts_quickly(y, start)
            test = LazyUniform(start, TEST_BITS)
        else:
            y = blocks.table.sample()
            negative, low = random_bits(1) & signs, random_bits(bits)
            accepted, test = False, LazyUniform()
        if not accepted:
            place = (1 << bits) - low if negative else low
            accepted = blocks.accepts(y, place, bits, test)
        x = ((y ^ -negative) << bits) + low
        return x if accepted else None


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
