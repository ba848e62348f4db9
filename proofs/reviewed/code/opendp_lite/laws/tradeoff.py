# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.tradeoff; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rationals import to_target
import attrs

_LEAST_POWER = mpq(0)
_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure
opendp_lite.laws.tradeoff.Tradeoff.bounded = False
_THREE, _TWELVE = mpq(3), mpq(12)


# === EnclosedPowers with mpq, mpz, exp, expm1, power_of_two, Enclosure, attrs,
#    _LEAST_POWER
@attrs.frozen
class EnclosedPowers:
    epsilon: mpq

    def power(self, times: int, precision: int) -> Enclosure:
        exponent = self.epsilon * mpz(times)
        if exponent < -precision:
            return Enclosure(_LEAST_POWER, power_of_two(-precision))
        return exp(exponent, precision)

    def less_one(self, times: int, precision: int) -> Enclosure:
        if self.epsilon * mpz(times) < -precision:
            return self.power(times, precision) - 1
        return expm1(self.epsilon * mpz(times), precision)

    def logarithm(self, precision: int) -> Enclosure:
        return Enclosure(self.epsilon, self.epsilon)


# === RationalPowers with mpq, mpz, ln, Enclosure, attrs
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


# === Tradeoff.density with mpq, Enclosure, _ZERO
class Tradeoff:
    def density(self, precision: int) -> Enclosure:
        return _ONE - self.fixed_point(precision) * _TWO


# === Tradeoff.lowered with mpq, Argument, Enclosure,
#    opendp_lite.exact.intervals.Argument, _ZERO
class Tradeoff:
    def lowered(self, u: Argument, steps: int, precision: int) -> Enclosure:
        image = _interval(u)
        for _ in range(steps):
            image = self.value(_within_unit(_ONE - image), precision)
        return image


# === Tradeoff.raised with mpq, Argument, Enclosure,
#    opendp_lite.exact.intervals.Argument, _ZERO
class Tradeoff:
    def raised(self, u: Argument, steps: int, precision: int) -> Enclosure:
        image = _interval(u)
        for _ in range(steps):
            image = _ONE - self.value(_within_unit(image), precision)
        return image


# === _Constants with Enclosure, attrs
@attrs.frozen
class _Constants:
    b: Enclosure
    gap: Enclosure
    weight: Enclosure
    c: Enclosure
    density: Enclosure


# === ApproximateTradeoff.__init__ with to_mpq,
#    opendp_lite.laws.tradeoff.Tradeoff.bounded
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


# === ApproximateTradeoff.constants with mpq, Enclosure, _ZERO
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


# === ApproximateTradeoff.value with mpq, Argument, Enclosure,
#    opendp_lite.exact.intervals.Argument, _ZERO
class ApproximateTradeoff(Tradeoff):
    def value(self, a: Argument, precision: int) -> Enclosure:
        argument, rest = _interval(a), _ONE - self.delta
        power = self.exponential.power(1, precision)
        steep = rest - power * argument
        gentle = self.constants(precision).b * (rest - argument)
        least, most = max(steep.lo, gentle.lo), max(steep.hi, gentle.hi)
        return Enclosure(max(least, _ZERO), max(most, _ZERO))


# === ApproximateTradeoff.fixed_point with Enclosure
class ApproximateTradeoff(Tradeoff):
    def fixed_point(self, precision: int) -> Enclosure:
        return self.constants(precision).c


# === ApproximateTradeoff.density with Enclosure
class ApproximateTradeoff(Tradeoff):
    def density(self, precision: int) -> Enclosure:
        return self.constants(precision).density


# === ApproximateTradeoff.lowered with mpq, Argument, Enclosure,
#    opendp_lite.exact.intervals.Argument, _ZERO
class ApproximateTradeoff(Tradeoff):
    def lowered(self, u: Argument, steps: int, precision: int) -> Enclosure:
        if steps == 0:
            return _interval(u)
        lost = self._series(-steps, precision) * self.constants(precision).b
        share = self.exponential.power(-steps, precision) * u
        image = share - lost * self.delta
        return Enclosure(max(_ZERO, image.lo), max(_ZERO, image.hi))


# === ApproximateTradeoff.raised with Argument, Enclosure,
#    opendp_lite.exact.intervals.Argument
class ApproximateTradeoff(Tradeoff):
    def raised(self, u: Argument, steps: int, precision: int) -> Enclosure:
        if steps == 0:
            return _interval(u)
        image = self._series(steps, precision) * self.delta
        if u == 0:
            return image
        return self.exponential.power(steps, precision) * u + image


# === ApproximateTradeoff._series with Enclosure
class ApproximateTradeoff(Tradeoff):
    def _series(self, times: int, precision: int) -> Enclosure:
        size = abs(times)
        if size == 1 or self.flat:
            return Enclosure(size, size)
        first = self.exponential.less_one(1 if times > 0 else -1, precision)
        return self.exponential.less_one(times, precision) / first


# === ApproximateTradeoff.steps with mpq, ln, ceil_multiple, _ZERO
class ApproximateTradeoff(Tradeoff):
    def steps(self, u: mpq, precision: int) -> tuple[int, int]:
        if self.flat:
            twice = _TWO * self.delta
            number = ceil_multiple((_ONE - self.delta - _TWO * u) / twice, 0)
            return max(number, 0), max(number, 0)
        known = self.constants(precision)
        if u == 0:
            ratio, extra = known.density / self.delta, 0
        else:
            start = known.gap * u + known.b * self.delta
            ratio, extra = known.density / start, 1
        count = ln(ratio, precision) / self.exponential.logarithm(precision)
        least, most = ceil_multiple(mpq(count.lo), 0), ceil_multiple(mpq(count.hi), 0)
        return max(least - extra, 0), max(most - extra, 0)


# === ApproximateTradeoff.variance with mpq, Enclosure, _ZERO, _THREE
class ApproximateTradeoff(Tradeoff):
    def variance(self, precision: int) -> Enclosure:
        if self.flat:
            value = _ONE / (_TWELVE * self.delta * self.delta)
            return Enclosure(value, value)
        known = self.constants(precision)
        b, gap = known.b, known.gap
        if self.delta == 0:
            return b / (gap * gap) * _TWO + _ONE / _TWELVE
        least, most = self.steps(_ZERO, precision)
        if most > least + 1:
            last = mpq(2 * most + 1, 2)
            return Enclosure(_ZERO, last * last)
        found = [self._variance(n, precision) for n in (least, most)]
        return Enclosure(min(v.lo for v in found), max(v.hi for v in found))


# === ApproximateTradeoff._variance with mpq, Enclosure, _ZERO, _THREE
class ApproximateTradeoff(Tradeoff):
    def _variance(self, n: int, precision: int) -> Enclosure:
        if n == 0:
            return Enclosure(_ONE / _TWELVE, _ONE / _TWELVE)
        known = self.constants(precision)
        b, gap, height = known.b, known.gap, known.density
        power = self.exponential.power(1 - n, precision)
        plain = (b - power * b) / gap
        squares = gap * gap * mpq(n - 1) * mpq(n - 1) + gap * mpq(2 * n - 3) + _TWO
        second = (_TWO - gap - power * squares) * b / (gap * gap * gap)
        start = mpq(2 * n - 1, 2)
        rest = (_HALF - self.raised(_ZERO, n, precision)) / height + _HALF
        cubes = rest * rest * rest / _THREE + rest * rest * start
        edge = (cubes + rest * start * start) * power * b
        side = second + plain / _TWELVE + edge
        return side * height * _TWO + height / _TWELVE


# === approximate_to_tradeoff with Callable, Enclosure, to_target
def approximate_to_tradeoff(
    d_out: tuple[object, object],
) -> tuple[ApproximateTradeoff, Callable[[int], Enclosure]]:
    epsilon, delta = d_out
    tradeoff = ApproximateTradeoff(to_target(epsilon), to_target(delta))
    return tradeoff, tradeoff.fixed_point


# === _interval with Argument, Enclosure, opendp_lite.exact.intervals.Argument
def _interval(x: Argument) -> Enclosure:
    return x if isinstance(x, Enclosure) else Enclosure(x, x)


# === _within_unit with mpq, Enclosure, _ZERO
def _within_unit(x: Enclosure) -> Enclosure:
    return Enclosure(min(max(x.lo, _ZERO), _ONE), max(min(x.hi, _ONE), _ZERO))
