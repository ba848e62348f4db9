"""Which noise a measurement adds, read from the record of how it was made."""

from __future__ import annotations

import math
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber, Release
from opendp_lite.base.arguments import check_type, integer_argument
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.conversion import (
    make_approximate,
    make_fix_delta,
    make_fixed_approxDP_to_approxDP,
    make_pureDP_to_zCDP,
    make_RDP_to_approxDP,
    make_zCDP_to_approxDP,
)
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.record import Made
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.grids import floor_multiple, nearest_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.canonical.canonical_noise import (
    check_target,
    make_canonical_noise,
)
from opendp_lite.measurements.noise.additive import check_grid, check_scale, check_space
from opendp_lite.measurements.noise.laplace_gaussian import (
    make_gaussian,
    make_laplace,
    make_noise,
)
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.precision import precision_argument
from opendp_lite.measurements.snapping.snapping import make_snapping
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.laws import NoiseLaw, law_added_by
from opendp_lite.testing.rounding import LARGEST, margins, without_rounding
from opendp_lite.testing.snapping import SnappedNoise

_HALF = mpq(1, 2)
_INT64 = -(2**63), 2**63 - 1
_PRECISION = 256
_CONVERSIONS = (
    make_approximate,
    make_fix_delta,
    make_fixed_approxDP_to_approxDP,
    make_pureDP_to_zCDP,
    make_RDP_to_approxDP,
    make_zCDP_to_approxDP,
)
_MAKE = "MakeMeasurement"


@attrs.frozen
class AddedNoise:
    """Noise of a law and scale that is added to a number, or to each of a vector.

    `whole` says that integers are released; `k` is the exponent of the grid, if there
    is one. Noise is discrete on integers and on a grid, and else real, with a release
    that is rounded to the nearest double. `bounds` clamp the data and the release.
    `size` is None for a number and for vectors of unknown size. `array` says that the
    release is an array, in which integers saturate at the ends of int64.
    """

    law: NoiseLaw
    scale: mpq
    whole: bool
    k: int | None
    vector: bool
    size: int | None
    bounds: tuple[int, int] | None
    array: bool = False

    @property
    def discrete(self) -> bool:
        """Whether the noise is a whole number of steps."""
        return self.whole or self.k is not None

    @property
    def step(self) -> mpq:
        """The step of discrete noise."""
        return power_of_two(self.k or 0)

    def meant(self, expected: Release) -> Any:
        """What is expected: an infinite number is released as it is."""
        return expected

    def start(self, expected: Release) -> mpq:
        """The number to which noise is added: on the grid and within the bounds."""
        number = to_mpq(expected)
        if self.k is not None:
            number = mpq(nearest_multiple(number, self.k)) * self.step  # proof: grid
        if self.bounds is not None:
            lower, upper = self.bounds
            number = min(max(number, mpq(lower)), mpq(upper))  # proof: bounds
        return number

    def released(self, number: mpq) -> mpq:
        """The number, moved into the range of what can be released."""
        lower, upper = self._range()
        moved: mpq = min(max(number, lower), upper)  # proof: moved
        return moved

    def _range(self) -> tuple[Any, Any]:
        if not self.whole:
            return -LARGEST, LARGEST
        lower, upper = self.bounds or (-math.inf, math.inf)
        if self.array:
            lower, upper = max(lower, _INT64[0]), min(upper, _INT64[1])
        return lower, upper

    def tolerance(self, flakiness: ExactNumber) -> mpq | float:
        """A number that noise exceeds in size with at most this probability."""
        if not self.discrete:
            size = self.law.tolerance(self.scale, flakiness)  # proof: real
            return size if size == math.inf else mpq(size)
        ratio = self.scale / self.step
        count = self.law.discrete_tolerance(ratio, flakiness)  # proof: steps
        return math.inf if isinstance(count, float) else mpq(count) * self.step

    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        """A t for which P(|release - start| <= t) is at most this; None if none is.

        It is the greatest one for integers. Elsewhere it allows for the rounding of
        the release, or is 0, which stands for the double nearest to the start.
        """
        if self.same(start) > flakiness:  # proof: same
            return None
        if self.whole:
            ratio = self.scale / self.step
            guess = int(self.law.complementary(ratio, flakiness))
            steps = last_index(lambda i: self._stays(start, i) <= flakiness, guess)
            return mpq(steps) * self.step  # proof: whole
        far = mpq(self.law.complementary(self.scale, flakiness))  # proof: far
        if self.k is not None:
            return mpq(0)  # proof: zero
        return without_rounding(start, far)  # proof: hidden

    def same(self, start: mpq) -> float:
        """P(the release is what it would be without noise), rounded up."""
        if self.whole:
            return self._stays(start, 0)  # proof: whole
        inside = Enclosure(0, 0) if self.k is None else Enclosure(1, 1)
        for distance in margins(start):
            if self.k is None:
                inside += self._central(distance)  # proof: real
            elif distance is not None:
                steps = floor_multiple(distance, self.k)
                inside -= self._tail(steps + 1)  # proof: grid
        return _up(inside)

    def _stays(self, start: mpq, steps: int) -> float:
        """P(|release - start| is at most so many steps), for integers; rounded up."""
        if start != self.released(start):
            return 1.0  # proof: saturated
        reach, beyond = mpq(steps) * self.step, self._tail(steps + 1)
        lower, upper = self._range()
        inside = Enclosure(1, 1)
        if start - reach > lower:  # proof: below
            inside -= beyond
        if start + reach < upper:  # proof: above
            inside -= beyond
        return _up(inside)

    def _tail(self, steps: int) -> Enclosure:
        """P(Z >= a) for discrete noise Z in steps."""
        return self.law.discrete_tail(steps, self.scale / self.step, _PRECISION)

    def _central(self, distance: mpq | None) -> Enclosure:
        """P(0 <= Y <= distance) for real noise Y; None stands for infinity."""
        if distance is None:
            return Enclosure(_HALF, _HALF)  # proof: infinite
        return self.law.central(distance / self.scale, _PRECISION)  # proof: finite


def added_noise(measurement: object) -> AddedNoise | CanonicalNoise | SnappedNoise:
    """Return the noise that the last link of the measurement adds.

    The links before it may be any transformations. What follows it may convert the
    measure of the loss, but not process the release.
    """
    fix = "Pass a measurement that ends with then_laplace, then_gaussian, then_noise, "
    fix += "then_geometric, then_snapping or then_canonical_noise; for others use the "
    fix += "functions of the noise they add"
    check_type(  # proof: kind
        _MAKE, "measurement", measurement, Measurement, fix
    )
    link: Any = measurement
    while True:
        link = link.steps()[-1]
        record = link.record if isinstance(link, Made) else None
        if record is None or record.constructor not in _CONVERSIONS:
            break  # proof: link
        link = dict(record.arguments)["measurement"]
    arguments = dict(record.arguments) if record else {}
    make = record.constructor if record else None
    if make is make_noise:
        pure = arguments["output_measure"] == max_divergence()
        make = make_laplace if pure else make_gaussian
    if make is make_canonical_noise:
        return CanonicalNoise(  # proof: canonical
            to_mpq(arguments["d_in"]),
            check_target(arguments["d_out"]),
            arguments["input_domain"].T is int,
        )
    law = law_added_by(make)  # proof: law
    if law is None:
        rule = "it is not known which noise this adds to what"
        raise refusal(  # proof: unknown
            _MAKE, "measurement", measurement, rule, fix
        )
    space = check_space(law.law, arguments["input_domain"], arguments["input_metric"])
    bounds = arguments.get("bounds")
    if make is make_snapping:
        lattice = lattice_argument(_MAKE, arguments["scale"], bounds)
        precision = arguments.get("precision")
        return SnappedNoise(  # proof: snapped
            lattice,
            None if precision is None else precision_argument(_MAKE, precision),
            space.vector,
            space.size,
        )
    if bounds is not None:
        bounds = tuple(  # proof: ends
            integer_argument(_MAKE, "bounds", end, fix=fix) for end in bounds
        )
    return AddedNoise(
        law,
        check_scale(arguments["scale"]),
        space.atom.T is int,
        check_grid(arguments.get("k"), space),  # proof: k
        space.vector,
        space.size,
        bounds,
    )


def _up(probability: Enclosure) -> float:
    return min(round_up(probability.hi), 1.0)
