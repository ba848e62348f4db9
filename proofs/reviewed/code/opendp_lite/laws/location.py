# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.location; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import End
from opendp_lite.exact.normal import erf
from opendp_lite.exact.normal import erfc
from opendp_lite.exact.normal import normal_quantile
from opendp_lite.exact.rationals import to_target
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.laws.variance import enclose_variance
import attrs
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure
_ZERO, _HALF, _ONE, _TWO, _FOUR = mpq(0), mpq(1, 2), mpq(1), mpq(2), mpq(4)
_WIDER = 64


# === LocationTradeoff with mpq, mpz, ceil_multiple, Argument, Enclosure, End,
#    to_target, Tradeoff, enclose_variance, attrs, math,
#    opendp_lite.exact.intervals.End, opendp_lite.exact.intervals.Argument, _ZERO
@attrs.frozen
class LocationTradeoff(Tradeoff):
    mu: mpq = attrs.field(converter=to_target, repr=str)

    @mu.validator
    def _positive(self, _: object, mu: mpq) -> None:
        if mu <= 0:
            raise ValueError(f"mu must be positive, got {mu}")

    def distribution_at(self, z: End, precision: int) -> Enclosure:
        raise TypeError(f"{type(self).__name__} does not say what its law is")

    def quantile_at(self, u: mpq, precision: int) -> Enclosure:
        raise TypeError(f"{type(self).__name__} does not say what its law is")

    def profile(self, epsilon: mpq, precision: int) -> Enclosure:
        raise TypeError(f"{type(self).__name__} does not say what its profile is")

    def distribution(self, z: Enclosure, precision: int) -> Enclosure:
        lowest = self.distribution_at(z.lo, precision)
        if z.lo == z.hi:
            return lowest
        highest = self.distribution_at(z.hi, precision)
        return Enclosure(lowest.lo, highest.hi)

    def quantile(self, u: Argument, precision: int) -> Enclosure:
        lo, hi = (u.lo, u.hi) if isinstance(u, Enclosure) else (mpq(u), mpq(u))
        lowest = self._quantile_end(lo, precision)
        if lo == hi:
            return lowest
        highest = self._quantile_end(hi, precision)
        return Enclosure(lowest.lo, highest.hi)

    def _quantile_end(self, u: End, precision: int) -> Enclosure:
        if u <= 0:
            return Enclosure(-math.inf, -math.inf)
        if u >= 1:
            return Enclosure(math.inf, math.inf)
        return self.quantile_at(mpq(u), precision)

    def value(self, a: Argument, precision: int) -> Enclosure:
        rest = _ONE - a if isinstance(a, Enclosure) else _ONE - mpq(a)
        return self.lowered(rest, 1, precision)

    def fixed_point(self, precision: int) -> Enclosure:
        return self.distribution_at(-self.mu / _TWO, precision)

    def lowered(self, u: Argument, steps: int, precision: int) -> Enclosure:
        z = self.quantile(u, precision)
        return self.distribution(z - self.mu * mpz(steps), precision)

    def raised(self, u: Argument, steps: int, precision: int) -> Enclosure:
        z = self.quantile(u, precision)
        return self.distribution(z + self.mu * mpz(steps), precision)

    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        z = self.quantile(u, precision // 2 + 32)
        count = -z / self.mu - _HALF
        least, most = ceil_multiple(mpq(count.lo), 0), ceil_multiple(mpq(count.hi), 0)
        return max(least, 0), max(most, 0)

    def variance(self, precision: int) -> Enclosure:
        return enclose_variance(self, precision)


# === GaussianTradeoff with mpq, exp, sqrt, Enclosure, End, erf, erfc, normal_quantile,
#    attrs, opendp_lite.exact.intervals.End, _ZERO, _WIDER
@attrs.frozen
class GaussianTradeoff(LocationTradeoff):
    def distribution_at(self, z: End, precision: int) -> Enclosure:
        root = sqrt(_HALF, precision + _WIDER)
        tail = erfc(-(Enclosure(z, z) * root), precision)
        return tail * _HALF

    def quantile_at(self, u: mpq, precision: int) -> Enclosure:
        return normal_quantile(u, precision)

    def density(self, precision: int) -> Enclosure:
        return erf(sqrt(_HALF, precision) * (self.mu / _TWO), precision)

    def profile(self, epsilon: mpq, precision: int) -> Enclosure:
        place, half = -mpq(epsilon) / self.mu, self.mu / _TWO
        gain = self.distribution_at(place + half, precision)
        cost = self.distribution_at(place - half, precision)
        return gain - exp(mpq(epsilon), precision) * cost


# === LaplaceTradeoff with mpq, exp, expm1, ln, Enclosure, End, attrs,
#    opendp_lite.exact.intervals.End, _ZERO
@attrs.frozen
class LaplaceTradeoff(LocationTradeoff):
    def distribution_at(self, z: End, precision: int) -> Enclosure:
        if z > 0:
            return _ONE - self.distribution_at(-z, precision)
        if isinstance(z, float):
            return Enclosure(_ZERO, _ZERO)
        return exp(z, precision) * _HALF

    def quantile_at(self, u: mpq, precision: int) -> Enclosure:
        if u > _HALF:
            return -ln(_TWO - _TWO * u, precision)
        return ln(_TWO * u, precision)

    def density(self, precision: int) -> Enclosure:
        return -expm1(-self.mu / _TWO, precision)

    def profile(self, epsilon: mpq, precision: int) -> Enclosure:
        if epsilon >= self.mu:
            return Enclosure(_ZERO, _ZERO)
        return -expm1((mpq(epsilon) - self.mu) / _TWO, precision)

    def variance(self, precision: int) -> Enclosure:
        q = exp(-self.mu, precision)
        rest = -expm1(-self.mu, precision)
        s = self.density(precision)
        area = (self.mu / s - s + _TWO) / mpq(8)
        moment = s / mpq(24) - mpq(1, 16) - (_TWO - self.mu / s) / (s * mpq(16))
        cells = q / rest * (area / rest - moment)
        return cells * _FOUR + mpq(1, 4) - s / mpq(6)
