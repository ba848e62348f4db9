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
from opendp_lite.sampling.bulk import MOST_BLOCKS
from opendp_lite.sampling.bulk import QUICK_BITS
from opendp_lite.sampling.bulk import block_arrays
from opendp_lite.sampling.bulk import check_array
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import FEW_REALS
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lanes import is_bulk
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.noise.real import RealNoise
from opendp_lite.sampling.noise.real import WORD
from opendp_lite.sampling.uniform_double import decide_double
from opendp_lite.sampling.uniform_double import sample_uniform_double
import attrs
import math
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.FEW_REALS = 48
_NONE = np.empty(0, dtype=np.int64)
opendp_lite.sampling.blocks.TEST_BITS = 15
opendp_lite.sampling.bulk.MOST_BLOCKS = 1 << 14
opendp_lite.sampling.bulk.QUICK_BITS = 16
_FEW_TESTS = 48
_TESTS = 2.0**TEST_BITS
_MASK = 2**TEST_BITS - 1
_CLEAR = 1.25
_TEST_BITS = np.array(TEST_BITS, dtype=np.uint16)
_TEST_MASK = np.array(_MASK, dtype=np.uint16)
_QUICK_BITS = np.array(QUICK_BITS, dtype=np.int32)
_FINE_UNIT = np.array(2.0**-64)
opendp_lite.sampling.noise.real.WORD = struct.Struct('>HHQ')
_HALF_DOUBLE = FloatFormat(26, -1074, 998)
_FINE_BITS = np.array(52, dtype=np.uint64)
_FINE_MASK = np.array(2**52 - 1, dtype=np.uint64)
_COARSE_UNIT = np.array(2.0**-12)
_PART = np.array(2.0**-51)
_ZERO = np.array(0.0)


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
    width, quick = _width(noise), noise.quick()

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        draw = _trial(noise, bits, lanes)
        x = values[where]
        result, unsure = _rounded_sums(x, draw, width)
        if draw.rejected.size:
            unsure[draw.rejected] = False
        for i in unsure.nonzero()[0].tolist():
            if i not in draw.alone:
                with bits.lane(lanes[i]):
                    result[i] = _finish(noise, x.item(i), draw, i)
        for i, parts in draw.alone.items():
            with bits.lane(lanes[i]):
                result[i] = quick(x.item(i), parts)
        out[where] = result
        return draw.rejected

    with np.errstate(all="ignore"):
        run(values.size, step)
    return out


# === sample_uniform_doubles with Callable, mpq, run_lanes, Array, FEW_REALS, LaneBits,
#    Lanes, is_bulk, LazyUniform, decide_double, sample_uniform_double, math, np,
#    opendp_lite.sampling.lanes.Array, opendp_lite.sampling.lanes.Lanes,
#    opendp_lite.sampling.lanes.FEW_REALS, _NONE
def sample_uniform_doubles(
    lower: float, upper: float, count: int, run: Callable[..., None] = run_lanes
) -> Array:
    if not -math.inf < lower < upper < math.inf:
        raise ValueError(f"bounds must be finite and in order, got {lower}, {upper}")
    if not is_bulk(count, FEW_REALS):
        few = [sample_uniform_double(lower, upper) for _ in range(count)]
        return np.array(few, dtype=np.float64)
    out = np.empty(count, dtype=np.float64)
    width = _Width.of(mpq(upper) - mpq(lower))
    decide = decide_double(lower, upper)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        place = bits.integers(lanes, 64)
        zeros = np.zeros(lanes.size, dtype=np.int32)
        draw = _Draw(zeros, zeros, place, {}, _NONE, {})
        x = np.full(lanes.size, lower, dtype=np.float64)
        result, unsure = _rounded_sums(x, draw, width)
        for i in unsure.nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                result[i] = LazyUniform(int(place[i]), 64).locate(decide)
        out[where] = result
        return _NONE

    with np.errstate(all="ignore"):
        run(count, step)
    return out


# === _trial with TEST_BITS, MOST_BLOCKS, QUICK_BITS, block_arrays, LaneBits, Lanes,
#    LazyUniform, RealNoise, WORD, np, opendp_lite.sampling.blocks.TEST_BITS,
#    opendp_lite.sampling.bulk.MOST_BLOCKS, opendp_lite.sampling.bulk.QUICK_BITS,
#    opendp_lite.sampling.lanes.Lanes, _FEW_TESTS, _NONE, _TESTS, _MASK, _CLEAR,
#    _TEST_BITS, _TEST_MASK, _QUICK_BITS, _FINE_UNIT,
#    opendp_lite.sampling.noise.real.WORD
def _trial(noise: RealNoise, bits: LaneBits, lanes: Lanes) -> _Draw:
    words = cell, head, place = bits.words(lanes)
    negative = head >> _TEST_BITS
    test = head & _TEST_MASK
    arrays = block_arrays(noise.blocks)
    y = arrays.entries.take(cell, mode="wrap")
    (rest,) = (test >= y.astype(np.uint16)).nonzero()
    y >>= _QUICK_BITS
    longer: dict[int, LazyUniform] = {}
    if rest.size < _FEW_TESTS:
        y, failed = _tested(noise, bits, lanes, words, y, rest.tolist(), longer)
        rows = bits.rows([lanes[i] for i in failed], WORD)
        alone = dict(zip(failed, rows, strict=True))
        return _Draw(negative, y, place, longer, _NONE, alone)
    late = rest[y[rest] < 0]
    found = arrays.table.draw_longer(bits, lanes[late], cell[late])
    if late.size and int(found.max()) >= MOST_BLOCKS:
        y = y.astype(np.int64)
    y[late] = found
    rest = rest[test[rest] >= arrays.quick_at(y[rest])]
    loss = arrays.losses(y[rest], place[rest] * _FINE_UNIT)
    line = _TESTS * (1.0 - loss) - test[rest]
    yes = line > _CLEAR
    no = line + _TESTS / 2 * loss * loss < -_CLEAR
    for i in (~(yes | no)).nonzero()[0].tolist():
        lane = int(rest[i])
        longer[lane] = LazyUniform(int(place[lane]), 64)
        begun = LazyUniform(int(test[lane]), TEST_BITS)
        with bits.lane(lanes[lane]):
            yes[i] = noise.accepts(int(y[lane]), longer[lane], begun)
    rejected = rest[~yes]
    return _Draw(negative, y, place, longer, rejected, {})


# === _tested with TEST_BITS, MOST_BLOCKS, block_arrays, Array, LaneBits, Lanes,
#    LazyUniform, RealNoise, np, opendp_lite.sampling.blocks.TEST_BITS,
#    opendp_lite.sampling.bulk.MOST_BLOCKS, opendp_lite.sampling.lanes.Array,
#    opendp_lite.sampling.lanes.Lanes, _TESTS, _MASK, _CLEAR, _TEST_MASK
def _tested(
    noise: RealNoise,
    bits: LaneBits,
    lanes: Lanes,
    words: tuple[Array, Array, Array],
    y: Array,
    rest: list[int],
    longer: dict[int, LazyUniform],
) -> tuple[Array, list[int]]:
    blocks, (cells, heads, places) = noise.blocks, words
    rate, rejected = block_arrays(blocks).rate, []
    for i in rest:
        block, test, place = y.item(i), heads.item(i) & _MASK, places.item(i)
        if block < 0:
            with bits.lane(lanes[i]):
                block = blocks.table.continued(cells.item(i))
            if block >= MOST_BLOCKS:
                y = y.astype(np.int64)
            y[i] = block
            if blocks.accepts_quickly(block, test):
                continue
        v = place * 2.0**-64
        loss = rate * v
        if blocks.power == 2:
            loss *= 2.0 * block + v
        line = _TESTS * (1.0 - loss) - test
        near = block < MOST_BLOCKS
        if near and line > _CLEAR:
            continue
        if not (near and line + _TESTS / 2 * loss * loss < -_CLEAR):
            longer[i] = LazyUniform(place, 64)
            with bits.lane(lanes[i]):
                if noise.accepts(block, longer[i], LazyUniform(test, TEST_BITS)):
                    continue
        rejected.append(i)
    return y, rejected


# === _finish with divide_to_double, LazyUniform, RealNoise, math
def _finish(noise: RealNoise, x: float, draw: _Draw, i: int) -> float:
    if math.isinf(x):
        return x
    n, d = x.as_integer_ratio()
    place = draw.longer.get(i)
    if place is None:
        place = LazyUniform(int(draw.place[i]), 64)
    negative, y = int(draw.negative[i]), int(draw.y[i])
    return noise.finish(n, d, negative, y, place, divide_to_double)


# === _Width.of with mpq, FloatFormat, round_nearest, to_double, Array, attrs, np,
#    opendp_lite.sampling.lanes.Array, _HALF_DOUBLE
@attrs.frozen(eq=False)
class _Width:
    whole: float
    upper: float
    lower: float
    rest: float
    usable: bool
    signed: Array
    slack: Array
    @classmethod
    def of(cls, width: mpq) -> _Width:
        whole = to_double(width)
        usable = 2.0**-900 < whole < 2.0**900
        if not usable:
            whole = 0.0
        upper = to_double(round_nearest(mpq(whole), _HALF_DOUBLE))
        lower = whole - upper
        rest = to_double(width - mpq(whole)) if usable else 0.0
        signed = np.array([whole, -whole])
        slack = np.array(5 * 2.0**-64 * whole)
        return cls(whole, upper, lower, rest, usable, signed, slack)


# === _width with lru_cache, mpq, RealNoise
@lru_cache(maxsize=32)
def _width(noise: RealNoise) -> _Width:
    return _Width.of(mpq(noise.numerator, noise.denominator))


# === _rounded_sums with MOST_BLOCKS, Array, np, opendp_lite.sampling.bulk.MOST_BLOCKS,
#    opendp_lite.sampling.lanes.Array, _FINE_BITS, _FINE_MASK, _COARSE_UNIT, _FINE_UNIT,
#    _PART, _ZERO
def _rounded_sums(x: Array, draw: _Draw, width: _Width) -> tuple[Array, Array]:
    coarse = (draw.place >> _FINE_BITS) * _COARSE_UNIT
    coarse += draw.y
    fine = (draw.place & _FINE_MASK) * _FINE_UNIT
    factor = width.signed.take(draw.negative, mode="wrap")
    fine *= factor
    if width.lower or width.rest:
        sign = np.copysign(1.0, factor)
        coarse *= sign
        fine += coarse * width.rest
        fine += coarse * width.lower
        coarse *= width.upper
    else:
        coarse *= factor
    total, rest = _two_sum(x, coarse)
    rest += fine
    slack = np.abs(rest)
    slack *= _PART
    slack += width.slack
    result = rest - slack
    result += total
    rest += slack
    rest += total
    rest -= result
    unsure: Array = rest != _ZERO
    if draw.y.dtype != np.int32:
        unsure |= draw.y >= MOST_BLOCKS
    if not width.usable:
        unsure[:] = True
    return result, unsure


# === _two_sum with Array, np, opendp_lite.sampling.lanes.Array
def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    total = a + b
    from_b = total - a
    error = total - from_b
    np.subtract(a, error, out=error)
    np.subtract(b, from_b, out=from_b)
    error += from_b
    return total, error
