"""Whole arrays of noise, coins and integers: the samplers of one number, many lanes.

Each lane does what the samplers of one number do, on bits of its own
(`opendp_lite.randomness.lanes`). Tables, integers and floating-point numbers decide
almost all lanes. Where they cannot, the sampler of one number goes on with the bits
that the lane has read, so that an array has exactly the law of numbers drawn one by
one.

A float decides only where it is certain: numpy's exp is trusted to a relative
error of 2^-40, and a comparison with it must be clear by 2^-36 of it and 2^-50.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from struct import Struct, error
from typing import Any, TypeAlias

import attrs
import numpy as np

from opendp_lite.exact.rounding import to_double
from opendp_lite.randomness.blocks import Blocks
from opendp_lite.randomness.entropy import bulk, random_parts
from opendp_lite.randomness.lanes import Array, LaneBits, Lanes
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import BEHIND_CELL, CELL_BITS, UNDECIDED, Table

CHUNK = 1 << 17
"""How many lanes are drawn together."""

MOST_BLOCKS = 1 << 14
"""From this block on, no float decides anything."""

FEW_LANES = 8
"""Fewer lanes that are not decided at once go on alone: this takes less time."""

QUICK_BITS = 16
"""How many bits a quick test has in an entry of `BlockArrays`."""

_FIRST = np.arange(CHUNK)
_FIRST.setflags(write=False)  # one for all calls
_U64 = np.uint64
_UNDECIDED = np.array(UNDECIDED, dtype=np.int16)


@attrs.frozen(eq=False)
class TableArrays:
    """A `Table` of 64 bits for arrays.

    `below[k]` <= 2^64 F_k <= `above[k]`, as far as 64 bits hold them. `cells` are those
    of the table.
    """

    table: Table
    below: Array
    above: Array
    cells: Array

    @classmethod
    def of(cls, table: Table) -> TableArrays:
        """The arrays of a table."""
        lower, upper = table.bounds(64)
        # An upper bound of 2^64 is never passed, and no array of 64 bits can hold it.
        count = sum(x < 1 << 64 for x in upper)  # proof: representable
        below = np.array([*lower[: count + 1], 0], dtype=_U64)  # proof: below
        above = np.array(upper[:count], dtype=_U64)
        cells = np.frombuffer(table.cells(), dtype=np.int16)  # proof: cells
        return cls(table, below, above, cells)

    def draw(self, bits: LaneBits, lanes: Lanes, cell: Array) -> Array:
        """X of each lane, whose U begins with the 16 bits `cell`."""
        # Nothing is out of range, so nothing wraps; this mode is the fastest.
        x = self.cells.take(cell, mode="wrap")  # proof: level-1
        (rest,) = (x == _UNDECIDED).nonzero()
        if rest.size < FEW_LANES:
            if rest.size:
                few = self.draw_few(bits, lanes[rest].tolist(), cell[rest].tolist())
                for i, one in zip(rest.tolist(), few, strict=True):  # proof: singly
                    if abs(one) >= -UNDECIDED:
                        x = x.astype(np.int64)  # proof: wide
                    x[i] = one  # proof: placed
            return x
        found = self.draw_longer(bits, lanes[rest], cell[rest])  # proof: rest
        if int(np.abs(found).max()) >= -UNDECIDED:
            x = x.astype(np.int64)  # proof: long
        x[rest] = found  # proof: level-2
        return x

    def draw_few(self, bits: LaneBits, lanes: list[int], cells: list[int]) -> list[int]:
        """`draw_longer` of a few, by one request for the 48 bits of all."""
        below, above = self.table.bounds(64)
        count, drawn = len(below), []
        rows = bits.rows(lanes, BEHIND_CELL)  # proof: rows
        for lane, cell, (high, low) in zip(lanes, cells, rows, strict=True):
            prefix = (cell << 16 | high) << 32 | low  # proof: joined
            k = bisect_right(above, prefix)  # proof: few-passed
            if k < count and prefix < below[k]:  # proof: few-ahead
                x = self._number(k)
            else:
                with bits.lane(lane):
                    u = LazyUniform(prefix, 64)
                    x = u.locate(self.table.decide)  # proof: few-longer
            drawn.append(x)
        return drawn

    def draw_longer(self, bits: LaneBits, lanes: Lanes, cell: Array) -> Array:
        """`draw`, but 48 bits more of each U are read first."""
        if len(lanes) < FEW_LANES:
            few = self.draw_few(bits, lanes.tolist(), cell.tolist())  # proof: few
            return np.array(few, dtype=np.int64)
        prefix = bits.integers(lanes, 64 - CELL_BITS).astype(_U64)
        prefix |= cell.astype(_U64) << _U64(64 - CELL_BITS)  # proof: prefix
        k = np.searchsorted(self.above, prefix, side="right")  # proof: passed
        certain = prefix < self.below[k]  # proof: ahead
        x: Array = self._number(k)
        for i in (~certain).nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                u = LazyUniform(int(prefix[i]), 64)
                x[i] = u.locate(self.table.decide)  # proof: level-3
        return x

    def samples(self, count: int) -> Array:
        """Draw X for each of a few, with one request for the first bits of all."""
        parts = random_parts(Struct(f">{2 * count}s"))  # proof: request
        assert parts is not None  # no array is drawn bit by bit
        cell = np.frombuffer(parts[0], ">u2")  # proof: first
        x = self.cells.take(cell, mode="wrap")  # proof: looked-up
        (rest,) = (x == _UNDECIDED).nonzero()
        if rest.size:
            x = x.astype(np.int64)  # proof: widened
            x[rest] = self.table.further(cell[rest].tolist())  # proof: further
        return x

    def _number(self, k: Any) -> Any:
        """The integer, or the array of integers, whose number in the order is k."""
        return (k >> 1) ^ -(k & 1) if self.table.sides == 2 else k  # proof: number


@attrs.frozen(eq=False)
class BlockArrays:
    """The table and the quick tests of `Blocks` for arrays.

    `entries[c]` is y 2^16 + q where all U that begin with the 16 bits c have the block
    y < 2^14, whose quick test is q; it is -2^16 where that is not known.
    """

    blocks: Blocks
    table: TableArrays
    quick: Array
    entries: Array
    rate: float

    @classmethod
    def of(cls, blocks: Blocks) -> BlockArrays:
        """The arrays of blocks."""
        table = TableArrays.of(blocks.table)
        quick = np.array([*blocks.quick, 0], dtype=np.uint16)  # proof: quick
        y = table.cells.astype(np.int32)
        known = (y >= 0) & (y < MOST_BLOCKS)  # proof: known
        # One array, as looking up two takes twice as long.
        entries = y << QUICK_BITS | quick.take(y, mode="clip")  # proof: entries
        entries[~known] = -1 << QUICK_BITS  # proof: no-entry
        return cls(blocks, table, quick, entries, to_double(blocks.rate))

    def quick_at(self, y: Array) -> Array:
        """The quick tests of the blocks y."""
        return self.quick.take(y, mode="clip")  # proof: limit

    def losses(self, y: Array, place: Array) -> Array:
        """The loss at y + place, as doubles, for 0 <= place <= 1.

        It is right to a relative 2^-50 where `place` is exact. From the block 2^14 on,
        where no float decides, it is inf.
        """
        loss = self.rate * place  # proof: linear
        if self.blocks.power == 2:
            loss *= 2.0 * y + place  # proof: square
        return np.where(y < MOST_BLOCKS, loss, np.inf)  # proof: few


@lru_cache(maxsize=32)
def table_arrays(table: Table) -> TableArrays:
    """Return the arrays of a table, made once."""
    return TableArrays.of(table)


@lru_cache(maxsize=32)
def block_arrays(blocks: Blocks) -> BlockArrays:
    """Return the arrays of blocks, made once."""
    return BlockArrays.of(blocks)


def certain_exp(prefix: Array, loss: Array) -> tuple[Array, Array]:
    """Return where U < e^(-loss) is certain, and where U >= e^(-loss) is.

    `prefix` is the first 64 bits of U, as uint64; `loss` is nonnegative, and off by at
    most 2^-48 (1 + loss). Where it is 2^10 or more, nothing is certain.
    """
    with np.errstate(under="ignore"):
        p = np.exp(-loss)  # proof: exp
        slack = p * 2.0**-36 + 2.0**-50  # proof: slack
    u = prefix * 2.0**-64  # proof: u
    known = loss < 2.0**10  # proof: known
    below = known & (u < p - slack)  # proof: below
    above = known & (u > p + slack)  # proof: above
    return below, above


def check_array(values: Array, *types: type) -> None:
    """Refuse what is no one-dimensional array of one of these types."""
    if values.ndim != 1 or values.dtype not in types:  # proof: refused
        names = " or ".join(each.__name__ for each in types)
        raise ValueError(f"values must be a one-dimensional array of {names}")


def joined(
    rest: Array, cell: Array, head: Array, low: Array, bits: int
) -> dict[int, int]:
    """Return the words that the lanes at some indices have read: cell, head, `low`."""
    parts = [each[rest].tolist() for each in (cell, head, low)]
    rows = zip(rest.tolist(), *parts, strict=True)
    return {i: (c << 16 | h) << bits | r for i, c, h, r in rows}  # proof: joined


def listed(values: list[Any], code: str) -> Array:
    """Return the array of a list of floats, code "d", or of integers; read only.

    Integers are of int64, code "q", or of int32, "i"; one beyond raises OverflowError.
    """
    try:
        # The function `pack` would copy the list once more, behind the format.
        packed = Struct(f"={len(values)}{code}").pack(*values)  # proof: packed
    except error:
        raise OverflowError from None  # proof: beyond
    return np.frombuffer(packed, f"={code}")  # proof: array


Step: TypeAlias = "Callable[[LaneBits, slice | Lanes, Lanes], Array]"


def run_lanes(count: int, step: Step) -> None:
    """Call `step` for all lanes in parts, and again for those that it rejects.

    `step(bits, where, lanes)` draws the lanes and returns the indices of the rejected
    among them; `where` selects the same lanes, by a slice if it can.
    """
    with bulk() as stream:
        run_lanes_on(LaneBits(stream), count, step)


def run_lanes_on(bits: LaneBits, count: int, step: Step) -> None:
    """Do what `run_lanes` does, with the given bits."""
    again = []
    if count:
        # Most often these are all, and the time that a loop takes counts.
        lanes = _FIRST[: min(count, CHUNK)]
        rejected = step(bits, slice(0, lanes.size), lanes)  # proof: first
        if rejected.size:
            again.append(lanes[rejected])  # proof: collected
    for start in range(CHUNK, count, CHUNK):
        where = slice(start, min(start + CHUNK, count))
        # A sum is made faster than a new range.
        lanes = _FIRST[: where.stop - start] + start  # proof: lanes
        rejected = step(bits, where, lanes)  # proof: next
        if rejected.size:
            again.append(lanes[rejected])  # proof: more
    while again:
        pending = np.concatenate(again)  # proof: pending
        again = []
        for start in range(0, pending.size, CHUNK):
            lanes = pending[start : start + CHUNK]
            rejected = step(bits, lanes, lanes)  # proof: again
            if rejected.size:
                again.append(lanes[rejected])  # proof: still
