# ruff: noqa
# fmt: off
# What was read of opendp_lite.extras.numpy.noisy_binomial; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import cached_property
from functools import lru_cache
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.binomial import binomial_weights
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.tradeoff import approximate_to_tradeoff
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from operator import mul
import attrs

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_MOST_STEPS = 8
_GUARD = 8


# === NoisyBinomial.noise with cached_property, mpq, approximate_to_tradeoff,
#    CanonicalRV, attrs, _ZERO
@attrs.frozen(slots=False)
class NoisyBinomial:
    scale: mpq
    epsilon: mpq
    delta: mpq
    @cached_property
    def noise(self) -> CanonicalRV:
        tradeoff, fixed_point = approximate_to_tradeoff((self.epsilon, self.delta))
        return CanonicalRV(_ZERO, self.scale, tradeoff, fixed_point)


# === NoisyBinomial.at_least with mpq, mpz, binomial_weights, ceil_multiple, Enclosure,
#    mul, attrs, _ZERO
@attrs.frozen(slots=False)
class NoisyBinomial:
    size: int
    def at_least(self, theta: mpq, threshold: mpq, precision: int) -> Enclosure:
        bits = precision + 2 * self.size.bit_length()
        unit = mpz(1) << bits
        weights = binomial_weights(self.size, theta, bits)
        start, values = weights.start, weights.values
        split = min(max(ceil_multiple(threshold, 0) - start, 0), len(values))
        below, above = values[:split][::-1], values[split:]
        place = threshold - mpq(start + split)
        under, lost = self.tails(place + _ONE, len(below), bits)
        over, spent = self.tails(-place, len(above), bits)
        lower_sum, upper_sum = mpz(sum(below)), mpz(sum(above))
        found = mpz(sum(map(mul, below, under)))
        found += unit * upper_sum - mpz(sum(map(mul, above, over)))
        total = lower_sum + upper_sum
        spare = mpz((self.size + 1) * weights.slack)
        least = mpq(found - mpz(spent) * upper_sum, unit * (total + spare))
        most = mpq(found + mpz(lost) * lower_sum + unit * spare, unit * total)
        return Enclosure(max(least, _ZERO), min(most, _ONE))


# === NoisyBinomial.at_most with mpq, Enclosure, attrs, _ZERO
@attrs.frozen(slots=False)
class NoisyBinomial:
    size: int
    def at_most(self, theta: mpq, threshold: mpq, precision: int) -> Enclosure:
        place = mpq(self.size) - threshold
        return self.at_least(_ONE - theta, place, precision)


# === NoisyBinomial.tails with mpq, mpz, attrs, _MOST_STEPS
@attrs.frozen(slots=False)
class NoisyBinomial:
    scale: mpq
    epsilon: mpq
    def tails(self, first: mpq, count: int, bits: int) -> tuple[list[mpz], int]:
        stride, steps = int(self.scale.numerator), int(self.scale.denominator)
        if stride >= count or steps > _MOST_STEPS:
            return self._each(first, count, bits)
        found, lost = self._each(first, stride, bits)
        found += [mpz(0)] * (count - stride)
        ratio, width = _ratio(self.epsilon, bits)
        for i in range(stride):
            length = len(range(i, count, stride)) * steps - steps
            chain = self._chain(found[i], ratio, length, bits)[::steps]
            found[i : i + stride * len(chain) : stride] = chain
        return found, lost + (count // stride + 1) * steps * (width + 2)


# === NoisyBinomial._chain with mpq, mpz, ceil_multiple, attrs
@attrs.frozen(slots=False)
class NoisyBinomial:
    delta: mpq
    def _chain(self, tail: mpz, ratio: mpz, length: int, bits: int) -> list[mpz]:
        delta = mpz(ceil_multiple(self.delta, -bits))
        chain = [tail]
        for _ in range(length):
            if tail <= delta:
                break
            tail = ratio * (tail - delta) >> bits
            chain.append(tail)
        return chain


# === NoisyBinomial._each with mpq, mpz, attrs, _ZERO
@attrs.frozen(slots=False)
class NoisyBinomial:
    scale: mpq
    epsilon: mpq
    def _each(self, first: mpq, count: int, bits: int) -> tuple[list[mpz], int]:
        found: list[mpz] = []
        lost = 1
        for i in range(count):
            place = first + mpq(i)
            decay = self.epsilon * (_TWO * place / self.scale - _ONE)
            if decay >= 2 * bits:
                return found + [mpz(0)] * (count - i), lost
            tail, width = _tail(self.noise, place, bits)
            found.append(tail)
            lost = max(lost, width)
        return found, lost


# === _ratio with lru_cache, mpq, mpz, exp, _GUARD
@lru_cache(maxsize=16)
def _ratio(epsilon: mpq, bits: int) -> tuple[mpz, int]:
    return _fixed(exp(-epsilon, bits + _GUARD), bits)


# === _tail with lru_cache, mpq, mpz, CanonicalRV, _GUARD
@lru_cache(maxsize=16)
def _tail(noise: CanonicalRV, place: mpq, bits: int) -> tuple[mpz, int]:
    return _fixed(noise.cdf(-place, bits + _GUARD), bits)


# === _fixed with mpq, mpz, ceil_multiple, floor_multiple, Enclosure
def _fixed(value: Enclosure, bits: int) -> tuple[mpz, int]:
    least = floor_multiple(mpq(value.lo), -bits)
    return mpz(least), ceil_multiple(mpq(value.hi), -bits) - least
