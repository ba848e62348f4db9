# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.discrete; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import cache
from gmpy2 import mpq
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.laws.noise import Law
from opendp_lite.randomness.blocks import Blocks
from opendp_lite.randomness.blocks import TEST_BITS
from opendp_lite.randomness.blocks import blocks
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.entropy import random_rows
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lanes import FEW_CELLS
from opendp_lite.randomness.lanes import FEW_TRIALS
from opendp_lite.randomness.lanes import is_bulk
from opendp_lite.randomness.lanes import is_short
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS
from opendp_lite.randomness.table import Table
from operator import add
from operator import index
from struct import Struct
from typing import Any

_BLOCKS_PER_SCALE = 32
_LEAST_IN_BLOCKS = 128
opendp_lite.randomness.lanes.FEW_CELLS = 160
opendp_lite.randomness.lanes.FEW_TRIALS = 96
opendp_lite.randomness.blocks.TEST_BITS = 15
_HEAD_BITS = CELL_BITS + 1 + TEST_BITS
opendp_lite.randomness.table.CELL_BITS = 16
opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
_TEST_MASK = (1 << TEST_BITS) - 1


# === DiscreteNoise.__init__ with mpq, exponent_at_least, power_of_two, Law, Blocks,
#    blocks, Table, _BLOCKS_PER_SCALE, _LEAST_IN_BLOCKS
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
        if scale < _LEAST_IN_BLOCKS:
            self.table = Table(law.rate(scale), law.power, law.sides)
        else:
            per_scale = mpq(_BLOCKS_PER_SCALE)
            self.bits = -exponent_at_least(per_scale / scale)
            rate = law.rate(scale / power_of_two(self.bits))
            self.blocks = blocks(rate, law.power)


# === DiscreteNoise.few with FEW_CELLS, FEW_TRIALS,
#    opendp_lite.randomness.lanes.FEW_CELLS, opendp_lite.randomness.lanes.FEW_TRIALS
class DiscreteNoise:
    @property
    def few(self) -> int:
        return FEW_TRIALS if self.table is None else FEW_CELLS


# === DiscreteNoise.sample
class DiscreteNoise:
    def sample(self) -> int:
        if self.table is not None:
            return self.table.sample()
        if self.blocks is None:
            return 0
        while (x := self.trial(self.blocks)) is None:
            pass
        return x


# === DiscreteNoise.samples with TEST_BITS, random_rows, CELL_BITS, Struct,
#    opendp_lite.randomness.blocks.TEST_BITS, _HEAD_BITS,
#    opendp_lite.randomness.table.CELL_BITS
class DiscreteNoise:
    def samples(self, count: int) -> list[int]:
        if self.table is not None:
            return self.table.samples(count)
        size = _HEAD_BITS + self.bits
        layout = Struct(f">{size + 7 >> 3}s")
        rows = random_rows(layout, count) if self.blocks else None
        if rows is None:
            return [self.sample() for _ in range(count)]
        unused = -size & 7
        words = (int.from_bytes(row, "big") >> unused for (row,) in rows)
        return [self.continued(word) for word in words]


# === DiscreteNoise.continued
class DiscreteNoise:
    def continued(self, word: int) -> int:
        assert self.blocks is not None
        x = self.trial(self.blocks, word)
        return self.sample() if x is None else x


# === DiscreteNoise.add_to_list with is_bulk, is_short, add, index, Any
class DiscreteNoise:
    def add_to_list(self, values: list[Any]) -> list[int]:
        sums: list[int]
        if self.table is not None and is_short(len(values)):
            sums = _bulk().add_short_to_list(self.table, values)
        elif is_bulk(len(values), self.few):
            sums = _bulk().add_discrete_to_list(self, values)
        else:
            drawn = self.samples(len(values))
            sums = list(map(add, map(index, values), drawn))
        return sums


# === DiscreteNoise.add with Array, is_short, opendp_lite.randomness.lanes.Array
class DiscreteNoise:
    def add(self, values: Array) -> Array:
        sums: Array
        if self.table is not None and is_short(values.size):
            sums = _bulk().add_short(self.table, values)
        else:
            sums = _bulk().add_discrete(self, values)
        return sums


# === DiscreteNoise.add_on_grid with Array, opendp_lite.randomness.lanes.Array
class DiscreteNoise:
    def add_on_grid(self, values: Array, k: int) -> Array:
        from opendp_lite.randomness.bulk_discrete import add_on_grid

        return add_on_grid(self, values, k)


# === DiscreteNoise.trial with Blocks, TEST_BITS, granularity, random_bits, LazyUniform,
#    CELL_BITS, opendp_lite.randomness.blocks.TEST_BITS, _HEAD_BITS, _TEST_MASK,
#    opendp_lite.randomness.table.CELL_BITS
class DiscreteNoise:
    def trial(self, blocks: Blocks, word: int | None = None) -> int | None:
        bits, signs = self.bits, self.law.sides - 1
        if granularity() > 1:
            if word is None:
                word = random_bits(_HEAD_BITS + bits)
            head = word >> bits
            low = word - (head << bits)
            negative, start = head >> TEST_BITS & signs, head & _TEST_MASK
            cell = head >> TEST_BITS + 1
            cells, quick = blocks.sure
            y = cells[cell]
            if y >= 0 and start < quick[y]:
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


# === _bulk with cache, Any
@cache
def _bulk() -> Any:
    from opendp_lite.randomness import bulk_discrete

    return bulk_discrete
