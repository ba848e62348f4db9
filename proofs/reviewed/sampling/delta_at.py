# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/delta_at; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.profiles:delta_at ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended
from opendp_lite.sampling.location_tradeoffs import LocationTradeoff
from opendp_lite.sampling.tradeoffs import ApproximateTradeoff
from opendp_lite.sampling.tradeoffs import Tradeoff

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 192
_LARGEST = mpq(4096)

def delta_at(tradeoff: Tradeoff, epsilon: Extended) -> mpq:
    if isinstance(epsilon, float):
        return _most(_ONE - tradeoff.value(_ZERO, _PRECISION))
    if isinstance(tradeoff, LocationTradeoff):
        return _rounded_up(lambda p: tradeoff.profile(mpq(epsilon), p))
    if isinstance(tradeoff, ApproximateTradeoff):
        return _rounded_up(
            lambda p: approximate_profile(tradeoff, mpq(epsilon), p)
        )
    return search_profile(tradeoff, min(mpq(epsilon), _LARGEST))


# === opendp_lite.sampling.profiles:approximate_profile ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.sampling.powers import EnclosedPowers
from opendp_lite.sampling.tradeoffs import ApproximateTradeoff

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)

def approximate_profile(
    tradeoff: ApproximateTradeoff, epsilon: mpq, precision: int
) -> Enclosure:
    delta = tradeoff.delta
    if tradeoff.exponential.logarithm(precision).hi <= epsilon:
        return Enclosure(delta, delta)
    powers, b = tradeoff.exponential, tradeoff.constants(precision).b
    if isinstance(powers, EnclosedPowers):
        rest = EnclosedPowers(powers.epsilon - epsilon)
        ratio = rest.power(-1, precision)
    else:
        ratio = exp(epsilon, precision) * b
    centre = _ONE - (ratio + b) / (b + 1) * (_ONE - delta)
    return Enclosure(max(delta, centre.lo), max(delta, centre.hi))


# === opendp_lite.sampling.profiles:search_profile ===

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import lower_bound
from opendp_lite.sampling.tradeoffs import Tradeoff

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 192
_DEPTH = 96

def search_profile(tradeoff: Tradeoff, epsilon: mpq) -> mpq:
    factor = max(_ONE, lower_bound(lambda p: exp(epsilon, p), _PRECISION))
    unit = power_of_two(exponent_at_least(_ONE / factor) - _DEPTH)

    def gain(k: int) -> Enclosure:
        a = unit * mpz(k)
        return _ONE - tradeoff.value(a, _PRECISION) - factor * a

    x, y = 0, 1 << _DEPTH
    most = _most(gain(x))
    while y - x > 2:
        third = (y - x) // 3
        left, right = gain(x + third), gain(y - third)
        rises, falls = left.hi <= right.lo, right.hi <= left.lo
        if rises or not falls:
            most, x = max(most, _beyond(left, right)), x + third
        if falls or not rises:
            most, y = max(most, _beyond(right, left)), y - third
    last = gain(y) + factor * unit * mpz(y - x)
    return max(most, _most(last))


# === opendp_lite.sampling.profiles:_beyond ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)

def _beyond(near: Enclosure, far: Enclosure) -> mpq:
    return _most(near * _TWO - far)


# === opendp_lite.sampling.profiles:_most ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)

def _most(delta: Enclosure) -> mpq:
    return mpq(min(max(delta.hi, _ZERO), _ONE))


# === opendp_lite.sampling.profiles:_rounded_up ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_SHARE = power_of_two(-64)
_NEGLIGIBLE = power_of_two(-2048)

def _rounded_up(enclose: Callable[[int], Enclosure]) -> mpq:
    def test(delta: Enclosure) -> mpq | None:
        most = _most(delta)
        if most <= _NEGLIGIBLE:
            return _ZERO if most == 0 else _NEGLIGIBLE
        return most if most - max(delta.lo, _ZERO) <= most * _SHARE else None

    return decide(enclose, test, 128)


# === opendp_lite.exact.intervals:decide ===

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

def decide(
    enclose: Callable[[int], Enclosure],
    test: Callable[[Enclosure], T | None],
    precision: int = 64,
) -> T:
    while True:
        answer = test(enclose(precision))
        if answer is not None:
            return answer
        precision *= 2


# === opendp_lite.exact.intervals:lower_bound ===

from collections.abc import Callable
from gmpy2 import mpq

def lower_bound(enclose: Callable[[int], Enclosure], precision: int = 64) -> mpq:
    return decide(enclose, lambda v: _finite(v.lo), precision)


# === opendp_lite.exact.intervals:_finite ===

from gmpy2 import mpq
from typing import TypeAlias

End: TypeAlias = mpq | float

def _finite(end: End) -> mpq | None:
    return None if isinstance(end, float) else end


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


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
