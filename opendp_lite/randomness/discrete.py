"""Integer noise: discrete Laplace, discrete Gaussian and geometric variables.

Noise of a small scale comes from one table, all other is proposed by blocks. One number
is drawn here; arrays are in `opendp_lite.randomness.bulk_discrete`, by the same
rules.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import add, index
from struct import Struct
from typing import Any

from gmpy2 import mpq

from opendp_lite.exact.grids import exponent_at_least, power_of_two
from opendp_lite.laws.noise import Law
from opendp_lite.randomness.blocks import TEST_BITS, Blocks, blocks
from opendp_lite.randomness.entropy import granularity, random_bits, random_rows
from opendp_lite.randomness.lanes import FEW_CELLS, FEW_TRIALS, Array, is_bulk, is_short
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS, Table

_BLOCKS_PER_SCALE = 32
_LEAST_IN_BLOCKS = 128  # of a larger scale a table would take long to make
_HEAD_BITS = CELL_BITS + 1 + TEST_BITS  # of the block, the sign and the test
_TEST_MASK = (1 << TEST_BITS) - 1


class DiscreteNoise:
    """P(X = x) proportional to e^(-rate |x|^power) for integers x, 0 at scale 0.

    Where scale >= 128, a block is 2^b integers with 32 <= scale/2^b < 64. The block y,
    or -1 - y with a fair sign where there are two sides, is the integers
    y 2^b + low with 0 <= low < 2^b; those of the latter are 2^b - low behind
    the lower end of block y in size, that is in it or at its upper end.

    >>> from opendp_lite.laws.noise import GEOMETRIC, LAPLACE
    >>> discrete_noise(LAPLACE, mpq(0)).sample()
    0
    >>> discrete_noise(GEOMETRIC, mpq(10**30)).sample() >= 0
    True
    """

    __slots__ = ("bits", "blocks", "law", "scale", "table")

    def __init__(self, law: Law, scale: mpq) -> None:
        if scale < 0:  # proof: range
            raise ValueError(f"scale must be non-negative, got {scale}")
        self.law = law
        self.scale = scale
        self.bits = 0
        self.table: Table | None = None
        self.blocks: Blocks | None = None
        if scale == 0:  # proof: zero
            return
        if scale < _LEAST_IN_BLOCKS:  # proof: small
            self.table = Table(law.rate(scale), law.power, law.sides)
        else:
            per_scale = mpq(_BLOCKS_PER_SCALE)
            self.bits = -exponent_at_least(per_scale / scale)  # proof: bits
            rate = law.rate(scale / power_of_two(self.bits))  # proof: unit
            self.blocks = blocks(rate, law.power)

    @property
    def few(self) -> int:
        """From how many on an array takes less time than as many single draws."""
        return FEW_TRIALS if self.table is None else FEW_CELLS  # proof: few

    def sample(self) -> int:
        """Draw X."""
        if self.table is not None:
            return self.table.sample()  # proof: table
        if self.blocks is None:  # proof: none
            return 0
        while (x := self.trial(self.blocks)) is None:  # proof: repeat
            pass
        return x

    def samples(self, count: int) -> list[int]:
        """Draw X for each of a few, with one request for the first bits of all."""
        if self.table is not None:
            return self.table.samples(count)  # proof: tables
        size = _HEAD_BITS + self.bits  # of a word of `trial`
        layout = Struct(f">{size + 7 >> 3}s")
        rows = random_rows(layout, count) if self.blocks else None  # proof: rows
        if rows is None:
            return [self.sample() for _ in range(count)]  # proof: singly
        unused = -size & 7
        words = (int.from_bytes(row, "big") >> unused for (row,) in rows)
        return [self.continued(word) for word in words]  # proof: words

    def continued(self, word: int) -> int:
        """X by blocks, where the first bits of a trial are known."""
        assert self.blocks is not None
        x = self.trial(self.blocks, word)  # proof: word-known
        return self.sample() if x is None else x  # proof: rejected

    def add_to_list(self, values: list[Any]) -> list[int]:
        """x + X for each x of a list of integers, exactly.

        >>> from opendp_lite.laws.noise import LAPLACE
        >>> discrete_noise(LAPLACE, mpq(0)).add_to_list([2**70, -1])
        [1180591620717411303424, -1]
        """
        sums: list[int]
        if self.table is not None and is_short(len(values)):
            sums = _bulk().add_short_to_list(self.table, values)  # proof: short-list
        elif is_bulk(len(values), self.few):
            sums = _bulk().add_discrete_to_list(self, values)  # proof: bulk-list
        else:
            drawn = self.samples(len(values))
            sums = list(map(add, map(index, values), drawn))  # proof: list
        return sums

    def add(self, values: Array) -> Array:
        """x + X for each x of an int64 array, saturated at the ends of int64.

        >>> import numpy as np
        >>> from opendp_lite.laws.noise import LAPLACE
        >>> discrete_noise(LAPLACE, mpq(0)).add(np.array([2**62, -1]))
        array([4611686018427387904,                  -1])
        """
        sums: Array
        if self.table is not None and is_short(values.size):
            sums = _bulk().add_short(self.table, values)  # proof: short
        else:
            sums = _bulk().add_discrete(self, values)  # proof: bulk
        return sums

    def add_on_grid(self, values: Array, k: int) -> Array:
        """(floor(x/2^k + 1/2) + X) 2^k for each x of an int64 or float64 array.

        >>> import numpy as np
        >>> from opendp_lite.laws.noise import LAPLACE
        >>> discrete_noise(LAPLACE, mpq(0)).add_on_grid(np.array([0.3, 2.5]), 0)
        array([0., 3.])
        """
        from opendp_lite.randomness.bulk_discrete import add_on_grid

        return add_on_grid(self, values, k)  # proof: bulk-grid

    def trial(self, blocks: Blocks, word: int | None = None) -> int | None:
        """Propose an integer, and return it if it is accepted.

        `word` is the first bits of the trial, if they have been read already.
        """
        bits, signs = self.bits, self.law.sides - 1
        if granularity() > 1:
            if word is None:
                word = random_bits(_HEAD_BITS + bits)  # proof: word
            head = word >> bits  # proof: head
            low = word - (head << bits)  # proof: low
            negative, start = head >> TEST_BITS & signs, head & _TEST_MASK
            cell = head >> TEST_BITS + 1  # proof: cell
            cells, quick = blocks.sure
            y = cells[cell]
            if y >= 0 and start < quick[y]:  # proof: at-once
                return ((y ^ -negative) << bits) + low
            y = blocks.table.continued(cell)  # proof: block
            accepted = blocks.accepts_quickly(y, start)  # proof: quick
            test = LazyUniform(start, TEST_BITS)  # proof: test
        else:
            y = blocks.table.sample()  # proof: block-bits
            negative, low = random_bits(1) & signs, random_bits(bits)
            accepted, test = False, LazyUniform()
        if not accepted:
            place = (1 << bits) - low if negative else low  # proof: place
            accepted = blocks.accepts(y, place, bits, test)  # proof: accept
        x = ((y ^ -negative) << bits) + low  # proof: value
        return x if accepted else None  # proof: release


@cache
def _bulk() -> Any:
    """The module for arrays, which needs numpy; to import it anew takes longer."""
    from opendp_lite.randomness import bulk_discrete

    return bulk_discrete  # proof: loaded


@lru_cache(maxsize=64)
def discrete_noise(law: Law, scale: mpq) -> DiscreteNoise:
    """Return integer noise of a law and a scale, made once."""
    return DiscreteNoise(law, scale)
