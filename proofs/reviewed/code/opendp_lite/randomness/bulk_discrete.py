# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.bulk_discrete; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import to_double
from opendp_lite.randomness.blocks import TEST_BITS
from opendp_lite.randomness.bulk import BlockArrays
from opendp_lite.randomness.bulk import FEW_LANES
from opendp_lite.randomness.bulk import MOST_BLOCKS
from opendp_lite.randomness.bulk import QUICK_BITS
from opendp_lite.randomness.bulk import block_arrays
from opendp_lite.randomness.bulk import certain_exp
from opendp_lite.randomness.bulk import check_array
from opendp_lite.randomness.bulk import joined
from opendp_lite.randomness.bulk import listed
from opendp_lite.randomness.bulk import run_lanes
from opendp_lite.randomness.bulk import table_arrays
from opendp_lite.randomness.discrete import DiscreteNoise
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lanes import LaneBits
from opendp_lite.randomness.lanes import Lanes
from opendp_lite.randomness.lanes import is_bulk
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS
from opendp_lite.randomness.table import Table
from operator import add
from operator import index
from typing import Any
import math
import numpy as np

_MOST_BITS = 47
_NONE = np.empty(0, dtype=np.int64)
opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.table.CELL_BITS = 16
_HALF = 2**62
opendp_lite.randomness.blocks.TEST_BITS = 15
opendp_lite.randomness.bulk.FEW_LANES = 8
opendp_lite.randomness.bulk.QUICK_BITS = 16
_U64 = np.uint64
opendp_lite.randomness.bulk.MOST_BLOCKS = 1 << 14
_SHORT_BITS = 16
_FEW_ENTRIES = 2**12
_LEAST, _MOST = -(2**63), 2**63 - 1


# === draw_discrete with block_arrays, table_arrays, DiscreteNoise, Array, LaneBits,
#    Lanes, CELL_BITS, np, _MOST_BITS, _NONE, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes, opendp_lite.randomness.table.CELL_BITS
def draw_discrete(
    noise: DiscreteNoise, bits: LaneBits, lanes: Lanes
) -> tuple[Array, Array]:
    if noise.table is not None:
        cell = bits.integers(lanes, CELL_BITS)
        x = table_arrays(noise.table).draw(bits, lanes, cell)
        return x, _NONE
    if noise.blocks is None:
        return np.zeros(len(lanes), dtype=np.int64), _NONE
    if noise.bits > _MOST_BITS:
        return _one_by_one(noise, bits, lanes), _NONE
    return _trial(noise, block_arrays(noise.blocks), bits, lanes)


# === _one_by_one with DiscreteNoise, Array, LaneBits, Lanes, np, _HALF,
#    opendp_lite.randomness.lanes.Array, opendp_lite.randomness.lanes.Lanes
def _one_by_one(noise: DiscreteNoise, bits: LaneBits, lanes: Lanes) -> Array:
    drawn = []
    for lane in lanes:
        with bits.lane(lane):
            drawn.append(noise.sample())
    small = all(-_HALF < x < _HALF for x in drawn)
    return np.array(drawn, dtype=np.int64 if small else object)


# === _trial with TEST_BITS, BlockArrays, FEW_LANES, QUICK_BITS, certain_exp, joined,
#    DiscreteNoise, Array, LaneBits, Lanes, LazyUniform, CELL_BITS, np,
#    opendp_lite.randomness.blocks.TEST_BITS, opendp_lite.randomness.bulk.FEW_LANES,
#    opendp_lite.randomness.bulk.QUICK_BITS, _U64, _NONE,
#    opendp_lite.randomness.lanes.Array, opendp_lite.randomness.lanes.Lanes,
#    opendp_lite.randomness.table.CELL_BITS
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
    entry = arrays.entries.take(cell, mode="wrap")
    rest = np.flatnonzero(test >= entry.astype(np.uint16))
    entry >>= QUICK_BITS
    y = entry[rest].astype(np.int64)
    x = _values(entry, low, flip, b)
    if rest.size < FEW_LANES:
        words = joined(rest, cell, head, low, b)
        return _alone(noise, x, bits, lanes, words), _NONE
    lanes, test, low, flip = lanes[rest], test[rest], low[rest], flip[rest]
    late = np.flatnonzero(y < 0)
    drawn = arrays.table.draw_longer(bits, lanes[late], cell[rest[late]])
    y[late] = drawn
    values = _values(y.copy(), low, flip, b)
    if values.dtype == object:
        x = x.astype(object)
    x[rest] = values
    unsure = np.flatnonzero(test >= arrays.quick_at(y))
    rest, lanes, test, y = rest[unsure], lanes[unsure], test[unsure], y[unsure]
    flip, low = flip[unsure].astype(np.int64), low[unsure]
    place = np.abs((flip << b) + low)
    prefix = bits.integers(lanes, 64 - TEST_BITS).astype(_U64)
    prefix |= test.astype(_U64) << _U64(64 - TEST_BITS)
    yes, no = certain_exp(prefix, arrays.losses(y, place * 2.0**-b))
    for i in np.flatnonzero(~(yes | no)):
        begun = LazyUniform(int(prefix[i]), 64)
        with bits.lane(lanes[i]):
            yes[i] = arrays.blocks.accepts(
                int(y[i]), int(place[i]), b, begun
            )
    return x, rest[~yes]


# === _alone with DiscreteNoise, Array, LaneBits, Lanes,
#    opendp_lite.randomness.lanes.Array, opendp_lite.randomness.lanes.Lanes
def _alone(
    noise: DiscreteNoise,
    x: Array,
    bits: LaneBits,
    lanes: Lanes,
    words: dict[int, int],
) -> Array:
    for i, word in words.items():
        with bits.lane(lanes[i]):
            drawn = noise.continued(word)
        if abs(drawn) >> noise.bits + 14 and x.dtype != object:
            x = x.astype(object)
        x[i] = drawn
    return x


# === _values with MOST_BLOCKS, Array, np, opendp_lite.randomness.bulk.MOST_BLOCKS,
#    _SHORT_BITS, opendp_lite.randomness.lanes.Array
def _values(y: Array, low: Array, flip: Array, b: int) -> Array:
    kind: type = np.int32 if b <= _SHORT_BITS else np.int64
    if y.size and int(y.max()) >= MOST_BLOCKS:
        kind = object
    x: Array = y.astype(kind, copy=False)
    x ^= flip
    x <<= b
    x += low
    return x


# === add_discrete with Callable, check_array, run_lanes, DiscreteNoise, Array,
#    LaneBits, Lanes, is_bulk, np, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes
def add_discrete(
    noise: DiscreteNoise,
    values: Array,
    run: Callable[..., None] = run_lanes,
) -> Array:
    check_array(values, np.int64)
    if not is_bulk(values.size, noise.few):
        return _as_int64(noise.add_to_list(values.tolist()))
    out = np.empty(values.size, dtype=np.int64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        x, rejected = draw_discrete(noise, bits, lanes)
        out[where] = _saturating_sum(values[where], x, out[where])
        return rejected

    run(values.size, step)
    return out


# === add_discrete_to_list with Callable, run_lanes, DiscreteNoise, Array, LaneBits,
#    Lanes, Any, np, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes
def add_discrete_to_list(
    noise: DiscreteNoise, values: list[Any], run: Callable[..., None] = run_lanes
) -> list[int]:
    drawn = np.empty(len(values), dtype=np.int64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        nonlocal drawn
        x, rejected = draw_discrete(noise, bits, lanes)
        if x.dtype == object:
            drawn = drawn.astype(object)
        drawn[where] = x
        return rejected

    run(len(values), step)
    return _exact_sums(values, drawn)


# === add_short with check_array, table_arrays, Array, Table, np,
#    opendp_lite.randomness.lanes.Array
def add_short(table: Table, values: Array) -> Array:
    check_array(values, np.int64)
    x = table_arrays(table).samples(values.size)
    return _saturating_sum(values, x, np.empty(values.size, dtype=np.int64))


# === add_short_to_list with table_arrays, Table, Any
def add_short_to_list(table: Table, values: list[Any]) -> list[int]:
    return _exact_sums(values, table_arrays(table).samples(len(values)))


# === _exact_sums with Array, add, index, Any, np, opendp_lite.randomness.lanes.Array
def _exact_sums(values: list[Any], noise: Array) -> list[int]:
    if noise.dtype != object and (numbers := _small(values)) is not None:
        sums: list[int] = np.add(numbers, noise, dtype=np.int64).tolist()
        return sums
    return list(map(add, map(index, values), noise.tolist()))


# === _small with listed, Array, Any, opendp_lite.randomness.lanes.Array
def _small(values: list[Any]) -> Array | None:
    try:
        return listed(values, "i")
    except OverflowError:
        pass
    try:
        numbers = listed(values, "q")
    except OverflowError:
        return None
    return numbers if _are_small(numbers) else None


# === _are_small with Array, _HALF, _FEW_ENTRIES, opendp_lite.randomness.lanes.Array
def _are_small(numbers: Array) -> bool:
    least: int
    if numbers.size < _FEW_ENTRIES:
        least, most = numbers.item(numbers.argmin()), numbers.item(numbers.argmax())
    else:
        least, most = int(numbers.min()), int(numbers.max())
    return least >= -_HALF and most < _HALF


# === saturated with _LEAST
def saturated(x: int) -> int:
    return min(max(x, _LEAST), _MOST)


# === _as_int64 with Array, np, opendp_lite.randomness.lanes.Array
def _as_int64(sums: list[int]) -> Array:
    try:
        return np.array(sums, dtype=np.int64)
    except OverflowError:
        return np.array(list(map(saturated, sums)), dtype=np.int64)


# === _saturating_sum with Array, np, _LEAST, opendp_lite.randomness.lanes.Array
def _saturating_sum(a: Array, b: Array, total: Array) -> Array:
    if b.dtype == object:
        return _as_int64([int(x) + y for x, y in zip(a, b, strict=True)])
    np.add(a, b, out=total)
    if a.size and _are_small(a):
        return total
    wrapped = ((a ^ total) & (b ^ total)) < 0
    total[wrapped] = np.where(b[wrapped] < 0, _LEAST, _MOST)
    return total


# === release_on_grid with mpq, nearest_multiple, power_of_two, to_double, math
def release_on_grid(x: int | float, noise: int, k: int) -> int | float:
    if isinstance(x, float) and math.isinf(x):
        return x
    value = mpq(nearest_multiple(mpq(x), k) + noise) * power_of_two(k)
    if isinstance(x, float):
        return to_double(value)
    return saturated(int(value))


# === add_on_grid with Callable, check_array, run_lanes, DiscreteNoise, Array, LaneBits,
#    Lanes, is_bulk, np, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes
def add_on_grid(
    noise: DiscreteNoise, values: Array, k: int, run: Callable[..., None] = run_lanes
) -> Array:
    check_array(values, np.int64, np.float64)
    if not is_bulk(values.size, noise.few):
        drawn = zip(values.tolist(), noise.samples(values.size), strict=True)
        few = [release_on_grid(x, z, k) for x, z in drawn]
        return np.array(few, dtype=values.dtype)
    out = np.empty(values.size, dtype=values.dtype)
    release = _integers if values.dtype == np.int64 else _doubles

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        z, rejected = draw_discrete(noise, bits, lanes)
        x, result = values[where], out[where]
        if z.dtype == object:
            certain = np.zeros(len(lanes), dtype=bool)
        else:
            certain = release(x, z, k, result)
        for i in np.flatnonzero(~certain):
            result[i] = release_on_grid(x[i].item(), int(z[i]), k)
        out[where] = result
        return rejected

    run(values.size, step)
    return out


# === _integers with Array, np, opendp_lite.randomness.lanes.Array
def _integers(x: Array, z: Array, k: int, out: Array) -> Array:
    if not 0 <= k <= 61:
        return np.zeros(x.size, dtype=bool)
    half = (1 << k) >> 1
    limit = 2**62 >> k
    m = ((x + half) >> k) + z
    np.left_shift(m, k, out=out)
    small = (x > -(2**61)) & (x < 2**61)
    return small & (m > -limit) & (m < limit)


# === _doubles with Array, np, opendp_lite.randomness.lanes.Array
def _doubles(x: Array, z: Array, k: int, out: Array) -> Array:
    if not -1000 <= k <= 960:
        return np.zeros(x.size, dtype=bool)
    with np.errstate(over="ignore", under="ignore"):
        halves = x * 2.0 ** (1 - k)
    np.floor(halves, out=halves)
    certain = np.abs(halves) < 2.0**62
    if not certain.all():
        halves[~certain] = 0.0
    steps = halves.astype(np.int64)
    steps += 1
    steps >>= 1
    steps += z
    np.multiply(steps, 2.0**k, out=out)
    return certain
