"""The snapping mechanism for whole arrays of doubles.

A lane has a sign and 63 bits of U. Where it falls on the lattice is computed in
doubles, with a proved bound of the error. Where no boundary between two indices is
within that bound, the index is known; else the lane goes on one by one.

numpy's log is trusted to an absolute error of 2^-40 on [2^-23, 1]; a lane is decided
only if it is clear by 2^-35 of a step, and more where the bounds are far from 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs
import numpy as np
from gmpy2 import mpq

from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import round_up, to_double
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.randomness.bulk import run_lanes
from opendp_lite.randomness.lanes import FEW_SNAPPED, Array, LaneBits, Lanes, is_bulk

if TYPE_CHECKING:
    from opendp_lite.measurements.snapping.sampler import Snapping


_PLACE_MASK = np.uint64(2**63 - 1)
_LEAST_U = 2.0**-23
_MOST_EXPONENT = 900
_MOST_STEPS = 44


def add_snapping(
    snapping: Snapping, values: Array, run: Callable[..., None] = run_lanes
) -> Array:
    """Return the release of each entry of a float64 array; entries may be infinite."""
    lattice = snapping.lattice
    place = _Place.of(lattice) if snapping.noise.close else None  # proof: close
    if place is None or not is_bulk(values.size, FEW_SNAPPED):
        few = [snapping.release(x) for x in values.tolist()]
        return np.array(few, dtype=np.float64)  # proof: few
    out = np.empty(values.size, dtype=np.float64)

    def step(bits: LaneBits, where: slice | Lanes, lanes: Lanes) -> Array:
        words = bits.integers(lanes, 64)  # proof: words
        x = values[where]
        index, certain = _indices(place, x, words)  # proof: indices
        for i in np.flatnonzero(~certain):
            with bits.lane(lanes[i]):
                offset = lattice.clamped(float(x[i])) - lattice.middle
                index[i] = snapping.continued(offset, int(words[i]))  # proof: finish
        out[where] = place.released(index)  # proof: out
        return np.empty(0, dtype=np.int64)  # proof: none-again

    # No setting of numpy's may turn the logarithm of 0 or a lost bit into an error.
    with np.errstate(all="ignore"):
        run(values.size, step)  # proof: run
    return out


@attrs.frozen(eq=False)
class _Place:
    """A lattice in doubles: its middle, the reciprocal of its step, and the like.

    `ratio` is that of the scale to the step; `slack` bounds how far a place on the
    lattice may be off, in steps. `exact` says that the middle is a double.
    """

    lattice: Lattice
    middle: float
    inverse: float
    ratio: float
    last: float
    slack: float
    exact: bool

    @classmethod
    def of(cls, lattice: Lattice) -> _Place | None:
        """The lattice in doubles; None where doubles would decide little or nothing."""
        size = max(abs(lattice.lower), abs(lattice.upper))
        steps = size / lattice.step
        if abs(lattice.exponent) > _MOST_EXPONENT:
            return None  # proof: exponent
        if steps > power_of_two(_MOST_STEPS):
            return None  # proof: steps
        middle = to_double(lattice.middle)  # proof: middle
        return cls(
            lattice,
            middle,
            to_double(mpq(1) / lattice.step),  # proof: inverse
            to_double(lattice.scale / lattice.step),  # proof: ratio
            float(lattice.last),  # proof: last
            round_up(power_of_two(-35) + steps * power_of_two(-48)),  # proof: slack
            mpq(middle) == lattice.middle,  # proof: exact
        )

    def released(self, index: Array) -> Array:
        """`Lattice.released` of each index, given as doubles."""
        lattice = self.lattice
        if not self.exact:
            few, where = np.unique(index, return_inverse=True)
            doubles = [lattice.released(int(j)) for j in few]
            return np.array(doubles, dtype=np.float64)[where]  # proof: one-by-one
        released = index * to_double(lattice.step)  # proof: multiple
        released += self.middle  # proof: shifted
        return np.clip(released, lattice.least, lattice.greatest, out=released)


def _indices(place: _Place, x: Array, words: Array) -> tuple[Array, Array]:
    """The indices of the lanes as doubles, and where they are certain."""
    u = (words & _PLACE_MASK) * 2.0**-63  # proof: u
    noise = np.log(u)  # proof: log
    noise *= place.ratio  # proof: times-ratio
    # The sign bit of a word is that of the noise.
    np.copysign(noise, words.view(np.float64), out=noise)  # proof: sign
    lattice = place.lattice
    z = np.clip(x, lattice.least, lattice.greatest)  # proof: clipped
    z -= place.middle  # proof: offset
    z *= place.inverse  # proof: in-steps
    z += noise  # proof: sum
    np.clip(z, -place.last, place.last, out=z)  # proof: inside
    index = np.rint(z)  # proof: nearest
    z -= index
    np.abs(z, out=z)  # proof: distance
    certain = z < 0.5 - place.slack  # proof: certain
    certain &= u >= _LEAST_U  # proof: least
    return index, certain
