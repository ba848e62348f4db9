"""What the snapping mechanism does to a number, for tests of its releases."""

from __future__ import annotations

import math
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber, Release
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping.finite_logarithm import GUARD_BITS
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.testing.tolerances import laplace_tolerance

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_PRECISION = 256


@attrs.frozen
class SnappedNoise:
    """Noise that is added to a clamped number, and snapped to a lattice.

    `precision` is that of the finite arithmetic, None for the exact one. `vector` and
    `size` say whether vectors are released, and of which size if it is known. `array`
    has no meaning here.
    """

    lattice: Lattice
    precision: int | None
    vector: bool
    size: int | None
    array: bool = False
    whole: bool = attrs.field(default=False, init=False)

    @property
    def scale(self) -> mpq:
        """The scale of the noise."""
        return self.lattice.scale

    @property
    def _error(self) -> mpq:
        """2^-w for words of w bits, which is 0 in exact arithmetic."""
        if self.precision is None:
            return mpq(0)
        return power_of_two(-self.precision - GUARD_BITS)

    def meant(self, expected: Release) -> Any:
        """What is expected, an infinite number being clamped."""
        if expected in (math.inf, -math.inf):
            return self.lattice.clamped(float(expected))  # proof: infinite
        return expected

    def start(self, expected: Release) -> mpq:
        """The number to which noise is added: within the bounds."""
        return self.lattice.offset(to_mpq(expected)) + self.lattice.middle

    def released(self, number: mpq) -> mpq:
        """The number, moved to the doubles within the bounds."""
        least, greatest = to_mpq(self.lattice.least), to_mpq(self.lattice.greatest)
        moved: mpq = min(max(number, least), greatest)  # proof: moved
        return moved

    def tolerance(self, flakiness: ExactNumber) -> mpq | float:
        """A number that |release - start| exceeds with at most this probability.

        The release is taken before it is rounded. The number is ln(1/f) lambda +
        Lambda/2, or the width of the bounds if that is less.
        """
        lattice, error = self.lattice, self._error
        width = lattice.upper - lattice.lower
        size = laplace_tolerance(lattice.scale, flakiness)
        if size == math.inf:
            return width  # proof: width
        noise = mpq(size) + _TWO * error * lattice.scale
        reach = noise / (_ONE - _TWO * error) + lattice.step * _HALF  # proof: reach
        return min(reach, width)

    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        """A t for which P(|release - start| <= t) is at most this; None if none is.

        It is the distance of what is released without noise.
        """
        return None if self.same(start) > flakiness else self._near(start)

    def same(self, start: mpq) -> float:
        """P(the release is as near as it would be without noise), rounded up."""
        lattice = self.lattice
        offset = lattice.offset(start)
        here, reach = lattice.index(offset), self._near(start)
        inside = Enclosure(1, 1)
        for sign in (1, -1):

            def near(i: int, sign: int = sign) -> bool:
                j = here + sign * i
                away = sign * (to_mpq(lattice.released(j)) - start)
                return abs(j) <= lattice.last and away <= reach

            edge = here + sign * last_index(near, 0)  # proof: edge
            if abs(edge) < lattice.last or edge * sign < 0:
                beyond = mpq(2 * edge + sign) * _HALF * lattice.step - offset
                inside -= self._tail(abs(beyond))  # proof: tail
        return min(round_up(inside.hi), 1.0)

    def _near(self, start: mpq) -> mpq:
        """How far what is released without noise is from the start."""
        index = self.lattice.index(self.lattice.offset(start))
        return abs(to_mpq(self.lattice.released(index)) - start)

    def _tail(self, distance: mpq) -> Enclosure:
        """At most P(noise > distance), for a distance of at least 0."""
        error = self._error
        growth = _ONE + _TWO * error + _TWO * error * _TWO * error
        grown = distance / self.lattice.scale * growth
        return _HALF * exp(-grown, _PRECISION)  # proof: law
