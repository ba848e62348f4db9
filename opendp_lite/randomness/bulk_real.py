"""Real noise, and uniform reals, for whole arrays of doubles, rounded once.

A lane has a sign, a block y and 64 bits of its place V, so that its noise is
t w with t = y + V known to 2^-64 and w the width of a block. The sum x + t w is formed
with error-free transformations, as two doubles and a bound of the error.
Where no boundary of rounding is within that bound, the nearest double is known; else
the lane goes on one by one. A uniform real is such a sum too, of a lower end and one
block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import TypeAlias

import attrs
import numpy as np
from gmpy2 import mpq

from opendp_lite.exact.rounding import (
    FloatFormat,
    divide_to_double,
    round_nearest,
    to_double,
)
from opendp_lite.randomness.blocks import TEST_BITS
from opendp_lite.randomness.bulk import (
    MOST_BLOCKS,
    QUICK_BITS,
    block_arrays,
    check_array,
    run_lanes,
)
from opendp_lite.randomness.draws import decide_double, sample_uniform_double
from opendp_lite.randomness.lanes import FEW_REALS, Array, LaneBits, Lanes, is_bulk
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.real import WORD, RealNoise

_HALF_DOUBLE = FloatFormat(26, -1074, 998)
_FEW_TESTS = 48  # fewer are tested one by one: this takes less time
_FEW_AGAIN = 48  # fewer begin again alone, likewise
_SHORT = 2**12  # fewer are searched faster by `argmax`, which may make a copy of them
_NONE = np.empty(0, dtype=np.int64)
_AS_IT_IS: AbstractContextManager[None] = nullcontext()
_TESTS = 2.0**TEST_BITS
_CLEAR = 1.25  # tests
_HEADS, _QUICKS = 2**TEST_BITS, 2**QUICK_BITS
# Constants as arrays of no dimension, which numpy takes faster than numbers.
_TEST_BITS = np.array(TEST_BITS, dtype=np.uint16)
_TEST_MASK = np.array(2**TEST_BITS - 1, dtype=np.uint16)
_QUICK_BITS = np.array(QUICK_BITS, dtype=np.int32)
_FINE_BITS = np.array(52, dtype=np.uint64)
_FINE_MASK = np.array(2**52 - 1, dtype=np.uint64)
_COARSE_UNIT = np.array(2.0**-12)
_FINE_UNIT = np.array(2.0**-64)
_PART = np.array(2.0**-51)
_ZERO = np.array(0.0)


def add_real(
    noise: RealNoise, values: Array, run: Callable[..., None] = run_lanes
) -> Array:
    """Return RN(x + scale Y) for each x of a float64 array; an infinite x stays."""
    check_array(values, np.float64)  # proof: array
    if noise.numerator == 0:
        return values + 0.0  # proof: zero
    if not is_bulk(values.size, FEW_REALS):
        few = noise.releases(values.tolist())
        return np.array(few, dtype=np.float64)  # proof: few
    out = np.empty(values.size, dtype=np.float64)
    width = _width(noise)
    near = _all_within(values, width.limit)  # proof: near

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        draw = _trial(noise, bits, lanes)  # proof: trial
        if 0 < len(draw[-1]) < _FEW_AGAIN:
            draw = _begin_again(noise, bits, lanes, draw)  # proof: begun
        negative, y, place, longer, failed = draw
        x = values[where]
        sums = x, negative, y, place
        result, unsure = _rounded_sums(*sums, width, near)  # proof: rounded
        if unsure.nonzero()[0].size:
            unsure[failed] = False  # proof: accepted
            for i in unsure.nonzero()[0].tolist():
                known = longer.get(i)  # proof: longer
                if known is None:
                    known = LazyUniform(place.item(i), 64)  # proof: same
                noisy = negative.item(i), y.item(i), known
                with bits.lane(lanes[i]):
                    result[i] = _finish(noise, x.item(i), *noisy)  # proof: finish
        out[where] = result  # proof: out
        again = np.asarray(failed, dtype=np.int64) if len(failed) else _NONE
        return again  # proof: again

    # No setting of numpy's may turn an overflow or a lost bit into an error. Of numbers
    # that are near there is neither, and time is saved where nothing is set.
    with _AS_IT_IS if near else np.errstate(all="ignore"):
        run(values.size, step)  # proof: run
    return out


def _all_within(values: Array, limit: float) -> bool:
    """Whether all of these are below `limit` in size."""
    if values.size < _SHORT:
        least, most = values.item(values.argmin()), values.item(values.argmax())
    else:
        least, most = values.min(), values.max()  # proof: extremes
    return bool(-limit < least and most < limit)  # proof: within


def sample_uniform_doubles(
    lower: float, upper: float, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    """Return RN(X) for independent X, uniform on [lower, upper], as a float64 array.

    >>> sample_uniform_doubles(0.5, 2.0, 1000).shape
    (1000,)
    """
    if not -math.inf < lower < upper < math.inf:  # proof: range
        raise ValueError(f"bounds must be finite and in order, got {lower}, {upper}")
    if not is_bulk(count, FEW_REALS):
        few = [sample_uniform_double(lower, upper) for _ in range(count)]
        return np.array(few, dtype=np.float64)  # proof: few
    out = np.empty(count, dtype=np.float64)
    width = _Width.of(mpq(upper) - mpq(lower))  # proof: width
    decide = decide_double(lower, upper)  # proof: decide

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        place = bits.integers(lanes, 64)  # proof: place
        zeros = np.zeros(lanes.size, dtype=np.int32)  # no sign, and the first block
        x = np.full(lanes.size, lower, dtype=np.float64)
        result, unsure = _rounded_sums(x, zeros, zeros, place, width)  # proof: rounded
        for i in unsure.nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                result[i] = LazyUniform(int(place[i]), 64).locate(decide)  # proof: on
        out[where] = result  # proof: out
        return _NONE

    # No setting of numpy's may turn an overflow or a lost bit into an error.
    with np.errstate(all="ignore"):
        run(count, step)  # proof: run
    return out


_Indices: TypeAlias = "list[int] | Array"
_Draw: TypeAlias = "tuple[Array, Array, Array, dict[int, LazyUniform], _Indices]"
"""Of each lane whether the sign is negative, a block and 64 bits of the place; then the
places of which more bits are known, and the indices of the lanes that are rejected."""


def _trial(noise: RealNoise, bits: LaneBits, lanes: Lanes) -> _Draw:
    """`RealNoise.trial` of each lane."""
    cell, head, place = bits.words(lanes)  # proof: words
    arrays = block_arrays(noise.blocks)
    # Nothing is out of range, so nothing wraps; this mode is the fastest.
    y = arrays.entries.take(cell, mode="wrap")  # proof: entry
    test = head & _TEST_MASK  # proof: test
    (some,) = (test >= y.astype(np.uint16)).nonzero()  # proof: quick
    y >>= _QUICK_BITS  # proof: block
    negative = head >> _TEST_BITS  # proof: sign
    longer: dict[int, LazyUniform] = {}
    if some.size >= _FEW_TESTS:
        words = cell, test, place
        y, rejected = _tested(noise, bits, lanes, words, y, some, longer)
        return negative, y, place, longer, rejected  # proof: many
    failed: list[int] = []
    rest = some.tolist()
    found: Iterator[int] = iter(())
    if late := [i for i in rest if y.item(i) < 0]:
        few, starts = [lanes.item(i) for i in late], [cell.item(i) for i in late]
        found = iter(arrays.table.draw_few(bits, few, starts))  # proof: late
    blocks, rate = noise.blocks, arrays.rate
    for i in rest:
        block, start = y.item(i), test.item(i)
        if block < 0:
            block = next(found)  # proof: found
            if block >= MOST_BLOCKS:
                y = y.astype(np.int64)  # proof: long
            y[i] = block  # proof: placed
            if blocks.accepts_quickly(block, start):
                continue  # proof: at-once
        v = place.item(i) * 2.0**-64
        loss = rate * v  # proof: linear
        if blocks.power == 2:
            loss *= 2.0 * block + v  # proof: square
        line = _TESTS * (1.0 - loss) - start  # proof: line
        near = block < MOST_BLOCKS
        if near and line > _CLEAR:
            continue  # proof: above-line
        if not (near and line + _TESTS / 2 * loss * loss < -_CLEAR):
            longer[i] = LazyUniform(place.item(i), 64)  # proof: begun
            begun = LazyUniform(start, TEST_BITS)
            with bits.lane(lanes[i]):
                if noise.accepts(block, longer[i], begun):
                    continue  # proof: exact
        failed.append(i)  # proof: rejected
    return negative, y, place, longer, failed


def _begin_again(noise: RealNoise, bits: LaneBits, lanes: Lanes, draw: _Draw) -> _Draw:
    """The draw, but lanes that are rejected go on alone until a trial accepts.

    So their sums are formed with all others, which takes less time than one by one.
    """
    negative, y, place, longer, failed = draw
    entries = block_arrays(noise.blocks).entries
    rows = bits.rows([lanes.item(i) for i in failed], WORD)  # proof: rows
    for i, (cell, head, low) in zip(failed, rows, strict=True):
        longer.pop(i, None)  # proof: forgotten
        entry = entries.item(cell)  # proof: entry
        if head % _HEADS < entry % _QUICKS:
            y[i] = entry >> QUICK_BITS  # proof: at-once
            negative[i], place[i] = head >> TEST_BITS, low  # proof: begun
            continue
        with bits.lane(lanes[i]):
            drawn = noise.trial((cell << 16 | head) << 64 | low)  # proof: word
            while drawn is None:
                drawn = noise.trial()  # proof: repeat
        negative[i], block, longer[i] = drawn  # proof: drawn
        place[i] = longer[i].prefix >> longer[i].length - 64  # proof: first
        if block >= MOST_BLOCKS:
            y = y.astype(np.int64)  # proof: long
        y[i] = block  # proof: found
    return negative, y, place, longer, _NONE


def _tested(
    noise: RealNoise,
    bits: LaneBits,
    lanes: Lanes,
    words: tuple[Array, Array, Array],
    y: Array,
    rest: Array,
    longer: dict[int, LazyUniform],
) -> tuple[Array, Array]:
    """The blocks y, also of the lanes `rest`, and those of them that are rejected.

    This is the rest of a trial, of all of them together; `longer` is as in `_Draw`.
    """
    arrays, (cell, test, place) = block_arrays(noise.blocks), words
    late = rest[y[rest] < 0]
    found = arrays.table.draw_longer(bits, lanes[late], cell[late])
    if late.size and int(found.max()) >= MOST_BLOCKS:
        y = y.astype(np.int64)  # proof: long
    y[late] = found  # proof: late
    rest = rest[test[rest] >= arrays.quick_at(y[rest])]  # proof: unsure
    with np.errstate(all="ignore"):
        loss = arrays.losses(y[rest], place[rest] * _FINE_UNIT)  # proof: loss
        line = _TESTS * (1.0 - loss) - test[rest]  # proof: line
        yes = line > _CLEAR  # proof: above-line
        no = line + _TESTS / 2 * loss * loss < -_CLEAR  # proof: below-curve
    for i in (~(yes | no)).nonzero()[0].tolist():
        lane = int(rest[i])
        longer[lane] = LazyUniform(int(place[lane]), 64)
        begun = LazyUniform(int(test[lane]), TEST_BITS)
        with bits.lane(lanes[lane]):
            yes[i] = noise.accepts(int(y[lane]), longer[lane], begun)  # proof: exact
    return y, rest[~yes]  # proof: rejected


def _finish(
    noise: RealNoise, x: float, negative: int, y: int, place: LazyUniform
) -> float:
    """RN(x + scale Y) of a lane, with the bits that it has read and more."""
    if math.isinf(x):
        return x  # proof: infinite
    n, d = x.as_integer_ratio()
    return noise.finish(n, d, negative, y, place, divide_to_double)  # proof: finite


@attrs.frozen(eq=False)
class _Width:
    """The width w of a block as doubles: w = whole + rest, but for 2^-105 w.

    `whole` = `upper` + `lower`, each of at most 26 bits. Where the width is so large or
    so small that sums might overflow or lose bits, `usable` is false, and all are 0.
    `signed` is `whole` and -`whole`, and `slack` is 6 `whole`/2^64. Numbers are near if
    they are below `limit` in size, which is 2^30 `whole`, or 0.
    """

    whole: float
    upper: float
    lower: float
    rest: float
    usable: bool
    signed: Array
    slack: Array
    limit: float

    @classmethod
    def of(cls, width: mpq) -> _Width:
        whole = to_double(width)  # proof: whole
        usable = 2.0**-900 < whole < 2.0**900  # proof: usable
        if not usable:
            whole = 0.0  # proof: unusable
        upper = to_double(round_nearest(mpq(whole), _HALF_DOUBLE))  # proof: upper
        lower = whole - upper  # proof: lower
        rest = to_double(width - mpq(whole)) if usable else 0.0  # proof: rest
        signed = np.array([whole, -whole])  # proof: signed
        slack = np.array(6 * 2.0**-64 * whole)  # proof: slack
        plain = 2.0**-400 < whole < 2.0**400 and (rest == 0 or abs(rest) > 2.0**-900)
        limit = 2.0**30 * whole if plain else 0.0  # proof: limit
        return cls(whole, upper, lower, rest, usable, signed, slack, limit)


@lru_cache(maxsize=32)
def _width(noise: RealNoise) -> _Width:
    """The width of the blocks of a noise, made once."""
    return _Width.of(mpq(noise.numerator, noise.denominator))  # proof: of-noise


def _rounded_sums(
    x: Array, negative: Array, y: Array, place: Array, width: _Width, near: bool = False
) -> tuple[Array, Array]:
    """Doubles next to x + t w, and where they are not certain to be the nearest ones.

    t = coarse + fine, where coarse has 26 bits, so that its products with the two
    halves of the width are exact. The sum is total + rest, but for less than `slack`.
    Where both ends of what it may be are rounded to one double, it is rounded to it.
    If all x are `near`, one slack does for all, and no sum overflows.
    """
    coarse = (place >> _FINE_BITS) * _COARSE_UNIT  # proof: coarse
    coarse += y
    fine = (place & _FINE_MASK) * _FINE_UNIT  # proof: fine
    factor = width.signed.take(negative, mode="wrap")  # proof: factor
    fine *= factor  # proof: times-whole
    if width.lower or width.rest:
        sign = np.copysign(1.0, factor)  # proof: sign
        coarse *= sign
        fine += coarse * width.rest  # proof: times-rest
        fine += coarse * width.lower  # proof: small
        coarse *= width.upper  # proof: main
    else:
        coarse *= factor  # proof: simple
    total = x + coarse  # proof: total
    part = total - x  # proof: part
    rest = total - part
    np.subtract(x, rest, out=rest)  # proof: error-x
    np.subtract(coarse, part, out=part)  # proof: error-coarse
    rest += part  # proof: errors
    rest += fine  # proof: rest-sum
    slack = width.slack  # proof: one
    if not near:
        slack = np.abs(rest, out=part)
        slack *= _PART
        slack += width.slack  # proof: slack
    result = np.subtract(rest, slack, out=fine)  # proof: low
    result += total  # proof: low-end
    rest += slack  # proof: high
    rest += total  # proof: high-end
    if near:
        unsure: Array = rest != result  # proof: differ
    else:
        rest -= result
        unsure = rest != _ZERO  # proof: unsure
    if y.dtype != np.int32:
        unsure |= y >= MOST_BLOCKS  # proof: far
    if not width.usable:
        unsure[:] = True  # proof: usable
    return result, unsure
