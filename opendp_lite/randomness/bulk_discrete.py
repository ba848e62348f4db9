"""Integer noise for whole arrays, on integers and on the multiples of 2^k."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import add, index
from typing import TYPE_CHECKING, Any

import numpy as np
from gmpy2 import mpq

from opendp_lite.exact.grids import nearest_multiple, power_of_two
from opendp_lite.exact.rounding import to_double
from opendp_lite.randomness.blocks import TEST_BITS
from opendp_lite.randomness.bulk import (
    FEW_LANES,
    MOST_BLOCKS,
    QUICK_BITS,
    BlockArrays,
    block_arrays,
    certain_exp,
    check_array,
    joined,
    listed,
    run_lanes,
    table_arrays,
)
from opendp_lite.randomness.lanes import Array, LaneBits, Lanes, is_bulk
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS, Table

if TYPE_CHECKING:
    from opendp_lite.randomness.discrete import DiscreteNoise

_MOST_BITS = 47
_SHORT_BITS = 16  # int32 holds what is below 2^14 blocks of 2^16
_LEAST, _MOST = -(2**63), 2**63 - 1
_HALF = 2**62
_FEW_ENTRIES = 2**12  # of fewer `argmin` is found in less time than `min`
_U64 = np.uint64
_NONE = np.empty(0, dtype=np.int64)


def draw_discrete(
    noise: DiscreteNoise, bits: LaneBits, lanes: Lanes
) -> tuple[Array, Array]:
    """Return X of each of the lanes, and the indices of those that are rejected.

    X is of an integer type and below 2^62 in size, or else Python integers are in it.
    """
    if noise.table is not None:
        cell = bits.integers(lanes, CELL_BITS)  # proof: table-cell
        x = table_arrays(noise.table).draw(bits, lanes, cell)  # proof: table
        return x, _NONE
    if noise.blocks is None:
        return np.zeros(len(lanes), dtype=np.int64), _NONE  # proof: zero
    if noise.bits > _MOST_BITS:
        return _one_by_one(noise, bits, lanes), _NONE  # proof: large
    return _trial(noise, block_arrays(noise.blocks), bits, lanes)  # proof: trial


def _one_by_one(noise: DiscreteNoise, bits: LaneBits, lanes: Lanes) -> Array:
    drawn = []
    for lane in lanes:
        with bits.lane(lane):
            drawn.append(noise.sample())  # proof: sample
    small = all(-_HALF < x < _HALF for x in drawn)
    return np.array(drawn, dtype=np.int64 if small else object)  # proof: fits


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
    # Nothing is out of range, so nothing wraps; this mode is the fastest.
    entry = arrays.entries.take(cell, mode="wrap")  # proof: entry
    rest = np.flatnonzero(test >= entry.astype(np.uint16))  # proof: quick
    entry >>= QUICK_BITS  # proof: block
    y = entry[rest].astype(np.int64)  # proof: kept
    x = _values(entry, low, flip, b)  # proof: value
    if rest.size < FEW_LANES:
        words = joined(rest, cell, head, low, b)
        return _alone(noise, x, bits, lanes, words), _NONE  # proof: few
    lanes, test, low, flip = lanes[rest], test[rest], low[rest], flip[rest]
    late = np.flatnonzero(y < 0)  # proof: unknown
    drawn = arrays.table.draw_longer(bits, lanes[late], cell[rest[late]])
    y[late] = drawn  # proof: drawn
    values = _values(y.copy(), low, flip, b)  # proof: late
    if values.dtype == object:
        x = x.astype(object)
    x[rest] = values  # proof: values
    unsure = np.flatnonzero(test >= arrays.quick_at(y))  # proof: unsure
    rest, lanes, test, y = rest[unsure], lanes[unsure], test[unsure], y[unsure]
    flip, low = flip[unsure].astype(np.int64), low[unsure]
    place = np.abs((flip << b) + low)  # proof: place
    prefix = bits.integers(lanes, 64 - TEST_BITS).astype(_U64)
    prefix |= test.astype(_U64) << _U64(64 - TEST_BITS)  # proof: prefix
    yes, no = certain_exp(prefix, arrays.losses(y, place * 2.0**-b))
    for i in np.flatnonzero(~(yes | no)):
        begun = LazyUniform(int(prefix[i]), 64)
        with bits.lane(lanes[i]):
            yes[i] = arrays.blocks.accepts(  # proof: exact
                int(y[i]), int(place[i]), b, begun
            )
    return x, rest[~yes]  # proof: rejected


def _alone(
    noise: DiscreteNoise,
    x: Array,
    bits: LaneBits,
    lanes: Lanes,
    words: dict[int, int],
) -> Array:
    """x, but at some indices what lanes draw alone that have read these words."""
    for i, word in words.items():
        with bits.lane(lanes[i]):
            drawn = noise.continued(word)  # proof: continued
        if abs(drawn) >> noise.bits + 14 and x.dtype != object:
            x = x.astype(object)  # proof: longer
        x[i] = drawn  # proof: placed
    return x


def _values(y: Array, low: Array, flip: Array, b: int) -> Array:
    """y 2^b + low where `flip` is 0, and (-1 - y) 2^b + low where it is -1.

    The array y is overwritten.
    """
    kind: type = np.int32 if b <= _SHORT_BITS else np.int64  # proof: short
    if y.size and int(y.max()) >= MOST_BLOCKS:
        kind = object  # proof: long
    x: Array = y.astype(kind, copy=False)  # proof: type
    x ^= flip  # proof: signs
    x <<= b  # proof: shift
    x += low  # proof: low-bits
    return x


def add_discrete(
    noise: DiscreteNoise,
    values: Array,
    run: Callable[..., None] = run_lanes,
) -> Array:
    """Return x + X for each x of an int64 array, saturated at the ends of int64."""
    check_array(values, np.int64)  # proof: array
    if not is_bulk(values.size, noise.few):
        return _as_int64(noise.add_to_list(values.tolist()))  # proof: few
    out = np.empty(values.size, dtype=np.int64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        x, rejected = draw_discrete(noise, bits, lanes)  # proof: draw
        out[where] = _saturating_sum(values[where], x, out[where])
        return rejected

    run(values.size, step)
    return out


def add_discrete_to_list(
    noise: DiscreteNoise, values: list[Any], run: Callable[..., None] = run_lanes
) -> list[int]:
    """Return x + X for each x of a list of integers, exactly; it is not empty."""
    drawn = np.empty(len(values), dtype=np.int64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        nonlocal drawn
        x, rejected = draw_discrete(noise, bits, lanes)  # proof: draw
        if x.dtype == object:
            drawn = drawn.astype(object)  # proof: python
        drawn[where] = x  # proof: drawn
        return rejected

    run(len(values), step)
    return _exact_sums(values, drawn)  # proof: sums


def add_short(table: Table, values: Array) -> Array:
    """Return what `add_discrete` does, for some entries, by the table of the noise."""
    check_array(values, np.int64)  # proof: array
    x = table_arrays(table).samples(values.size)  # proof: drawn
    return _saturating_sum(values, x, np.empty(values.size, dtype=np.int64))


def add_short_to_list(table: Table, values: list[Any]) -> list[int]:
    """Return what `add_discrete_to_list` does, likewise."""
    return _exact_sums(values, table_arrays(table).samples(len(values)))  # proof: drawn


def _exact_sums(values: list[Any], noise: Array) -> list[int]:
    """The exact sums of integers and noise; there is one at least."""
    if noise.dtype != object and (numbers := _small(values)) is not None:
        sums: list[int] = np.add(numbers, noise, dtype=np.int64).tolist()
        return sums  # proof: small
    return list(map(add, map(index, values), noise.tolist()))  # proof: one-by-one


def _small(values: list[Any]) -> Array | None:
    """An array of the integers, if all are from -2^62 to 2^62 - 1, and else None."""
    try:
        # Most often, and their bounds are not to be looked for.
        return listed(values, "i")  # proof: narrow
    except OverflowError:
        pass
    try:
        numbers = listed(values, "q")  # proof: numbers
    except OverflowError:
        return None  # proof: beyond
    return numbers if _are_small(numbers) else None  # proof: inside


def _are_small(numbers: Array) -> bool:
    """Whether integers are from -2^62 to 2^62 - 1; there is one at least."""
    least: int
    if numbers.size < _FEW_ENTRIES:
        least, most = numbers.item(numbers.argmin()), numbers.item(numbers.argmax())
    else:
        least, most = int(numbers.min()), int(numbers.max())  # proof: ends
    return least >= -_HALF and most < _HALF  # proof: small


def saturated(x: int) -> int:
    """Return the integer x, or the nearer end of int64 beyond it."""
    return min(max(x, _LEAST), _MOST)  # proof: saturated


def _as_int64(sums: list[int]) -> Array:
    """An array of the integers, saturated."""
    try:
        return np.array(sums, dtype=np.int64)  # proof: as-they-are
    except OverflowError:
        return np.array(list(map(saturated, sums)), dtype=np.int64)  # proof: some


def _saturating_sum(a: Array, b: Array, total: Array) -> Array:
    """The exact sums of int64 a and noise b, saturated; `total` is overwritten."""
    if b.dtype == object:
        return _as_int64([int(x) + y for x, y in zip(a, b, strict=True)])
    np.add(a, b, out=total)  # proof: wrapped
    if a.size and _are_small(a):
        return total  # proof: inside
    wrapped = ((a ^ total) & (b ^ total)) < 0  # proof: overflow
    total[wrapped] = np.where(b[wrapped] < 0, _LEAST, _MOST)  # proof: ends
    return total


def release_on_grid(x: int | float, noise: int, k: int) -> int | float:
    """Return (floor(x/2^k + 1/2) + noise) 2^k, as a number of the type of x.

    An integer is rounded towards 0, which matters for k < 0 only, and saturates at the
    ends of int64; a double is rounded to the nearest and saturates at the largest; an
    infinite x is returned as it is. x is not nan.

    >>> release_on_grid(5, 1, 2), release_on_grid(0.3, 0, -1)
    (8, 0.5)
    """
    if isinstance(x, float) and math.isinf(x):
        return x  # proof: infinite
    value = mpq(nearest_multiple(mpq(x), k) + noise) * power_of_two(k)  # proof: value
    if isinstance(x, float):
        return to_double(value)  # proof: double
    return saturated(int(value))  # proof: integer


def add_on_grid(
    noise: DiscreteNoise, values: Array, k: int, run: Callable[..., None] = run_lanes
) -> Array:
    """Return `release_on_grid` of each x of an int64 or float64 array."""
    check_array(values, np.int64, np.float64)  # proof: array
    if not is_bulk(values.size, noise.few):
        drawn = zip(values.tolist(), noise.samples(values.size), strict=True)
        few = [release_on_grid(x, z, k) for x, z in drawn]
        return np.array(few, dtype=values.dtype)  # proof: few
    out = np.empty(values.size, dtype=values.dtype)
    release = _integers if values.dtype == np.int64 else _doubles  # proof: kind

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        z, rejected = draw_discrete(noise, bits, lanes)  # proof: draw
        x, result = values[where], out[where]
        if z.dtype == object:
            certain = np.zeros(len(lanes), dtype=bool)  # proof: python
        else:
            certain = release(x, z, k, result)  # proof: release
        for i in np.flatnonzero(~certain):
            result[i] = release_on_grid(x[i].item(), int(z[i]), k)  # proof: one
        out[where] = result  # proof: out
        return rejected

    run(values.size, step)
    return out


def _integers(x: Array, z: Array, k: int, out: Array) -> Array:
    """Write releases of int64; say where they are certain: where none passes 2^61."""
    if not 0 <= k <= 61:
        return np.zeros(x.size, dtype=bool)  # proof: far
    half = (1 << k) >> 1
    limit = 2**62 >> k
    m = ((x + half) >> k) + z  # proof: nearest
    np.left_shift(m, k, out=out)  # proof: shifted
    small = (x > -(2**61)) & (x < 2**61)  # proof: small
    return small & (m > -limit) & (m < limit)  # proof: fits


def _doubles(x: Array, z: Array, k: int, out: Array) -> Array:
    """Write releases of float64; say where they are certain."""
    if not -1000 <= k <= 960:
        return np.zeros(x.size, dtype=bool)  # proof: far-grid
    with np.errstate(over="ignore", under="ignore"):
        halves = x * 2.0 ** (1 - k)  # proof: halves
    np.floor(halves, out=halves)  # proof: floor
    certain = np.abs(halves) < 2.0**62  # proof: exact-halves
    if not certain.all():
        halves[~certain] = 0.0  # proof: others
    steps = halves.astype(np.int64)
    steps += 1
    steps >>= 1  # proof: nearest-step
    steps += z  # proof: sum
    np.multiply(steps, 2.0**k, out=out)  # proof: result
    return certain
