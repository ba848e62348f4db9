# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/BlockArrays; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk:BlockArrays ===

from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.blocks import Blocks
from opendp_lite.sampling.lanes import Array
import attrs
import numpy as np

MOST_BLOCKS = 1 << 14
QUICK_BITS = 16
_UNDECIDED = -1
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

@attrs.frozen(eq=False)
class BlockArrays:
    blocks: Blocks
    table: TableArrays
    quick: Array
    entries: Array
    rate: float

    @classmethod
    def of(cls, blocks: Blocks) -> BlockArrays:
        table = TableArrays.of(blocks.table)
        quick = np.array([*blocks.quick, 0], dtype=np.uint16)
        y = table.cells.astype(np.int32)
        known = (y >= 0) & (y < MOST_BLOCKS)
        entries = y << QUICK_BITS | quick.take(y, mode="clip")
        entries[~known] = _UNDECIDED << QUICK_BITS
        return cls(blocks, table, quick, entries, to_double(blocks.rate))

    def quick_at(self, y: Array) -> Array:
        return self.quick.take(y, mode="clip")

    def losses(self, y: Array, place: Array) -> Array:
        loss = self.rate * place
        if self.blocks.power == 2:
            loss *= 2.0 * y + place
        return np.where(y < MOST_BLOCKS, loss, np.inf)


# === opendp_lite.sampling.bulk:block_arrays ===

from functools import lru_cache
from opendp_lite.sampling.blocks import Blocks

@lru_cache(maxsize=32)
def block_arrays(blocks: Blocks) -> BlockArrays:
    return BlockArrays.of(blocks)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:divide_to_double ===

import sys

def divide_to_double(n: int, d: int) -> float:
    try:
        nearest = n / d
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max
    return nearest + 0.0
