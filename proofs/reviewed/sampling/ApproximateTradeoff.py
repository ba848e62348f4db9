# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/ApproximateTradeoff; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.__init__ ===

from opendp_lite.exact.rationals import to_mpq
from opendp_lite.sampling.powers import EnclosedPowers
from opendp_lite.sampling.powers import RationalPowers

class ApproximateTradeoff(Tradeoff):
    def __init__(
        self,
        epsilon: object = None,
        delta: object = 0,
        *,
        exp_epsilon: object = None,
    ) -> None:
        if (epsilon is None) == (exp_epsilon is None):
            raise ValueError("either epsilon or exp_epsilon must be given")
        self.delta = to_mpq(delta)
        if not 0 <= self.delta <= 1:
            raise ValueError(f"delta must be from 0 to 1, got {self.delta}")
        self.exponential: EnclosedPowers | RationalPowers
        if exp_epsilon is None:
            rate = to_mpq(epsilon)
            if rate < 0:
                raise ValueError(f"epsilon must be at least 0, got {rate}")
            self.exponential, self.flat = EnclosedPowers(rate), rate == 0
        else:
            base = to_mpq(exp_epsilon)
            if base < 1:
                raise ValueError(f"exp_epsilon must be at least 1, got {base}")
            self.exponential, self.flat = RationalPowers(base), base == 1
        if self.flat and self.delta == 0:
            raise ValueError("epsilon and delta must not both be 0")
        self.bounded = self.delta > 0
        self._constants: dict[int, _Constants] = {}


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.constants ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)

class ApproximateTradeoff(Tradeoff):
    def constants(self, precision: int) -> _Constants:
        if precision not in self._constants:
            b = self.exponential.power(-1, precision)
            gap = -self.exponential.less_one(-1, precision)
            weight = gap + b * (_TWO * self.delta)
            c = b / (b + 1) * (_ONE - self.delta)
            density = weight / (b + 1)
            if self.delta == 1:
                density = Enclosure(_ONE, _ONE)
            self._constants[precision] = _Constants(b, gap, weight, c, density)
        return self._constants[precision]


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.fixed_point ===

from opendp_lite.exact.intervals import Enclosure

class ApproximateTradeoff(Tradeoff):
    def fixed_point(self, precision: int) -> Enclosure:
        return self.constants(precision).c


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.density ===

from opendp_lite.exact.intervals import Enclosure

class ApproximateTradeoff(Tradeoff):
    def density(self, precision: int) -> Enclosure:
        return self.constants(precision).density


# === opendp_lite.sampling.tradeoffs:ApproximateTradeoff.value ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure

opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure
_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)

class ApproximateTradeoff(Tradeoff):
    def value(self, a: Argument, precision: int) -> Enclosure:
        argument, rest = _interval(a), _ONE - self.delta
        power = self.exponential.power(1, precision)
        steep = rest - power * argument
        gentle = self.constants(precision).b * (rest - argument)
        least, most = max(steep.lo, gentle.lo), max(steep.hi, gentle.hi)
        return Enclosure(max(least, _ZERO), max(most, _ZERO))


# === opendp_lite.sampling.tradeoffs:_interval ===

from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure

opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure

def _interval(x: Argument) -> Enclosure:
    return x if isinstance(x, Enclosure) else Enclosure(x, x)


# === opendp_lite.sampling.tradeoffs:_Constants ===

from opendp_lite.exact.intervals import Enclosure
import attrs

@attrs.frozen
class _Constants:
    b: Enclosure
    gap: Enclosure
    weight: Enclosure
    c: Enclosure
    density: Enclosure


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
