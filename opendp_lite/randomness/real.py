"""Real noise, released as the nearest floating-point value.

One number is drawn here; arrays are in `opendp_lite.randomness.bulk_real`, by the
same rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import isinf, nan
from struct import Struct
from typing import Any, TypeVar

from gmpy2 import mpq

from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import (
    BINARY64,
    FloatFormat,
    divide_to_double,
    round_nearest,
)
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.randomness.blocks import TEST_BITS, blocks
from opendp_lite.randomness.entropy import (
    granularity,
    random_bits,
    random_parts,
    random_rows,
)
from opendp_lite.randomness.lanes import FEW_REALS, Array, is_bulk
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.randomness.table import CELL_BITS

T = TypeVar("T")

_BLOCK_BITS = 6  # unless it is given: 64 blocks to a scale
_MOST_BLOCK_BITS = 7  # so that the rate of a block is at least 2^-16
_HEAD_BITS = CELL_BITS + 1 + TEST_BITS  # of the block, the sign and the test
_TEST_MASK = (1 << TEST_BITS) - 1
_PLACE_BITS = 64
_WORD_BITS = _HEAD_BITS + _PLACE_BITS
WORD = Struct(">HHQ")  # the block; the sign and the test; the place
_PLACE_MASK = (1 << _PLACE_BITS) - 1
_LEAST = 2.0**-1000  # of a product that no subnormal number has part in


class RealNoise:
    """RN(shift + scale Y), where Y has the density proportional to e^(-r |y|^power).

    Here r is the rate of scale 1: 1 or 1/2. RN rounds to the nearest value of a format,
    ties to even, and saturates at its largest value. |Y| = (y + V)/2^a with a block
    y and a place V in [0, 1), which is revealed bit by bit; there are 2^a
    blocks to a scale. As RN is monotone, an interval whose two ends are rounded to one
    value is rounded to it whole. At scale 0 the result is RN(shift).

    >>> from opendp_lite.laws.noise import GAUSSIAN, LAPLACE
    >>> real_noise(LAPLACE, mpq(0)).sample(mpq(1, 10)) == mpq(0.1)
    True
    >>> isinstance(real_noise(GAUSSIAN, mpq(1)).release(0.1), float)
    True
    """

    __slots__ = (
        "_quick",
        "block_bits",
        "blocks",
        "denominator",
        "float_unit",
        "law",
        "numerator",
        "scale",
        "unit",
    )

    def __init__(self, law: Law, scale: mpq, block_bits: int | None = None) -> None:
        if law not in (LAPLACE, GAUSSIAN):  # proof: law
            raise ValueError(f"law must be laplace or gaussian, got {law.name}")
        if scale < 0:  # proof: range
            raise ValueError(f"scale must be non-negative, got {scale}")
        if block_bits is None:
            block_bits = _BLOCK_BITS  # proof: default
        if not 0 <= block_bits <= _MOST_BLOCK_BITS:  # proof: block-bits
            raise ValueError(f"block_bits must be from 0 to 7, got {block_bits}")
        self.law = law
        self.scale = scale
        self.block_bits = block_bits
        width = scale / power_of_two(block_bits)  # proof: width
        self.numerator, self.denominator = int(width.numerator), int(width.denominator)
        self.unit = self.denominator << _PLACE_BITS  # proof: fine
        # A product is faster than a quotient, and exact where this is a power of two.
        dyadic = self.unit.bit_count() == 1
        self.float_unit = 1 / self.unit if dyadic else 0.0  # proof: dyadic
        rate = law.rate(power_of_two(block_bits))  # proof: unit
        self.blocks = blocks(rate, law.power)
        self._quick: Callable[[float, tuple[int, ...]], float] | None = None

    def __reduce__(self) -> Any:
        return RealNoise, (self.law, self.scale, self.block_bits)

    def sample(self, shift: mpq, fmt: FloatFormat = BINARY64) -> mpq:
        """RN(shift + scale Y) for any shift and any format."""

        def rounded(n: int, d: int) -> mpq:
            return round_nearest(mpq(n, d), fmt)

        n, d = int(shift.numerator), int(shift.denominator)
        return self.draw(n, d, rounded)

    def release(self, x: float) -> float:
        """RN(x + scale Y) for a double x that is no nan; x itself if it is infinite."""
        parts = random_parts(WORD) if self.numerator else None  # proof: word
        if parts is None:
            return (
                x if isinf(x) else self.draw(*x.as_integer_ratio(), divide_to_double)
            )  # proof: plain
        return (self._quick or self.quick())(x, parts)  # proof: quick

    def releases(self, values: list[float]) -> list[float]:
        """`release` of each of a list, with one request for the first bits of all.

        >>> from opendp_lite.laws.noise import LAPLACE
        >>> real_noise(LAPLACE, mpq(0)).releases([0.5, -0.0])
        [0.5, 0.0]
        """
        if is_bulk(len(values), FEW_REALS):
            add, as_array = _in_bulk()
            released: list[float] = add(self, as_array(values, "d")).tolist()
            return released  # proof: many
        rows = random_rows(WORD, len(values)) if self.numerator else None
        if rows is None:
            return [self.release(x) for x in values]  # proof: singly
        return list(map(self.quick(), values, rows))  # proof: each

    def quick(self) -> Callable[[float, tuple[int, ...]], float]:
        """`release` as a function of x and the bits of the first trial, in parts.

        What it needs is at hand in it, which counts where so little is done.
        """
        if self._quick is not None:
            return self._quick  # proof: made-once
        cells, quick = self.blocks.sure
        numerator, unit, float_unit = self.numerator, self.unit, self.float_unit
        # A double times a power of two is exact, unless it is infinite.
        per_unit = 1 / float_unit if float_unit > _LEAST else nan  # proof: per-unit
        draw = self.draw

        def release(x: float, parts: tuple[int, ...]) -> float:
            cell, rest, place = parts  # proof: parts
            y = cells[cell]  # proof: block
            if y >= 0 and rest & _TEST_MASK < quick[y]:  # proof: at-once
                try:
                    units = x * per_unit  # proof: units
                    if units.is_integer():
                        start, slope, step = int(units), numerator, float_unit
                    else:
                        n, d = x.as_integer_ratio()
                        start, slope = n * unit, numerator * d
                        step = float_unit / d  # proof: unit
                    if rest > _TEST_MASK:
                        slope = -slope  # proof: sign
                    start += slope * ((y << _PLACE_BITS) + place)  # proof: start
                    near: float = start * step  # proof: near
                    far = (start + slope) * step  # proof: far
                    if near == far and abs(near) > _LEAST:  # proof: agree
                        return near  # proof: equal
                except OverflowError:  # proof: overflow
                    pass
            if isinf(x):
                return x  # proof: infinite
            word = cell << _WORD_BITS - CELL_BITS | rest << _PLACE_BITS | place
            n, d = x.as_integer_ratio()
            return draw(n, d, divide_to_double, word)  # proof: same-word

        self._quick = release
        return release

    def add(self, values: Array) -> Array:
        """RN(x + scale Y) for each x of a float64 array; infinite x stay as they are.

        >>> import numpy as np
        >>> from opendp_lite.laws.noise import GAUSSIAN
        >>> real_noise(GAUSSIAN, mpq(0)).add(np.array([0.1, np.inf]))
        array([0.1, inf])
        """
        add, _ = _in_bulk()
        return add(self, values)  # proof: bulk

    def draw(
        self,
        n: int,
        d: int,
        rounded: Callable[[int, int], T],
        word: int | None = None,
    ) -> T:
        if self.numerator == 0:  # proof: zero
            return rounded(n, d)
        noise = self.trial(word)  # proof: first
        while noise is None:  # proof: repeat
            noise = self.trial()
        return self.finish(n, d, *noise, rounded)

    def trial(self, word: int | None = None) -> tuple[int, int, LazyUniform] | None:
        """Propose a sign, a block and a place, and return them if they are accepted.

        `word` is the first bits of the trial, if they have been read already.
        """
        blocks = self.blocks
        if granularity() > 1:
            if word is None:
                word = random_bits(_WORD_BITS)  # proof: word
            place = LazyUniform(word & _PLACE_MASK, _PLACE_BITS)  # proof: place
            head = word >> _PLACE_BITS
            y = blocks.table.continued(head >> TEST_BITS + 1)  # proof: block
            negative = head >> TEST_BITS & 1  # proof: sign
            if blocks.accepts_quickly(y, head & _TEST_MASK):  # proof: quick
                return negative, y, place
            test = LazyUniform(head & _TEST_MASK, TEST_BITS)  # proof: test
        else:
            y = blocks.table.sample()  # proof: bit-by-bit
            negative, place, test = random_bits(1), LazyUniform(), LazyUniform()
        accepted = self.accepts(y, place, test)  # proof: accept
        return (negative, y, place) if accepted else None

    def accepts(self, y: int, place: LazyUniform, test: LazyUniform) -> bool:
        """Whether the test accepts the place; of both, more is revealed as needed."""
        step = granularity()
        while True:
            answer = self.blocks.decide(  # proof: decide
                y,
                place.prefix,
                place.prefix + 1,
                place.length,
                test.prefix,
                test.length,
            )
            if answer is not None:
                return answer
            test.reveal(step)  # proof: more-test
            place.reveal(step)  # proof: more-place

    def finish(
        self,
        n: int,
        d: int,
        negative: int,
        y: int,
        place: LazyUniform,
        rounded: Callable[[int, int], T],
    ) -> T:
        """RN(n/d +- (y + V) w), where w is the width of a block and V the place."""
        slope = -self.numerator * d if negative else self.numerator * d  # proof: slope
        base = n * self.denominator
        product = d * self.denominator

        def decide(prefix: int, length: int) -> T | None:
            t = (y << length) + prefix
            start = base << length
            unit = product << length
            near = rounded(start + slope * t, unit)  # proof: near
            far = rounded(start + slope * (t + 1), unit)  # proof: far
            return near if near == far else None

        answer = decide(place.prefix, place.length)  # proof: now
        return place.locate(decide) if answer is None else answer  # proof: later


@cache
def _in_bulk() -> tuple[Callable[..., Array], Callable[..., Array]]:
    """`add_real` and `listed`, which need numpy; to import them anew takes longer."""
    from opendp_lite.randomness.bulk import listed
    from opendp_lite.randomness.bulk_real import add_real

    return add_real, listed  # proof: loaded


@lru_cache(maxsize=64)
def real_noise(law: Law, scale: mpq) -> RealNoise:
    """Return real noise of a law and a scale, made once."""
    return RealNoise(law, scale)
