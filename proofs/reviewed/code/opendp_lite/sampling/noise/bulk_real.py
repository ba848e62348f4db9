# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.noise.bulk_real; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.exact.rounding import round_nearest
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.blocks import TEST_BITS
from opendp_lite.sampling.bulk import FEW_LANES
from opendp_lite.sampling.bulk import MOST_BLOCKS
from opendp_lite.sampling.bulk import QUICK_BITS
from opendp_lite.sampling.bulk import block_arrays
from opendp_lite.sampling.bulk import certain_exp
from opendp_lite.sampling.bulk import check_array
from opendp_lite.sampling.bulk import joined
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import FEW_REALS
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lanes import is_bulk
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.noise.real import RealNoise
from opendp_lite.sampling.table import CELL_BITS
import attrs
import math
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.FEW_REALS = 128
opendp_lite.sampling.blocks.TEST_BITS = 15
opendp_lite.sampling.bulk.FEW_LANES = 8
opendp_lite.sampling.bulk.QUICK_BITS = 16
_FEW_REJECTED = 24
_NONE = np.empty(0, dtype=np.int64)
_U64 = np.uint64
opendp_lite.sampling.table.CELL_BITS = 16
_HALF_DOUBLE = FloatFormat(26, -1074, 998)
opendp_lite.sampling.bulk.MOST_BLOCKS = 1 << 14


# === add_real with Callable, check_array, run_lanes, Array, FEW_REALS, LaneBits, Lanes,
#    is_bulk, RealNoise, np, opendp_lite.sampling.lanes.Array,
#    opendp_lite.sampling.lanes.Lanes, opendp_lite.sampling.lanes.FEW_REALS
def add_real(
    noise: RealNoise, values: Array, run: Callable[..., None] = run_lanes
) -> Array:
    check_array(values, np.float64)
    if noise.numerator == 0:
        return values + 0.0
    if not is_bulk(values.size, FEW_REALS):
        few = noise.releases(values.tolist())
        return np.array(few, dtype=np.float64)
    out = np.empty(values.size, dtype=np.float64)
    width = _width(noise)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        draw = _trial(noise, bits, lanes)
        x = values[where]
        result, certain = _rounded_sums(x, draw, width)
        certain[draw.rejected] = True
        certain[list(draw.alone)] = False
        for i in np.flatnonzero(~certain):
            with bits.lane(lanes[i]):
                result[i] = _finish(noise, float(x[i]), draw, int(i))
        out[where] = result
        return draw.rejected

    with np.errstate(all="ignore"):
        run(values.size, step)
    return out


# === _trial with TEST_BITS, FEW_LANES, QUICK_BITS, block_arrays, certain_exp, joined,
#    LaneBits, Lanes, LazyUniform, RealNoise, CELL_BITS, np,
#    opendp_lite.sampling.blocks.TEST_BITS, opendp_lite.sampling.bulk.FEW_LANES,
#    opendp_lite.sampling.bulk.QUICK_BITS, opendp_lite.sampling.lanes.Lanes,
#    _FEW_REJECTED, _NONE, _U64, opendp_lite.sampling.table.CELL_BITS
def _trial(noise: RealNoise, bits: LaneBits, lanes: Lanes) -> _Draw:
    arrays = block_arrays(noise.blocks)
    cell = bits.integers(lanes, CELL_BITS)
    head = bits.integers(lanes, 1 + TEST_BITS)
    place = bits.integers(lanes, 64)
    negative = head >> np.uint16(TEST_BITS)
    test = head & np.uint16((1 << TEST_BITS) - 1)
    y = arrays.entries.take(cell, mode="wrap")
    rest = np.flatnonzero(test >= y.astype(np.uint16))
    y >>= QUICK_BITS
    if rest.size < FEW_LANES:
        words = joined(rest, cell, head, place, 64)
        return _Draw(negative, y, place, _NONE, {}, {**words})
    late = rest[y[rest] < 0]
    y = y.astype(np.int64)
    y[late] = arrays.table.draw_longer(bits, lanes[late], cell[late])
    rest = rest[test[rest] >= arrays.quick_at(y[rest])]
    longer: dict[int, LazyUniform] = {}
    prefix = bits.integers(lanes[rest], 64 - TEST_BITS).astype(_U64)
    prefix |= test[rest].astype(_U64) << _U64(64 - TEST_BITS)
    loss = arrays.losses(y[rest], place[rest] * 2.0**-64)
    yes, no = certain_exp(prefix, loss)
    for i in np.flatnonzero(~(yes | no)):
        lane = int(rest[i])
        longer[lane] = LazyUniform(int(place[lane]), 64)
        with bits.lane(lanes[lane]):
            yes[i] = noise.accepts(
                int(y[lane]), longer[lane], LazyUniform(int(prefix[i]), 64)
            )
    rejected = rest[~yes]
    if rejected.size < _FEW_REJECTED:
        again = dict.fromkeys(rejected.tolist())
        return _Draw(negative, y, place, _NONE, longer, again)
    return _Draw(negative, y, place, rejected, longer, {})


# === _finish with divide_to_double, LazyUniform, RealNoise, math
def _finish(noise: RealNoise, x: float, draw: _Draw, i: int) -> float:
    if math.isinf(x):
        return x
    n, d = x.as_integer_ratio()
    if i in draw.alone:
        word = draw.alone[i]
        if word is None:
            return noise.release(x)
        return noise.draw(n, d, divide_to_double, word)
    place = draw.longer.get(i)
    if place is None:
        place = LazyUniform(int(draw.place[i]), 64)
    negative, y = int(draw.negative[i]), int(draw.y[i])
    return noise.finish(n, d, negative, y, place, divide_to_double)


# === _Width.of with mpq, FloatFormat, round_nearest, to_double, attrs, _HALF_DOUBLE
@attrs.frozen
class _Width:
    whole: float
    upper: float
    rest: float
    @classmethod
    def of(cls, width: mpq) -> _Width:
        whole = to_double(width)
        if not 2.0**-900 < whole < 2.0**900:
            return cls(0.0, 0.0, 0.0, 0.0, usable=False)
        upper = to_double(round_nearest(mpq(whole), _HALF_DOUBLE))
        rest = to_double(width - mpq(whole))
        return cls(whole, upper, whole - upper, rest, usable=True)


# === _width with lru_cache, mpq, RealNoise
@lru_cache(maxsize=32)
def _width(noise: RealNoise) -> _Width:
    return _Width.of(mpq(noise.numerator, noise.denominator))


# === _rounded_sums with MOST_BLOCKS, Array, np, opendp_lite.sampling.bulk.MOST_BLOCKS,
#    opendp_lite.sampling.lanes.Array, _U64
def _rounded_sums(x: Array, draw: _Draw, width: _Width) -> tuple[Array, Array]:
    sign = 1.0 - 2.0 * draw.negative
    coarse = (draw.place >> _U64(52)) * 2.0**-12
    coarse += draw.y
    coarse *= sign
    fine = (draw.place & _U64(2**52 - 1)) * 2.0**-64
    fine *= sign
    main = coarse * width.upper
    small = coarse * width.lower
    coarse *= width.rest
    fine *= width.whole
    fine += coarse
    small += fine
    total, rest = _two_sum(x, main)
    rest += small
    result, left = _two_sum(total, rest)
    size = np.abs(result)
    before = (size.view(np.int64) - 1).view(np.float64)
    gap = size - before
    error = np.abs(left, out=left)
    error += width.whole * (5 * 2.0**-64)
    gap *= 0.5 - 2.0**-40
    certain = error < gap
    certain &= size > 2.0**-900
    certain &= size < 2.0**1000
    certain &= draw.y < MOST_BLOCKS
    certain &= width.usable
    return result, certain


# === _two_sum with Array, np, opendp_lite.sampling.lanes.Array
def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    total = a + b
    from_b = total - a
    error = total - from_b
    np.subtract(a, error, out=error)
    np.subtract(b, from_b, out=from_b)
    error += from_b
    return total, error
