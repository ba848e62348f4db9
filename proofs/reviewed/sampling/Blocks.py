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


# === opendp_lite.sampling.blocks:Blocks.at_once ===

from bisect import bisect_right

class Blocks:
    def at_once(self, cell: int, test: int) -> int | None:
        quick = self.quick
        passed, ahead = self.borders
        y = bisect_right(passed, cell)
        if y < len(quick) and test < quick[y] and cell < ahead[y]:
            return y
        return None


# === opendp_lite.sampling.blocks:Blocks.borders ===

from functools import cached_property
from opendp_lite.sampling.table import CELL_BITS

opendp_lite.sampling.table.CELL_BITS = 16

class Blocks:
    @cached_property
    def borders(self) -> tuple[list[int], list[int]]:
        below, above = self.table.bounds(64)
        shift = 64 - CELL_BITS
        return [-(-x >> shift) for x in above], [
            x >> shift for x in below
        ]


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
        precision = length + 32
        low, high = bound_exponential(prefix, length, precision)
        n, d = self.loss(y, most, bits)
        if low * d >= n << precision:
            return True
        n, d = self.loss(y, least, bits)
        if high is not None and high * d <= n << precision:
            return False
        return None


# === opendp_lite.sampling.table:Table.weights ===

from opendp_lite.sampling.weights import Weights
from opendp_lite.sampling.weights import enclose_weights

_GUARD = 64

class Table:
    def weights(self, precision: int) -> Weights:
        return enclose_weights(
            self.rate, self.power, precision + _GUARD, _GUARD - 8
        )


# === opendp_lite.sampling.table:Table.decide ===

from bisect import bisect_right

class Table:
    def decide(self, prefix: int, length: int) -> int | None:
        precision = max(64, -(-length // 64) * 64)
        shift = precision - length
        below, above = self.bounds(precision)
        k = bisect_right(above, prefix << shift)
        if k < len(below) and (prefix + 1) << shift <= below[k]:
            return k
        return None
