r"""Tails of a binomial count with canonical noise, by enclosures.

All sums are of integers that stand for numbers in units of 2^-bits, rounded down, with
a bound on what was lost: about sqrt(n) terms of one multiplication each. Nothing here
looks at data.

The weights of the binomial law are in units of the largest one, so that no factorial
and no logarithm is needed: divided by their sum they are the binomial probabilities.
Weights that are too small to be seen are left out; about :math:`\sqrt{n}` remain.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from operator import mul

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.grids import ceil_multiple, floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.canonical.canonical_sampler import (
    CanonicalRV,
    approximate_to_tradeoff,
)

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_GUARD = 8  # bits beyond those that are kept
_MOST_STEPS = 8


@attrs.frozen(slots=False)
class NoisyBinomial:
    """The law of X + d N: X of n trials, N canonical noise for (epsilon, delta).

    Here n is `size`, at least 1, and d is `scale`, positive.
    """

    size: int
    scale: mpq
    epsilon: mpq
    delta: mpq

    @cached_property
    def noise(self) -> CanonicalRV:
        """The law of d N."""
        tradeoff, fixed_point = approximate_to_tradeoff((self.epsilon, self.delta))
        return CanonicalRV(_ZERO, self.scale, tradeoff, fixed_point)  # proof: law

    def at_least(self, theta: mpq, threshold: mpq, precision: int) -> Enclosure:
        """Enclose P(X + d N >= threshold), where X has the success rate theta.

        The width is about 2^-precision.

        >>> law = NoisyBinomial(1, mpq(1), mpq(1), mpq(1))
        >>> p = law.at_least(mpq(1, 4), mpq(3, 4), 64)  # N is uniform on (-1/2, 1/2)
        >>> bool(p.lo <= mpq(3, 16) <= p.hi)
        True
        """
        bits = precision + 2 * self.size.bit_length()  # proof: bits
        unit = mpz(1) << bits
        weights = binomial_weights(self.size, theta, bits)  # proof: weights
        start, values = weights.start, weights.values
        split = min(max(ceil_multiple(threshold, 0) - start, 0), len(values))
        below, above = values[:split][::-1], values[split:]  # proof: split
        place = threshold - mpq(start + split)
        under, lost = self.tails(place + _ONE, len(below), bits)  # proof: under
        over, spent = self.tails(-place, len(above), bits)  # proof: over
        lower_sum, upper_sum = mpz(sum(below)), mpz(sum(above))
        found = mpz(sum(map(mul, below, under)))  # proof: found
        found += unit * upper_sum - mpz(sum(map(mul, above, over)))  # proof: rest
        total = lower_sum + upper_sum
        spare = mpz((self.size + 1) * weights.slack)  # proof: spare
        least = mpq(found - mpz(spent) * upper_sum, unit * (total + spare))
        most = mpq(found + mpz(lost) * lower_sum + unit * spare, unit * total)
        return Enclosure(max(least, _ZERO), min(most, _ONE))  # proof: ends

    def at_most(self, theta: mpq, threshold: mpq, precision: int) -> Enclosure:
        """Enclose P(X + d N <= threshold), where X has the success rate theta."""
        place = mpq(self.size) - threshold
        return self.at_least(_ONE - theta, place, precision)  # proof: mirrored

    def tails(self, first: mpq, count: int, bits: int) -> tuple[list[mpz], int]:
        """Return integers g(i) <= 2^bits P(d N >= first + i), i < count, and a bound.

        The bound is on what is lost: 2^bits P(d N >= first + i) <= g(i) + lost. It is
        meant for first >= 0.
        """
        stride, steps = int(self.scale.numerator), int(self.scale.denominator)
        if stride >= count or steps > _MOST_STEPS:  # proof: unchained
            return self._each(first, count, bits)
        found, lost = self._each(first, stride, bits)
        found += [mpz(0)] * (count - stride)
        ratio, width = _ratio(self.epsilon, bits)
        for i in range(stride):
            length = len(range(i, count, stride)) * steps - steps  # proof: length
            chain = self._chain(found[i], ratio, length, bits)[::steps]
            found[i : i + stride * len(chain) : stride] = chain  # proof: places
        return found, lost + (count // stride + 1) * steps * (width + 2)  # proof: lost

    def _chain(self, tail: mpz, ratio: mpz, length: int, bits: int) -> list[mpz]:
        """Return the tail and at most so many of the next ones, until they are 0."""
        delta = mpz(ceil_multiple(self.delta, -bits))  # proof: delta
        chain = [tail]
        for _ in range(length):
            if tail <= delta:  # proof: nothing
                break
            tail = ratio * (tail - delta) >> bits  # proof: step
            chain.append(tail)
        return chain

    def _each(self, first: mpq, count: int, bits: int) -> tuple[list[mpz], int]:
        """As `tails`, each from the distribution function."""
        found: list[mpz] = []
        lost = 1
        for i in range(count):
            place = first + mpq(i)
            decay = self.epsilon * (_TWO * place / self.scale - _ONE)
            if decay >= 2 * bits:  # proof: remote
                return found + [mpz(0)] * (count - i), lost
            tail, width = _tail(self.noise, place, bits)
            found.append(tail)
            lost = max(lost, width)
        return found, lost  # proof: each


@lru_cache(maxsize=16)
def _ratio(epsilon: mpq, bits: int) -> tuple[mpz, int]:
    """Return 2^bits e^-epsilon, rounded down, and how much is lost at most."""
    return _fixed(exp(-epsilon, bits + _GUARD), bits)  # proof: ratio


@lru_cache(maxsize=16)
def _tail(noise: CanonicalRV, place: mpq, bits: int) -> tuple[mpz, int]:
    """Return 2^bits P(noise >= place), rounded down, and how much is lost at most."""
    return _fixed(noise.cdf(-place, bits + _GUARD), bits)  # proof: cdf


def _fixed(value: Enclosure, bits: int) -> tuple[mpz, int]:
    """Return 2^bits times a number in the interval, rounded down, and a bound."""
    least = floor_multiple(mpq(value.lo), -bits)  # proof: floor
    return mpz(least), ceil_multiple(mpq(value.hi), -bits) - least  # proof: width


@attrs.frozen
class BinomialWeights:
    """Integers w(k) for k = start, start + 1, ...; elsewhere w(k) is 0.

    Some multiple v of the probabilities, the same for every k, satisfies
    w(k) <= v(k) <= w(k) + slack for every k from 0 to n.
    """

    start: int
    values: tuple[mpz, ...]
    slack: int


@lru_cache(maxsize=8)
def binomial_weights(size: int, theta: mpq, bits: int) -> BinomialWeights:
    """Return the weights of n = `size` trials in units of 2^-bits of the largest.

    :param size: n, at least 0
    :param theta: the probability of success, from 0 to 1

    >>> binomial_weights(4, mpq(1, 2), 10)
    BinomialWeights(start=0, values=(mpz(170), mpz(682), mpz(1024), mpz(682), mpz(170))\
, slack=3)
    """
    success, failure = theta.numerator, theta.denominator - theta.numerator
    mode = min(int(mpz(size + 1) * success // theta.denominator), size)  # proof: mode
    top = mpz(1) << bits
    above = _descend(top, failure, success, mode, size)  # proof: above
    below = _descend(top, success, failure, size - mode, size)  # proof: below
    return BinomialWeights(
        mode - len(below),
        (*reversed(below), top, *above),
        max(len(above), len(below)) + 1,  # proof: slack
    )


def _descend(top: mpz, less: mpz, more: mpz, start: int, size: int) -> list[mpz]:
    """Return the weights of start + 1, start + 2, ... of so many successes.

    `less` and `more` are in the ratio of the probabilities of failure and success.
    """
    weights = []
    weight, left, reached = top, mpz(size - start) * more, mpz(start) * less
    while left:
        reached += less
        weight = weight * left // reached  # proof: next
        if not weight:  # proof: unseen
            break
        weights.append(weight)
        left -= more
    return weights
