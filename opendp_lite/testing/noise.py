"""Which noise a measurement adds, read from the record of how it was made."""

from __future__ import annotations

import math
import sys
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.combinators.conversion import make_approximate, make_pureDP_to_zCDP
from opendp_lite.core.arguments import check_type
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import Made
from opendp_lite.exact.elementary import expm1, sqrt
from opendp_lite.exact.grids import floor_multiple, nearest_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erf
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up, to_double
from opendp_lite.measurements.additive import check_scale, check_space
from opendp_lite.measurements.doubles import last_index
from opendp_lite.measurements.gaussian import make_gaussian
from opendp_lite.measurements.geometric import make_geometric
from opendp_lite.measurements.laplace import make_laplace
from opendp_lite.measurements.noise import make_noise
from opendp_lite.measurements.tails import (
    discrete_gaussian_tail,
    discrete_laplace_tail,
    gaussian_tail,
    laplace_tail,
)
from opendp_lite.sampling.law import GAUSSIAN, LAPLACE, Law
from opendp_lite.testing.tolerances import (
    complementary_gaussian_tolerance,
    complementary_laplace_tolerance,
    discrete_gaussian_tolerance,
    discrete_laplace_tolerance,
    gaussian_tolerance,
    laplace_tolerance,
)

__all__ = ["AddedNoise", "added_noise"]

_HALF = mpq(1, 2)
_INT64 = -(2**63), 2**63 - 1
_LARGEST = to_mpq(sys.float_info.max)
_PRECISION = 256
_LAWS: dict[Any, Law] = {
    make_laplace: LAPLACE,
    make_gaussian: GAUSSIAN,
    make_geometric: LAPLACE,
}
_CONVERSIONS = (make_approximate, make_pureDP_to_zCDP)


@attrs.frozen
class AddedNoise:
    """Noise of a law and scale that is added to a number, or to each of a vector.

    `whole` says that integers are released; `k` is the exponent of the grid, if there
    is one. Noise is discrete on integers and on a grid, and else real, with a release
    that is rounded to the nearest double. `bounds` clamp the data and the release.
    `size` is None for a number and for vectors of unknown size. `array` says that the
    release is an array, in which integers saturate at the ends of int64.
    """

    law: Law
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

    def start(self, expected: Any) -> mpq:
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
            return -_LARGEST, _LARGEST
        lower, upper = self.bounds or (-math.inf, math.inf)
        if self.array:
            lower, upper = max(lower, _INT64[0]), min(upper, _INT64[1])
        return lower, upper

    def tolerance(self, flakiness: Any) -> mpq | float:
        """A number that noise exceeds in size with at most this probability."""
        laplace = self.law is LAPLACE
        if not self.discrete:
            bound = laplace_tolerance if laplace else gaussian_tolerance
            size = bound(self.scale, flakiness)  # proof: real
            return size if size == math.inf else mpq(size)
        steps = discrete_laplace_tolerance if laplace else discrete_gaussian_tolerance
        count = steps(self.scale / self.step, flakiness)  # proof: steps
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
            guess = int(self._complementary(ratio, flakiness))
            steps = last_index(lambda i: self._stays(start, i) <= flakiness, guess)
            return mpq(steps) * self.step  # proof: whole
        far = mpq(self._complementary(self.scale, flakiness))  # proof: far
        if self.k is not None or abs(start) + far > _LARGEST:
            return mpq(0)  # proof: zero
        # Where the noise exceeds `far` the release is at least far - ulp/2 away.
        ulp = to_mpq(math.ulp(round_up(abs(start) + far)))
        return max(far - ulp, mpq(0))  # proof: ulp

    def same(self, start: mpq) -> float:
        """P(the release is what it would be without noise), rounded up."""
        if self.whole:
            return self._stays(start, 0)  # proof: whole
        below, above = _cell(to_double(start))
        down = None if below is None else start - below
        up = None if above is None else above - start
        inside = Enclosure(0, 0) if self.k is None else Enclosure(1, 1)
        for distance in (down, up):
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
        laplace = self.law is LAPLACE
        tail = discrete_laplace_tail if laplace else discrete_gaussian_tail
        return tail(steps, self.scale / self.step, _PRECISION)

    def _complementary(self, scale: mpq, flakiness: float) -> float:
        if self.law is LAPLACE:
            return complementary_laplace_tolerance(scale, flakiness)
        return complementary_gaussian_tolerance(scale, flakiness)

    def _central(self, distance: mpq | None) -> Enclosure:
        """P(0 <= Y <= distance) for real noise Y; None stands for infinity."""
        if distance is None:
            return Enclosure(_HALF, _HALF)  # proof: infinite
        u, laplace = distance / self.scale, self.law is LAPLACE
        if u > 1:
            tail = laplace_tail if laplace else gaussian_tail
            return _HALF - tail(u, _PRECISION)  # proof: far
        if laplace:
            return -_HALF * expm1(-u, _PRECISION)  # proof: laplace
        root = sqrt(u * u * _HALF, _PRECISION)
        return _HALF * erf(root, _PRECISION)  # proof: gaussian


def added_noise(measurement: Any) -> AddedNoise:
    """Return the noise that the last link of the measurement adds.

    The links before it may be any transformations. What follows it may convert the
    measure of the loss, but not process the release.
    """
    fix = "Pass a measurement that ends with then_laplace, then_gaussian, then_noise "
    fix += "or then_geometric; for others use the functions of the noise they add"
    check_type(  # proof: kind
        "MakeMeasurement", "measurement", measurement, Measurement, fix
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
    law = _LAWS.get(make)  # proof: law
    if law is None:
        rule = "it is not known which noise this adds to what"
        raise refusal(  # proof: unknown
            "MakeMeasurement", "measurement", measurement, rule, fix
        )
    space = check_space(law, arguments["input_domain"], arguments["input_metric"])
    bounds = arguments.get("bounds")
    return AddedNoise(
        law,
        check_scale(arguments["scale"]),
        space.atom.T is int,
        arguments.get("k"),
        space.vector,
        space.size,
        None if bounds is None else (int(bounds[0]), int(bounds[1])),
    )


def _cell(double: float) -> tuple[mpq | None, mpq | None]:
    """The ends of what is rounded to the double; None for infinite ones."""
    ends = (math.nextafter(double, -math.inf), math.nextafter(double, math.inf))
    middle = [
        None if math.isinf(end) else (to_mpq(double) + to_mpq(end)) * _HALF
        for end in ends
    ]
    return middle[0], middle[1]


def _up(probability: Enclosure) -> float:
    return min(round_up(probability.hi), 1.0)
