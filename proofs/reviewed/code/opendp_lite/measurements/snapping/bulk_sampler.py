# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.bulk_sampler; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import round_up
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.sampler import Snapping
from opendp_lite.randomness.bulk import run_lanes
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lanes import FEW_SNAPPED
from opendp_lite.randomness.lanes import LaneBits
from opendp_lite.randomness.lanes import Lanes
from opendp_lite.randomness.lanes import is_bulk
import attrs
import numpy as np

opendp_lite.randomness.lanes.Array: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.Lanes: typing.TypeAlias = 'np.ndarray[Any, Any]'
opendp_lite.randomness.lanes.FEW_SNAPPED = 16
_MOST_EXPONENT = 900
_MOST_STEPS = 44
_PLACE_MASK = np.uint64(2**63 - 1)
_LEAST_U = 2.0**-23


# === add_snapping with Callable, Snapping, run_lanes, Array, FEW_SNAPPED, LaneBits,
#    Lanes, is_bulk, np, opendp_lite.randomness.lanes.Array,
#    opendp_lite.randomness.lanes.Lanes, opendp_lite.randomness.lanes.FEW_SNAPPED
def add_snapping(
    snapping: Snapping, values: Array, run: Callable[..., None] = run_lanes
) -> Array:
    lattice = snapping.lattice
    place = _Place.of(lattice) if snapping.noise.close else None
    if place is None or not is_bulk(values.size, FEW_SNAPPED):
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


# === _Place.of with mpq, power_of_two, round_up, to_double, Lattice, attrs,
#    _MOST_EXPONENT, _MOST_STEPS
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


# === _Place.released with to_double, Lattice, Array, attrs, np,
#    opendp_lite.randomness.lanes.Array
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


# === _indices with Array, np, _PLACE_MASK, _LEAST_U, opendp_lite.randomness.lanes.Array
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
