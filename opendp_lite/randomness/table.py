"""Integers drawn from a table of their cumulative probabilities, exactly.

Let F_k be the probability of the first k + 1 integers in some order. Then the one with
the number #{k : F_k <= U} has this law for a uniform U. The table holds integers around
2^p F_k; a cell of U that none of these intervals touches is decided, and for the others
more bits are revealed and, in the end, a finer table is made.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from struct import Struct

from gmpy2 import mpq

from opendp_lite.laws.weights import Weights, enclose_weights
from opendp_lite.randomness.entropy import random_parts, random_rows
from opendp_lite.randomness.lazy import LazyUniform

_GUARD = 64

CELL_BITS = 16
"""How many bits of U are read at once."""

CELL = Struct(">H")
"""The layout of these bits."""

UNDECIDED = -(2**15)
"""What stands in the place of X where these bits do not tell it."""

BEHIND_CELL = Struct(">HI")
"""The layout of the 48 bits that are read behind a cell."""


class Table:
    """P(X = x) proportional to e^(-rate |x|^power), for x = 0, 1, 2, ... or all x.

    With `sides` = 1 the integers are taken in turn. With `sides` = 2 their order is
    0, -1, 1, -2, 2, ... The power is 1 or 2, and the rate at least 2^-16.

    >>> Table(mpq(1), 1, 1).sample() >= 0
    True
    """

    __slots__ = ("_bounds", "_cells", "power", "rate", "sides")

    def __init__(self, rate: mpq, power: int, sides: int) -> None:
        self.rate = rate
        self.power = power
        self.sides = sides
        self._bounds: dict[int, tuple[list[int], list[int]]] = {}
        self._cells: array[int] | None = None

    def weights(self, precision: int) -> Weights:
        """Enclosures of 2^(p + 64) w_j, until w_j is below 2^-(p + 8)."""
        return enclose_weights(  # proof: weights
            self.rate, self.power, precision + _GUARD, _GUARD - 8
        )

    def bounds(self, precision: int) -> tuple[list[int], list[int]]:
        """Integers below[k] <= 2^p F_k <= above[k], for the k that p can tell apart."""
        if precision not in self._bounds:  # proof: cached
            self._bounds[precision] = self._enclose(precision)
        return self._bounds[precision]

    def _enclose(self, precision: int) -> tuple[list[int], list[int]]:
        weights = self.weights(precision)
        sides = self.sides
        first = weights.lower[0]  # proof: first
        least = first + sides * (sum(weights.lower) - first)  # proof: least
        listed = sum(weights.upper) - first
        most = first + sides * (listed + weights.rest)  # proof: most
        low, high = 0, 0
        below, above = [], []
        for j in range(len(weights.lower)):
            for _ in range(sides if j else 1):  # proof: twice
                low += weights.lower[j]
                high += weights.upper[j]
                below.append((low << precision) // most)  # proof: below
                above.append(-(-(high << precision) // least))  # proof: above
        return below, above

    def number(self, k: int) -> int:
        """The integer whose number in the order is k."""
        return (k >> 1) ^ -(k & 1) if self.sides == 2 else k  # proof: number

    def decide(self, prefix: int, length: int) -> int | None:
        """X, where it is the same for every U in [w/2^n, (w+1)/2^n), else None.

        Here w is `prefix` and n is `length`. A cell beyond the listed k is not decided.
        """
        precision = max(64, -(-length // 64) * 64)  # proof: precision
        shift = precision - length
        below, above = self.bounds(precision)
        k = bisect_right(above, prefix << shift)  # proof: passed
        if k < len(below) and (prefix + 1) << shift <= below[k]:  # proof: ahead
            return self.number(k)  # proof: decided
        return None

    def cells(self) -> array[int]:
        """X for the cells of U of 16 bits, where it is the same for every U in one.

        Elsewhere, and where it is 2^15 or more in size, it is UNDECIDED.
        """
        if self._cells is None:
            cells = array("h", [UNDECIDED]) * (1 << CELL_BITS)
            shift, start = 64 - CELL_BITS, 0
            for k, (low, high) in enumerate(zip(*self.bounds(64), strict=True)):
                end, x = low >> shift, self.number(k)  # proof: end
                if start < end and abs(x) < -UNDECIDED:
                    cells[start:end] = array("h", [x]) * (end - start)  # proof: known
                start = -(-high >> shift)  # proof: start
            self._cells = cells
        return self._cells  # proof: made-once

    def sample(self) -> int:
        """Draw X."""
        parts = random_parts(CELL)  # proof: draw
        if parts is None:
            return LazyUniform().locate(self.decide)  # proof: bit-by-bit
        return self.continued(parts[0])  # proof: go-on

    def continued(self, cell: int) -> int:
        """X for a U that begins with these 16 bits; more are revealed if needed."""
        x = (self._cells or self.cells())[cell]  # proof: cell
        if x != UNDECIDED:
            return x  # proof: sure
        return LazyUniform(cell, CELL_BITS).locate(self.decide)  # proof: refine

    def further(self, cells: list[int]) -> list[int]:
        """`continued` for cells that do not decide, by one request for all."""
        rows = random_rows(BEHIND_CELL, len(cells))  # proof: rows
        assert rows is not None  # nobody asks for this where bits come singly
        drawn = []
        for cell, (high, low) in zip(cells, rows, strict=True):
            prefix = (cell << 16 | high) << 32 | low  # proof: joined
            x = self.decide(prefix, 64)  # proof: most
            if x is None:
                x = LazyUniform(prefix, 64).locate(self.decide)  # proof: some
            drawn.append(x)
        return drawn

    def samples(self, count: int) -> list[int]:
        """Draw X for each of a few, with one request for the first bits of all."""
        first = random_parts(Struct(f">{count}H"))  # proof: all
        if first is None:
            return [self.sample() for _ in range(count)]  # proof: singly
        cells = self._cells or self.cells()
        drawn = [cells[cell] for cell in first]  # proof: look-up
        if UNDECIDED not in drawn:
            return drawn  # proof: all-sure
        pairs = zip(first, drawn, strict=True)
        return [self.continued(c) if x == UNDECIDED else x for c, x in pairs]
