# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/Blocks; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.blocks:Blocks.__init__ ===

from gmpy2 import mpq
from opendp_lite.sampling.table import Table

class Blocks:
    def __init__(self, rate: mpq, power: int) -> None:
        self.rate = rate
        self.power = power
        self.numerator, self.denominator = int(rate.numerator), int(rate.denominator)
        self.table = Table(rate, power, sides=1)


# === opendp_lite.sampling.blocks:Blocks.quick ===

from functools import cached_property

TEST_BITS = 15

class Blocks:
    @cached_property
    def quick(self) -> list[int]:
        weights = self.table.weights(64)
        neighbours = zip(weights.lower[1:], weights.upper, strict=False)
        return [(low << TEST_BITS) // high for low, high in neighbours]


# === opendp_lite.sampling.blocks:Blocks.accepts_quickly ===

class Blocks:
    def accepts_quickly(self, y: int, test: int) -> bool:
        quick = self.quick
        return y < len(quick) and test < quick[y]


# === opendp_lite.sampling.blocks:Blocks.sure ===

from functools import cached_property

class Blocks:
    @cached_property
    def sure(self) -> tuple[list[int], list[int], list[int]]:
        passed, ahead = self.table.borders()
        quick = self.quick
        return passed, ahead, quick + [0] * (len(ahead) - len(quick))


# === opendp_lite.sampling.blocks:Blocks.loss ===

class Blocks:
    def loss(self, y: int, place: int, bits: int) -> tuple[int, int]:
        if self.power == 1:
            return self.numerator * place, self.denominator << bits
        square = place * ((y << bits + 1) + place)
        return self.numerator * square, self.denominator << 2 * bits


# === opendp_lite.sampling.blocks:Blocks.decide ===

from opendp_lite.sampling.exponential import bound_exponential

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


# === opendp_lite.sampling.blocks:Blocks.accepts ===

from opendp_lite.sampling.lazy import LazyUniform

class Blocks:
    def accepts(self, y: int, place: int, bits: int, test: LazyUniform) -> bool:
        return test.locate(
            lambda w, n: self.decide(y, place, place, bits, w, n)
        )


# === opendp_lite.sampling.table:Table.weights ===

from opendp_lite.sampling.weights import Weights
from opendp_lite.sampling.weights import enclose_weights

_GUARD = 64

class Table:
    def weights(self, precision: int) -> Weights:
        return enclose_weights(
            self.rate, self.power, precision + _GUARD, _GUARD - 8
        )
