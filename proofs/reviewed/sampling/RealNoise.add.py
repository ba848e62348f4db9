# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/RealNoise.add; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.real:RealNoise.add ===

from opendp_lite.sampling.lanes import Array

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

class RealNoise:
    def add(self, values: Array) -> Array:
        from opendp_lite.sampling.bulk_real import add_real

        return add_real(self, values)


# === opendp_lite.sampling.bulk_real:add_real ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.sampling.bulk import check_array
from opendp_lite.sampling.bulk import is_bulk
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.real import RealNoise
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'

def add_real(
    noise: RealNoise, values: Array, run: Callable[..., None] = run_lanes
) -> Array:
    check_array(values, np.float64)
    if noise.numerator == 0:
        return values + 0.0
    if not is_bulk(values.size):
        few = [noise.release(x) for x in values.tolist()]
        return np.array(few, dtype=np.float64)
    out = np.empty(values.size, dtype=np.float64)
    width = _Width.of(mpq(noise.numerator, noise.denominator))

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        draw = _trial(noise, bits, lanes)
        x = values[where]
        result, certain = _rounded_sums(x, draw, width)
        certain[draw.rejected] = True
        for i in np.flatnonzero(~certain):
            with bits.lane(lanes[i]):
                result[i] = _finish(noise, float(x[i]), draw, int(i))
        out[where] = result
        return draw.rejected

    with np.errstate(all="ignore"):
        run(values.size, step)
    return out


# === opendp_lite.sampling.bulk_real:_trial ===

from opendp_lite.sampling.blocks import TEST_BITS
from opendp_lite.sampling.bulk import block_arrays
from opendp_lite.sampling.bulk import certain_exp
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.real import RealNoise
from opendp_lite.sampling.table import CELL_BITS
import numpy as np

opendp_lite.sampling.blocks.TEST_BITS = 15
_U64 = np.uint64
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.table.CELL_BITS = 16

def _trial(noise: RealNoise, bits: LaneBits, lanes: Lanes) -> _Draw:
    arrays = block_arrays(noise.blocks)
    cell = bits.integers(lanes, CELL_BITS)
    head = bits.integers(lanes, 1 + TEST_BITS)
    place = bits.integers(lanes, 64)
    y = arrays.table.draw(bits, lanes, cell)
    negative = head >> np.uint16(TEST_BITS)
    test = head & np.uint16((1 << TEST_BITS) - 1)
    rest = np.flatnonzero(test >= arrays.quick_at(y))
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
    return _Draw(negative, y, place, rest[~yes], longer)


# === opendp_lite.sampling.bulk_real:_finish ===

from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.real import RealNoise
import math

def _finish(noise: RealNoise, x: float, draw: _Draw, i: int) -> float:
    if math.isinf(x):
        return x
    n, d = x.as_integer_ratio()
    place = draw.longer.get(i)
    if place is None:
        place = LazyUniform(int(draw.place[i]), 64)
    negative, y = int(draw.negative[i]), int(draw.y[i])
    return noise.finish(n, d, negative, y, place, divide_to_double)


# === opendp_lite.sampling.bulk_real:_Width.of ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import round_nearest
from opendp_lite.exact.rounding import to_double
import attrs

_HALF_DOUBLE = FloatFormat(26, -1074, 998)

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


# === opendp_lite.sampling.bulk_real:_rounded_sums ===

from opendp_lite.sampling.bulk import MOST_BLOCKS
from opendp_lite.sampling.lanes import Array
import numpy as np

opendp_lite.sampling.bulk.MOST_BLOCKS = 1 << 14
_U64 = np.uint64
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

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


# === opendp_lite.sampling.bulk_real:_two_sum ===

from opendp_lite.sampling.lanes import Array
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    total = a + b
    from_b = total - a
    error = total - from_b
    np.subtract(a, error, out=error)
    np.subtract(b, from_b, out=from_b)
    error += from_b
    return total, error


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.sampling.real:RealNoise.accepts ===

from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.lazy import LazyUniform

class RealNoise:
    def accepts(self, y: int, place: LazyUniform, test: LazyUniform) -> bool:
        step = granularity()
        while True:
            answer = self.blocks.decide(
                y,
                place.prefix,
                place.prefix + 1,
                place.length,
                test.prefix,
                test.length,
            )
            if answer is not None:
                return answer
            test.reveal(step)
            place.reveal(step)


# === opendp_lite.sampling.real:RealNoise.finish ===

from collections.abc import Callable
from opendp_lite.sampling.lazy import LazyUniform
from typing import TypeVar

T = TypeVar("T")

class RealNoise:
    def finish(
        self,
        n: int,
        d: int,
        negative: int,
        y: int,
        place: LazyUniform,
        rounded: Callable[[int, int], T],
    ) -> T:
        slope = -self.numerator * d if negative else self.numerator * d
        base = n * self.denominator
        product = d * self.denominator

        def decide(prefix: int, length: int) -> T | None:
            t = (y << length) + prefix
            start = base << length
            unit = product << length
            near = rounded(start + slope * t, unit)
            far = rounded(start + slope * (t + 1), unit)
            return near if near == far else None

        answer = decide(place.prefix, place.length)
        return place.locate(decide) if answer is None else answer


# === opendp_lite.sampling.bulk:certain_exp ===

from opendp_lite.sampling.lanes import Array
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def certain_exp(prefix: Array, loss: Array) -> tuple[Array, Array]:
    with np.errstate(under="ignore"):
        p = np.exp(-loss)
        slack = p * 2.0**-36 + 2.0**-50
    u = prefix * 2.0**-64
    known = loss < 2.0**10
    below = known & (u < p - slack)
    above = known & (u > p + slack)
    return below, above


# === opendp_lite.sampling.bulk:BlockArrays.losses ===

from opendp_lite.sampling.blocks import Blocks
from opendp_lite.sampling.lanes import Array
import attrs
import numpy as np

MOST_BLOCKS = 1 << 14
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

@attrs.frozen(eq=False)
class BlockArrays:
    blocks: Blocks
    rate: float
    def losses(self, y: Array, place: Array) -> Array:
        loss = self.rate * place
        if self.blocks.power == 2:
            loss *= 2.0 * y + place
        return np.where(y < MOST_BLOCKS, loss, np.inf)


# === opendp_lite.sampling.bulk:block_arrays ===

from functools import lru_cache
from opendp_lite.sampling.blocks import Blocks

@lru_cache(maxsize=32)
def block_arrays(blocks: Blocks) -> BlockArrays:
    return BlockArrays.of(blocks)


# === opendp_lite.sampling.bulk:is_bulk ===

from opendp_lite.sampling.entropy import granularity

_FEW = 8

def is_bulk(count: int) -> bool:
    return count >= _FEW and granularity() > 1


# === opendp_lite.sampling.bulk:check_array ===

from opendp_lite.sampling.lanes import Array

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def check_array(values: Array, *types: type) -> None:
    if values.ndim != 1 or values.dtype not in types:
        names = " or ".join(each.__name__ for each in types)
        raise ValueError(f"values must be a one-dimensional array of {names}")


# === opendp_lite.sampling.blocks:Blocks.decide ===

from opendp_lite.sampling.exponential import bound_exponential

class Blocks:
    def decide(
        self, y: int, least: int, most: int, bits: int, prefix: int, length: int
    ) -> bool | None:
        n, d = self.loss(y, most, bits)
        if (prefix + 1) * d <= (d - n) << length:
            return True
        m, _ = self.loss(y, least, bits)
        curve = 2 * d * (d - m) + m * m
        if 2 * d * d * prefix >= curve << length:
            return False
        precision = length + 32
        low, high = bound_exponential(prefix, length, precision)
        if low * d >= n << precision:
            return True
        if high is not None and high * d <= m << precision:
            return False
        return None
