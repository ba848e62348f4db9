"""Canonical noise for (epsilon, delta), drawn by rejection.

Its density is constant on each (k - 1/2, k + 1/2), proportional to b^|k| with
b = e^(-epsilon), and cut off at the ends of the support, -M and M: the Tulap law. So it
is an integer K with the weights b^|k| plus a uniform number, both drawn again where
they lie outside of the support.

Where that is rare, K is discrete Laplace noise. Where it is not, b^|k| is not small in
the support, and K is a uniform integer that is accepted with probability b^|k|. So the
cost is flat in both parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from gmpy2 import mpq, mpz

from opendp_lite.exact.grids import ceil_multiple, floor_multiple, nearest_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import (
    BINARY64,
    FloatFormat,
    divide_to_double,
    round_nearest,
)
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.draws import sample_bernoulli_exp, sample_uniform_below
from opendp_lite.randomness.lazy import LazyUniform

T = TypeVar("T")

_HALF, _ONE, _TWO, _MANY = mpq(1, 2), mpq(1), mpq(2), mpq(64)


class TruncatedUniformLaplace:
    """RN(shift + scale N), where N is canonical noise for (epsilon, delta).

    RN rounds to the nearest value of a format, ties to even, and saturates at its
    largest value; or it rounds to the nearest integer, ties upward, of any size. N is
    K + V - 1/2 with an integer K and V uniform on [0, 1), which is revealed bit by bit.
    At scale 0 the result is RN(shift).

    >>> truncated_uniform_laplace(mpq(1), mpq(0), mpq(0)).sample(mpq(1, 10)) == mpq(0.1)
    True
    >>> abs(truncated_uniform_laplace(mpq(0), mpq("0.05"), mpq(1)).release(0.0)) <= 10
    True
    """

    __slots__ = (
        "_ends",
        "denominator",
        "inner",
        "law",
        "numerator",
        "outer",
        "precision",
        "propose",
        "rate",
    )

    def __init__(self, epsilon: mpq, delta: mpq, scale: mpq) -> None:
        if scale < 0:  # proof: range
            raise ValueError(f"scale must be non-negative, got {scale}")
        tradeoff = ApproximateTradeoff(epsilon, delta)  # proof: tradeoff
        self.law = CanonicalRV(mpq(0), _ONE, tradeoff, tradeoff.fixed_point)
        self.numerator, self.denominator = int(scale.numerator), int(scale.denominator)
        self.rate = epsilon
        self._ends: dict[int, Enclosure] = {}
        self.precision = 64
        self.inner: int | None = None
        self.outer = 0
        if delta > 0:
            while not _is_narrow(self.end(self.precision)):  # proof: narrow
                self.precision *= 2
            end = self.end(self.precision)
            self.inner = max(floor_multiple(mpq(end.lo) - _HALF, 0), 0)  # proof: inner
            self.outer = ceil_multiple(mpq(end.hi) - _HALF, 0)  # proof: outer
        known = tradeoff.constants(64)
        if mpq(known.b.hi) * _TWO * delta <= known.gap.lo:  # proof: choice
            noise = discrete_noise(LAPLACE, _ONE / epsilon)  # proof: laplace
            self.propose: Callable[[], int | None] = noise.sample
        else:
            self.propose = self._uniform  # proof: flat

    def end(self, precision: int) -> Enclosure:
        """Enclose M, the upper end of the support of N, where it is bounded."""
        if precision not in self._ends:
            self._ends[precision] = self.law.quantile(_ONE, precision)  # proof: end
        return self._ends[precision]

    def sample(self, shift: mpq, fmt: FloatFormat = BINARY64) -> mpq:
        """RN(shift + scale N) for any shift and any format."""

        def rounded(n: int, d: int) -> mpq:
            return round_nearest(mpq(n, d), fmt)

        return self._draw(int(shift.numerator), int(shift.denominator), rounded)

    def release(self, x: float) -> float:
        """RN(x + scale N) for a finite double x, as a double."""
        return self._draw(*x.as_integer_ratio(), divide_to_double)  # proof: double

    def release_integer(self, x: int) -> int:
        """The integer nearest to x + scale N, of two equally near ones the greater."""

        def rounded(n: int, d: int) -> int:
            return nearest_multiple(mpq(n, d), 0)  # proof: integer

        return self._draw(x, 1, rounded)

    def _draw(self, n: int, d: int, rounded: Callable[[int, int], T]) -> T:
        if self.numerator == 0:  # proof: zero
            return rounded(n, d)
        while (noise := self.trial()) is None:  # proof: repeat
            pass
        k, place = noise
        slope = self.numerator * d
        # In units of 1/(2 d denominator), with k - 1/2 for the start of the cell.
        start = 2 * n * self.denominator + (2 * k - 1) * slope  # proof: start
        unit = 2 * d * self.denominator

        def decide(prefix: int, length: int) -> T | None:
            base = (start << length) + 2 * slope * prefix
            near = rounded(base, unit << length)  # proof: near
            far = rounded(base + 2 * slope, unit << length)  # proof: far
            return near if near == far else None

        return place.locate(decide)  # proof: locate

    def trial(self) -> tuple[int, LazyUniform] | None:
        """Propose K and V, and return them if they are in the support."""
        k = self.propose()  # proof: propose
        if k is None:
            return None
        place = LazyUniform()
        if self.inner is None or abs(k) <= self.inner:  # proof: inside
            return k, place
        if abs(k) > self.outer:  # proof: outside
            return None
        return (k, place) if self._within(k, place) else None  # proof: edge

    def _uniform(self) -> int | None:
        """An integer of size at most `outer`, or None: k with a chance of b^|k|."""
        k = sample_uniform_below(2 * self.outer + 1) - self.outer  # proof: uniform
        accepted = sample_bernoulli_exp(self.rate * mpz(abs(k)))  # proof: coin
        return k if accepted else None

    def _within(self, k: int, place: LazyUniform) -> bool:
        """Whether |K + V - 1/2| < M, for k other than 0."""

        def decide(prefix: int, length: int) -> bool | None:
            # As |N|, so that V counts from the other end if k is negative.
            cell = prefix if k > 0 else (1 << length) - 1 - prefix  # proof: mirrored
            start = mpq(2 * abs(k) - 1, 2)
            end = self.end(self.precision + length)
            if start + mpq(cell + 1, 1 << length) <= end.lo:  # proof: accept
                return True
            if start + mpq(cell, 1 << length) >= end.hi:  # proof: reject
                return False
            return None

        return place.locate(decide)


def _is_narrow(end: Enclosure) -> bool:
    """Whether few of the integers up to the end are in doubt."""
    width = mpq(end.width)
    return bool(width <= 1 or width * _MANY <= end.hi)


@lru_cache(maxsize=64)
def truncated_uniform_laplace(
    epsilon: mpq, delta: mpq, scale: mpq
) -> TruncatedUniformLaplace:
    """Return canonical noise for (epsilon, delta) of a scale, made once."""
    return TruncatedUniformLaplace(epsilon, delta, scale)
