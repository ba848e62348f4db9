# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/canonical-noise-general; written by
# `opendp-lite proofs accept`, never by hand, and never run.


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
