# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.table; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from bisect import bisect_right
from gmpy2 import mpq
from opendp_lite.laws.weights import Weights
from opendp_lite.laws.weights import enclose_weights
from opendp_lite.sampling.entropy import random_parts
from opendp_lite.sampling.lazy import LazyUniform
from struct import Struct

_GUARD = 64
_CELL = Struct(">H")
CELL_BITS = 16


# === Table.__init__ with mpq
class Table:
    def __init__(self, rate: mpq, power: int, sides: int) -> None:
        self.rate = rate
        self.power = power
        self.sides = sides
        self._bounds: dict[int, tuple[list[int], list[int]]] = {}
        self._borders: tuple[list[int], list[int]] | None = None


# === Table.weights with Weights, enclose_weights, _GUARD
class Table:
    def weights(self, precision: int) -> Weights:
        return enclose_weights(
            self.rate, self.power, precision + _GUARD, _GUARD - 8
        )


# === Table.bounds
class Table:
    def bounds(self, precision: int) -> tuple[list[int], list[int]]:
        if precision not in self._bounds:
            self._bounds[precision] = self._enclose(precision)
        return self._bounds[precision]


# === Table._enclose
class Table:
    def _enclose(self, precision: int) -> tuple[list[int], list[int]]:
        weights = self.weights(precision)
        sides = self.sides
        first = weights.lower[0]
        least = first + sides * (sum(weights.lower) - first)
        listed = sum(weights.upper) - first
        most = first + sides * (listed + weights.rest)
        low, high = 0, 0
        below, above = [], []
        for j in range(len(weights.lower)):
            for _ in range(sides if j else 1):
                low += weights.lower[j]
                high += weights.upper[j]
                below.append((low << precision) // most)
                above.append(-(-(high << precision) // least))
        return below, above


# === Table.decide with bisect_right
class Table:
    def decide(self, prefix: int, length: int) -> int | None:
        precision = max(64, -(-length // 64) * 64)
        shift = precision - length
        below, above = self.bounds(precision)
        k = bisect_right(above, prefix << shift)
        if k < len(below) and (prefix + 1) << shift <= below[k]:
            return k
        return None


# === Table.sample with random_parts, LazyUniform, Struct, _CELL
class Table:
    def sample(self) -> int:
        parts = random_parts(_CELL)
        if parts is None:
            return LazyUniform().locate(self.decide)
        return self.continued(parts[0])


# === Table.continued with bisect_right, LazyUniform, CELL_BITS
class Table:
    def continued(self, cell: int) -> int:
        passed, ahead = self._borders or self.borders()
        k = bisect_right(passed, cell)
        if cell < ahead[k]:
            return k
        return LazyUniform(cell, CELL_BITS).locate(self.decide)


# === Table.borders with CELL_BITS
class Table:
    def borders(self) -> tuple[list[int], list[int]]:
        if self._borders is None:
            below, above = self.bounds(64)
            shift = 64 - CELL_BITS
            passed = [-(-x >> shift) for x in above]
            self._borders = passed, [*(x >> shift for x in below), 0]
        return self._borders
