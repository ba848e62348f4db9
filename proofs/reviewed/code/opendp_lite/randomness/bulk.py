# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.bulk; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from bisect import bisect_right
from functools import lru_cache
from opendp_lite.exact.rounding import to_double
from opendp_lite.randomness.blocks import Blocks
from opendp_lite.randomness.entropy import bulk
from opendp_lite.randomness.entropy import random_parts
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lanes import LaneBits
from opendp_lite.randomness.lanes import Lanes
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import BEHIND_CELL
from opendp_lite.randomness.table import CELL_BITS
from opendp_lite.randomness.table import Table
from opendp_lite.randomness.table import UNDECIDED
from struct import Struct
from struct import error
from typing import Any
from typing import TypeAlias
import attrs
import numpy as np

FEW_LANES = 8
_U64 = np.uint64
_UNDECIDED = np.array(UNDECIDED, dtype=np.int16)
opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.table.CELL_BITS = 16
opendp_lite.randomness.table.UNDECIDED = -2 ** 15
opendp_lite.randomness.table.BEHIND_CELL = struct.Struct('>HI')
MOST_BLOCKS = 1 << 14
QUICK_BITS = 16
Step: TypeAlias = "Callable[[LaneBits, slice | Lanes, Lanes], Array]"
CHUNK = 1 << 17
_FIRST = np.arange(CHUNK)
_FIRST.setflags(write=False)


# === TableArrays with bisect_right, random_parts, Array, LaneBits, Lanes, LazyUniform,
#    BEHIND_CELL, CELL_BITS, Table, UNDECIDED, Struct, Any, attrs, np, FEW_LANES, _U64,
#    _UNDECIDED, opendp_lite.randomness.lanes.Array, opendp_lite.randomness.lanes.Lanes,
#    opendp_lite.randomness.table.CELL_BITS, opendp_lite.randomness.table.UNDECIDED,
#    opendp_lite.randomness.table.BEHIND_CELL
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
        cells = np.frombuffer(table.cells(), dtype=np.int16)
        return cls(table, below, above, cells)

    def draw(self, bits: LaneBits, lanes: Lanes, cell: Array) -> Array:
        x = self.cells.take(cell, mode="wrap")
        (rest,) = (x == _UNDECIDED).nonzero()
        if rest.size < FEW_LANES:
            if rest.size:
                few = self.draw_few(bits, lanes[rest].tolist(), cell[rest].tolist())
                for i, one in zip(rest.tolist(), few, strict=True):
                    if abs(one) >= -UNDECIDED:
                        x = x.astype(np.int64)
                    x[i] = one
            return x
        found = self.draw_longer(bits, lanes[rest], cell[rest])
        if int(np.abs(found).max()) >= -UNDECIDED:
            x = x.astype(np.int64)
        x[rest] = found
        return x

    def draw_few(self, bits: LaneBits, lanes: list[int], cells: list[int]) -> list[int]:
        below, above = self.table.bounds(64)
        count, drawn = len(below), []
        rows = bits.rows(lanes, BEHIND_CELL)
        for lane, cell, (high, low) in zip(lanes, cells, rows, strict=True):
            prefix = (cell << 16 | high) << 32 | low
            k = bisect_right(above, prefix)
            if k < count and prefix < below[k]:
                x = self._number(k)
            else:
                with bits.lane(lane):
                    u = LazyUniform(prefix, 64)
                    x = u.locate(self.table.decide)
            drawn.append(x)
        return drawn

    def draw_longer(self, bits: LaneBits, lanes: Lanes, cell: Array) -> Array:
        if len(lanes) < FEW_LANES:
            few = self.draw_few(bits, lanes.tolist(), cell.tolist())
            return np.array(few, dtype=np.int64)
        prefix = bits.integers(lanes, 64 - CELL_BITS).astype(_U64)
        prefix |= cell.astype(_U64) << _U64(64 - CELL_BITS)
        k = np.searchsorted(self.above, prefix, side="right")
        certain = prefix < self.below[k]
        x: Array = self._number(k)
        for i in (~certain).nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                u = LazyUniform(int(prefix[i]), 64)
                x[i] = u.locate(self.table.decide)
        return x

    def samples(self, count: int) -> Array:
        parts = random_parts(Struct(f">{2 * count}s"))
        assert parts is not None
        cell = np.frombuffer(parts[0], ">u2")
        x = self.cells.take(cell, mode="wrap")
        (rest,) = (x == _UNDECIDED).nonzero()
        if rest.size:
            x = x.astype(np.int64)
            x[rest] = self.table.further(cell[rest].tolist())
        return x

    def _number(self, k: Any) -> Any:
        return (k >> 1) ^ -(k & 1) if self.table.sides == 2 else k


# === BlockArrays with to_double, Blocks, Array, attrs, np, MOST_BLOCKS, QUICK_BITS,
#    opendp_lite.randomness.lanes.Array
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
        entries[~known] = -1 << QUICK_BITS
        return cls(blocks, table, quick, entries, to_double(blocks.rate))

    def quick_at(self, y: Array) -> Array:
        return self.quick.take(y, mode="clip")

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


# === certain_exp with Array, np, opendp_lite.randomness.lanes.Array
def certain_exp(prefix: Array, loss: Array) -> tuple[Array, Array]:
    with np.errstate(under="ignore"):
        p = np.exp(-loss)
        slack = p * 2.0**-36 + 2.0**-50
    u = prefix * 2.0**-64
    known = loss < 2.0**10
    below = known & (u < p - slack)
    above = known & (u > p + slack)
    return below, above


# === check_array with Array, opendp_lite.randomness.lanes.Array
def check_array(values: Array, *types: type) -> None:
    if values.ndim != 1 or values.dtype not in types:
        names = " or ".join(each.__name__ for each in types)
        raise ValueError(f"values must be a one-dimensional array of {names}")


# === joined with Array, opendp_lite.randomness.lanes.Array
def joined(
    rest: Array, cell: Array, head: Array, low: Array, bits: int
) -> dict[int, int]:
    parts = [each[rest].tolist() for each in (cell, head, low)]
    rows = zip(rest.tolist(), *parts, strict=True)
    return {i: (c << 16 | h) << bits | r for i, c, h, r in rows}


# === listed with Array, Struct, error, Any, np, opendp_lite.randomness.lanes.Array
def listed(values: list[Any], code: str) -> Array:
    try:
        packed = Struct(f"={len(values)}{code}").pack(*values)
    except error:
        raise OverflowError from None
    return np.frombuffer(packed, f"={code}")


# === run_lanes with bulk, LaneBits, TypeAlias, Step
def run_lanes(count: int, step: Step) -> None:
    with bulk() as stream:
        run_lanes_on(LaneBits(stream), count, step)


# === run_lanes_on with LaneBits, TypeAlias, np, CHUNK, _FIRST, _FIRST.setflags, Step
def run_lanes_on(bits: LaneBits, count: int, step: Step) -> None:
    again = []
    if count:
        lanes = _FIRST[: min(count, CHUNK)]
        rejected = step(bits, slice(0, lanes.size), lanes)
        if rejected.size:
            again.append(lanes[rejected])
    for start in range(CHUNK, count, CHUNK):
        where = slice(start, min(start + CHUNK, count))
        lanes = _FIRST[: where.stop - start] + start
        rejected = step(bits, where, lanes)
        if rejected.size:
            again.append(lanes[rejected])
    while again:
        pending = np.concatenate(again)
        again = []
        for start in range(0, pending.size, CHUNK):
            lanes = pending[start : start + CHUNK]
            rejected = step(bits, lanes, lanes)
            if rejected.size:
                again.append(lanes[rejected])
