"""The law of canonical noise by its definition, and the law of a rounded release."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

from gmpy2 import mpq

from opendp_lite.exact.intervals import Argument, Enclosure
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    CanonicalRV,
    Tradeoff,
)
from tests.randomness.real_laws import values

HALF = mpq(1, 2)


class Remembered:
    """A law whose quantiles are computed once: all paths of a tree begin with them."""

    def __init__(self, law: CanonicalRV) -> None:
        self.quantile = cache(law.quantile)


class Stepwise(Tradeoff):
    """The same function without closed forms, and with steps that are counted."""

    def __init__(self, whole: Tradeoff) -> None:
        self.whole = whole
        self.bounded = whole.bounded

    def value(self, a: Argument, precision: int) -> Enclosure:
        return self.whole.value(a, precision)

    def fixed_point(self, precision: int) -> Enclosure:
        return self.whole.fixed_point(precision)

    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        c = self.fixed_point(precision)
        image, count, least = Enclosure(u, u), 0, None
        while image.lo < c.hi:
            if least is None and image.hi >= c.lo:
                least = count
            above = self.raised(image, 1, precision)
            if above.lo <= image.lo:
                # Too rough: without end, the lower ends would not reach c.
                return self.steps(u, 2 * precision)
            image, count = above, count + 1
        return count if least is None else least, count


def noise_of(tradeoff: Tradeoff) -> CanonicalRV:
    """Canonical noise of shift 0 and scale 1."""
    return CanonicalRV(mpq(0), mpq(1), tradeoff, tradeoff.fixed_point)


def noise(epsilon: object, delta: object) -> CanonicalRV:
    return noise_of(ApproximateTradeoff(epsilon, delta))


def defined_cdf(tradeoff: Tradeoff, x: mpq, precision: int = 128) -> Enclosure:
    """Definition 3.7 of Awan and Vadhan (2023), word for word, by recursion."""
    c = tradeoff.fixed_point(precision)
    if x < -HALF:
        image = 1 - defined_cdf(tradeoff, x + 1, precision)
        return tradeoff.value(image, precision)
    if x > HALF:
        return 1 - tradeoff.value(defined_cdf(tradeoff, x - 1, precision), precision)
    return c * (HALF - x) + (1 - c) * (x + HALF)


def cell_law(
    variable: CanonicalRV, fmt: FloatFormat
) -> Callable[[mpq], Callable[[int], Enclosure]]:
    """The probability of each value of a format, by the distribution function.

    A value is released for the reals between two midpoints. A midpoint itself has
    probability 0.
    """
    ordered = values(fmt)
    middles = [(a + b) / 2 for a, b in pairwise(ordered)]

    def pmf(y: mpq) -> Callable[[int], Enclosure]:
        i = ordered.index(y)

        def enclose(precision: int) -> Enclosure:
            one, zero = Enclosure(1, 1), Enclosure(0, 0)
            upper = variable.cdf(middles[i], precision) if i < len(middles) else one
            lower = variable.cdf(middles[i - 1], precision) if i else zero
            return upper - lower

        return enclose

    return pmf
