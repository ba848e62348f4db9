# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.sampler; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
from opendp_lite.laws.weights import SLACK
from opendp_lite.laws.weights import UNIT_BITS
from opendp_lite.laws.weights import bound_exponential
from opendp_lite.laws.weights import near_exponential
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lazy import LazyUniform
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
_GUARD_BITS = 32
PLACE_BITS = 63
_PLACE_MASK = (1 << PLACE_BITS) - 1
opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.laws.weights.UNIT_BITS = 64
opendp_lite.laws.weights.SLACK = 1 << 42


# === ExactLogarithm with mpq, power_of_two, End, bound_exponential, math,
#    opendp_lite.exact.intervals.End, _GUARD_BITS
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


# === Snapping.__init__ with mpq, Lattice
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


# === Snapping.sample with mpq, granularity, random_bits, LazyUniform, PLACE_BITS
class Snapping:
    def sample(self, offset: mpq) -> int:
        if granularity() == 1:
            return self.finish(offset, random_bits(1), LazyUniform())
        return self.continued(offset, random_bits(1 + PLACE_BITS))


# === Snapping.continued with mpq, LazyUniform, PLACE_BITS, _PLACE_MASK
class Snapping:
    def continued(self, offset: mpq, word: int) -> int:
        place = LazyUniform(word & _PLACE_MASK, PLACE_BITS)
        return self.finish(offset, word >> PLACE_BITS, place)


# === Snapping.finish with mpq, End, LazyUniform, opendp_lite.exact.intervals.End,
#    PLACE_BITS
class Snapping:
    def finish(self, offset: mpq, negative: int, place: LazyUniform) -> int:
        lattice = self.lattice

        def index(magnitude: End) -> int:
            if isinstance(magnitude, float):
                return -lattice.last if negative else lattice.last
            z = offset - magnitude if negative else offset + magnitude
            return lattice.index(z)

        def decide(prefix: int, length: int) -> int | None:
            low, high = self.noise.magnitudes(prefix, length)
            near, far = index(low), index(high)
            return near if near == far else None

        return place.locate(decide, PLACE_BITS)


# === Snapping.release
class Snapping:
    def release(self, x: float) -> float:
        lattice = self.lattice
        if lattice.least <= x <= lattice.greatest:
            n, d = x.as_integer_ratio()
            return lattice.released(self._index(n, d))
        return self.release_rational(lattice.clamped(x))


# === Snapping.release_rational with mpq
class Snapping:
    def release_rational(self, x: mpq) -> float:
        lattice = self.lattice
        clamped = lattice.offset(x) + lattice.middle
        n, d = int(clamped.numerator), int(clamped.denominator)
        return lattice.released(self._index(n, d))


# === Snapping.add with Array, opendp_lite.randomness.lanes.Array
class Snapping:
    def add(self, values: Array) -> Array:
        from opendp_lite.measurements.snapping.bulk_sampler import add_snapping

        return add_snapping(self, values)


# === Snapping._index with mpq, granularity, random_bits, PLACE_BITS
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


# === Snapping._at_once with SLACK, UNIT_BITS, near_exponential,
#    opendp_lite.laws.weights.UNIT_BITS, opendp_lite.laws.weights.SLACK, PLACE_BITS,
#    _PLACE_MASK
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
