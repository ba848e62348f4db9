# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.canonical.canonical_sampler; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import End
from opendp_lite.exact.rounding import BINARY64
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import round_nearest
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.randomness.lazy import LazyUniform
from typing import Protocol
from typing import TypeAlias
from typing import TypeVar
import attrs
import math

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
FixedPoint: TypeAlias = Callable[[int], Enclosure]
opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)
T = TypeVar("T")
_GUARD = 96


# === RandomVariable with mpq, Enclosure, Protocol
class RandomVariable(Protocol):
    def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
        ...


# === CanonicalRV._positive with mpq, attrs
@attrs.frozen
class CanonicalRV:
    scale: mpq = attrs.field()
    @scale.validator
    def _positive(self, _: object, scale: mpq) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be positive, got {scale}")


# === CanonicalRV.cdf with mpq, Enclosure, attrs, _ZERO
@attrs.frozen
class CanonicalRV:
    shift: mpq
    scale: mpq = attrs.field()
    def cdf(self, x: mpq, precision: int = 64) -> Enclosure:
        level = self._unit_cdf((mpq(x) - self.shift) / self.scale, precision)
        return Enclosure(max(level.lo, _ZERO), min(level.hi, _ONE))


# === CanonicalRV.quantile with mpq, Enclosure, attrs, _ZERO
@attrs.frozen
class CanonicalRV:
    shift: mpq
    scale: mpq = attrs.field()
    def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
        if not 0 <= u <= 1:
            raise ValueError(f"u must be from 0 to 1, got {u}")
        if u > _HALF:
            place = -self._lower_quantile(_ONE - u, precision)
        else:
            place = self._lower_quantile(mpq(u), precision)
        return self.shift + self.scale * place


# === CanonicalRV.support with mpq, End, attrs, opendp_lite.exact.intervals.End, _ZERO
@attrs.frozen
class CanonicalRV:
    def support(self, precision: int = 64) -> tuple[End, End]:
        least = self.quantile(_ZERO, precision).lo
        return least, self.quantile(_ONE, precision).hi


# === CanonicalRV.variance with mpq, Enclosure, Tradeoff, attrs
@attrs.frozen
class CanonicalRV:
    scale: mpq = attrs.field()
    tradeoff: Tradeoff
    def variance(self, precision: int = 64) -> Enclosure:
        return self.scale * self.scale * self.tradeoff.variance(precision)


# === CanonicalRV._unit_cdf with mpq, mpz, ceil_multiple, Enclosure, Tradeoff, attrs,
#    _ZERO
@attrs.frozen
class CanonicalRV:
    tradeoff: Tradeoff
    def _unit_cdf(self, x: mpq, precision: int) -> Enclosure:
        if x > 0:
            return _ONE - self._unit_cdf(-x, precision)
        steps = max(ceil_multiple(-_HALF - x, 0), 0)
        density = self.tradeoff.density(precision)
        centre = density * (x + mpz(steps)) + _HALF
        return self.tradeoff.lowered(centre, steps, precision)


# === CanonicalRV._lower_quantile with Callable, mpq, mpz, Enclosure, Tradeoff,
#    TypeAlias, attrs, math, _ZERO, FixedPoint
@attrs.frozen
class CanonicalRV:
    tradeoff: Tradeoff
    fixed_point: FixedPoint
    def _lower_quantile(self, u: mpq, precision: int) -> Enclosure:
        if u == 0 and not self.tradeoff.bounded:
            return Enclosure(-math.inf, -math.inf)
        c = self.fixed_point(precision)
        least, most = 0, 0
        if u < c.hi:
            least, most = self.tradeoff.steps(u, precision)
        if most > least + 1:
            return Enclosure(-_HALF - mpz(most), _HALF - mpz(least))
        density = self.tradeoff.density(precision)
        lowest, highest = c.lo, (_ONE - c).hi
        places = []
        for steps in range(least, most + 1):
            image = self.tradeoff.raised(u, steps, precision)
            lo, hi = max(image.lo, lowest), min(image.hi, highest)
            if lo <= hi:
                centre = Enclosure(lo, hi) - _HALF
                places.append(centre / density - steps)
            if image.lo >= c.hi:
                break
        return Enclosure(min(x.lo for x in places), max(x.hi for x in places))


# === PartialSample.__init__ with LazyUniform
class PartialSample:
    def __init__(self, variable: RandomVariable) -> None:
        self.variable = variable
        self.uniform = LazyUniform()


# === PartialSample.value with BINARY64, to_double, opendp_lite.exact.rounding.BINARY64
class PartialSample:
    def value(self) -> float:
        return to_double(self.rounded(BINARY64))


# === PartialSample.rounded with mpq, FloatFormat, round_nearest
class PartialSample:
    def rounded(self, fmt: FloatFormat) -> mpq:
        return self._round(lambda x: round_nearest(x, fmt))


# === PartialSample.nearest_integer with nearest_multiple
class PartialSample:
    def nearest_integer(self) -> int:
        return self._round(lambda x: nearest_multiple(x, 0))


# === PartialSample.greater_than with mpq
class PartialSample:
    def greater_than(self, threshold: mpq) -> bool:
        def test(lo: mpq, hi: mpq) -> bool | None:
            if lo > threshold:
                return True
            return False if hi <= threshold else None

        return self._ask(test)


# === PartialSample._round with Callable, mpq, TypeVar, T
class PartialSample:
    def _round(self, rounded: Callable[[mpq], T]) -> T:
        def test(lo: mpq, hi: mpq) -> T | None:
            least, most = rounded(lo), rounded(hi)
            return least if least == most else None

        return self._ask(test)


# === PartialSample._ask with Callable, mpq, mpz, power_of_two, TypeVar, T, _GUARD
class PartialSample:
    def _ask(self, test: Callable[[mpq, mpq], T | None]) -> T:
        quantile = self.variable.quantile

        def decide(prefix: int, length: int) -> T | None:
            precision = length + _GUARD
            unit = power_of_two(-length)
            lo = quantile(unit * mpz(prefix), precision).lo
            hi = quantile(unit * mpz(prefix + 1), precision).hi
            if isinstance(lo, float) or isinstance(hi, float):
                return None
            return test(lo, hi)

        return self.uniform.locate(decide)
