# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.canonical.truncated_uniform_laplace; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import lru_cache
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import BINARY64
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.exact.rounding import round_nearest
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.draws import sample_bernoulli_exp
from opendp_lite.randomness.draws import sample_uniform_below
from opendp_lite.randomness.lazy import LazyUniform
from typing import TypeVar

opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
_HALF, _ONE, _TWO, _MANY = mpq(1, 2), mpq(1), mpq(2), mpq(64)
opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)
T = TypeVar("T")


# === TruncatedUniformLaplace.__init__ with Callable, mpq, ceil_multiple,
#    floor_multiple, Enclosure, LAPLACE, ApproximateTradeoff, CanonicalRV,
#    discrete_noise, opendp_lite.laws.noise.LAPLACE, _HALF
class TruncatedUniformLaplace:
    def __init__(self, epsilon: mpq, delta: mpq, scale: mpq) -> None:
        if scale < 0:
            raise ValueError(f"scale must be non-negative, got {scale}")
        tradeoff = ApproximateTradeoff(epsilon, delta)
        self.law = CanonicalRV(mpq(0), _ONE, tradeoff, tradeoff.fixed_point)
        self.numerator, self.denominator = int(scale.numerator), int(scale.denominator)
        self.rate = epsilon
        self._ends: dict[int, Enclosure] = {}
        self.precision = 64
        self.inner: int | None = None
        self.outer = 0
        if delta > 0:
            while not _is_narrow(self.end(self.precision)):
                self.precision *= 2
            end = self.end(self.precision)
            self.inner = max(floor_multiple(mpq(end.lo) - _HALF, 0), 0)
            self.outer = ceil_multiple(mpq(end.hi) - _HALF, 0)
        known = tradeoff.constants(64)
        if mpq(known.b.hi) * _TWO * delta <= known.gap.lo:
            noise = discrete_noise(LAPLACE, _ONE / epsilon)
            self.propose: Callable[[], int | None] = noise.sample
        else:
            self.propose = self._uniform


# === TruncatedUniformLaplace.end with mpq, Enclosure, _HALF
class TruncatedUniformLaplace:
    def end(self, precision: int) -> Enclosure:
        if precision not in self._ends:
            self._ends[precision] = self.law.quantile(_ONE, precision)
        return self._ends[precision]


# === TruncatedUniformLaplace.sample with mpq, BINARY64, FloatFormat, round_nearest,
#    opendp_lite.exact.rounding.BINARY64
class TruncatedUniformLaplace:
    def sample(self, shift: mpq, fmt: FloatFormat = BINARY64) -> mpq:
        def rounded(n: int, d: int) -> mpq:
            return round_nearest(mpq(n, d), fmt)

        return self._draw(int(shift.numerator), int(shift.denominator), rounded)


# === TruncatedUniformLaplace.release with divide_to_double
class TruncatedUniformLaplace:
    def release(self, x: float) -> float:
        return self._draw(*x.as_integer_ratio(), divide_to_double)


# === TruncatedUniformLaplace.release_integer with mpq, nearest_multiple
class TruncatedUniformLaplace:
    def release_integer(self, x: int) -> int:
        def rounded(n: int, d: int) -> int:
            return nearest_multiple(mpq(n, d), 0)

        return self._draw(x, 1, rounded)


# === TruncatedUniformLaplace._draw with Callable, TypeVar, T
class TruncatedUniformLaplace:
    def _draw(self, n: int, d: int, rounded: Callable[[int, int], T]) -> T:
        if self.numerator == 0:
            return rounded(n, d)
        while (noise := self.trial()) is None:
            pass
        k, place = noise
        slope = self.numerator * d
        start = 2 * n * self.denominator + (2 * k - 1) * slope
        unit = 2 * d * self.denominator

        def decide(prefix: int, length: int) -> T | None:
            base = (start << length) + 2 * slope * prefix
            near = rounded(base, unit << length)
            far = rounded(base + 2 * slope, unit << length)
            return near if near == far else None

        return place.locate(decide)


# === TruncatedUniformLaplace.trial with LazyUniform
class TruncatedUniformLaplace:
    def trial(self) -> tuple[int, LazyUniform] | None:
        k = self.propose()
        if k is None:
            return None
        place = LazyUniform()
        if self.inner is None or abs(k) <= self.inner:
            return k, place
        if abs(k) > self.outer:
            return None
        return (k, place) if self._within(k, place) else None


# === TruncatedUniformLaplace._uniform with mpz, sample_bernoulli_exp,
#    sample_uniform_below
class TruncatedUniformLaplace:
    def _uniform(self) -> int | None:
        k = sample_uniform_below(2 * self.outer + 1) - self.outer
        accepted = sample_bernoulli_exp(self.rate * mpz(abs(k)))
        return k if accepted else None


# === TruncatedUniformLaplace._within with mpq, LazyUniform
class TruncatedUniformLaplace:
    def _within(self, k: int, place: LazyUniform) -> bool:
        def decide(prefix: int, length: int) -> bool | None:
            cell = prefix if k > 0 else (1 << length) - 1 - prefix
            start = mpq(2 * abs(k) - 1, 2)
            end = self.end(self.precision + length)
            if start + mpq(cell + 1, 1 << length) <= end.lo:
                return True
            if start + mpq(cell, 1 << length) >= end.hi:
                return False
            return None

        return place.locate(decide)


# === _is_narrow with mpq, Enclosure, _HALF
def _is_narrow(end: Enclosure) -> bool:
    width = mpq(end.width)
    return bool(width <= 1 or width * _MANY <= end.hi)


# === truncated_uniform_laplace with lru_cache, mpq
@lru_cache(maxsize=64)
def truncated_uniform_laplace(
    epsilon: mpq, delta: mpq, scale: mpq
) -> TruncatedUniformLaplace:
    return TruncatedUniformLaplace(epsilon, delta, scale)
