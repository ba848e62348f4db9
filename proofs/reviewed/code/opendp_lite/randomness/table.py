# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.table; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from array import array
from bisect import bisect_right
from gmpy2 import mpq
from opendp_lite.laws.weights import Weights
from opendp_lite.laws.weights import enclose_weights
from opendp_lite.randomness.entropy import random_parts
from opendp_lite.randomness.entropy import random_rows
from opendp_lite.randomness.lazy import LazyUniform
from struct import Struct

_GUARD = 64
CELL_BITS = 16
UNDECIDED = -(2**15)
CELL = Struct(">H")
BEHIND_CELL = Struct(">HI")


# === Table.__init__ with array, mpq
class Table:
    def __init__(self, rate: mpq, power: int, sides: int) -> None:
        self.rate = rate
        self.power = power
        self.sides = sides
        self._bounds: dict[int, tuple[list[int], list[int]]] = {}
        self._cells: array[int] | None = None


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


# === Table.number
class Table:
    def number(self, k: int) -> int:
        return (k >> 1) ^ -(k & 1) if self.sides == 2 else k


# === Table.decide with bisect_right
class Table:
    def decide(self, prefix: int, length: int) -> int | None:
        precision = max(64, -(-length // 64) * 64)
        shift = precision - length
        below, above = self.bounds(precision)
        k = bisect_right(above, prefix << shift)
        if k < len(below) and (prefix + 1) << shift <= below[k]:
            return self.number(k)
        return None


# === Table.cells with array, CELL_BITS, UNDECIDED
class Table:
    def cells(self) -> array[int]:
        if self._cells is None:
            cells = array("h", [UNDECIDED]) * (1 << CELL_BITS)
            shift, start = 64 - CELL_BITS, 0
            for k, (low, high) in enumerate(zip(*self.bounds(64), strict=True)):
                end, x = low >> shift, self.number(k)
                if start < end and abs(x) < -UNDECIDED:
                    cells[start:end] = array("h", [x]) * (end - start)
                start = -(-high >> shift)
            self._cells = cells
        return self._cells


# === Table.sample with random_parts, LazyUniform, Struct, CELL
class Table:
    def sample(self) -> int:
        parts = random_parts(CELL)
        if parts is None:
            return LazyUniform().locate(self.decide)
        return self.continued(parts[0])


# === Table.continued with LazyUniform, CELL_BITS, UNDECIDED
class Table:
    def continued(self, cell: int) -> int:
        x = (self._cells or self.cells())[cell]
        if x != UNDECIDED:
            return x
        return LazyUniform(cell, CELL_BITS).locate(self.decide)


# === Table.further with random_rows, LazyUniform, Struct, BEHIND_CELL
class Table:
    def further(self, cells: list[int]) -> list[int]:
        rows = random_rows(BEHIND_CELL, len(cells))
        assert rows is not None
        drawn = []
        for cell, (high, low) in zip(cells, rows, strict=True):
            prefix = (cell << 16 | high) << 32 | low
            x = self.decide(prefix, 64)
            if x is None:
                x = LazyUniform(prefix, 64).locate(self.decide)
            drawn.append(x)
        return drawn


# === Table.samples with random_parts, Struct, UNDECIDED
class Table:
    def samples(self, count: int) -> list[int]:
        first = random_parts(Struct(f">{count}H"))
        if first is None:
            return [self.sample() for _ in range(count)]
        cells = self._cells or self.cells()
        drawn = [cells[cell] for cell in first]
        if UNDECIDED not in drawn:
            return drawn
        pairs = zip(first, drawn, strict=True)
        return [self.continued(c) if x == UNDECIDED else x for c, x in pairs]
