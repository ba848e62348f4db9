"""Integer noise for whole arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from opendp_lite.sampling.blocks import TEST_BITS, Blocks
from opendp_lite.sampling.bulk import (
    MOST_BLOCKS,
    BlockArrays,
    block_arrays,
    certain_exp,
    check_array,
    is_bulk,
    run_lanes,
    table_arrays,
)
from opendp_lite.sampling.lanes import Array, LaneBits, Lanes
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.table import CELL_BITS

if TYPE_CHECKING:
    from opendp_lite.sampling.discrete import DiscreteNoise

__all__ = ["add_discrete", "draw_discrete", "saturated"]

_MOST_BITS = 47
_SHORT_BITS = 16  # int32 holds what is below 2^14 blocks of 2^16
_LEAST, _MOST = -(2**63), 2**63 - 1
_HALF = 2**62
_U64 = np.uint64
_NONE = np.empty(0, dtype=np.int64)


def draw_discrete(
    noise: DiscreteNoise, bits: LaneBits, lanes: Lanes
) -> tuple[Array, Array]:
    """X of each of the lanes, and the indices of those that are rejected.

    X is of an integer type and below 2^62 in size, or else Python integers are in it.
    """
    if noise.table is not None:
        cell = bits.integers(lanes, CELL_BITS)  # proof: table-cell
        k = table_arrays(noise.table).draw(bits, lanes, cell)  # proof: table
        x = (k >> 1) ^ -(k & 1) if noise.law.sides == 2 else k  # proof: signed
        return x, _NONE
    if noise.blocks is None:
        return np.zeros(len(lanes), dtype=np.int64), _NONE  # proof: zero
    if noise.bits > _MOST_BITS:
        return _one_by_one(noise, bits, lanes), _NONE  # proof: large
    return _trial(noise, block_arrays(noise.blocks), bits, lanes)  # proof: trial


def _one_by_one(noise: DiscreteNoise, bits: LaneBits, lanes: Lanes) -> Array:
    out = np.empty(len(lanes), dtype=object)
    for i, lane in enumerate(lanes):
        with bits.lane(lane):
            out[i] = noise.sample()  # proof: sample
    return out


def _trial(
    noise: DiscreteNoise, arrays: BlockArrays, bits: LaneBits, lanes: Lanes
) -> tuple[Array, Array]:
    b = noise.bits
    cell = bits.integers(lanes, CELL_BITS)  # proof: cell
    head = bits.integers(lanes, 1 + TEST_BITS)  # proof: head
    low = bits.integers(lanes, b)  # proof: low
    if low.dtype == _U64:
        # The sum of int64 and uint64 would be a float.
        low = low.view(np.int64)  # proof: view
    test = head & np.uint16((1 << TEST_BITS) - 1)  # proof: test
    flip = head.view(np.int16) >> np.int16(TEST_BITS)  # proof: flip
    if noise.law.sides == 1:
        flip = np.zeros_like(flip)
    # Both tables take the same indices, which are converted once.
    index = cell.astype(np.intp)  # proof: index
    y = arrays.table.cells.take(index)  # proof: block
    x = _values(y, low, flip, b)  # proof: value
    rest = np.flatnonzero(test >= arrays.quick_cells.take(index))  # proof: quick
    if rest.size == 0:
        return x, rest
    y = y[rest]
    unknown = np.flatnonzero(y < 0)  # proof: unknown
    late = rest[unknown]
    drawn = arrays.table.draw(bits, lanes[late], cell[late])  # proof: drawn
    values = _values(drawn, low[late], flip[late], b)  # proof: late
    if values.dtype == object:
        x = x.astype(object)
    x[late] = values
    y = y.astype(drawn.dtype, copy=False)
    y[unknown] = drawn  # proof: blocks
    unsure = np.flatnonzero(test[rest] >= arrays.quick_at(y))  # proof: unsure
    rest, y = rest[unsure], y[unsure]
    low, negative = low[rest].astype(np.int64), flip[rest] < 0
    place = np.where(negative, (1 << b) - low, low)  # proof: place
    prefix = bits.integers(lanes[rest], 64 - TEST_BITS).astype(_U64)
    prefix |= test[rest].astype(_U64) << _U64(64 - TEST_BITS)  # proof: prefix
    yes, no = certain_exp(prefix, arrays.losses(y, place * 2.0**-b))
    for i in np.flatnonzero(~(yes | no)):
        at = int(y[i]), int(place[i])
        with bits.lane(lanes[rest[i]]):
            yes[i] = _accepts(arrays.blocks, *at, b, int(prefix[i]))  # proof: exact
    return x, rest[~yes]  # proof: rejected


def _values(y: Array, low: Array, flip: Array, b: int) -> Array:
    """y 2^b + low where `flip` is 0, and (-1 - y) 2^b + low where it is -1."""
    if y.size and int(y.max()) >= MOST_BLOCKS:
        return (y.astype(object) ^ flip) * (1 << b) + low  # proof: long
    short = np.int32 if b <= _SHORT_BITS else np.int64
    x = np.multiply(y ^ flip, 1 << b, dtype=short)  # proof: short
    x += low  # proof: low-bits
    return x


def _accepts(blocks: Blocks, y: int, place: int, bits: int, prefix: int) -> bool:
    """Whether the test that begins with the 64 bits `prefix` accepts the place."""
    return LazyUniform(prefix, 64).locate(
        lambda w, n: blocks.decide(y, place, place, bits, w, n)
    )


def add_discrete(
    noise: DiscreteNoise,
    values: Array,
    run: Callable[..., None] = run_lanes,
) -> Array:
    """x + X for each x of an int64 array, saturated at the ends of int64."""
    check_array(values, np.int64)  # proof: array
    if not is_bulk(values.size):
        sums = [saturated(int(x) + noise.sample()) for x in values]  # proof: few
        return np.array(sums, dtype=np.int64)
    out = np.empty(values.size, dtype=np.int64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        x, rejected = draw_discrete(noise, bits, lanes)  # proof: draw
        out[where] = _saturating_sum(values[where], x, out[where])
        return rejected

    run(values.size, step)
    return out


def saturated(x: int) -> int:
    """The integer x, or the nearer end of int64 beyond it."""
    return min(max(x, _LEAST), _MOST)  # proof: saturated


def _saturating_sum(a: Array, b: Array, total: Array) -> Array:
    """The exact sums of int64 a and noise b, saturated; `total` is overwritten."""
    if b.dtype == object:
        sums = [saturated(int(x) + y) for x, y in zip(a, b, strict=True)]
        return np.array(sums, dtype=np.int64)  # proof: python
    np.add(a, b, out=total)  # proof: wrapped
    if a.size and int(a.min()) >= -_HALF and int(a.max()) < _HALF:
        return total  # proof: inside
    wrapped = ((a ^ total) & (b ^ total)) < 0  # proof: overflow
    total[wrapped] = np.where(b[wrapped] < 0, _LEAST, _MOST)  # proof: ends
    return total
