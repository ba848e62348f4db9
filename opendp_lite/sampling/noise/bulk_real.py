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
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import attrs
import numpy as np
from gmpy2 import mpq

from opendp_lite.exact.rounding import (
    FloatFormat,
    divide_to_double,
    round_nearest,
    to_double,
)
from opendp_lite.sampling.blocks import TEST_BITS
from opendp_lite.sampling.bulk import (
    MOST_BLOCKS,
    QUICK_BITS,
    block_arrays,
    check_array,
    run_lanes,
)
from opendp_lite.sampling.lanes import FEW_REALS, Array, LaneBits, Lanes, is_bulk
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.noise.real import WORD, RealNoise
from opendp_lite.sampling.uniform_double import decide_double, sample_uniform_double

__all__ = ["add_real", "sample_uniform_doubles"]

_HALF_DOUBLE = FloatFormat(26, -1074, 998)
_FEW_TESTS = 48  # fewer are tested one by one: this takes less time
_NONE = np.empty(0, dtype=np.int64)
_TESTS = 2.0**TEST_BITS
_MASK = 2**TEST_BITS - 1
_CLEAR = 1.25  # tests
# Constants as arrays of no dimension, which numpy takes faster than numbers.
_TEST_BITS = np.array(TEST_BITS, dtype=np.uint16)
_TEST_MASK = np.array(_MASK, dtype=np.uint16)
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
    width, quick = _width(noise), noise.quick()

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        draw = _trial(noise, bits, lanes)  # proof: trial
        x = values[where]
        result, unsure = _rounded_sums(x, draw, width)  # proof: rounded
        if draw.rejected.size:
            unsure[draw.rejected] = False  # proof: again
        for i in unsure.nonzero()[0].tolist():
            if i not in draw.alone:  # proof: alone
                with bits.lane(lanes[i]):
                    result[i] = _finish(noise, x.item(i), draw, i)  # proof: finish
        for i, parts in draw.alone.items():
            with bits.lane(lanes[i]):
                result[i] = quick(x.item(i), parts)  # proof: begun
        out[where] = result  # proof: out
        return draw.rejected

    # No setting of numpy's may turn an overflow or a lost bit into an error.
    with np.errstate(all="ignore"):
        run(values.size, step)  # proof: run
    return out


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
        draw = _Draw(zeros, zeros, place, {}, _NONE, {})  # proof: draw
        x = np.full(lanes.size, lower, dtype=np.float64)
        result, unsure = _rounded_sums(x, draw, width)  # proof: rounded
        for i in unsure.nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                result[i] = LazyUniform(int(place[i]), 64).locate(decide)  # proof: on
        out[where] = result  # proof: out
        return _NONE

    # No setting of numpy's may turn an overflow or a lost bit into an error.
    with np.errstate(all="ignore"):
        run(count, step)  # proof: run
    return out


class _Draw(NamedTuple):
    """A sign, a block and 64 bits of the place of each lane.

    `longer` holds the places of which more bits are known. `rejected` are the indices
    of lanes to be drawn again, and `alone` those of lanes that begin again alone, with
    the bits that they have read for this, in parts.
    """

    negative: Array
    y: Array
    place: Array
    longer: dict[int, LazyUniform]
    rejected: Array
    alone: dict[int, tuple[int, ...]]


def _trial(noise: RealNoise, bits: LaneBits, lanes: Lanes) -> _Draw:
    """`RealNoise.trial` of each lane; where few are rejected, they begin another."""
    words = cell, head, place = bits.words(lanes)  # proof: words
    negative = head >> _TEST_BITS  # proof: sign
    test = head & _TEST_MASK  # proof: test
    arrays = block_arrays(noise.blocks)
    # Nothing is out of range, so nothing wraps; this mode is the fastest.
    y = arrays.entries.take(cell, mode="wrap")  # proof: entry
    (rest,) = (test >= y.astype(np.uint16)).nonzero()  # proof: quick
    y >>= _QUICK_BITS  # proof: block
    longer: dict[int, LazyUniform] = {}
    if rest.size < _FEW_TESTS:
        y, failed = _tested(noise, bits, lanes, words, y, rest.tolist(), longer)
        rows = bits.rows([lanes[i] for i in failed], WORD)  # proof: rows
        alone = dict(zip(failed, rows, strict=True))
        return _Draw(negative, y, place, longer, _NONE, alone)  # proof: few
    late = rest[y[rest] < 0]
    found = arrays.table.draw_longer(bits, lanes[late], cell[late])
    if late.size and int(found.max()) >= MOST_BLOCKS:
        y = y.astype(np.int64)  # proof: long
    y[late] = found  # proof: late
    rest = rest[test[rest] >= arrays.quick_at(y[rest])]  # proof: unsure
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
    rejected = rest[~yes]  # proof: rejected
    return _Draw(negative, y, place, longer, rejected, {})


def _tested(
    noise: RealNoise,
    bits: LaneBits,
    lanes: Lanes,
    words: tuple[Array, Array, Array],
    y: Array,
    rest: list[int],
    longer: dict[int, LazyUniform],
) -> tuple[Array, list[int]]:
    """The blocks y, also of the lanes `rest`, and those of them that are rejected.

    This is the rest of a trial, one by one; `longer` is as in `_Draw`.
    """
    blocks, (cells, heads, places) = noise.blocks, words
    rate, rejected = block_arrays(blocks).rate, []
    for i in rest:
        block, test, place = y.item(i), heads.item(i) & _MASK, places.item(i)
        if block < 0:
            with bits.lane(lanes[i]):
                block = blocks.table.continued(cells.item(i))  # proof: late
            if block >= MOST_BLOCKS:
                y = y.astype(np.int64)  # proof: long
            y[i] = block  # proof: block
            if blocks.accepts_quickly(block, test):
                continue  # proof: quick
        v = place * 2.0**-64
        loss = rate * v  # proof: linear
        if blocks.power == 2:
            loss *= 2.0 * block + v  # proof: square
        line = _TESTS * (1.0 - loss) - test  # proof: line
        near = block < MOST_BLOCKS
        if near and line > _CLEAR:
            continue  # proof: above-line
        if not (near and line + _TESTS / 2 * loss * loss < -_CLEAR):
            longer[i] = LazyUniform(place, 64)  # proof: begun
            with bits.lane(lanes[i]):
                if noise.accepts(block, longer[i], LazyUniform(test, TEST_BITS)):
                    continue  # proof: exact
        rejected.append(i)  # proof: rejected
    return y, rejected


def _finish(noise: RealNoise, x: float, draw: _Draw, i: int) -> float:
    """RN(x + scale Y) of lane i, with the bits that it has read and more."""
    if math.isinf(x):
        return x  # proof: infinite
    n, d = x.as_integer_ratio()
    place = draw.longer.get(i)  # proof: longer
    if place is None:
        place = LazyUniform(int(draw.place[i]), 64)  # proof: same
    negative, y = int(draw.negative[i]), int(draw.y[i])
    return noise.finish(n, d, negative, y, place, divide_to_double)


@attrs.frozen(eq=False)
class _Width:
    """The width w of a block as doubles: w = whole + rest, but for 2^-105 w.

    `whole` = `upper` + `lower`, each of at most 26 bits. Where the width is so large or
    so small that sums might overflow or lose bits, `usable` is false, and all are 0.
    `signed` is `whole` and -`whole`, and `slack` is 5 `whole`/2^64.
    """

    whole: float
    upper: float
    lower: float
    rest: float
    usable: bool
    signed: Array
    slack: Array

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
        slack = np.array(5 * 2.0**-64 * whole)  # proof: slack
        return cls(whole, upper, lower, rest, usable, signed, slack)


@lru_cache(maxsize=32)
def _width(noise: RealNoise) -> _Width:
    """The width of the blocks of a noise, made once."""
    return _Width.of(mpq(noise.numerator, noise.denominator))  # proof: of-noise


def _rounded_sums(x: Array, draw: _Draw, width: _Width) -> tuple[Array, Array]:
    """Doubles near x + t w, and where they are not certain to be the nearest ones.

    t = coarse + fine, where coarse has 26 bits, so that its products with the two
    halves of the width are exact. The sum is total + rest, but for less than `slack`.
    Where both ends of what it may be are rounded to one double, it is rounded to it.
    """
    coarse = (draw.place >> _FINE_BITS) * _COARSE_UNIT  # proof: coarse
    coarse += draw.y
    fine = (draw.place & _FINE_MASK) * _FINE_UNIT  # proof: fine
    factor = width.signed.take(draw.negative, mode="wrap")  # proof: factor
    fine *= factor  # proof: times-whole
    if width.lower or width.rest:
        sign = np.copysign(1.0, factor)  # proof: sign
        coarse *= sign
        fine += coarse * width.rest  # proof: times-rest
        fine += coarse * width.lower  # proof: small
        coarse *= width.upper  # proof: main
    else:
        coarse *= factor  # proof: simple
    total, rest = _two_sum(x, coarse)  # proof: total
    rest += fine  # proof: rest-sum
    slack = np.abs(rest)
    slack *= _PART
    slack += width.slack  # proof: slack
    result = rest - slack  # proof: low
    result += total  # proof: low-end
    rest += slack  # proof: high
    rest += total  # proof: high-end
    rest -= result
    unsure: Array = rest != _ZERO  # proof: unsure
    if draw.y.dtype != np.int32:
        unsure |= draw.y >= MOST_BLOCKS  # proof: far
    if not width.usable:
        unsure[:] = True  # proof: usable
    return result, unsure


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sums of a and b, and their errors, which are exact."""
    total = a + b  # proof: sum
    from_b = total - a  # proof: from-b
    error = total - from_b
    np.subtract(a, error, out=error)  # proof: error-a
    np.subtract(b, from_b, out=from_b)  # proof: error-b
    error += from_b  # proof: errors
    return total, error
