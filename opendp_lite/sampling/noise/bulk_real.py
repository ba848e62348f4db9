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
    FEW_LANES,
    MOST_BLOCKS,
    QUICK_BITS,
    block_arrays,
    certain_exp,
    check_array,
    run_lanes,
)
from opendp_lite.sampling.lanes import FEW_REALS, Array, LaneBits, Lanes, is_bulk
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.noise.real import WORD, RealNoise
from opendp_lite.sampling.uniform_double import decide_double, sample_uniform_double

__all__ = ["add_real", "sample_uniform_doubles"]

_HALF_DOUBLE = FloatFormat(26, -1074, 998)
_FEW_REJECTED = 24  # fewer begin again alone: this takes less time
_NONE = np.empty(0, dtype=np.int64)
_TEST_BITS = np.uint16(TEST_BITS)
_TEST_MASK = np.uint16((1 << TEST_BITS) - 1)
_U64 = np.uint64


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
        result, certain = _rounded_sums(x, draw, width)  # proof: rounded
        if draw.rejected.size:
            certain[draw.rejected] = True  # proof: again
        if draw.alone:
            certain[list(draw.alone)] = True  # proof: alone
        for i in (~certain).nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                result[i] = _finish(noise, float(x[i]), draw, i)  # proof: finish
        for i, parts in draw.alone.items():
            with bits.lane(lanes[i]):
                result[i] = quick(float(x[i]), parts)  # proof: begun
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
        zeros = np.zeros(lanes.size, dtype=np.int64)  # no sign, and the first block
        draw = _Draw(zeros, zeros, place, _NONE, {}, {})  # proof: draw
        x = np.full(lanes.size, lower, dtype=np.float64)
        result, certain = _rounded_sums(x, draw, width)  # proof: rounded
        for i in (~certain).nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                result[i] = LazyUniform(int(place[i]), 64).locate(decide)  # proof: on
        out[where] = result  # proof: out
        return _NONE

    # No setting of numpy's may turn an overflow or a lost bit into an error.
    with np.errstate(all="ignore"):
        run(count, step)  # proof: run
    return out


@attrs.frozen(eq=False)
class _Draw:
    """A sign, a block and 64 bits of the place of each lane.

    `rejected` are the indices of the lanes to be drawn again; `longer` holds the places
    of which more bits are known. `alone` are the indices of those for which the rest is
    not meant, with the bits that they have read for a trial of their own, in parts.
    """

    negative: Array
    y: Array
    place: Array
    rejected: Array
    longer: dict[int, LazyUniform]
    alone: dict[int, tuple[int, ...]]


def _trial(noise: RealNoise, bits: LaneBits, lanes: Lanes) -> _Draw:
    """`RealNoise.trial` of each lane; or, of a few, the bits that it begins with."""
    arrays = block_arrays(noise.blocks)
    cell, head, place = bits.words(lanes)  # proof: words
    negative = head >> _TEST_BITS  # proof: sign
    test = head & _TEST_MASK  # proof: test
    # Nothing is out of range, so nothing wraps; this mode is the fastest.
    y = arrays.entries.take(cell, mode="wrap")  # proof: entry
    (rest,) = (test >= y.astype(np.uint16)).nonzero()  # proof: quick
    y >>= QUICK_BITS  # proof: block
    if rest.size < FEW_LANES:
        parts = [each[rest].tolist() for each in (cell, head, place)]
        begun = dict(zip(rest.tolist(), zip(*parts, strict=True), strict=True))
        return _Draw(negative, y, place, _NONE, {}, begun)  # proof: few
    late = rest[y[rest] < 0]
    y = y.astype(np.int64)
    y[late] = arrays.table.draw_longer(bits, lanes[late], cell[late])  # proof: late
    rest = rest[test[rest] >= arrays.quick_at(y[rest])]  # proof: unsure
    longer: dict[int, LazyUniform] = {}
    prefix = bits.integers(lanes[rest], 64 - TEST_BITS).astype(_U64)
    prefix |= test[rest].astype(_U64) << _U64(64 - TEST_BITS)  # proof: prefix
    loss = arrays.losses(y[rest], place[rest] * 2.0**-64)  # proof: loss
    yes, no = certain_exp(prefix, loss)  # proof: floats
    for i in (~(yes | no)).nonzero()[0].tolist():
        lane = int(rest[i])
        longer[lane] = LazyUniform(int(place[lane]), 64)
        with bits.lane(lanes[lane]):
            yes[i] = noise.accepts(  # proof: exact
                int(y[lane]), longer[lane], LazyUniform(int(prefix[i]), 64)
            )
    rejected = rest[~yes]  # proof: rejected
    if rejected.size < _FEW_REJECTED:
        rows = bits.rows(lanes[rejected], WORD)  # proof: new
        again = dict(zip(rejected.tolist(), rows, strict=True))
        return _Draw(negative, y, place, _NONE, longer, again)  # proof: alone
    return _Draw(negative, y, place, rejected, longer, {})


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


@attrs.frozen
class _Width:
    """The width w of a block as doubles: w = whole + rest, but for 2^-105 w.

    `whole` = `upper` + `lower`, each of at most 26 bits. Where the width is so large or
    so small that sums might overflow or lose bits, `usable` is false.
    """

    whole: float
    upper: float
    lower: float
    rest: float
    usable: bool

    @classmethod
    def of(cls, width: mpq) -> _Width:
        whole = to_double(width)  # proof: whole
        if not 2.0**-900 < whole < 2.0**900:
            return cls(0.0, 0.0, 0.0, 0.0, usable=False)  # proof: unusable
        upper = to_double(round_nearest(mpq(whole), _HALF_DOUBLE))  # proof: upper
        rest = to_double(width - mpq(whole))  # proof: rest
        return cls(whole, upper, whole - upper, rest, usable=True)  # proof: lower


@lru_cache(maxsize=32)
def _width(noise: RealNoise) -> _Width:
    """The width of the blocks of a noise, made once."""
    return _Width.of(mpq(noise.numerator, noise.denominator))  # proof: of-noise


def _rounded_sums(x: Array, draw: _Draw, width: _Width) -> tuple[Array, Array]:
    """Doubles near x + t w, and where they are certain to be the nearest ones.

    t = coarse + fine, where coarse has 26 bits, so that its products with the two
    halves of the width are exact. All that is rounded or left out before the last sum
    is below 5 w/2^64 and a part 2^-105 of the result.
    """
    sign = 1.0 - 2.0 * draw.negative  # proof: sign
    coarse = (draw.place >> _U64(52)) * 2.0**-12  # proof: coarse
    coarse += draw.y
    coarse *= sign
    fine = (draw.place & _U64(2**52 - 1)) * 2.0**-64  # proof: fine
    fine *= sign
    main = coarse * width.upper  # proof: main
    fine *= width.whole  # proof: times-whole
    small = fine
    if width.lower or width.rest:
        small = coarse * width.lower  # proof: small
        coarse *= width.rest  # proof: times-rest
        fine += coarse  # proof: finest
        small += fine  # proof: small-sum
    total, rest = _two_sum(x, main)  # proof: total
    rest += small  # proof: rest-sum
    result, left = _two_sum(total, rest)  # proof: result
    size = np.abs(result)
    before = (size.view(np.int64) - 1).view(np.float64)  # proof: before
    gap = size - before  # proof: gap
    error = np.abs(left, out=left)
    error += width.whole * (5 * 2.0**-64)  # proof: slack
    gap *= 0.5 - 2.0**-40
    certain = error < gap  # proof: certain
    certain &= size > 2.0**-900  # proof: least
    certain &= size < 2.0**1000  # proof: most
    certain &= draw.y < MOST_BLOCKS  # proof: few
    if not width.usable:
        certain[:] = False  # proof: usable
    return result, certain


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sums of a and b, and their errors, which are exact."""
    total = a + b  # proof: sum
    from_b = total - a  # proof: from-b
    error = total - from_b
    np.subtract(a, error, out=error)  # proof: error-a
    np.subtract(b, from_b, out=from_b)  # proof: error-b
    error += from_b  # proof: errors
    return total, error
