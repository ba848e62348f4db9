# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/draw_discrete; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bulk_discrete:draw_discrete ===

from opendp_lite.sampling.bulk import block_arrays
from opendp_lite.sampling.bulk import table_arrays
from opendp_lite.sampling.discrete import DiscreteNoise
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.table import CELL_BITS
import numpy as np

_MOST_BITS = 47
_NONE = np.empty(0, dtype=np.int64)
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.table.CELL_BITS = 16

def draw_discrete(
    noise: DiscreteNoise, bits: LaneBits, lanes: Lanes
) -> tuple[Array, Array]:
    if noise.table is not None:
        cell = bits.integers(lanes, CELL_BITS)
        k = table_arrays(noise.table).draw(bits, lanes, cell)
        x = (k >> 1) ^ -(k & 1) if noise.law.sides == 2 else k
        return x, _NONE
    if noise.blocks is None:
        return np.zeros(len(lanes), dtype=np.int64), _NONE
    if noise.bits > _MOST_BITS:
        return _one_by_one(noise, bits, lanes), _NONE
    return _trial(noise, block_arrays(noise.blocks), bits, lanes)


# === opendp_lite.sampling.bulk_discrete:_one_by_one ===

from opendp_lite.sampling.discrete import DiscreteNoise
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'

def _one_by_one(noise: DiscreteNoise, bits: LaneBits, lanes: Lanes) -> Array:
    out = np.empty(len(lanes), dtype=object)
    for i, lane in enumerate(lanes):
        with bits.lane(lane):
            out[i] = noise.sample()
    return out


# === opendp_lite.sampling.bulk_discrete:_trial ===

from opendp_lite.sampling.blocks import TEST_BITS
from opendp_lite.sampling.bulk import BlockArrays
from opendp_lite.sampling.bulk import certain_exp
from opendp_lite.sampling.discrete import DiscreteNoise
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.table import CELL_BITS
import numpy as np

opendp_lite.sampling.blocks.TEST_BITS = 15
_U64 = np.uint64
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.table.CELL_BITS = 16

def _trial(
    noise: DiscreteNoise, arrays: BlockArrays, bits: LaneBits, lanes: Lanes
) -> tuple[Array, Array]:
    b = noise.bits
    cell = bits.integers(lanes, CELL_BITS)
    head = bits.integers(lanes, 1 + TEST_BITS)
    low = bits.integers(lanes, b)
    if low.dtype == _U64:
        low = low.view(np.int64)
    test = head & np.uint16((1 << TEST_BITS) - 1)
    flip = head.view(np.int16) >> np.int16(TEST_BITS)
    if noise.law.sides == 1:
        flip = np.zeros_like(flip)
    index = cell.astype(np.intp)
    y = arrays.table.cells.take(index)
    x = _values(y, low, flip, b)
    rest = np.flatnonzero(test >= arrays.quick_cells.take(index))
    if rest.size == 0:
        return x, rest
    y = y[rest]
    unknown = np.flatnonzero(y < 0)
    late = rest[unknown]
    drawn = arrays.table.draw(bits, lanes[late], cell[late])
    values = _values(drawn, low[late], flip[late], b)
    if values.dtype == object:
        x = x.astype(object)
    x[late] = values
    y = y.astype(drawn.dtype, copy=False)
    y[unknown] = drawn
    unsure = np.flatnonzero(test[rest] >= arrays.quick_at(y))
    rest, y = rest[unsure], y[unsure]
    low, negative = low[rest].astype(np.int64), flip[rest] < 0
    place = np.where(negative, (1 << b) - low, low)
    prefix = bits.integers(lanes[rest], 64 - TEST_BITS).astype(_U64)
    prefix |= test[rest].astype(_U64) << _U64(64 - TEST_BITS)
    yes, no = certain_exp(prefix, arrays.losses(y, place * 2.0**-b))
    for i in np.flatnonzero(~(yes | no)):
        at = int(y[i]), int(place[i])
        with bits.lane(lanes[rest[i]]):
            yes[i] = _accepts(arrays.blocks, *at, b, int(prefix[i]))
    return x, rest[~yes]


# === opendp_lite.sampling.bulk_discrete:_values ===

from opendp_lite.sampling.bulk import MOST_BLOCKS
from opendp_lite.sampling.lanes import Array
import numpy as np

opendp_lite.sampling.bulk.MOST_BLOCKS = 1 << 14
_SHORT_BITS = 16
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def _values(y: Array, low: Array, flip: Array, b: int) -> Array:
    if y.size and int(y.max()) >= MOST_BLOCKS:
        return (y.astype(object) ^ flip) * (1 << b) + low
    short = np.int32 if b <= _SHORT_BITS else np.int64
    x = np.multiply(y ^ flip, 1 << b, dtype=short)
    x += low
    return x


# === opendp_lite.sampling.bulk_discrete:_accepts ===

from opendp_lite.sampling.blocks import Blocks
from opendp_lite.sampling.lazy import LazyUniform

def _accepts(blocks: Blocks, y: int, place: int, bits: int, prefix: int) -> bool:
    return LazyUniform(prefix, 64).locate(
        lambda w, n: blocks.decide(y, place, place, bits, w, n)
    )


# === opendp_lite.sampling.bulk:table_arrays ===

from functools import lru_cache
from opendp_lite.sampling.table import Table

@lru_cache(maxsize=32)
def table_arrays(table: Table) -> TableArrays:
    return TableArrays.of(table)


# === opendp_lite.sampling.bulk:block_arrays ===

from functools import lru_cache
from opendp_lite.sampling.blocks import Blocks

@lru_cache(maxsize=32)
def block_arrays(blocks: Blocks) -> BlockArrays:
    return BlockArrays.of(blocks)


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
