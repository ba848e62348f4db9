# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.bulk_real; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterator
from contextlib import AbstractContextManager
from contextlib import nullcontext
from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.exact.rounding import round_nearest
from opendp_lite.exact.rounding import to_double
from opendp_lite.randomness.blocks import TEST_BITS
from opendp_lite.randomness.bulk import MOST_BLOCKS
from opendp_lite.randomness.bulk import QUICK_BITS
from opendp_lite.randomness.bulk import block_arrays
from opendp_lite.randomness.bulk import check_array
from opendp_lite.randomness.bulk import run_lanes
from opendp_lite.randomness.draws import decide_double
from opendp_lite.randomness.draws import sample_uniform_double
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lanes import FEW_REALS
from opendp_lite.randomness.lanes import LaneBits
from opendp_lite.randomness.lanes import Lanes
from opendp_lite.randomness.lanes import is_bulk
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.real import RealNoise
from opendp_lite.randomness.real import WORD
from typing import TypeAlias
import attrs
import math
import numpy as np

_FEW_AGAIN = 48
_NONE = np.empty(0, dtype=np.int64)
_AS_IT_IS: AbstractContextManager[None] = nullcontext()
opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.FEW_REALS = 48
_SHORT = 2**12
opendp_lite.randomness.blocks.TEST_BITS = 15
opendp_lite.randomness.bulk.MOST_BLOCKS = 1 << 14
opendp_lite.randomness.bulk.QUICK_BITS = 16
_FEW_TESTS = 48
_TESTS = 2.0**TEST_BITS
_CLEAR = 1.25
_TEST_BITS = np.array(TEST_BITS, dtype=np.uint16)
_TEST_MASK = np.array(2**TEST_BITS - 1, dtype=np.uint16)
_QUICK_BITS = np.array(QUICK_BITS, dtype=np.int32)
_Draw: TypeAlias = "tuple[Array, Array, Array, dict[int, LazyUniform], _Indices]"
_HEADS, _QUICKS = 2**TEST_BITS, 2**QUICK_BITS
opendp_lite.randomness.real.WORD = struct.Struct('>HHQ')
_FINE_UNIT = np.array(2.0**-64)
_HALF_DOUBLE = FloatFormat(26, -1074, 998)
_FINE_BITS = np.array(52, dtype=np.uint64)
_FINE_MASK = np.array(2**52 - 1, dtype=np.uint64)
_COARSE_UNIT = np.array(2.0**-12)
_PART = np.array(2.0**-51)
_ZERO = np.array(0.0)


# === add_real with Callable, AbstractContextManager, nullcontext, check_array,
#    run_lanes, Array, FEW_REALS, LaneBits, Lanes, is_bulk, LazyUniform, RealNoise, np,
#    _FEW_AGAIN, _NONE, _AS_IT_IS, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes, opendp_lite.randomness.lanes.FEW_REALS
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
    near = _all_within(values, width.limit)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        draw = _trial(noise, bits, lanes)
        if 0 < len(draw[-1]) < _FEW_AGAIN:
            draw = _begin_again(noise, bits, lanes, draw)
        negative, y, place, longer, failed = draw
        x = values[where]
        sums = x, negative, y, place
        result, unsure = _rounded_sums(*sums, width, near)
        if unsure.nonzero()[0].size:
            unsure[failed] = False
            for i in unsure.nonzero()[0].tolist():
                known = longer.get(i)
                if known is None:
                    known = LazyUniform(place.item(i), 64)
                noisy = negative.item(i), y.item(i), known
                with bits.lane(lanes[i]):
                    result[i] = _finish(noise, x.item(i), *noisy)
        out[where] = result
        again = np.asarray(failed, dtype=np.int64) if len(failed) else _NONE
        return again

    with _AS_IT_IS if near else np.errstate(all="ignore"):
        run(values.size, step)
    return out


# === _all_within with Array, _SHORT, opendp_lite.randomness.lanes.Array
def _all_within(values: Array, limit: float) -> bool:
    if values.size < _SHORT:
        least, most = values.item(values.argmin()), values.item(values.argmax())
    else:
        least, most = values.min(), values.max()
    return bool(-limit < least and most < limit)


# === sample_uniform_doubles with Callable, mpq, run_lanes, decide_double,
#    sample_uniform_double, Array, FEW_REALS, LaneBits, Lanes, is_bulk, LazyUniform,
#    math, np, _NONE, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes, opendp_lite.randomness.lanes.FEW_REALS
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
        x = np.full(lanes.size, lower, dtype=np.float64)
        result, unsure = _rounded_sums(x, zeros, zeros, place, width)
        for i in unsure.nonzero()[0].tolist():
            with bits.lane(lanes[i]):
                result[i] = LazyUniform(int(place[i]), 64).locate(decide)
        out[where] = result
        return _NONE

    with np.errstate(all="ignore"):
        run(count, step)
    return out


# === _trial with Iterator, TEST_BITS, MOST_BLOCKS, QUICK_BITS, block_arrays, LaneBits,
#    Lanes, LazyUniform, RealNoise, TypeAlias, np,
#    opendp_lite.randomness.blocks.TEST_BITS, opendp_lite.randomness.bulk.MOST_BLOCKS,
#    opendp_lite.randomness.bulk.QUICK_BITS, _FEW_TESTS, _TESTS, _CLEAR, _TEST_BITS,
#    _TEST_MASK, _QUICK_BITS, _Draw, opendp_lite.randomness.lanes.Lanes
def _trial(noise: RealNoise, bits: LaneBits, lanes: Lanes) -> _Draw:
    cell, head, place = bits.words(lanes)
    arrays = block_arrays(noise.blocks)
    y = arrays.entries.take(cell, mode="wrap")
    test = head & _TEST_MASK
    (some,) = (test >= y.astype(np.uint16)).nonzero()
    y >>= _QUICK_BITS
    negative = head >> _TEST_BITS
    longer: dict[int, LazyUniform] = {}
    if some.size >= _FEW_TESTS:
        words = cell, test, place
        y, rejected = _tested(noise, bits, lanes, words, y, some, longer)
        return negative, y, place, longer, rejected
    failed: list[int] = []
    rest = some.tolist()
    found: Iterator[int] = iter(())
    if late := [i for i in rest if y.item(i) < 0]:
        few, starts = [lanes.item(i) for i in late], [cell.item(i) for i in late]
        found = iter(arrays.table.draw_few(bits, few, starts))
    blocks, rate = noise.blocks, arrays.rate
    for i in rest:
        block, start = y.item(i), test.item(i)
        if block < 0:
            block = next(found)
            if block >= MOST_BLOCKS:
                y = y.astype(np.int64)
            y[i] = block
            if blocks.accepts_quickly(block, start):
                continue
        v = place.item(i) * 2.0**-64
        loss = rate * v
        if blocks.power == 2:
            loss *= 2.0 * block + v
        line = _TESTS * (1.0 - loss) - start
        near = block < MOST_BLOCKS
        if near and line > _CLEAR:
            continue
        if not (near and line + _TESTS / 2 * loss * loss < -_CLEAR):
            longer[i] = LazyUniform(place.item(i), 64)
            begun = LazyUniform(start, TEST_BITS)
            with bits.lane(lanes[i]):
                if noise.accepts(block, longer[i], begun):
                    continue
        failed.append(i)
    return negative, y, place, longer, failed


# === _begin_again with TEST_BITS, MOST_BLOCKS, QUICK_BITS, block_arrays, LaneBits,
#    Lanes, RealNoise, WORD, TypeAlias, np, opendp_lite.randomness.blocks.TEST_BITS,
#    opendp_lite.randomness.bulk.MOST_BLOCKS, opendp_lite.randomness.bulk.QUICK_BITS,
#    _NONE, _HEADS, _Draw, opendp_lite.randomness.lanes.Lanes,
#    opendp_lite.randomness.real.WORD
def _begin_again(noise: RealNoise, bits: LaneBits, lanes: Lanes, draw: _Draw) -> _Draw:
    negative, y, place, longer, failed = draw
    entries = block_arrays(noise.blocks).entries
    rows = bits.rows([lanes.item(i) for i in failed], WORD)
    for i, (cell, head, low) in zip(failed, rows, strict=True):
        longer.pop(i, None)
        entry = entries.item(cell)
        if head % _HEADS < entry % _QUICKS:
            y[i] = entry >> QUICK_BITS
            negative[i], place[i] = head >> TEST_BITS, low
            continue
        with bits.lane(lanes[i]):
            drawn = noise.trial((cell << 16 | head) << 64 | low)
            while drawn is None:
                drawn = noise.trial()
        negative[i], block, longer[i] = drawn
        place[i] = longer[i].prefix >> longer[i].length - 64
        if block >= MOST_BLOCKS:
            y = y.astype(np.int64)
        y[i] = block
    return negative, y, place, longer, _NONE


# === _tested with TEST_BITS, MOST_BLOCKS, block_arrays, Array, LaneBits, Lanes,
#    LazyUniform, RealNoise, np, opendp_lite.randomness.blocks.TEST_BITS,
#    opendp_lite.randomness.bulk.MOST_BLOCKS, _TESTS, _CLEAR, _FINE_UNIT,
#    opendp_lite.randomness.lanes.Array, opendp_lite.randomness.lanes.Lanes
def _tested(
    noise: RealNoise,
    bits: LaneBits,
    lanes: Lanes,
    words: tuple[Array, Array, Array],
    y: Array,
    rest: Array,
    longer: dict[int, LazyUniform],
) -> tuple[Array, Array]:
    arrays, (cell, test, place) = block_arrays(noise.blocks), words
    late = rest[y[rest] < 0]
    found = arrays.table.draw_longer(bits, lanes[late], cell[late])
    if late.size and int(found.max()) >= MOST_BLOCKS:
        y = y.astype(np.int64)
    y[late] = found
    rest = rest[test[rest] >= arrays.quick_at(y[rest])]
    with np.errstate(all="ignore"):
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
    return y, rest[~yes]


# === _finish with divide_to_double, LazyUniform, RealNoise, math
def _finish(
    noise: RealNoise, x: float, negative: int, y: int, place: LazyUniform
) -> float:
    if math.isinf(x):
        return x
    n, d = x.as_integer_ratio()
    return noise.finish(n, d, negative, y, place, divide_to_double)


# === _Width.of with mpq, FloatFormat, round_nearest, to_double, Array, attrs, np,
#    _HALF_DOUBLE, opendp_lite.randomness.lanes.Array
@attrs.frozen(eq=False)
class _Width:
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
        whole = to_double(width)
        usable = 2.0**-900 < whole < 2.0**900
        if not usable:
            whole = 0.0
        upper = to_double(round_nearest(mpq(whole), _HALF_DOUBLE))
        lower = whole - upper
        rest = to_double(width - mpq(whole)) if usable else 0.0
        signed = np.array([whole, -whole])
        slack = np.array(6 * 2.0**-64 * whole)
        plain = 2.0**-400 < whole < 2.0**400 and (rest == 0 or abs(rest) > 2.0**-900)
        limit = 2.0**30 * whole if plain else 0.0
        return cls(whole, upper, lower, rest, usable, signed, slack, limit)


# === _width with lru_cache, mpq, RealNoise
@lru_cache(maxsize=32)
def _width(noise: RealNoise) -> _Width:
    return _Width.of(mpq(noise.numerator, noise.denominator))


# === _rounded_sums with MOST_BLOCKS, Array, np,
#    opendp_lite.randomness.bulk.MOST_BLOCKS, _FINE_BITS, _FINE_MASK, _COARSE_UNIT,
#    _FINE_UNIT, _PART, _ZERO, opendp_lite.randomness.lanes.Array
def _rounded_sums(
    x: Array, negative: Array, y: Array, place: Array, width: _Width, near: bool = False
) -> tuple[Array, Array]:
    coarse = (place >> _FINE_BITS) * _COARSE_UNIT
    coarse += y
    fine = (place & _FINE_MASK) * _FINE_UNIT
    factor = width.signed.take(negative, mode="wrap")
    fine *= factor
    if width.lower or width.rest:
        sign = np.copysign(1.0, factor)
        coarse *= sign
        fine += coarse * width.rest
        fine += coarse * width.lower
        coarse *= width.upper
    else:
        coarse *= factor
    total = x + coarse
    part = total - x
    rest = total - part
    np.subtract(x, rest, out=rest)
    np.subtract(coarse, part, out=part)
    rest += part
    rest += fine
    slack = width.slack
    if not near:
        slack = np.abs(rest, out=part)
        slack *= _PART
        slack += width.slack
    result = np.subtract(rest, slack, out=fine)
    result += total
    rest += slack
    rest += total
    if near:
        unsure: Array = rest != result
    else:
        rest -= result
        unsure = rest != _ZERO
    if y.dtype != np.int32:
        unsure |= y >= MOST_BLOCKS
    if not width.usable:
        unsure[:] = True
    return result, unsure
