"""Tradeoff functions, by enclosures: what canonical noise needs to know of one.

The tradeoff of two laws says how small the error of the second kind of a test between
them can be, given its error of the first kind. A mechanism whose releases on
neighbours have a tradeoff of at least f is f-differentially private. Here f is convex,
continuous, nonincreasing and symmetric, with f(a) <= 1 - a, and < somewhere; so it has
one fixed point c = f(c) < 1/2.

No value of f is rounded: rounding, point by point, would take away convexity and
symmetry. Values are enclosed, the better the higher the precision. The powers of
e^epsilon are enclosed too, or exact where e^epsilon itself is rational.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
from gmpy2 import mpq, mpz

from opendp_lite.exact.enclosures import exp, expm1, ln
from opendp_lite.exact.grids import ceil_multiple, power_of_two
from opendp_lite.exact.intervals import Argument, Enclosure
from opendp_lite.exact.rationals import to_mpq, to_target

_LEAST_POWER = mpq(0)


@attrs.frozen
class EnclosedPowers:
    """The powers of e^epsilon for a rational epsilon: enclosures."""

    epsilon: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        """Enclose e^(times epsilon)."""
        exponent = self.epsilon * mpz(times)
        if exponent < -precision:  # proof: tiny
            return Enclosure(_LEAST_POWER, power_of_two(-precision))
        return exp(exponent, precision)  # proof: power

    def less_one(self, times: int, precision: int) -> Enclosure:
        """Enclose e^(times epsilon) - 1."""
        if self.epsilon * mpz(times) < -precision:
            return self.power(times, precision) - 1  # proof: tiny-less-one
        return expm1(self.epsilon * mpz(times), precision)  # proof: less-one

    def logarithm(self, precision: int) -> Enclosure:
        """Enclose epsilon."""
        return Enclosure(self.epsilon, self.epsilon)


@attrs.frozen
class RationalPowers:
    """The powers of e^epsilon where it is rational itself: points."""

    base: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        """Return e^(times epsilon)."""
        power = self.base ** mpz(times)
        return Enclosure(power, power)

    def less_one(self, times: int, precision: int) -> Enclosure:
        """Return e^(times epsilon) - 1."""
        return self.power(times, precision) - 1

    def logarithm(self, precision: int) -> Enclosure:
        """Enclose epsilon."""
        return ln(self.base, precision)


_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_THREE, _TWELVE = mpq(3), mpq(12)


class Tradeoff:
    """A symmetric nontrivial tradeoff function f with its fixed point c.

    A subclass gives `value`, `fixed_point`, `steps` and `variance`. The other methods
    are found from the first two; a subclass may have closed forms of its own.
    """

    bounded = False
    """Whether f(0) < 1, so that canonical noise for f has a bounded support."""

    def value(self, a: Argument, precision: int) -> Enclosure:
        """Enclose f(a) for all a in [0, 1] of a point or an interval."""
        raise TypeError(f"{type(self).__name__} does not say what its values are")

    def fixed_point(self, precision: int) -> Enclosure:
        """Enclose c, the solution of f(c) = c, within [0, 1/2)."""
        raise TypeError(f"{type(self).__name__} does not say what its fixed point is")

    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        """Bounds on the least number of steps that raise u to c or more.

        u is at most 1/2, and positive unless f is bounded.
        """
        raise TypeError(f"{type(self).__name__} does not say how to count steps")

    def variance(self, precision: int) -> Enclosure:
        """Enclose the variance of canonical noise for f."""
        raise TypeError(f"{type(self).__name__} does not say what the variance is")

    def density(self, precision: int) -> Enclosure:
        """Enclose 1 - 2c, the density of canonical noise around 0."""
        return _ONE - self.fixed_point(precision) * _TWO

    def lowered(self, u: Argument, steps: int, precision: int) -> Enclosure:
        """Enclose the image of u under that many steps u -> f(1 - u)."""
        image = _interval(u)
        for _ in range(steps):
            image = self.value(_within_unit(_ONE - image), precision)
        return image

    def raised(self, u: Argument, steps: int, precision: int) -> Enclosure:
        """Enclose the image of u under that many steps u -> 1 - f(u)."""
        image = _interval(u)
        for _ in range(steps):
            image = _ONE - self.value(_within_unit(image), precision)
        return image


@attrs.frozen
class _Constants:
    """Enclosures of b = e^(-epsilon), 1 - b, 1 - b + 2 delta b, c and 1 - 2c."""

    b: Enclosure
    gap: Enclosure
    weight: Enclosure
    c: Enclosure
    density: Enclosure


class ApproximateTradeoff(Tradeoff):
    r"""The tradeoff of (epsilon, delta)-differential privacy.

    .. math:: f(a) = \max(0, 1 - \delta - e^\epsilon a, (1 - \delta - a) e^{-\epsilon})

    with the fixed point :math:`c = (1 - \delta)/(1 + e^\epsilon)`. Either `epsilon` is
    given, and its exponential is enclosed, or a rational `exp_epsilon`, and then all
    enclosures are points. Here epsilon >= 0, 0 <= delta <= 1, and not both are 0.

    >>> ApproximateTradeoff(exp_epsilon=2, delta="1/8").fixed_point(64)
    Enclosure(lo=mpq(7,24), hi=mpq(7,24))
    """

    def __init__(
        self,
        epsilon: object = None,
        delta: object = 0,
        *,
        exp_epsilon: object = None,
    ) -> None:
        if (epsilon is None) == (exp_epsilon is None):  # proof: one
            raise ValueError("either epsilon or exp_epsilon must be given")
        self.delta = to_mpq(delta)
        if not 0 <= self.delta <= 1:  # proof: delta
            raise ValueError(f"delta must be from 0 to 1, got {self.delta}")
        self.exponential: EnclosedPowers | RationalPowers
        if exp_epsilon is None:
            rate = to_mpq(epsilon)
            if rate < 0:  # proof: epsilon
                raise ValueError(f"epsilon must be at least 0, got {rate}")
            self.exponential, self.flat = EnclosedPowers(rate), rate == 0
        else:
            base = to_mpq(exp_epsilon)
            if base < 1:  # proof: exponential
                raise ValueError(f"exp_epsilon must be at least 1, got {base}")
            self.exponential, self.flat = RationalPowers(base), base == 1
        if self.flat and self.delta == 0:  # proof: trivial
            raise ValueError("epsilon and delta must not both be 0")
        self.bounded = self.delta > 0  # proof: bounded
        self._constants: dict[int, _Constants] = {}

    def constants(self, precision: int) -> _Constants:
        """Enclose what does not depend on the argument; made once."""
        if precision not in self._constants:
            b = self.exponential.power(-1, precision)  # proof: b
            gap = -self.exponential.less_one(-1, precision)  # proof: gap
            weight = gap + b * (_TWO * self.delta)  # proof: weight
            c = b / (b + 1) * (_ONE - self.delta)  # proof: c
            density = weight / (b + 1)  # proof: density
            if self.delta == 1:
                density = Enclosure(_ONE, _ONE)  # proof: whole
            self._constants[precision] = _Constants(b, gap, weight, c, density)
        return self._constants[precision]

    def value(self, a: Argument, precision: int) -> Enclosure:
        """Enclose f(a)."""
        argument, rest = _interval(a), _ONE - self.delta
        power = self.exponential.power(1, precision)
        steep = rest - power * argument  # proof: steep
        gentle = self.constants(precision).b * (rest - argument)  # proof: gentle
        least, most = max(steep.lo, gentle.lo), max(steep.hi, gentle.hi)
        return Enclosure(max(least, _ZERO), max(most, _ZERO))  # proof: value

    def fixed_point(self, precision: int) -> Enclosure:
        """Enclose c."""
        return self.constants(precision).c

    def density(self, precision: int) -> Enclosure:
        """As in `Tradeoff`, with a small relative width."""
        return self.constants(precision).density

    def lowered(self, u: Argument, steps: int, precision: int) -> Enclosure:
        """As in `Tradeoff`, by the sum of a geometric series."""
        if steps == 0:
            return _interval(u)
        lost = self._series(-steps, precision) * self.constants(precision).b
        share = self.exponential.power(-steps, precision) * u
        image = share - lost * self.delta  # proof: lowered
        return Enclosure(max(_ZERO, image.lo), max(_ZERO, image.hi))  # proof: floor

    def raised(self, u: Argument, steps: int, precision: int) -> Enclosure:
        """As in `Tradeoff`, by the sum of a geometric series, without the ceiling 1.

        An image of what is c or more is 1 - c or more, here and there.
        """
        if steps == 0:
            return _interval(u)
        image = self._series(steps, precision) * self.delta
        if u == 0:  # proof: from-zero
            return image
        return self.exponential.power(steps, precision) * u + image  # proof: raised

    def _series(self, times: int, precision: int) -> Enclosure:
        """Enclose 1 + z + ... + z^(|times| - 1) for times other than 0.

        Here z is e^epsilon, or e^(-epsilon) if times < 0.
        """
        size = abs(times)
        if size == 1 or self.flat:
            return Enclosure(size, size)  # proof: terms
        first = self.exponential.less_one(1 if times > 0 else -1, precision)
        return self.exponential.less_one(times, precision) / first  # proof: sum

    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        """As in `Tradeoff`, by a logarithm: the cost does not grow with the number."""
        if self.flat:
            twice = _TWO * self.delta
            number = ceil_multiple((_ONE - self.delta - _TWO * u) / twice, 0)
            return max(number, 0), max(number, 0)  # proof: flat
        known = self.constants(precision)
        if u == 0:
            ratio, extra = known.density / self.delta, 0  # proof: end
        else:
            start = known.gap * u + known.b * self.delta
            ratio, extra = known.density / start, 1  # proof: ratio
        count = ln(ratio, precision) / self.exponential.logarithm(precision)
        least, most = ceil_multiple(mpq(count.lo), 0), ceil_multiple(mpq(count.hi), 0)
        return max(least - extra, 0), max(most - extra, 0)  # proof: count

    def variance(self, precision: int) -> Enclosure:
        r"""As in `Tradeoff`, by the sum of a series.

        The density is :math:`h b^{|k|}` for x within 1/2 of an integer k, where h is
        1 - 2c, up to the end M of the support.
        """
        if self.flat:
            value = _ONE / (_TWELVE * self.delta * self.delta)  # proof: flat-variance
            return Enclosure(value, value)
        known = self.constants(precision)
        b, gap = known.b, known.gap
        if self.delta == 0:
            return b / (gap * gap) * _TWO + _ONE / _TWELVE  # proof: whole-variance
        least, most = self.steps(_ZERO, precision)
        if most > least + 1:
            last = mpq(2 * most + 1, 2)
            return Enclosure(_ZERO, last * last)  # proof: vague
        found = [self._variance(n, precision) for n in (least, most)]  # proof: either
        return Enclosure(min(v.lo for v in found), max(v.hi for v in found))

    def _variance(self, n: int, precision: int) -> Enclosure:
        """Enclose the variance, if M is from n - 1/2 to n + 1/2."""
        if n == 0:
            return Enclosure(_ONE / _TWELVE, _ONE / _TWELVE)  # proof: no-steps
        known = self.constants(precision)
        b, gap, height = known.b, known.gap, known.density
        power = self.exponential.power(1 - n, precision)
        # The sums of b^k and of k^2 b^k for k = 1, ..., n - 1.
        plain = (b - power * b) / gap  # proof: plain
        squares = gap * gap * mpq(n - 1) * mpq(n - 1) + gap * mpq(2 * n - 3) + _TWO
        second = (_TWO - gap - power * squares) * b / (gap * gap * gap)  # proof: second
        # The integral of x^2 from n - 1/2 to M.
        start = mpq(2 * n - 1, 2)
        rest = (_HALF - self.raised(_ZERO, n, precision)) / height + _HALF
        cubes = rest * rest * rest / _THREE + rest * rest * start
        edge = (cubes + rest * start * start) * power * b  # proof: edge
        side = second + plain / _TWELVE + edge
        return side * height * _TWO + height / _TWELVE  # proof: sides

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ApproximateTradeoff):
            return NotImplemented
        return (self.exponential, self.delta) == (other.exponential, other.delta)

    def __hash__(self) -> int:
        return hash((self.exponential, self.delta))

    def __repr__(self) -> str:
        kind = self.exponential
        shown = kind.epsilon if isinstance(kind, EnclosedPowers) else f"ln {kind.base}"
        return f"{type(self).__name__}({shown}, {self.delta})"


def approximate_to_tradeoff(
    d_out: tuple[object, object],
) -> tuple[ApproximateTradeoff, Callable[[int], Enclosure]]:
    """Return the tradeoff of (epsilon, delta)-privacy, and its fixed point.

    A float means the lesser of its binary value and the decimal that it prints as.

    >>> tradeoff, fixed_point = approximate_to_tradeoff((0, "0.05"))
    >>> fixed_point(64)
    Enclosure(lo=mpq(19,40), hi=mpq(19,40))
    """
    epsilon, delta = d_out
    tradeoff = ApproximateTradeoff(to_target(epsilon), to_target(delta))  # proof: made
    return tradeoff, tradeoff.fixed_point


def _interval(x: Argument) -> Enclosure:
    return x if isinstance(x, Enclosure) else Enclosure(x, x)


def _within_unit(x: Enclosure) -> Enclosure:
    return Enclosure(min(max(x.lo, _ZERO), _ONE), max(min(x.hi, _ONE), _ZERO))
