# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/Snapping.release; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.snapping:Snapping.release ===

class Snapping:
    def release(self, x: float) -> float:
        lattice = self.lattice
        if lattice.least <= x <= lattice.greatest:
            n, d = x.as_integer_ratio()
            return lattice.released(self._index(n, d))
        return self.release_rational(lattice.clamped(x))


# === opendp_lite.sampling.snapping:Snapping.release_rational ===

from gmpy2 import mpq

class Snapping:
    def release_rational(self, x: mpq) -> float:
        lattice = self.lattice
        clamped = lattice.offset(x) + lattice.middle
        n, d = int(clamped.numerator), int(clamped.denominator)
        return lattice.released(self._index(n, d))


# === opendp_lite.sampling.snapping:Snapping.continued ===

from gmpy2 import mpq
from opendp_lite.sampling.lazy import LazyUniform

PLACE_BITS = 63
_PLACE_MASK = (1 << PLACE_BITS) - 1

class Snapping:
    def continued(self, offset: mpq, word: int) -> int:
        place = LazyUniform(word & _PLACE_MASK, PLACE_BITS)
        return self.finish(offset, word >> PLACE_BITS, place)


# === opendp_lite.sampling.snapping:Snapping._index ===

from gmpy2 import mpq
from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.entropy import random_bits

PLACE_BITS = 63

class Snapping:
    def _index(self, n: int, d: int) -> int:
        if granularity() == 1 or not self.noise.close:
            return self.sample(mpq(n, d) - self.lattice.middle)
        word = random_bits(1 + PLACE_BITS)
        index = self._at_once(n, d, word)
        if index is None:
            offset = mpq(n, d) - self.lattice.middle
            return self.continued(offset, word)
        return index


# === opendp_lite.sampling.snapping:Snapping._at_once ===

from opendp_lite.sampling.quick_exponential import SLACK
from opendp_lite.sampling.quick_exponential import UNIT_BITS
from opendp_lite.sampling.quick_exponential import near_exponential

opendp_lite.sampling.quick_exponential.UNIT_BITS = 64
opendp_lite.sampling.quick_exponential.SLACK = 1 << 42
PLACE_BITS = 63
_PLACE_MASK = (1 << PLACE_BITS) - 1

class Snapping:
    def _at_once(self, n: int, d: int, word: int) -> int | None:
        place = near_exponential(word & _PLACE_MASK, PLACE_BITS)
        if place is None:
            return None
        k = self.lattice.exponent
        if k >= 0:
            d <<= k
        else:
            n <<= -k
        product = d * self._origin_unit
        slope = product * self._ratio
        base = (n * self._origin_unit + self._origin * d) * self._ratio_unit
        base <<= UNIT_BITS
        unit = product * self._ratio_unit << UNIT_BITS
        middle = base - slope * place if word >> PLACE_BITS else base + slope * place
        low = (middle - slope * SLACK) // unit
        high = (middle + slope * SLACK) // unit
        last = self.lattice.last
        if low == high:
            return min(max(low, -last), last)
        if low >= last:
            return last
        return -last if high <= -last else None


# === opendp_lite.sampling.snapping:Snapping.__init__ ===

from gmpy2 import mpq
from opendp_lite.sampling.lattice import Lattice

class Snapping:
    def __init__(self, lattice: Lattice, noise: Magnitude) -> None:
        if noise.scale != lattice.scale:
            raise ValueError("lattice and noise must have the same scale")
        self.lattice = lattice
        self.noise = noise
        origin = mpq(1, 2) - lattice.middle / lattice.step
        self._origin = int(origin.numerator)
        self._origin_unit = int(origin.denominator)
        ratio = lattice.scale / lattice.step
        self._ratio, self._ratio_unit = int(ratio.numerator), int(ratio.denominator)


# === opendp_lite.sampling.snapping:ExactLogarithm ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
from opendp_lite.sampling.exponential import bound_exponential
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
_GUARD_BITS = 32

class ExactLogarithm:
    __slots__ = ("scale",)

    close = True

    def __init__(self, scale: mpq) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be positive, got {scale}")
        self.scale = scale

    def magnitudes(self, prefix: int, length: int) -> tuple[End, End]:
        precision = length + _GUARD_BITS
        low, high = bound_exponential(prefix, length, precision)
        unit = self.scale * power_of_two(-precision)
        far = math.inf if high is None else mpq(high) * unit
        return mpq(low) * unit, far


# === opendp_lite.sampling.lattice:Lattice.released ===

from opendp_lite.exact.rounding import divide_to_double
import attrs

@attrs.frozen
class Lattice:
    last: int = attrs.field(init=False, repr=False, eq=False)
    least: float = attrs.field(init=False, repr=False, eq=False)
    greatest: float = attrs.field(init=False, repr=False, eq=False)
    unit: int = attrs.field(init=False, repr=False, eq=False)
    start: int = attrs.field(init=False, repr=False, eq=False)
    stride: int = attrs.field(init=False, repr=False, eq=False)
    def released(self, index: int) -> float:
        if index >= self.last:
            return self.greatest
        if index <= -self.last:
            return self.least
        nearest = divide_to_double(
            self.start + index * self.stride, self.unit
        )
        return min(max(nearest, self.least), self.greatest)


# === opendp_lite.sampling.lattice:Lattice.clamped ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class Lattice:
    lower: mpq
    upper: mpq
    least: float = attrs.field(init=False, repr=False, eq=False)
    greatest: float = attrs.field(init=False, repr=False, eq=False)
    def clamped(self, x: float) -> mpq:
        if x > self.greatest:
            return self.upper
        if x < self.least:
            return self.lower
        return mpq(*x.as_integer_ratio())


# === opendp_lite.sampling.lattice:Lattice.offset ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class Lattice:
    lower: mpq
    upper: mpq
    middle: mpq = attrs.field(init=False, repr=False, eq=False)
    def offset(self, x: mpq) -> mpq:
        return min(max(x, self.lower), self.upper) - self.middle


# === opendp_lite.sampling.finite_logarithm:FiniteLogarithm.close ===

import attrs

_CLOSE_WORD = 102

@attrs.frozen
class FiniteLogarithm:
    word: int = attrs.field(init=False, repr=False, eq=False)
    @property
    def close(self) -> bool:
        return self.word >= _CLOSE_WORD
