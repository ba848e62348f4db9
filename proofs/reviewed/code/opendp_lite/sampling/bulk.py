# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.bulk; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import lru_cache
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.blocks import Blocks
from opendp_lite.sampling.entropy import bulk
from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.table import CELL_BITS
from opendp_lite.sampling.table import Table
from typing import TypeAlias
import attrs
import numpy as np

_UNDECIDED = -1
_MOST_SHORT = 2**15 - 1
_U64 = np.uint64
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.table.CELL_BITS = 16
MOST_BLOCKS = 1 << 14
QUICK_BITS = 16
Step: TypeAlias = "Callable[[LaneBits, slice | Lanes, Lanes], Array]"
CHUNK = 1 << 17
_FEW = 8


# === TableArrays with Array, LaneBits, Lanes, LazyUniform, CELL_BITS, Table, attrs, np,
#    _UNDECIDED, _MOST_SHORT, _U64, opendp_lite.sampling.lanes.Array,
#    opendp_lite.sampling.lanes.Lanes, opendp_lite.sampling.table.CELL_BITS
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


# === BlockArrays with to_double, Blocks, Array, attrs, np, MOST_BLOCKS, QUICK_BITS,
#    _UNDECIDED, opendp_lite.sampling.lanes.Array
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


# === BlockArrays.losses with Blocks, Array, attrs, np, MOST_BLOCKS,
#    opendp_lite.sampling.lanes.Array
@attrs.frozen(eq=False)
class BlockArrays:
    blocks: Blocks
    rate: float
    def losses(self, y: Array, place: Array) -> Array:
        loss = self.rate * place
        if self.blocks.power == 2:
            loss *= 2.0 * y + place
        return np.where(y < MOST_BLOCKS, loss, np.inf)


# === table_arrays with lru_cache, Table
@lru_cache(maxsize=32)
def table_arrays(table: Table) -> TableArrays:
    return TableArrays.of(table)


# === block_arrays with lru_cache, Blocks
@lru_cache(maxsize=32)
def block_arrays(blocks: Blocks) -> BlockArrays:
    return BlockArrays.of(blocks)


# === certain_exp with Array, np, opendp_lite.sampling.lanes.Array
def certain_exp(prefix: Array, loss: Array) -> tuple[Array, Array]:
    with np.errstate(under="ignore"):
        p = np.exp(-loss)
        slack = p * 2.0**-36 + 2.0**-50
    u = prefix * 2.0**-64
    known = loss < 2.0**10
    below = known & (u < p - slack)
    above = known & (u > p + slack)
    return below, above


# === check_array with Array, opendp_lite.sampling.lanes.Array
def check_array(values: Array, *types: type) -> None:
    if values.ndim != 1 or values.dtype not in types:
        names = " or ".join(each.__name__ for each in types)
        raise ValueError(f"values must be a one-dimensional array of {names}")


# === run_lanes with bulk, LaneBits, TypeAlias, Step
def run_lanes(count: int, step: Step) -> None:
    with bulk() as stream:
        run_lanes_on(LaneBits(stream), count, step)


# === run_lanes_on with LaneBits, TypeAlias, np, CHUNK, Step
def run_lanes_on(bits: LaneBits, count: int, step: Step) -> None:
    again = []
    first = np.arange(min(CHUNK, count))
    for start in range(0, count, CHUNK):
        where = slice(start, min(start + CHUNK, count))
        lanes = first[: where.stop - start] + start
        again.append(lanes[step(bits, where, lanes)])
    while again:
        pending = np.concatenate(again)
        again = []
        for start in range(0, pending.size, CHUNK):
            lanes = pending[start : start + CHUNK]
            again.append(lanes[step(bits, lanes, lanes)])


# === _decide with Array, np, opendp_lite.sampling.lanes.Array
def _decide(
    below: Array, above: Array, first: Array, last: Array
) -> tuple[Array, Array]:
    k = np.searchsorted(above, first, side="right")
    return k, last < below[k]


# === is_bulk with granularity, _FEW
def is_bulk(count: int) -> bool:
    return count >= _FEW and granularity() > 1
