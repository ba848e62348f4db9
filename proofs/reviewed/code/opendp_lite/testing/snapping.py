# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.snapping; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Release
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping.finite_logarithm import GUARD_BITS
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.testing.tolerances import laplace_tolerance
from typing import Any
import attrs
import math

opendp_lite.measurements.snapping.finite_logarithm.GUARD_BITS = 6
opendp_lite.base.aliases.Release: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_PRECISION = 256


# === SnappedNoise.scale with mpq, Lattice, attrs
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    @property
    def scale(self) -> mpq:
        return self.lattice.scale


# === SnappedNoise._error with mpq, power_of_two, GUARD_BITS, attrs,
#    opendp_lite.measurements.snapping.finite_logarithm.GUARD_BITS
@attrs.frozen
class SnappedNoise:
    precision: int | None
    @property
    def _error(self) -> mpq:
        if self.precision is None:
            return mpq(0)
        return power_of_two(-self.precision - GUARD_BITS)


# === SnappedNoise.meant with Release, Lattice, Any, attrs, math,
#    opendp_lite.base.aliases.Release
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def meant(self, expected: Release) -> Any:
        if expected in (math.inf, -math.inf):
            return self.lattice.clamped(float(expected))
        return expected


# === SnappedNoise.start with mpq, Release, to_mpq, Lattice, attrs,
#    opendp_lite.base.aliases.Release
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def start(self, expected: Release) -> mpq:
        return self.lattice.offset(to_mpq(expected)) + self.lattice.middle


# === SnappedNoise.released with mpq, to_mpq, Lattice, attrs
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def released(self, number: mpq) -> mpq:
        least, greatest = to_mpq(self.lattice.least), to_mpq(self.lattice.greatest)
        moved: mpq = min(max(number, least), greatest)
        return moved


# === SnappedNoise.tolerance with mpq, ExactNumber, Lattice, laplace_tolerance, attrs,
#    math, ?, opendp_lite.base.aliases.ExactNumber, _HALF
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    size: int | None
    def tolerance(self, flakiness: ExactNumber) -> mpq | float:
        lattice, error = self.lattice, self._error
        width = lattice.upper - lattice.lower
        size = laplace_tolerance(lattice.scale, flakiness)
        if size == math.inf:
            return width
        noise = mpq(size) + _TWO * error * lattice.scale
        reach = noise / (_ONE - _TWO * error) + lattice.step * _HALF
        return min(reach, width)


# === SnappedNoise.quiet with mpq, attrs
@attrs.frozen
class SnappedNoise:
    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        return None if self.same(start) > flakiness else self._near(start)


# === SnappedNoise.same with mpq, last_index, Enclosure, to_mpq, round_up, Lattice,
#    attrs, _HALF
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def same(self, start: mpq) -> float:
        lattice = self.lattice
        offset = lattice.offset(start)
        here, reach = lattice.index(offset), self._near(start)
        inside = Enclosure(1, 1)
        for sign in (1, -1):

            def near(i: int, sign: int = sign) -> bool:
                j = here + sign * i
                away = sign * (to_mpq(lattice.released(j)) - start)
                return abs(j) <= lattice.last and away <= reach

            edge = here + sign * last_index(near, 0)
            if abs(edge) < lattice.last or edge * sign < 0:
                beyond = mpq(2 * edge + sign) * _HALF * lattice.step - offset
                inside -= self._tail(abs(beyond))
        return min(round_up(inside.hi), 1.0)


# === SnappedNoise._near with mpq, to_mpq, Lattice, attrs
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def _near(self, start: mpq) -> mpq:
        index = self.lattice.index(self.lattice.offset(start))
        return abs(to_mpq(self.lattice.released(index)) - start)


# === SnappedNoise._tail with mpq, exp, Enclosure, Lattice, attrs, _HALF, _PRECISION
@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def _tail(self, distance: mpq) -> Enclosure:
        error = self._error
        growth = _ONE + _TWO * error + _TWO * error * _TWO * error
        grown = distance / self.lattice.scale * growth
        return _HALF * exp(-grown, _PRECISION)
