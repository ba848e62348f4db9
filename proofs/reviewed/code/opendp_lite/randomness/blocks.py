# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.blocks; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from array import array
from functools import cached_property
from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import Table

TEST_BITS = 15


# === Blocks.__init__ with mpq, Table
class Blocks:
    def __init__(self, rate: mpq, power: int) -> None:
        self.rate = rate
        self.power = power
        self.numerator, self.denominator = int(rate.numerator), int(rate.denominator)
        self.table = Table(rate, power, sides=1)


# === Blocks.quick with cached_property, TEST_BITS
class Blocks:
    @cached_property
    def quick(self) -> list[int]:
        weights = self.table.weights(64)
        neighbours = zip(weights.lower[1:], weights.upper, strict=False)
        return [(low << TEST_BITS) // high for low, high in neighbours]


# === Blocks.sure with array, cached_property
class Blocks:
    @cached_property
    def sure(self) -> tuple[array[int], list[int]]:
        return self.table.cells(), [*self.quick, 0]


# === Blocks.accepts_quickly
class Blocks:
    def accepts_quickly(self, y: int, test: int) -> bool:
        quick = self.quick
        return y < len(quick) and test < quick[y]


# === Blocks.loss
class Blocks:
    def loss(self, y: int, place: int, bits: int) -> tuple[int, int]:
        if self.power == 1:
            return self.numerator * place, self.denominator << bits
        square = place * ((y << bits + 1) + place)
        return self.numerator * square, self.denominator << 2 * bits


# === Blocks.decide with bound_exponential
class Blocks:
    def decide(
        self, y: int, least: int, most: int, bits: int, prefix: int, length: int
    ) -> bool | None:
        n, d = self.loss(y, most, bits)
        if (prefix + 1) * d <= (d - n) << length:
            return True
        m, _ = self.loss(y, least, bits)
        curve = 2 * d * (d - m) + m * m
        if 2 * d * d * prefix >= curve << length:
            return False
        precision = length + 32
        low, high = bound_exponential(prefix, length, precision)
        if low * d >= n << precision:
            return True
        if high is not None and high * d <= m << precision:
            return False
        return None


# === Blocks.accepts with LazyUniform
class Blocks:
    def accepts(self, y: int, place: int, bits: int, test: LazyUniform) -> bool:
        return test.locate(
            lambda w, n: self.decide(y, place, place, bits, w, n)
        )


# === blocks with lru_cache, mpq
@lru_cache(maxsize=64)
def blocks(rate: mpq, power: int) -> Blocks:
    return Blocks(rate, power)
