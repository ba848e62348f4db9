# ruff: noqa
# fmt: off
# What was read of opendp_lite.randomness.real; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import cache
from gmpy2 import mpq
from math import isinf
from math import nan
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import BINARY64
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.exact.rounding import round_nearest
from opendp_lite.laws.noise import GAUSSIAN
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.noise import Law
from opendp_lite.randomness.blocks import TEST_BITS
from opendp_lite.randomness.blocks import blocks
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.entropy import random_parts
from opendp_lite.randomness.entropy import random_rows
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lanes import FEW_REALS
from opendp_lite.randomness.lanes import is_bulk
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS
from struct import Struct
from typing import Any
from typing import TypeVar

opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
opendp_lite.laws.noise.GAUSSIAN = opendp_lite.laws.noise.Law('Gaussian', 2, 2)
_BLOCK_BITS = 6
_MOST_BLOCK_BITS = 7
_PLACE_BITS = 64
opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)
WORD = Struct(">HHQ")
opendp_lite.randomness.lanes.FEW_REALS = 48
opendp_lite.randomness.blocks.TEST_BITS = 15
_HEAD_BITS = CELL_BITS + 1 + TEST_BITS
_TEST_MASK = (1 << TEST_BITS) - 1
_WORD_BITS = _HEAD_BITS + _PLACE_BITS
_LEAST = 2.0**-1000
opendp_lite.randomness.table.CELL_BITS = 16
opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
T = TypeVar("T")
_PLACE_MASK = (1 << _PLACE_BITS) - 1


# === RealNoise.__init__ with Callable, mpq, power_of_two, GAUSSIAN, LAPLACE, Law,
#    blocks, opendp_lite.laws.noise.LAPLACE, opendp_lite.laws.noise.GAUSSIAN,
#    _BLOCK_BITS, _MOST_BLOCK_BITS, _PLACE_BITS
class RealNoise:
    def __init__(self, law: Law, scale: mpq, block_bits: int | None = None) -> None:
        if law not in (LAPLACE, GAUSSIAN):
            raise ValueError(f"law must be laplace or gaussian, got {law.name}")
        if scale < 0:
            raise ValueError(f"scale must be non-negative, got {scale}")
        if block_bits is None:
            block_bits = _BLOCK_BITS
        if not 0 <= block_bits <= _MOST_BLOCK_BITS:
            raise ValueError(f"block_bits must be from 0 to 7, got {block_bits}")
        self.law = law
        self.scale = scale
        self.block_bits = block_bits
        width = scale / power_of_two(block_bits)
        self.numerator, self.denominator = int(width.numerator), int(width.denominator)
        self.unit = self.denominator << _PLACE_BITS
        dyadic = self.unit.bit_count() == 1
        self.float_unit = 1 / self.unit if dyadic else 0.0
        rate = law.rate(power_of_two(block_bits))
        self.blocks = blocks(rate, law.power)
        self._quick: Callable[[float, tuple[int, ...]], float] | None = None


# === RealNoise.__reduce__ with Any
class RealNoise:
    def __reduce__(self) -> Any:
        return RealNoise, (self.law, self.scale, self.block_bits)


# === RealNoise.sample with mpq, BINARY64, FloatFormat, round_nearest,
#    opendp_lite.exact.rounding.BINARY64
class RealNoise:
    def sample(self, shift: mpq, fmt: FloatFormat = BINARY64) -> mpq:
        def rounded(n: int, d: int) -> mpq:
            return round_nearest(mpq(n, d), fmt)

        n, d = int(shift.numerator), int(shift.denominator)
        return self.draw(n, d, rounded)


# === RealNoise.release with isinf, divide_to_double, random_parts, Struct, WORD
class RealNoise:
    def release(self, x: float) -> float:
        parts = random_parts(WORD) if self.numerator else None
        if parts is None:
            return (
                x if isinf(x) else self.draw(*x.as_integer_ratio(), divide_to_double)
            )
        return (self._quick or self.quick())(x, parts)


# === RealNoise.releases with random_rows, FEW_REALS, is_bulk, Struct,
#    opendp_lite.randomness.lanes.FEW_REALS, WORD
class RealNoise:
    def releases(self, values: list[float]) -> list[float]:
        if is_bulk(len(values), FEW_REALS):
            add, as_array = _in_bulk()
            released: list[float] = add(self, as_array(values, "d")).tolist()
            return released
        rows = random_rows(WORD, len(values)) if self.numerator else None
        if rows is None:
            return [self.release(x) for x in values]
        return list(map(self.quick(), values, rows))


# === RealNoise.quick with Callable, isinf, nan, divide_to_double, TEST_BITS, CELL_BITS,
#    opendp_lite.randomness.blocks.TEST_BITS, _HEAD_BITS, _TEST_MASK, _PLACE_BITS,
#    _WORD_BITS, _LEAST, opendp_lite.randomness.table.CELL_BITS
class RealNoise:
    def quick(self) -> Callable[[float, tuple[int, ...]], float]:
        if self._quick is not None:
            return self._quick
        cells, quick = self.blocks.sure
        numerator, unit, float_unit = self.numerator, self.unit, self.float_unit
        per_unit = 1 / float_unit if float_unit > _LEAST else nan
        draw = self.draw

        def release(x: float, parts: tuple[int, ...]) -> float:
            cell, rest, place = parts
            y = cells[cell]
            if y >= 0 and rest & _TEST_MASK < quick[y]:
                try:
                    units = x * per_unit
                    if units.is_integer():
                        start, slope, step = int(units), numerator, float_unit
                    else:
                        n, d = x.as_integer_ratio()
                        start, slope = n * unit, numerator * d
                        step = float_unit / d
                    if rest > _TEST_MASK:
                        slope = -slope
                    start += slope * ((y << _PLACE_BITS) + place)
                    near: float = start * step
                    far = (start + slope) * step
                    if near == far and abs(near) > _LEAST:
                        return near
                except OverflowError:
                    pass
            if isinf(x):
                return x
            word = cell << _WORD_BITS - CELL_BITS | rest << _PLACE_BITS | place
            n, d = x.as_integer_ratio()
            return draw(n, d, divide_to_double, word)

        self._quick = release
        return release


# === RealNoise.add with Array, opendp_lite.randomness.lanes.Array
class RealNoise:
    def add(self, values: Array) -> Array:
        add, _ = _in_bulk()
        return add(self, values)


# === RealNoise.draw with Callable, TypeVar, T
class RealNoise:
    def draw(
        self,
        n: int,
        d: int,
        rounded: Callable[[int, int], T],
        word: int | None = None,
    ) -> T:
        if self.numerator == 0:
            return rounded(n, d)
        noise = self.trial(word)
        while noise is None:
            noise = self.trial()
        return self.finish(n, d, *noise, rounded)


# === RealNoise.trial with TEST_BITS, granularity, random_bits, LazyUniform, CELL_BITS,
#    opendp_lite.randomness.blocks.TEST_BITS, _HEAD_BITS, _TEST_MASK, _PLACE_BITS,
#    _WORD_BITS, _PLACE_MASK, opendp_lite.randomness.table.CELL_BITS
class RealNoise:
    def trial(self, word: int | None = None) -> tuple[int, int, LazyUniform] | None:
        blocks = self.blocks
        if granularity() > 1:
            if word is None:
                word = random_bits(_WORD_BITS)
            place = LazyUniform(word & _PLACE_MASK, _PLACE_BITS)
            head = word >> _PLACE_BITS
            y = blocks.table.continued(head >> TEST_BITS + 1)
            negative = head >> TEST_BITS & 1
            if blocks.accepts_quickly(y, head & _TEST_MASK):
                return negative, y, place
            test = LazyUniform(head & _TEST_MASK, TEST_BITS)
        else:
            y = blocks.table.sample()
            negative, place, test = random_bits(1), LazyUniform(), LazyUniform()
        accepted = self.accepts(y, place, test)
        return (negative, y, place) if accepted else None


# === RealNoise.accepts with granularity, LazyUniform
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


# === RealNoise.finish with Callable, LazyUniform, TypeVar, T
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


# === _in_bulk with Callable, cache, Array, opendp_lite.randomness.lanes.Array
@cache
def _in_bulk() -> tuple[Callable[..., Array], Callable[..., Array]]:
    from opendp_lite.randomness.bulk import listed
    from opendp_lite.randomness.bulk_real import add_real

    return add_real, listed
