# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.canonical; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Loss
from opendp_lite.base.aliases import Release
from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import rational_argument
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.measurements.canonical.canonical_accuracy import enclose_quantile
from opendp_lite.measurements.canonical.canonical_noise import check_target
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.testing.ledger import check_flakiness
from opendp_lite.testing.rounding import LARGEST
from opendp_lite.testing.rounding import margins
from opendp_lite.testing.rounding import without_rounding
from typing import Any
import attrs
import math
import sys

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Loss: typing.TypeAlias = object
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Release: typing.TypeAlias = typing.Any
opendp_lite.testing.rounding.LARGEST = opendp_lite.exact.rationals.to_mpq(sys.float_info.max)
_HALF = mpq(1, 2)
_PRECISION = 256


# === canonical_tolerance with mpq, ExactNumber, Loss, round_up, check_flakiness, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Loss, _ZERO
def canonical_tolerance(
    d_in: ExactNumber, d_out: Loss, flakiness: ExactNumber
) -> float:
    level = check_flakiness(flakiness)
    return round_up(_quantile(d_in, d_out, _ONE - level / _TWO).hi)


# === complementary_canonical_tolerance with mpq, ExactNumber, Loss, round_down,
#    check_flakiness, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Loss, _ZERO
def complementary_canonical_tolerance(
    d_in: ExactNumber, d_out: Loss, flakiness: ExactNumber
) -> float:
    level = check_flakiness(flakiness)
    return round_down(
        _quantile(d_in, d_out, (_ONE + level) / _TWO).lo
    )


# === _quantile with mpq, ExactNumber, Loss, rational_argument, Enclosure,
#    ApproximateTradeoff, enclose_quantile, check_target, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Loss, _ZERO
def _quantile(d_in: ExactNumber, d_out: Loss, u: mpq) -> Enclosure:
    fix = "Pass the sensitivity of the data, such as d_in=1.0"
    scale: mpq = rational_argument(
        "InvalidDistance", "d_in", d_in, fix=fix, at_least=0
    )
    tradeoff = ApproximateTradeoff(*check_target(d_out))
    if scale == 0:
        return Enclosure(_ZERO, _ZERO)
    return enclose_quantile(tradeoff, scale, u)


# === CanonicalNoise.meant with Value, Any, attrs, math, sys,
#    opendp_lite.base.aliases.Value
@attrs.frozen
class CanonicalNoise:
    def meant(self, expected: Value) -> Any:
        if expected in (math.inf, -math.inf):
            return math.copysign(sys.float_info.max, expected)
        return expected


# === CanonicalNoise.start with mpq, Release, to_mpq, attrs,
#    opendp_lite.base.aliases.Release
@attrs.frozen
class CanonicalNoise:
    def start(self, expected: Release) -> mpq:
        return to_mpq(expected)


# === CanonicalNoise.released with mpq, LARGEST, attrs,
#    opendp_lite.testing.rounding.LARGEST
@attrs.frozen
class CanonicalNoise:
    whole: bool = False
    def released(self, number: mpq) -> mpq:
        if self.whole:
            return number
        moved: mpq = min(max(number, -LARGEST), LARGEST)
        return moved


# === CanonicalNoise.tolerance with mpq, ExactNumber, nearest_multiple, attrs, math, ?,
#    opendp_lite.base.aliases.ExactNumber
@attrs.frozen
class CanonicalNoise:
    scale: mpq
    target: tuple[mpq, mpq]
    whole: bool = False
    size: int | None = attrs.field(default=None, init=False)
    def tolerance(self, flakiness: ExactNumber) -> mpq | float:
        size = canonical_tolerance(self.scale, self.target, flakiness)
        if size == math.inf:
            return size
        if self.whole:
            return mpq(nearest_multiple(mpq(size), 0))
        return mpq(size)


# === CanonicalNoise.quiet with mpq, last_index, without_rounding, attrs
@attrs.frozen
class CanonicalNoise:
    scale: mpq
    target: tuple[mpq, mpq]
    whole: bool = False
    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        if self.same(start) > flakiness:
            return None
        far = complementary_canonical_tolerance(self.scale, self.target, flakiness)
        if self.whole:
            steps = last_index(lambda i: self._stays(i) <= flakiness, int(far))
            return mpq(steps)
        return without_rounding(start, mpq(far))


# === CanonicalNoise.same with mpq, round_up, margins, attrs
@attrs.frozen
class CanonicalNoise:
    whole: bool = False
    def same(self, start: mpq) -> float:
        if self.whole:
            return self._stays(0)
        down, up = margins(start)
        inside = self._central(down) + self._central(up)
        return round_up(inside.hi)


# === CanonicalNoise._stays with mpq, round_up, attrs, _HALF, _ZERO
@attrs.frozen
class CanonicalNoise:
    def _stays(self, steps: int) -> float:
        inside = _TWO * self._central(mpq(steps) + _HALF)
        return round_up(inside.hi)


# === CanonicalNoise._central with mpq, Enclosure, ApproximateTradeoff, CanonicalRV,
#    attrs, _HALF, _ZERO, _PRECISION
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
