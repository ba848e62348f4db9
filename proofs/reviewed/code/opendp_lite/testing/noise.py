# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Release
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import refusal
from opendp_lite.combinators.conversion import make_RDP_to_approxDP
from opendp_lite.combinators.conversion import make_approximate
from opendp_lite.combinators.conversion import make_fix_delta
from opendp_lite.combinators.conversion import make_fixed_approxDP_to_approxDP
from opendp_lite.combinators.conversion import make_pureDP_to_zCDP
from opendp_lite.combinators.conversion import make_zCDP_to_approxDP
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.record import Made
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.canonical.canonical_noise import check_target
from opendp_lite.measurements.canonical.canonical_noise import make_canonical_noise
from opendp_lite.measurements.noise.additive import check_grid
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.laplace_gaussian import make_gaussian
from opendp_lite.measurements.noise.laplace_gaussian import make_laplace
from opendp_lite.measurements.noise.laplace_gaussian import make_noise
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.precision import precision_argument
from opendp_lite.measurements.snapping.snapping import make_snapping
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.laws import NoiseLaw
from opendp_lite.testing.laws import law_added_by
from opendp_lite.testing.rounding import LARGEST
from opendp_lite.testing.rounding import margins
from opendp_lite.testing.rounding import without_rounding
from opendp_lite.testing.snapping import SnappedNoise
from typing import Any
import attrs
import math

opendp_lite.base.aliases.Release: typing.TypeAlias = typing.Any
_INT64 = -(2**63), 2**63 - 1
opendp_lite.testing.rounding.LARGEST = opendp_lite.exact.rationals.to_mpq(sys.float_info.max)
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_PRECISION = 256
_HALF = mpq(1, 2)
_CONVERSIONS = (
    make_approximate,
    make_fix_delta,
    make_fixed_approxDP_to_approxDP,
    make_pureDP_to_zCDP,
    make_RDP_to_approxDP,
    make_zCDP_to_approxDP,
)
_MAKE = "MakeMeasurement"


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


# === AddedNoise.meant with Release, Any, attrs, opendp_lite.base.aliases.Release
@attrs.frozen
class AddedNoise:
    def meant(self, expected: Release) -> Any:
        return expected


# === AddedNoise.start with mpq, Release, nearest_multiple, to_mpq, attrs,
#    opendp_lite.base.aliases.Release
@attrs.frozen
class AddedNoise:
    k: int | None
    bounds: tuple[int, int] | None
    def start(self, expected: Release) -> mpq:
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


# === AddedNoise.tolerance with mpq, ExactNumber, NoiseLaw, attrs, math, ?,
#    opendp_lite.base.aliases.ExactNumber
@attrs.frozen
class AddedNoise:
    law: NoiseLaw
    scale: mpq
    size: int | None
    def tolerance(self, flakiness: ExactNumber) -> mpq | float:
        if not self.discrete:
            size = self.law.tolerance(self.scale, flakiness)
            return size if size == math.inf else mpq(size)
        ratio = self.scale / self.step
        count = self.law.discrete_tolerance(ratio, flakiness)
        return math.inf if isinstance(count, float) else mpq(count) * self.step


# === AddedNoise.quiet with mpq, last_index, NoiseLaw, without_rounding, attrs
@attrs.frozen
class AddedNoise:
    law: NoiseLaw
    scale: mpq
    whole: bool
    k: int | None
    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        if self.same(start) > flakiness:
            return None
        if self.whole:
            ratio = self.scale / self.step
            guess = int(self.law.complementary(ratio, flakiness))
            steps = last_index(lambda i: self._stays(start, i) <= flakiness, guess)
            return mpq(steps) * self.step
        far = mpq(self.law.complementary(self.scale, flakiness))
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


# === AddedNoise._tail with mpq, Enclosure, NoiseLaw, attrs, _PRECISION
@attrs.frozen
class AddedNoise:
    law: NoiseLaw
    scale: mpq
    def _tail(self, steps: int) -> Enclosure:
        return self.law.discrete_tail(steps, self.scale / self.step, _PRECISION)


# === AddedNoise._central with mpq, Enclosure, NoiseLaw, attrs, _HALF, _PRECISION
@attrs.frozen
class AddedNoise:
    law: NoiseLaw
    scale: mpq
    def _central(self, distance: mpq | None) -> Enclosure:
        if distance is None:
            return Enclosure(_HALF, _HALF)
        return self.law.central(distance / self.scale, _PRECISION)


# === added_noise with check_type, integer_argument, refusal, make_RDP_to_approxDP,
#    make_approximate, make_fix_delta, make_fixed_approxDP_to_approxDP,
#    make_pureDP_to_zCDP, make_zCDP_to_approxDP, Measurement, max_divergence, Made,
#    to_mpq, check_target, make_canonical_noise, check_grid, check_scale, check_space,
#    make_gaussian, make_laplace, make_noise, lattice_argument, precision_argument,
#    make_snapping, CanonicalNoise, law_added_by, SnappedNoise, Any, _CONVERSIONS, _MAKE
def added_noise(measurement: object) -> AddedNoise | CanonicalNoise | SnappedNoise:
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
            to_mpq(arguments["d_in"]),
            check_target(arguments["d_out"]),
            arguments["input_domain"].T is int,
        )
    law = law_added_by(make)
    if law is None:
        rule = "it is not known which noise this adds to what"
        raise refusal(
            _MAKE, "measurement", measurement, rule, fix
        )
    space = check_space(law.law, arguments["input_domain"], arguments["input_metric"])
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
