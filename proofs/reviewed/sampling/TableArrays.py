# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/TableArrays; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk:TableArrays ===

from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.table import CELL_BITS
from opendp_lite.sampling.table import Table
import attrs
import numpy as np

_UNDECIDED = -1
_MOST_SHORT = 2**15 - 1
_U64 = np.uint64
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.table.CELL_BITS = 16

@attrs.frozen(eq=False)
class TableArrays:
    table: Table
    below: Array
    above: Array
    cells: Array

    @classmethod
    def of(cls, table: Table) -> TableArrays:
        lower, upper = table.bounds(64)
        count = sum(x < 1 << 64 for x in upper)
        below = np.array([*lower[: count + 1], 0], dtype=_U64)
        above = np.array(upper[:count], dtype=_U64)
        start = np.arange(1 << CELL_BITS, dtype=_U64) << _U64(64 - CELL_BITS)
        end = start + _U64((1 << 64 - CELL_BITS) - 1)
        k, certain = _decide(below, above, start, end)
        certain &= k <= _MOST_SHORT
        return cls(
            table,
            below,
            above,
            np.where(certain, k, _UNDECIDED).astype(np.int16),
        )

    def draw(self, bits: LaneBits, lanes: Lanes, cell: Array) -> Array:
        k = self.cells.take(cell, mode="wrap")
        rest = np.flatnonzero(k < 0)
        if rest.size == 0:
            return k
        found = self.draw_longer(bits, lanes[rest], cell[rest])
        if int(found.max()) > _MOST_SHORT:
            k = k.astype(np.int64)
        k[rest] = found
        return k

    def draw_longer(self, bits: LaneBits, lanes: Lanes, cell: Array) -> Array:
        prefix = bits.integers(lanes, 64 - CELL_BITS).astype(_U64)
        prefix |= cell.astype(_U64) << _U64(64 - CELL_BITS)
        k, certain = _decide(self.below, self.above, prefix, prefix)
        for i in np.flatnonzero(~certain):
            with bits.lane(lanes[i]):
                u = LazyUniform(int(prefix[i]), 64)
                k[i] = u.locate(self.table.decide)
        return k


# === opendp_lite.sampling.bulk:_decide ===

from opendp_lite.sampling.lanes import Array
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def _decide(
    below: Array, above: Array, first: Array, last: Array
) -> tuple[Array, Array]:
    k = np.searchsorted(above, first, side="right")
    return k, last < below[k]


# === opendp_lite.sampling.bulk:table_arrays ===

from functools import lru_cache
from opendp_lite.sampling.table import Table

@lru_cache(maxsize=32)
def table_arrays(table: Table) -> TableArrays:
    return TableArrays.of(table)


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
