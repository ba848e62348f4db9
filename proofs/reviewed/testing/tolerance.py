# ruff: noqa
# fmt: off
# The code that was reviewed with the proof testing/tolerance; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.testing.assertions:tolerance ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_up
from opendp_lite.testing.ledger import LEDGER
from opendp_lite.testing.noise import added_noise
from typing import Any
import math

opendp_lite.testing.ledger.LEDGER = opendp_lite.testing.ledger.Ledger()

def tolerance(
    measurement: Any, flakiness: Any = None, *, size: int | None = None
) -> int | float:
    noise = added_noise(measurement)
    level = LEDGER.chosen(flakiness)
    if not noise.vector or noise.size is not None:
        if size is not None:
            fix = "Leave size out: the measurement says how many numbers it releases"
            rule = "is for vectors of unknown size"
            raise refusal(
                "InvalidDistance", "size", size, rule, fix
            )
        size = noise.size
    elif size is None:
        fix = "Pass the number of entries that will be compared, such as size=3"
        rule = "must be given for vectors of unknown size"
        raise refusal(
            "InvalidDistance", "size", size, rule, fix
        )
    else:
        fix = "Pass the number of entries, such as size=3"
        size = integer_argument(
            "InvalidDistance", "size", size, fix=fix, at_least=0
        )
    bound = _bound(noise, level, 1 if size is None else size)
    if noise.whole and bound != math.inf:
        return int(bound)
    return round_up(bound)


# === opendp_lite.testing.assertions:_bound ===

from gmpy2 import mpq
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.noise import AddedNoise
from opendp_lite.testing.snapped import SnappedNoise
from opendp_lite.testing.tolerances import partition_flakiness
from typing import TypeAlias

_Noise: TypeAlias = AddedNoise | CanonicalNoise | SnappedNoise

def _bound(noise: _Noise, level: mpq, count: int) -> mpq | float:
    part = level if count <= 1 else partition_flakiness(level, count)
    return noise.tolerance(part)


# === opendp_lite.testing.noise:added_noise ===

from opendp_lite.combinators.conversion import make_approximate
from opendp_lite.combinators.conversion import make_pureDP_to_zCDP
from opendp_lite.core.arguments import check_type
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.core.made import Made
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.additive import check_grid
from opendp_lite.measurements.additive import check_scale
from opendp_lite.measurements.additive import check_space
from opendp_lite.measurements.canonical_noise import check_target
from opendp_lite.measurements.canonical_noise import make_canonical_noise
from opendp_lite.measurements.gaussian import make_gaussian
from opendp_lite.measurements.geometric import make_geometric
from opendp_lite.measurements.laplace import make_laplace
from opendp_lite.measurements.noise import make_noise
from opendp_lite.measurements.snapping import make_snapping
from opendp_lite.measurements.snapping_arguments import lattice_argument
from opendp_lite.measurements.snapping_precision import precision_argument
from opendp_lite.sampling.law import GAUSSIAN
from opendp_lite.sampling.law import LAPLACE
from opendp_lite.sampling.law import Law
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.snapped import SnappedNoise
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


# === opendp_lite.testing.noise:AddedNoise.step ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
import attrs

@attrs.frozen
class AddedNoise:
    k: int | None
    @property
    def step(self) -> mpq:
        return power_of_two(self.k or 0)


# === opendp_lite.testing.noise:AddedNoise.discrete ===

import attrs

@attrs.frozen
class AddedNoise:
    whole: bool
    k: int | None
    @property
    def discrete(self) -> bool:
        return self.whole or self.k is not None


# === opendp_lite.testing.noise:AddedNoise.tolerance ===

from gmpy2 import mpq
from opendp_lite.sampling.law import LAPLACE
from opendp_lite.sampling.law import Law
from opendp_lite.testing.tolerances import discrete_gaussian_tolerance
from opendp_lite.testing.tolerances import discrete_laplace_tolerance
from opendp_lite.testing.tolerances import gaussian_tolerance
from opendp_lite.testing.tolerances import laplace_tolerance
from typing import Any
import attrs
import math

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)

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


# === opendp_lite.testing.assertions:assert_close ===

from opendp_lite.core.errors import shown
from opendp_lite.testing.ledger import LEDGER
from typing import Any

opendp_lite.testing.ledger.LEDGER = opendp_lite.testing.ledger.Ledger()

def assert_close(
    release: Any, expected: Any, measurement: Any, flakiness: Any = None
) -> None:
    noise, level = _noise_of(measurement, release), LEDGER.chosen(flakiness)
    pairs = _pairs(release, expected, noise)
    bound = _bound(noise, level, len(pairs))
    if noise.scale > 0:
        LEDGER.charge(level)
    for index, (found, true) in enumerate(pairs):
        place = f" (entry {index})" if noise.vector else ""
        if _infinite(true) or _infinite(found):
            if found != true:
                raise AssertionError(
                    f"release {shown(found)} is not {shown(true)}{place}"
                )
            continue
        centre = noise.released(noise.start(true))
        distance = abs(_finite(found, place) - centre)
        allowed = _allowed(noise, found, bound)
        if distance > allowed:
            raise AssertionError(
                f"release {shown(found)} is {_short(distance)} from {_short(centre)}, "
                f"beyond the tolerance {_short(allowed)} (flakiness "
                f"{float(level):.3g}){place}"
            )


# === opendp_lite.testing.assertions:_allowed ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.noise import AddedNoise
from opendp_lite.testing.snapped import SnappedNoise
from typing import Any
from typing import TypeAlias
import math

_Noise: TypeAlias = AddedNoise | CanonicalNoise | SnappedNoise

def _allowed(noise: _Noise, found: Any, bound: mpq | float) -> mpq | float:
    if noise.whole or bound == math.inf:
        return bound
    ulp = math.ulp(to_double(to_mpq(found)))
    return mpq(bound) + to_mpq(ulp) / mpq(2)


# === opendp_lite.testing.assertions:_noise_of ===

from opendp_lite.core.containers import is_array
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.noise import AddedNoise
from opendp_lite.testing.noise import added_noise
from opendp_lite.testing.snapped import SnappedNoise
from typing import Any
from typing import TypeAlias
import attrs

_Noise: TypeAlias = AddedNoise | CanonicalNoise | SnappedNoise

def _noise_of(measurement: Any, release: Any) -> _Noise:
    return attrs.evolve(added_noise(measurement), array=is_array(release))


# === opendp_lite.testing.noise:AddedNoise.start ===

from gmpy2 import mpq
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import attrs

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


# === opendp_lite.testing.noise:AddedNoise.released ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class AddedNoise:
    def released(self, number: mpq) -> mpq:
        lower, upper = self._range()
        moved: mpq = min(max(number, lower), upper)
        return moved


# === opendp_lite.testing.noise:AddedNoise._range ===

from opendp_lite.testing.hidden import LARGEST
from typing import Any
import attrs
import math

opendp_lite.testing.hidden.LARGEST = opendp_lite.exact.rationals.to_mpq(sys.float_info.max)
_INT64 = -(2**63), 2**63 - 1

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


# === opendp_lite.testing.assertions:assert_noisy ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.core.errors import shown
from opendp_lite.exact.elementary import power
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.doubles import greatest_double
from opendp_lite.testing.ledger import LEDGER
from typing import Any

opendp_lite.testing.ledger.LEDGER = opendp_lite.testing.ledger.Ledger()

def assert_noisy(
    release: Any, expected: Any, measurement: Any, flakiness: Any = None
) -> None:
    noise, level = _noise_of(measurement, release), LEDGER.chosen(flakiness)
    pairs = _pairs(release, expected, noise)
    if noise.scale == 0 or not pairs or any(_infinite(true) for _, true in pairs):
        rule = "adds no noise to what is expected, so that there is none to be found"
        fix = "Pass a positive scale or d_in, and finite data with at least one entry"
        raise refusal("InvalidDistance", "measurement", measurement, rule, fix)
    root = mpq(1, len(pairs))
    part = greatest_double(lambda p: power(level, root, p))
    starts = [noise.start(true) for _, true in pairs]
    quiet = {each: noise.quiet(each, part) for each in set(starts)}
    if None in quiet.values():
        atom = max(mpq(noise.same(start)) for start in quiet)
        _refuse_unreachable(flakiness, level, round_up(_power(atom, len(pairs))))
    LEDGER.charge(level)
    for (found, _), start in zip(pairs, starts, strict=True):
        if _infinite(found) or not _within(noise, found, start, quiet[start]):
            return
    raise AssertionError(
        f"release {shown(release)} is within the complementary tolerance of "
        f"{shown(expected)}: it seems to have no noise (flakiness {float(level):.3g})"
    )


# === opendp_lite.testing.assertions:_within ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.noise import AddedNoise
from opendp_lite.testing.snapped import SnappedNoise
from typing import Any
from typing import TypeAlias

_Noise: TypeAlias = AddedNoise | CanonicalNoise | SnappedNoise

def _within(noise: _Noise, found: Any, start: mpq, reach: mpq | None) -> bool:
    number = _finite(found, "")
    if not noise.whole and number == to_mpq(to_double(start)):
        return True
    return reach is not None and abs(number - start) <= reach


# === opendp_lite.testing.noise:AddedNoise.quiet ===

from gmpy2 import mpq
from opendp_lite.measurements.doubles import last_index
from opendp_lite.testing.hidden import without_rounding
import attrs

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


# === opendp_lite.testing.noise:AddedNoise.same ===

from gmpy2 import mpq
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.testing.hidden import margins
import attrs

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


# === opendp_lite.testing.noise:AddedNoise._stays ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
import attrs

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


# === opendp_lite.testing.noise:AddedNoise._tail ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.tails import discrete_gaussian_tail
from opendp_lite.measurements.tails import discrete_laplace_tail
from opendp_lite.sampling.law import LAPLACE
from opendp_lite.sampling.law import Law
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


# === opendp_lite.testing.noise:AddedNoise._central ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erf
from opendp_lite.measurements.tails import gaussian_tail
from opendp_lite.measurements.tails import laplace_tail
from opendp_lite.sampling.law import LAPLACE
from opendp_lite.sampling.law import Law
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


# === opendp_lite.testing.noise:AddedNoise._complementary ===

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


# === opendp_lite.testing.hidden:margins ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
import math

_HALF = mpq(1, 2)

def margins(start: mpq) -> tuple[mpq | None, mpq | None]:
    double = to_double(start)
    ends = (math.nextafter(double, -math.inf), math.nextafter(double, math.inf))
    below, above = (
        None if math.isinf(end) else (to_mpq(double) + to_mpq(end)) * _HALF
        for end in ends
    )
    down = None if below is None else start - below
    up = None if above is None else above - start
    return down, up


# === opendp_lite.testing.hidden:without_rounding ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
import math
import sys

LARGEST = to_mpq(sys.float_info.max)

def without_rounding(start: mpq, far: mpq) -> mpq:
    if abs(start) + far > LARGEST:
        return mpq(0)
    ulp = to_mpq(math.ulp(round_up(abs(start) + far)))
    return max(far - ulp, mpq(0))


# === opendp_lite.testing.noise:_up ===

from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_up

def _up(probability: Enclosure) -> float:
    return min(round_up(probability.hi), 1.0)


# === opendp_lite.testing.noise:AddedNoise.meant ===

from typing import Any
import attrs

@attrs.frozen
class AddedNoise:
    def meant(self, expected: Any) -> Any:
        return expected


# === opendp_lite.testing.snapped:SnappedNoise.scale ===

from gmpy2 import mpq
from opendp_lite.sampling.lattice import Lattice
import attrs

@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    @property
    def scale(self) -> mpq:
        return self.lattice.scale


# === opendp_lite.testing.snapped:SnappedNoise._error ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.sampling.finite_logarithm import GUARD_BITS
import attrs

opendp_lite.sampling.finite_logarithm.GUARD_BITS = 6

@attrs.frozen
class SnappedNoise:
    precision: int | None
    @property
    def _error(self) -> mpq:
        if self.precision is None:
            return mpq(0)
        return power_of_two(-self.precision - GUARD_BITS)


# === opendp_lite.testing.snapped:SnappedNoise.meant ===

from opendp_lite.sampling.lattice import Lattice
from typing import Any
import attrs
import math

@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def meant(self, expected: Any) -> Any:
        if expected in (math.inf, -math.inf):
            return self.lattice.clamped(float(expected))
        return expected


# === opendp_lite.testing.snapped:SnappedNoise.start ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.sampling.lattice import Lattice
from typing import Any
import attrs

@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def start(self, expected: Any) -> mpq:
        return self.lattice.offset(to_mpq(expected)) + self.lattice.middle


# === opendp_lite.testing.snapped:SnappedNoise.released ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.sampling.lattice import Lattice
import attrs

@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def released(self, number: mpq) -> mpq:
        least, greatest = to_mpq(self.lattice.least), to_mpq(self.lattice.greatest)
        moved: mpq = min(max(number, least), greatest)
        return moved


# === opendp_lite.testing.snapped:SnappedNoise.tolerance ===

from gmpy2 import mpq
from opendp_lite.sampling.lattice import Lattice
from opendp_lite.testing.tolerances import laplace_tolerance
from typing import Any
import attrs
import math

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    size: int | None
    def tolerance(self, flakiness: Any) -> mpq | float:
        lattice, error = self.lattice, self._error
        width = lattice.upper - lattice.lower
        size = laplace_tolerance(lattice.scale, flakiness)
        if size == math.inf:
            return width
        noise = mpq(size) + _TWO * error * lattice.scale
        reach = noise / (_ONE - _TWO * error) + lattice.step * _HALF
        return min(reach, width)


# === opendp_lite.testing.snapped:SnappedNoise.quiet ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class SnappedNoise:
    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        return None if self.same(start) > flakiness else self._near(start)


# === opendp_lite.testing.snapped:SnappedNoise.same ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.doubles import last_index
from opendp_lite.sampling.lattice import Lattice
import attrs

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

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


# === opendp_lite.testing.snapped:SnappedNoise._near ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.sampling.lattice import Lattice
import attrs

@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def _near(self, start: mpq) -> mpq:
        index = self.lattice.index(self.lattice.offset(start))
        return abs(to_mpq(self.lattice.released(index)) - start)


# === opendp_lite.testing.snapped:SnappedNoise._tail ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.lattice import Lattice
import attrs

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_PRECISION = 256

@attrs.frozen
class SnappedNoise:
    lattice: Lattice
    def _tail(self, distance: mpq) -> Enclosure:
        error = self._error
        growth = _ONE + _TWO * error + _TWO * error * _TWO * error
        grown = distance / self.lattice.scale * growth
        return _HALF * exp(-grown, _PRECISION)


# === opendp_lite.measurements.snapping_arguments:lattice_argument ===

from opendp_lite.sampling.lattice import Lattice
from typing import Any

_SCALE_FIX = "Pass a number such as scale=1.0; Fraction, Decimal and text are exact too"

def lattice_argument(variant: str, scale: Any, bounds: Any) -> Lattice:
    lower, upper = bounds_argument(variant, bounds)
    number = positive_argument(variant, "scale", scale, _SCALE_FIX)
    return Lattice(lower, upper, number)


# === opendp_lite.measurements.snapping_arguments:bounds_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from typing import Any

_BOUNDS_FIX = "Pass two numbers such as bounds=(0.0, 10.0), the lower one first"

def bounds_argument(variant: str, bounds: Any) -> tuple[mpq, mpq]:
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal(variant, "bounds", bounds, "must be a pair", _BOUNDS_FIX)
    lower: mpq = rational_argument(
        variant, "bounds", bounds[0], fix=_BOUNDS_FIX
    )
    upper: mpq = rational_argument(
        variant, "bounds", bounds[1], fix=_BOUNDS_FIX
    )
    if not lower < upper:
        rule = "the first must be less than the second"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    if not round_up(lower) <= round_down(upper):
        rule = "there must be a double between the two"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    return lower, upper


# === opendp_lite.measurements.snapping_arguments:positive_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

def positive_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(variant, name, value, fix=fix)
    if number <= 0:
        raise refusal(variant, name, value, "must be above 0", fix)
    return number


# === opendp_lite.testing.canonical:CanonicalNoise.meant ===

from typing import Any
import attrs
import math
import sys

@attrs.frozen
class CanonicalNoise:
    def meant(self, expected: Any) -> Any:
        if expected in (math.inf, -math.inf):
            return math.copysign(sys.float_info.max, expected)
        return expected


# === opendp_lite.testing.canonical:CanonicalNoise.start ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import attrs

@attrs.frozen
class CanonicalNoise:
    def start(self, expected: Any) -> mpq:
        return to_mpq(expected)


# === opendp_lite.testing.canonical:CanonicalNoise.released ===

from gmpy2 import mpq
from opendp_lite.testing.hidden import LARGEST
import attrs

opendp_lite.testing.hidden.LARGEST = opendp_lite.exact.rationals.to_mpq(sys.float_info.max)

@attrs.frozen
class CanonicalNoise:
    def released(self, number: mpq) -> mpq:
        moved: mpq = min(max(number, -LARGEST), LARGEST)
        return moved


# === opendp_lite.testing.canonical:CanonicalNoise.tolerance ===

from gmpy2 import mpq
from typing import Any
import attrs
import math

@attrs.frozen
class CanonicalNoise:
    scale: mpq
    target: tuple[mpq, mpq]
    size: int | None = attrs.field(default=None, init=False)
    def tolerance(self, flakiness: Any) -> mpq | float:
        size = canonical_tolerance(self.scale, self.target, flakiness)
        return size if size == math.inf else mpq(size)


# === opendp_lite.testing.canonical:CanonicalNoise.quiet ===

from gmpy2 import mpq
from opendp_lite.testing.hidden import without_rounding
import attrs

@attrs.frozen
class CanonicalNoise:
    scale: mpq
    target: tuple[mpq, mpq]
    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        if self.same(start) > flakiness:
            return None
        far = complementary_canonical_tolerance(self.scale, self.target, flakiness)
        return without_rounding(start, mpq(far))


# === opendp_lite.testing.canonical:CanonicalNoise.same ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.testing.hidden import margins
import attrs

@attrs.frozen
class CanonicalNoise:
    def same(self, start: mpq) -> float:
        down, up = margins(start)
        inside = self._central(down) + self._central(up)
        return round_up(inside.hi)


# === opendp_lite.testing.canonical:CanonicalNoise._central ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.canonical import CanonicalRV
from opendp_lite.sampling.tradeoffs import ApproximateTradeoff
import attrs

_HALF = mpq(1, 2)
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 256

@attrs.frozen
class CanonicalNoise:
    scale: mpq
    target: tuple[mpq, mpq]
    def _central(self, distance: mpq | None) -> Enclosure:
        if distance is None:
            return Enclosure(_HALF, _HALF)
        tradeoff = ApproximateTradeoff(*self.target)
        noise = CanonicalRV(_ZERO, self.scale, tradeoff, tradeoff.fixed_point)
        return noise.cdf(distance, _PRECISION) - _HALF


# === opendp_lite.measurements.canonical_noise:check_target ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_target
from typing import Any

_MAKE = "MakeMeasurement"

def check_target(d_out: Any) -> tuple[mpq, mpq]:
    if not isinstance(d_out, tuple | list) or len(d_out) != 2:
        rule, fix = "must be a pair (epsilon, delta)", "Pass for example (1.0, 1e-9)"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    fix = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
    epsilon: mpq = rational_argument(
        _MAKE, "d_out[0]", d_out[0], fix=fix, convert=to_target, at_least=0
    )
    fix = "Pass a probability such as 1e-9"
    delta: mpq = rational_argument(
        _MAKE, "d_out[1]", d_out[1], fix=fix, convert=to_target, at_least=0, at_most=1
    )
    if epsilon == 0 and delta == 0:
        rule, fix = "must not be (0, 0)", "Nothing can be released there; ask for more"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    return epsilon, delta


# === opendp_lite.exact.rationals:to_target ===

from gmpy2 import mpq
from typing import Any

def to_target(value: Any) -> mpq:
    stored = to_mpq(value)
    if issubclass(type(value), float):
        return min(stored, to_mpq(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))
    return stored


# === opendp_lite.testing.assertions:_pairs ===

from opendp_lite.testing.canonical import CanonicalNoise
from opendp_lite.testing.noise import AddedNoise
from opendp_lite.testing.snapped import SnappedNoise
from typing import Any
from typing import TypeAlias

_Noise: TypeAlias = AddedNoise | CanonicalNoise | SnappedNoise

def _pairs(release: Any, expected: Any, noise: _Noise) -> list[tuple[Any, Any]]:
    if not noise.vector:
        return [(release, noise.meant(expected))]
    found, true = _entries("release", release), _entries("expected", expected)
    if len(found) != len(true):
        raise AssertionError(f"release has {len(found)} entries, not {len(true)}")
    return [(a, noise.meant(b)) for a, b in zip(found, true, strict=True)]


# === opendp_lite.testing.assertions:_entries ===

from opendp_lite.core.containers import is_array
from opendp_lite.core.errors import refusal
from typing import Any

def _entries(name: str, values: Any) -> list[Any]:
    if is_array(values):
        return list(values.tolist())
    if isinstance(values, list | tuple):
        return list(values)
    rule, fix = "must be a list or an array", "The measurement releases vectors"
    raise refusal("InvalidDistance", name, values, rule, fix)


# === opendp_lite.testing.assertions:_infinite ===

from opendp_lite.exact.rationals import to_extended
from typing import Any

def _infinite(value: Any) -> bool:
    try:
        return isinstance(to_extended(value), float)
    except (TypeError, ValueError):
        return False


# === opendp_lite.testing.assertions:_finite ===

from gmpy2 import mpq
from opendp_lite.core.errors import shown
from opendp_lite.exact.rationals import to_mpq
from typing import Any

def _finite(found: Any, place: str) -> mpq:
    try:
        return to_mpq(found)
    except (TypeError, ValueError):
        raise AssertionError(f"release {shown(found)} is no number{place}") from None


# === opendp_lite.testing.assertions:_power ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import round_up

def _power(base: mpq, exponent: int) -> mpq:
    result, square = mpq(1), base
    while exponent:
        if exponent & 1:
            result = mpq(round_up(result * square))
        square = mpq(round_up(square * square))
        exponent >>= 1
    return result


# === opendp_lite.testing.assertions:_refuse_unreachable ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from typing import Any

def _refuse_unreachable(given: Any, level: mpq, reachable: float) -> None:
    value = f"{float(level):.3g}" if given is None else given
    rule = (
        f"a correct release is the expected value itself with probability {reachable}"
    )
    fix = f"Pass at least flakiness={reachable}, or compare more entries at once"
    if reachable == 1:
        fix = "Pass a greater scale or d_in, or data that bounds do not hold fast"
    raise refusal("InvalidDistance", "flakiness", value, rule, fix)


# === opendp_lite.testing.ledger:Ledger.chosen ===

from gmpy2 import mpq
from typing import Any

class Ledger:
    def chosen(self, flakiness: Any) -> mpq:
        return self.default if flakiness is None else check_flakiness(flakiness)


# === opendp_lite.testing.ledger:Ledger.charge ===

from gmpy2 import mpq

class Ledger:
    def charge(self, flakiness: mpq) -> None:
        with self._lock:
            self._total += flakiness
            self._count += 1


# === opendp_lite.core.made:Made.steps ===

from opendp_lite.core.own import is_own_constructor
import attrs

@attrs.frozen(eq=False, repr=False)
class Made:
    record: Record | None = attrs.field(default=None, init=False)
    def steps(self) -> list[Made]:
        record = _record_of(self)
        chained = record is not None and is_own_constructor(record.constructor)
        arguments = dict(record.arguments) if record and chained else {}
        inner = arguments.get("transformation0") or arguments.get("measurement0")
        outer = (
            arguments.get("transformation1")
            or arguments.get("measurement1")
            or arguments.get("postprocess1")
        )
        if inner is None or outer is None:
            return [self]
        return [
            link
            for part in (inner, outer)
            for link in ([part] if _record_of(part) is None else part.steps())
        ]


# === opendp_lite.measurements.additive:check_space ===

from fractions import Fraction
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import AbsoluteDistance
from opendp_lite.core.metric import L1Distance
from opendp_lite.core.metric import L2Distance
from opendp_lite.sampling.law import Law
from typing import Any

_MAKE = "MakeMeasurement"

def check_space(law: Law, domain: Any, metric: Any) -> NumberSpace:
    norm = L1Distance if law.power == 1 else L2Distance
    fix = (
        "Pass atom_domain(T=int) and absolute_distance(T=int), or "
        f"vector_domain(atom_domain(T=int)) and l{law.power}_distance(T=int)"
    )
    vector = isinstance(domain, VectorDomain)
    atom = domain.element_domain if vector else domain
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must hold int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    wanted = norm if vector else AbsoluteDistance
    if not isinstance(metric, wanted):
        rule = f"must be {wanted.__name__} for this domain"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return NumberSpace(atom, vector, domain.size if vector else None)


# === opendp_lite.measurements.additive:check_scale ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from typing import Any

_MAKE = "MakeMeasurement"

def check_scale(scale: Any) -> mpq:
    fix = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"
    number: mpq = rational_argument(
        _MAKE, "scale", scale, fix=fix, at_least=0
    )
    return number


# === opendp_lite.measurements.additive:check_grid ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import power_of_two
from opendp_lite.measurements.grid import spacing
from typing import Any

_MAKE = "MakeMeasurement"

def check_grid(k: Any, space: NumberSpace) -> int | None:
    if k is None:
        return None
    fix = "Leave k out: without a grid nothing is lost"
    exponent = integer_argument(
        _MAKE, "k", k, fix=fix, at_least=-(2**16), at_most=2**16
    )
    if space.atom.T is int and exponent < 0:
        rule = "must be at least 0 on integers"
        raise refusal(_MAKE, "k", k, rule, fix)
    rounds = spacing(space.atom) < power_of_two(exponent)
    if space.vector and space.size is None and rounds:
        rule = (
            "rounding costs up to one grid step for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave k out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "k", k, rule, fix)
    return exponent


# === opendp_lite.measurements.grid:spacing ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.atom import AtomDomain
from opendp_lite.exact.grids import power_of_two

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}

def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


# === opendp_lite.core.arguments:integer_argument ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal

def integer_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> int:
    number: mpq = rational_argument(
        variant, name, value, fix=fix, at_least=at_least, at_most=at_most
    )
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)
