# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.noise import Law
from opendp_lite.testing.rounding import LARGEST
from opendp_lite.testing.rounding import margins
from opendp_lite.testing.rounding import without_rounding
from opendp_lite.testing.tolerances import discrete_gaussian_tolerance
from opendp_lite.testing.tolerances import discrete_laplace_tolerance
from opendp_lite.testing.tolerances import gaussian_tolerance
from opendp_lite.testing.tolerances import laplace_tolerance
from typing import Any
import attrs
import math

_INT64 = -(2**63), 2**63 - 1
opendp_lite.testing.rounding.LARGEST = opendp_lite.exact.rationals.to_mpq(sys.float_info.max)
opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)


# === AddedNoise.discrete with attrs
@attrs.frozen
class AddedNoise:
    whole: bool
    k: int | None
    @property
    def discrete(self) -> bool:
        return self.whole or self.k is not None


# === AddedNoise.step with mpq, power_of_two, attrs
@attrs.frozen
class AddedNoise:
    k: int | None
    @property
    def step(self) -> mpq:
        return power_of_two(self.k or 0)


# === AddedNoise.meant with Any, attrs
@attrs.frozen
class AddedNoise:
    def meant(self, expected: Any) -> Any:
        return expected


# === AddedNoise.start with mpq, nearest_multiple, to_mpq, Any, attrs
@attrs.frozen
class AddedNoise:
    k: int | None
    bounds: tuple[int, int] | None
    def start(self, expected: Any) -> mpq:
        number = to_mpq(expected)
        if self.k is not None:
            number = mpq(nearest_multiple(number, self.k)) * self.step
        if self.bounds is not None:
            lower, upper = self.bounds
            number = min(max(number, mpq(lower)), mpq(upper))
        return number


# === AddedNoise.released with mpq, attrs
@attrs.frozen
class AddedNoise:
    def released(self, number: mpq) -> mpq:
        lower, upper = self._range()
        moved: mpq = min(max(number, lower), upper)
        return moved


# === AddedNoise._range with LARGEST, Any, attrs, math, _INT64,
#    opendp_lite.testing.rounding.LARGEST
@attrs.frozen
class AddedNoise:
    whole: bool
    bounds: tuple[int, int] | None
    array: bool = False
    def _range(self) -> tuple[Any, Any]:
        if not self.whole:
            return -LARGEST, LARGEST
        lower, upper = self.bounds or (-math.inf, math.inf)
        if self.array:
            lower, upper = max(lower, _INT64[0]), min(upper, _INT64[1])
        return lower, upper


# === AddedNoise.tolerance with mpq, LAPLACE, Law, discrete_gaussian_tolerance,
#    discrete_laplace_tolerance, gaussian_tolerance, laplace_tolerance, Any, attrs,
#    math, opendp_lite.sampling.law.LAPLACE
@attrs.frozen
class AddedNoise:
    law: Law
    scale: mpq
    size: int | None
    def tolerance(self, flakiness: Any) -> mpq | float:
        laplace = self.law is LAPLACE
        if not self.discrete:
            bound = laplace_tolerance if laplace else gaussian_tolerance
            size = bound(self.scale, flakiness)
            return size if size == math.inf else mpq(size)
        steps = discrete_laplace_tolerance if laplace else discrete_gaussian_tolerance
        count = steps(self.scale / self.step, flakiness)
        return math.inf if isinstance(count, float) else mpq(count) * self.step


# === AddedNoise.quiet with mpq, last_index, without_rounding, attrs
@attrs.frozen
class AddedNoise:
    scale: mpq
    whole: bool
    k: int | None
    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        if self.same(start) > flakiness:
            return None
        if self.whole:
            ratio = self.scale / self.step
            guess = int(self._complementary(ratio, flakiness))
            steps = last_index(lambda i: self._stays(start, i) <= flakiness, guess)
            return mpq(steps) * self.step
        far = mpq(self._complementary(self.scale, flakiness))
        if self.k is not None:
            return mpq(0)
        return without_rounding(start, far)


# === AddedNoise.same with mpq, floor_multiple, Enclosure, margins, attrs
@attrs.frozen
class AddedNoise:
    whole: bool
    k: int | None
    def same(self, start: mpq) -> float:
        if self.whole:
            return self._stays(start, 0)
        inside = Enclosure(0, 0) if self.k is None else Enclosure(1, 1)
        for distance in margins(start):
            if self.k is None:
                inside += self._central(distance)
            elif distance is not None:
                steps = floor_multiple(distance, self.k)
                inside -= self._tail(steps + 1)
        return _up(inside)


# === AddedNoise._stays with mpq, Enclosure, attrs
@attrs.frozen
class AddedNoise:
    def _stays(self, start: mpq, steps: int) -> float:
        if start != self.released(start):
            return 1.0
        reach, beyond = mpq(steps) * self.step, self._tail(steps + 1)
        lower, upper = self._range()
        inside = Enclosure(1, 1)
        if start - reach > lower:
            inside -= beyond
        if start + reach < upper:
            inside -= beyond
        return _up(inside)


# === AddedNoise._tail
from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.tails import discrete_gaussian_tail
from opendp_lite.laws.tails import discrete_laplace_tail
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.noise import Law
import attrs

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)
_PRECISION = 256

@attrs.frozen
class AddedNoise:
    law: Law
    scale: mpq
    def _tail(self, steps: int) -> Enclosure:
        laplace = self.law is LAPLACE
        tail = discrete_laplace_tail if laplace else discrete_gaussian_tail
        return tail(steps, self.scale / self.step, _PRECISION)


# === AddedNoise._central
from gmpy2 import mpq
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erf
from opendp_lite.laws.tails import gaussian_tail
from opendp_lite.laws.tails import laplace_tail
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.noise import Law
import attrs

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)
_HALF = mpq(1, 2)
_PRECISION = 256

@attrs.frozen
class AddedNoise:
    law: Law
    scale: mpq
    def _central(self, distance: mpq | None) -> Enclosure:
        if distance is None:
            return Enclosure(_HALF, _HALF)
        u, laplace = distance / self.scale, self.law is LAPLACE
        if u > 1:
            tail = laplace_tail if laplace else gaussian_tail
            return _HALF - tail(u, _PRECISION)
        if laplace:
            return -_HALF * expm1(-u, _PRECISION)
        root = sqrt(u * u * _HALF, _PRECISION)
        return _HALF * erf(root, _PRECISION)


# === added_noise
from opendp_lite.combinators.conversion import make_approximate
from opendp_lite.combinators.conversion import make_pureDP_to_zCDP
from opendp_lite.core.arguments import check_type
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.construction import Made
from opendp_lite.core.measures.max_divergence import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.noise.additive import check_grid
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.canonical_noise import check_target
from opendp_lite.measurements.noise.canonical_noise import make_canonical_noise
from opendp_lite.measurements.noise.gaussian import make_gaussian
from opendp_lite.measurements.noise.geometric import make_geometric
from opendp_lite.measurements.noise.laplace import make_laplace
from opendp_lite.measurements.noise.noise import make_noise
from opendp_lite.measurements.snapping.snapping import make_snapping
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.precision import precision_argument
from opendp_lite.laws.noise import GAUSSIAN
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.noise import Law
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.snapping import SnappedNoise
from typing import Any

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)
opendp_lite.sampling.law.GAUSSIAN = opendp_lite.sampling.law.Law('Gaussian', 2, 2)
_LAWS: dict[Any, Law] = {
    make_laplace: LAPLACE,
    make_gaussian: GAUSSIAN,
    make_geometric: LAPLACE,
    make_snapping: LAPLACE,
}
_CONVERSIONS = (make_approximate, make_pureDP_to_zCDP)
_MAKE = "MakeMeasurement"

def added_noise(measurement: Any) -> AddedNoise | CanonicalNoise | SnappedNoise:
    fix = "Pass a measurement that ends with then_laplace, then_gaussian, then_noise, "
    fix += "then_geometric, then_snapping or then_canonical_noise; for others use the "
    fix += "functions of the noise they add"
    check_type(
        _MAKE, "measurement", measurement, Measurement, fix
    )
    link: Any = measurement
    while True:
        link = link.steps()[-1]
        record = link.record if isinstance(link, Made) else None
        if record is None or record.constructor not in _CONVERSIONS:
            break
        link = dict(record.arguments)["measurement"]
    arguments = dict(record.arguments) if record else {}
    make = record.constructor if record else None
    if make is make_noise:
        pure = arguments["output_measure"] == max_divergence()
        make = make_laplace if pure else make_gaussian
    if make is make_canonical_noise:
        return CanonicalNoise(
            to_mpq(arguments["d_in"]), check_target(arguments["d_out"])
        )
    law = _LAWS.get(make)
    if law is None:
        rule = "it is not known which noise this adds to what"
        raise refusal(
            _MAKE, "measurement", measurement, rule, fix
        )
    space = check_space(law, arguments["input_domain"], arguments["input_metric"])
    bounds = arguments.get("bounds")
    if make is make_snapping:
        lattice = lattice_argument(_MAKE, arguments["scale"], bounds)
        precision = arguments.get("precision")
        return SnappedNoise(
            lattice,
            None if precision is None else precision_argument(_MAKE, precision),
            space.vector,
            space.size,
        )
    if bounds is not None:
        bounds = tuple(
            integer_argument(_MAKE, "bounds", end, fix=fix) for end in bounds
        )
    return AddedNoise(
        law,
        check_scale(arguments["scale"]),
        space.atom.T is int,
        check_grid(arguments.get("k"), space),
        space.vector,
        space.size,
        bounds,
    )


# === _up with Enclosure, round_up
def _up(probability: Enclosure) -> float:
    return min(round_up(probability.hi), 1.0)


# === AddedNoise._complementary
from gmpy2 import mpq
from opendp_lite.sampling.law import LAPLACE
from opendp_lite.sampling.law import Law
from opendp_lite.testing.tolerances import complementary_gaussian_tolerance
from opendp_lite.testing.tolerances import complementary_laplace_tolerance
import attrs

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)

@attrs.frozen
class AddedNoise:
    law: Law
    scale: mpq
    def _complementary(self, scale: mpq, flakiness: float) -> float:
        if self.law is LAPLACE:
            return complementary_laplace_tolerance(scale, flakiness)
        return complementary_gaussian_tolerance(scale, flakiness)
