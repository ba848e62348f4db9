# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/CanonicalRV; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.canonical:CanonicalRV._positive ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class CanonicalRV:
    scale: mpq = attrs.field()
    @scale.validator
    def _positive(self, _: object, scale: mpq) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be positive, got {scale}")


# === opendp_lite.sampling.canonical:CanonicalRV.cdf ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
import attrs

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)

@attrs.frozen
class CanonicalRV:
    shift: mpq
    scale: mpq = attrs.field()
    def cdf(self, x: mpq, precision: int = 64) -> Enclosure:
        level = self._unit_cdf((mpq(x) - self.shift) / self.scale, precision)
        return Enclosure(max(level.lo, _ZERO), min(level.hi, _ONE))


# === opendp_lite.sampling.canonical:CanonicalRV._unit_cdf ===

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.tradeoffs import Tradeoff
import attrs

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)

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


# === opendp_lite.sampling.canonical:CanonicalRV.quantile ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
import attrs

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)

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


# === opendp_lite.sampling.canonical:CanonicalRV._lower_quantile ===

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.tradeoffs import Tradeoff
from typing import TypeAlias
import attrs
import math

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)
FixedPoint: TypeAlias = Callable[[int], Enclosure]

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


# === opendp_lite.sampling.canonical:CanonicalRV.support ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import End
import attrs

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)

@attrs.frozen
class CanonicalRV:
    def support(self, precision: int = 64) -> tuple[End, End]:
        least = self.quantile(_ZERO, precision).lo
        return least, self.quantile(_ONE, precision).hi


# === opendp_lite.sampling.canonical:CanonicalRV.variance ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.tradeoffs import Tradeoff
import attrs

@attrs.frozen
class CanonicalRV:
    scale: mpq = attrs.field()
    tradeoff: Tradeoff
    def variance(self, precision: int = 64) -> Enclosure:
        return self.scale * self.scale * self.tradeoff.variance(precision)


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.lowered ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure

opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure
_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)

class ApproximateTradeoff(Tradeoff):
    def lowered(self, u: Argument, steps: int, precision: int) -> Enclosure:
        if steps == 0:
            return _interval(u)
        lost = self._series(-steps, precision) * self.constants(precision).b
        share = self.exponential.power(-steps, precision) * u
        image = share - lost * self.delta
        return Enclosure(max(_ZERO, image.lo), max(_ZERO, image.hi))


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.raised ===

from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure

opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure

class ApproximateTradeoff(Tradeoff):
    def raised(self, u: Argument, steps: int, precision: int) -> Enclosure:
        if steps == 0:
            return _interval(u)
        image = self._series(steps, precision) * self.delta
        if u == 0:
            return image
        return self.exponential.power(steps, precision) * u + image


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff._series ===

from opendp_lite.exact.intervals import Enclosure

class ApproximateTradeoff(Tradeoff):
    def _series(self, times: int, precision: int) -> Enclosure:
        size = abs(times)
        if size == 1 or self.flat:
            return Enclosure(size, size)
        first = self.exponential.less_one(1 if times > 0 else -1, precision)
        return self.exponential.less_one(times, precision) / first


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.steps ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import ceil_multiple

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)

class ApproximateTradeoff(Tradeoff):
    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        if self.flat:
            twice = _TWO * self.delta
            number = ceil_multiple((_ONE - self.delta - _TWO * u) / twice, 0)
            return max(number, 0), max(number, 0)
        known = self.constants(precision)
        if u == 0:
            ratio, extra = known.density / self.delta, 0
        else:
            start = known.gap * u + known.b * self.delta
            ratio, extra = known.density / start, 1
        count = ln(ratio, precision) / self.exponential.logarithm(precision)
        least, most = ceil_multiple(mpq(count.lo), 0), ceil_multiple(mpq(count.hi), 0)
        return max(least - extra, 0), max(most - extra, 0)


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.variance ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_THREE, _TWELVE = mpq(3), mpq(12)

class ApproximateTradeoff(Tradeoff):
    def variance(self, precision: int) -> Enclosure:
        if self.flat:
            value = _ONE / (_TWELVE * self.delta * self.delta)
            return Enclosure(value, value)
        known = self.constants(precision)
        b, gap = known.b, known.gap
        if self.delta == 0:
            return b / (gap * gap) * _TWO + _ONE / _TWELVE
        least, most = self.steps(_ZERO, precision)
        if most > least + 1:
            last = mpq(2 * most + 1, 2)
            return Enclosure(_ZERO, last * last)
        found = [self._variance(n, precision) for n in (least, most)]
        return Enclosure(min(v.lo for v in found), max(v.hi for v in found))


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff._variance ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_THREE, _TWELVE = mpq(3), mpq(12)

class ApproximateTradeoff(Tradeoff):
    def _variance(self, n: int, precision: int) -> Enclosure:
        if n == 0:
            return Enclosure(_ONE / _TWELVE, _ONE / _TWELVE)
        known = self.constants(precision)
        b, gap, height = known.b, known.gap, known.density
        power = self.exponential.power(1 - n, precision)
        plain = (b - power * b) / gap
        squares = gap * gap * mpq(n - 1) * mpq(n - 1) + gap * mpq(2 * n - 3) + _TWO
        second = (_TWO - gap - power * squares) * b / (gap * gap * gap)
        start = mpq(2 * n - 1, 2)
        rest = (_HALF - self.raised(_ZERO, n, precision)) / height + _HALF
        cubes = rest * rest * rest / _THREE + rest * rest * start
        edge = (cubes + rest * start * start) * power * b
        side = second + plain / _TWELVE + edge
        return side * height * _TWO + height / _TWELVE


# === opendp_lite.sampling.tradeoffs:_interval ===

from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure

opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure

def _interval(x: Argument) -> Enclosure:
    return x if isinstance(x, Enclosure) else Enclosure(x, x)


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


# === opendp_lite.sampling.powers:EnclosedPowers ===

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
import attrs

_ZERO = mpq(0)

@attrs.frozen
class EnclosedPowers:
    epsilon: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        exponent = self.epsilon * mpz(times)
        if exponent < -precision:
            return Enclosure(_ZERO, power_of_two(-precision))
        return exp(exponent, precision)

    def less_one(self, times: int, precision: int) -> Enclosure:
        if self.epsilon * mpz(times) < -precision:
            return self.power(times, precision) - 1
        return expm1(self.epsilon * mpz(times), precision)

    def logarithm(self, precision: int) -> Enclosure:
        return Enclosure(self.epsilon, self.epsilon)


# === opendp_lite.sampling.powers:RationalPowers ===

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import Enclosure
import attrs

@attrs.frozen
class RationalPowers:
    base: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        power = self.base ** mpz(times)
        return Enclosure(power, power)

    def less_one(self, times: int, precision: int) -> Enclosure:
        return self.power(times, precision) - 1

    def logarithm(self, precision: int) -> Enclosure:
        return ln(self.base, precision)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)
