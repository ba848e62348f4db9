r"""Canonical noise: the law that a tradeoff function f fits exactly.

Its distribution function is (Awan and Vadhan 2023, Definition 3.7)

.. math:: F(x) = c + (1 - 2c)(x + 1/2) \quad (|x| \le 1/2),

.. math:: F(x) = f(1 - F(x + 1)) \quad (x < -1/2), \qquad F(x) = 1 - F(-x),

where c is the fixed point of f. So F(x + 1) = 1 - f(F(x)) for every x at which F(x) is
neither 0 nor 1: a shift by 1 costs f, no more and no less.

`CanonicalRV` has F and its inverse, by enclosures. `PartialSample` draws by inversion
from any law that has an inverse by enclosures; `truncated_uniform_laplace` beside it
draws much faster from the law of the tradeoff of (epsilon, delta).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.exact.grids import ceil_multiple, nearest_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure, End
from opendp_lite.exact.rounding import BINARY64, FloatFormat, round_nearest, to_double
from opendp_lite.laws.tradeoff import (
    ApproximateTradeoff,
    Tradeoff,
    approximate_to_tradeoff,
)
from opendp_lite.randomness.lazy import LazyUniform

__all__ = [
    "ApproximateTradeoff",
    "CanonicalRV",
    "PartialSample",
    "RandomVariable",
    "Tradeoff",
    "approximate_to_tradeoff",
]

T = TypeVar("T")

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)
_GUARD = 96

FixedPoint: TypeAlias = Callable[[int], Enclosure]
"""Encloses a fixed point at a precision."""


class RandomVariable(Protocol):
    """A continuous law, given by the inverse of its distribution function."""

    def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
        """Enclose the inverse at u, in [0, 1]; at 0 and 1 it may be infinite."""
        ...  # pragma: no cover


@attrs.frozen
class CanonicalRV:
    """shift + scale N, where N is canonical noise for the tradeoff.

    Widths of the enclosures tend to 0 as the precision grows.

    >>> tradeoff = ApproximateTradeoff(exp_epsilon=2, delta="1/8")
    >>> noise = CanonicalRV(mpq(0), mpq(1), tradeoff, tradeoff.fixed_point)
    >>> noise.cdf(mpq(-3, 4)).lo, noise.quantile(mpq(1, 5)).hi
    (mpq(23,96), mpq(-47,50))
    """

    shift: mpq
    scale: mpq = attrs.field()
    tradeoff: Tradeoff
    fixed_point: FixedPoint

    @scale.validator
    def _positive(self, _: object, scale: mpq) -> None:
        if scale <= 0:  # proof: range
            raise ValueError(f"scale must be positive, got {scale}")

    def cdf(self, x: mpq, precision: int = 64) -> Enclosure:
        """Enclose P(shift + scale N <= x)."""
        level = self._unit_cdf((mpq(x) - self.shift) / self.scale, precision)
        return Enclosure(max(level.lo, _ZERO), min(level.hi, _ONE))  # proof: unit

    def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
        """Enclose the x with cdf(x) = u, for 0 <= u <= 1; at the ends, the support's.

        Where the support is unbounded its ends are infinite.
        """
        if not 0 <= u <= 1:  # proof: level
            raise ValueError(f"u must be from 0 to 1, got {u}")
        if u > _HALF:
            place = -self._lower_quantile(_ONE - u, precision)  # proof: odd
        else:
            place = self._lower_quantile(mpq(u), precision)  # proof: lower
        return self.shift + self.scale * place  # proof: moved

    def support(self, precision: int = 64) -> tuple[End, End]:
        """Ends between which shift + scale N lies; infinite if it is unbounded.

        The width in excess tends to 0 as the precision grows.
        """
        least = self.quantile(_ZERO, precision).lo
        return least, self.quantile(_ONE, precision).hi

    def variance(self, precision: int = 64) -> Enclosure:
        """Enclose the variance."""
        return self.scale * self.scale * self.tradeoff.variance(precision)

    def _unit_cdf(self, x: mpq, precision: int) -> Enclosure:
        if x > 0:
            return _ONE - self._unit_cdf(-x, precision)  # proof: symmetric
        steps = max(ceil_multiple(-_HALF - x, 0), 0)  # proof: steps
        density = self.tradeoff.density(precision)
        centre = density * (x + mpz(steps)) + _HALF  # proof: centre
        return self.tradeoff.lowered(centre, steps, precision)  # proof: lowered

    def _lower_quantile(self, u: mpq, precision: int) -> Enclosure:
        """Enclose the inverse at u <= 1/2, of the noise itself."""
        if u == 0 and not self.tradeoff.bounded:  # proof: unbounded
            return Enclosure(-math.inf, -math.inf)
        c = self.fixed_point(precision)
        least, most = 0, 0
        if u < c.hi:  # proof: below
            least, most = self.tradeoff.steps(u, precision)  # proof: count
        if most > least + 1:  # proof: vague
            return Enclosure(-_HALF - mpz(most), _HALF - mpz(least))
        density = self.tradeoff.density(precision)
        lowest, highest = c.lo, (_ONE - c).hi
        places = []
        for steps in range(least, most + 1):
            image = self.tradeoff.raised(u, steps, precision)
            lo, hi = max(image.lo, lowest), min(image.hi, highest)
            if lo <= hi:  # proof: possible
                centre = Enclosure(lo, hi) - _HALF
                places.append(centre / density - steps)  # proof: place
            if image.lo >= c.hi:  # proof: reached
                break
        return Enclosure(min(x.lo for x in places), max(x.hi for x in places))


class PartialSample:
    """A draw of a continuous law, of which more is revealed as it is asked for.

    It is the quantile at a uniform U. All answers are about the same draw.

    >>> tradeoff, fixed_point = approximate_to_tradeoff((1, 0))
    >>> draw = PartialSample(CanonicalRV(mpq(0), mpq(1), tradeoff, fixed_point))
    >>> draw.greater_than(mpq(3)) == (draw.value() > 3)
    True
    """

    __slots__ = ("uniform", "variable")

    def __init__(self, variable: RandomVariable) -> None:
        self.variable = variable
        self.uniform = LazyUniform()

    def value(self) -> float:
        """The double nearest to the draw, saturating."""
        return to_double(self.rounded(BINARY64))  # proof: double

    def rounded(self, fmt: FloatFormat) -> mpq:
        """The value of the format nearest to the draw, saturating."""
        return self._round(lambda x: round_nearest(x, fmt))  # proof: format

    def nearest_integer(self) -> int:
        """The integer nearest to the draw, of two equally near ones the greater."""
        return self._round(lambda x: nearest_multiple(x, 0))  # proof: integer

    def greater_than(self, threshold: mpq) -> bool:
        """Whether the draw is greater than the threshold."""

        def test(lo: mpq, hi: mpq) -> bool | None:
            if lo > threshold:  # proof: above
                return True
            return False if hi <= threshold else None  # proof: below

        return self._ask(test)

    def _round(self, rounded: Callable[[mpq], T]) -> T:
        """The draw as `rounded`, a nondecreasing function, rounds it."""

        def test(lo: mpq, hi: mpq) -> T | None:
            least, most = rounded(lo), rounded(hi)  # proof: ends
            return least if least == most else None

        return self._ask(test)

    def _ask(self, test: Callable[[mpq, mpq], T | None]) -> T:
        """The answer of `test`, from rational bounds on the draw."""
        quantile = self.variable.quantile

        def decide(prefix: int, length: int) -> T | None:
            precision = length + _GUARD
            unit = power_of_two(-length)
            lo = quantile(unit * mpz(prefix), precision).lo  # proof: lo
            hi = quantile(unit * mpz(prefix + 1), precision).hi  # proof: hi
            if isinstance(lo, float) or isinstance(hi, float):  # proof: infinite
                return None
            return test(lo, hi)

        return self.uniform.locate(decide)  # proof: locate
