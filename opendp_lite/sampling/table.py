"""Integers drawn from a table of their cumulative probabilities, exactly.

Let F_k be the probability of {0, ..., k}. Then X = #{k : F_k <= U} has this law for a
uniform U. The table holds integers around 2^p F_k; a cell of U that none of these
intervals touches is decided, and for the others more bits are revealed and, in the
end, a finer table is made.
"""

from __future__ import annotations

from bisect import bisect_right
from struct import Struct

from gmpy2 import mpq

from opendp_lite.sampling.entropy import random_parts
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.weights import Weights, enclose_weights

__all__ = ["CELL", "CELL_BITS", "Table"]

_GUARD = 64

CELL_BITS = 16
"""How many bits of U are read at once."""

CELL = Struct(">H")
"""The layout of these bits."""


class Table:
    """P(X = k) proportional to w_k, where w_j = e^(-rate j^power) for j = 0, 1, 2, ...

    With `sides` = 1 these are the weights in turn. With `sides` = 2 all but the first
    come twice: w_0, w_1, w_1, w_2, w_2, ... The power is 1 or 2, and the
    rate at least 2^-16.

    >>> Table(mpq(1), 1, 1).sample() >= 0
    True
    """

    __slots__ = ("_borders", "_bounds", "power", "rate", "sides")

    def __init__(self, rate: mpq, power: int, sides: int) -> None:
        self.rate = rate
        self.power = power
        self.sides = sides
        self._bounds: dict[int, tuple[list[int], list[int]]] = {}
        self._borders: tuple[list[int], list[int]] | None = None

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

    def decide(self, prefix: int, length: int) -> int | None:
        """X, where it is the same for every U in [w/2^n, (w+1)/2^n), else None.

        Here w is `prefix` and n is `length`. A cell beyond the listed k is not decided.
        """
        precision = max(64, -(-length // 64) * 64)  # proof: precision
        shift = precision - length
        below, above = self.bounds(precision)
        k = bisect_right(above, prefix << shift)  # proof: passed
        if k < len(below) and (prefix + 1) << shift <= below[k]:  # proof: ahead
            return k
        return None

    def borders(self) -> tuple[list[int], list[int]]:
        """For each k two numbers of cells of 16 bits.

        Every U in a cell has F_k <= U from the first on, and U < F_k before the second.
        A second of 0, which no cell is before, stands behind the last k.
        """
        if self._borders is None:
            below, above = self.bounds(64)
            shift = 64 - CELL_BITS
            passed = [-(-x >> shift) for x in above]  # proof: passed-from
            self._borders = passed, [*(x >> shift for x in below), 0]  # proof: ahead-to
        return self._borders  # proof: made-once

    def sample(self) -> int:
        """Draw X."""
        parts = random_parts(CELL)  # proof: draw
        if parts is None:
            return LazyUniform().locate(self.decide)  # proof: bit-by-bit
        return self.continued(parts[0])  # proof: go-on

    def continued(self, cell: int) -> int:
        """X for a U that begins with these 16 bits; more are revealed if needed."""
        passed, ahead = self._borders or self.borders()
        k = bisect_right(passed, cell)  # proof: cell
        if cell < ahead[k]:  # proof: sure
            return k
        return LazyUniform(cell, CELL_BITS).locate(self.decide)  # proof: refine
