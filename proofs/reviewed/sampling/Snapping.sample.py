# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/Snapping.sample; written by
# `opendp-lite proofs accept`, never by hand, and never run.


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


# === opendp_lite.sampling.snapping:Snapping.sample ===

from gmpy2 import mpq
from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.entropy import random_bits
from opendp_lite.sampling.lazy import LazyUniform

PLACE_BITS = 63

class Snapping:
    def sample(self, offset: mpq) -> int:
        if granularity() == 1:
            return self.finish(offset, random_bits(1), LazyUniform())
        return self.continued(offset, random_bits(1 + PLACE_BITS))


# === opendp_lite.sampling.snapping:Snapping.continued ===

from gmpy2 import mpq
from opendp_lite.sampling.lazy import LazyUniform

PLACE_BITS = 63
_PLACE_MASK = (1 << PLACE_BITS) - 1

class Snapping:
    def continued(self, offset: mpq, word: int) -> int:
        place = LazyUniform(word & _PLACE_MASK, PLACE_BITS)
        return self.finish(offset, word >> PLACE_BITS, place)


# === opendp_lite.sampling.snapping:Snapping.finish ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import End
from opendp_lite.sampling.lazy import LazyUniform

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
PLACE_BITS = 63

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


# === opendp_lite.sampling.snapping:ExactLogarithm.__init__ ===

from gmpy2 import mpq

class ExactLogarithm:
    def __init__(self, scale: mpq) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be positive, got {scale}")
        self.scale = scale


# === opendp_lite.sampling.snapping:ExactLogarithm.magnitudes ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
from opendp_lite.sampling.exponential import bound_exponential
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
_GUARD_BITS = 32

class ExactLogarithm:
    def magnitudes(self, prefix: int, length: int) -> tuple[End, End]:
        precision = length + _GUARD_BITS
        low, high = bound_exponential(prefix, length, precision)
        unit = self.scale * power_of_two(-precision)
        far = math.inf if high is None else mpq(high) * unit
        return mpq(low) * unit, far
