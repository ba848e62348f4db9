# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/Snapping.add; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.snapping:Snapping.add ===

from opendp_lite.sampling.lanes import Array

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

class Snapping:
    def add(self, values: Array) -> Array:
        from opendp_lite.sampling.bulk_snapping import add_snapping

        return add_snapping(self, values)


# === opendp_lite.sampling.bulk_snapping:add_snapping ===

from collections.abc import Callable
from opendp_lite.sampling.bulk import is_bulk
from opendp_lite.sampling.bulk import run_lanes
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lanes import LaneBits
from opendp_lite.sampling.lanes import Lanes
from opendp_lite.sampling.snapping import Snapping
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.sampling.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'

def add_snapping(
    snapping: Snapping, values: Array, run: Callable[..., None] = run_lanes
) -> Array:
    lattice = snapping.lattice
    place = _Place.of(lattice) if snapping.noise.close else None
    if place is None or not is_bulk(values.size):
        few = [snapping.release(x) for x in values.tolist()]
        return np.array(few, dtype=np.float64)
    out = np.empty(values.size, dtype=np.float64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        words = bits.integers(lanes, 64)
        x = values[where]
        index, certain = _indices(place, x, words)
        for i in np.flatnonzero(~certain):
            with bits.lane(lanes[i]):
                offset = lattice.clamped(float(x[i])) - lattice.middle
                index[i] = snapping.continued(offset, int(words[i]))
        out[where] = place.released(index)
        return np.empty(0, dtype=np.int64)

    with np.errstate(all="ignore"):
        run(values.size, step)
    return out


# === opendp_lite.sampling.bulk_snapping:_Place.of ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import round_up
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.lattice import Lattice
import attrs

_MOST_EXPONENT = 900
_MOST_STEPS = 44

@attrs.frozen(eq=False)
class _Place:
    lattice: Lattice
    middle: float
    last: float
    @classmethod
    def of(cls, lattice: Lattice) -> _Place | None:
        size = max(abs(lattice.lower), abs(lattice.upper))
        steps = size / lattice.step
        if abs(lattice.exponent) > _MOST_EXPONENT:
            return None
        if steps > power_of_two(_MOST_STEPS):
            return None
        middle = to_double(lattice.middle)
        return cls(
            lattice,
            middle,
            to_double(mpq(1) / lattice.step),
            to_double(lattice.scale / lattice.step),
            float(lattice.last),
            round_up(power_of_two(-35) + steps * power_of_two(-48)),
            mpq(middle) == lattice.middle,
        )


# === opendp_lite.sampling.bulk_snapping:_indices ===

from opendp_lite.sampling.lanes import Array
import numpy as np

_PLACE_MASK = np.uint64(2**63 - 1)
_LEAST_U = 2.0**-23
opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

def _indices(place: _Place, x: Array, words: Array) -> tuple[Array, Array]:
    u = (words & _PLACE_MASK) * 2.0**-63
    noise = np.log(u)
    noise *= place.ratio
    np.copysign(noise, words.view(np.float64), out=noise)
    lattice = place.lattice
    z = np.clip(x, lattice.least, lattice.greatest)
    z -= place.middle
    z *= place.inverse
    z += noise
    np.clip(z, -place.last, place.last, out=z)
    index = np.rint(z)
    z -= index
    np.abs(z, out=z)
    certain = z < 0.5 - place.slack
    certain &= u >= _LEAST_U
    return index, certain


# === opendp_lite.sampling.bulk_snapping:_Place.released ===

from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.lanes import Array
from opendp_lite.sampling.lattice import Lattice
import attrs
import numpy as np

opendp_lite.sampling.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'

@attrs.frozen(eq=False)
class _Place:
    lattice: Lattice
    middle: float
    exact: bool
    def released(self, index: Array) -> Array:
        lattice = self.lattice
        if not self.exact:
            few, where = np.unique(index, return_inverse=True)
            doubles = [lattice.released(int(j)) for j in few]
            return np.array(doubles, dtype=np.float64)[where]
        released = index * to_double(lattice.step)
        released += self.middle
        return np.clip(released, lattice.least, lattice.greatest, out=released)


# === opendp_lite.sampling.snapping:Snapping.continued ===

from gmpy2 import mpq
from opendp_lite.sampling.lazy import LazyUniform

PLACE_BITS = 63
_PLACE_MASK = (1 << PLACE_BITS) - 1

class Snapping:
    def continued(self, offset: mpq, word: int) -> int:
        place = LazyUniform(word & _PLACE_MASK, PLACE_BITS)
        return self.finish(offset, word >> PLACE_BITS, place)


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


# === opendp_lite.sampling.finite_logarithm:FiniteLogarithm.close ===

import attrs

_CLOSE_WORD = 102

@attrs.frozen
class FiniteLogarithm:
    word: int = attrs.field(init=False, repr=False, eq=False)
    @property
    def close(self) -> bool:
        return self.word >= _CLOSE_WORD


# === opendp_lite.sampling.bulk:is_bulk ===

from opendp_lite.sampling.entropy import granularity

_FEW = 8

def is_bulk(count: int) -> bool:
    return count >= _FEW and granularity() > 1


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))
