# ruff: noqa
# fmt: off
# The code that was reviewed with the proof extras/numpy/BinomialCND; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.extras.numpy.canonical:BinomialCND ===

from opendp_lite.extras.numpy.stated import stated_level
from typing import Any
from typing import Literal
import attrs

@attrs.frozen(repr=False)
class BinomialCND:
    estimate: Any
    d_in: Any
    d_out: Any
    size: Any

    def confidence_interval(
        self, alpha: Any, side: Literal["lower", "upper"] | None = None
    ) -> float | tuple[float, float]:
        stated = self.estimate, self.d_in, self.d_out, self.size, alpha
        if side is None:
            return two_sided_confidence_interval(*stated)
        return one_sided_confidence_interval(*stated, side)

    def p_value(
        self, theta: Any, tail: Literal["left", "right"] | None = None
    ) -> float:
        stated = self.estimate, self.d_in, self.d_out, self.size, theta
        if tail is None:
            return two_sided_pvalue(*stated)
        return one_sided_pvalue(*stated, tail)

    def rejects(
        self, theta: Any, alpha: Any, tail: Literal["left", "right"] | None = None
    ) -> bool:
        return self.p_value(theta, tail) <= stated_level(alpha)

    def __repr__(self) -> str:
        return (
            f"BinomialCND(estimate={self.estimate}, d_in={self.d_in}, "
            f"d_out={self.d_out}, size={self.size})"
        )


# === opendp_lite.extras.numpy.canonical:one_sided_pvalue ===

from gmpy2 import mpq
from opendp_lite.extras.numpy.inversion import probability_up
from opendp_lite.extras.numpy.stated import mirrored
from opendp_lite.extras.numpy.stated import stated_cell
from opendp_lite.extras.numpy.stated import stated_law
from opendp_lite.extras.numpy.stated import stated_rate
from opendp_lite.extras.numpy.stated import stated_side
from typing import Any

_ONE = mpq(1)

def one_sided_pvalue(
    Z: Any, d_in: Any, d_out: Any, size: Any, theta: Any, tail: str
) -> float:
    law, cell = stated_law(d_in, d_out, size), stated_cell(Z)
    rate = stated_rate("theta", theta)
    if stated_side("tail", tail, ("left", "right")) == "left":
        rate, cell = _ONE - rate, mirrored(cell, law.size)
    least = cell[0]
    if least is None:
        return 1.0
    return probability_up(
        lambda bits: law.at_least(rate, least, bits)
    )


# === opendp_lite.extras.numpy.canonical:two_sided_pvalue ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.extras.numpy.inversion import probability_up
from opendp_lite.extras.numpy.stated import stated_cell
from opendp_lite.extras.numpy.stated import stated_law
from opendp_lite.extras.numpy.stated import stated_rate
from typing import Any

def two_sided_pvalue(Z: Any, d_in: Any, d_out: Any, size: Any, theta: Any) -> float:
    law, (least, most) = stated_law(d_in, d_out, size), stated_cell(Z)
    rate = stated_rate("theta", theta)
    centre = mpq(law.size) * rate
    if least is not None and least > centre:
        far = least - centre
    elif most is not None and most < centre:
        far = centre - most
    else:
        return 1.0

    def enclose(bits: int) -> Enclosure:
        above = law.at_least(rate, centre + far, bits)
        return above + law.at_most(rate, centre - far, bits)

    return probability_up(enclose)


# === opendp_lite.extras.numpy.canonical:one_sided_confidence_interval ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.extras.numpy.inversion import least_bound
from opendp_lite.extras.numpy.stated import mirrored
from opendp_lite.extras.numpy.stated import stated_cell
from opendp_lite.extras.numpy.stated import stated_law
from opendp_lite.extras.numpy.stated import stated_level
from opendp_lite.extras.numpy.stated import stated_side
from typing import Any

_ONE = mpq(1)

def one_sided_confidence_interval(
    Z: Any, d_in: Any, d_out: Any, size: Any, alpha: Any, side: str
) -> float:
    law, cell = stated_law(d_in, d_out, size), stated_cell(Z)
    level = stated_level(alpha)
    upper = stated_side("side", side, ("lower", "upper")) == "upper"
    least = mirrored(cell, law.size)[0] if upper else cell[0]
    reached = least_bound(law, least, level)
    return round_up(_ONE - reached) if upper else round_down(reached)


# === opendp_lite.extras.numpy.canonical:two_sided_confidence_interval ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.extras.numpy.inversion import excluded
from opendp_lite.extras.numpy.stated import mirrored
from opendp_lite.extras.numpy.stated import stated_cell
from opendp_lite.extras.numpy.stated import stated_law
from opendp_lite.extras.numpy.stated import stated_level
from typing import Any

_ONE = mpq(1)

def two_sided_confidence_interval(
    Z: Any, d_in: Any, d_out: Any, size: Any, alpha: Any
) -> tuple[float, float]:
    law, cell, level = (
        stated_law(d_in, d_out, size),
        stated_cell(Z),
        stated_level(alpha),
    )
    lower = excluded(law, cell[0], level)
    upper = _ONE - excluded(law, mirrored(cell, law.size)[0], level)
    return round_down(lower), round_up(upper)


# === opendp_lite.extras.numpy.canonical:one_sided_uniformly_most_powerful_tests ===

from gmpy2 import mpq
from opendp_lite.extras.numpy.inversion import critical
from opendp_lite.extras.numpy.inversion import rejections
from opendp_lite.extras.numpy.stated import stated_law
from opendp_lite.extras.numpy.stated import stated_level
from opendp_lite.extras.numpy.stated import stated_rate
from opendp_lite.extras.numpy.stated import stated_side
from typing import Any

_ONE = mpq(1)

def one_sided_uniformly_most_powerful_tests(
    d_in: Any, d_out: Any, size: Any, theta: Any, alpha: Any, tail: str
) -> Any:
    import numpy as np

    law, rate, level = (
        stated_law(d_in, d_out, size),
        stated_rate("theta", theta),
        stated_level(alpha),
    )
    if stated_side("tail", tail, ("left", "right")) == "left":
        threshold = critical(law, rate, level)
        return np.array(rejections(law, threshold))
    threshold = critical(law, _ONE - rate, level)
    return np.array(rejections(law, threshold)[::-1])


# === opendp_lite.extras.numpy.canonical:one_sided_power ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.extras.numpy.inversion import critical
from opendp_lite.extras.numpy.inversion import enough
from opendp_lite.extras.numpy.stated import stated_law
from opendp_lite.extras.numpy.stated import stated_level
from opendp_lite.extras.numpy.stated import stated_rate
from typing import Any

_ONE = mpq(1)

def one_sided_power(
    d_in: Any, d_out: Any, size: Any, theta: Any, alpha: Any, alternative: Any
) -> float:
    law, rate, level = (
        stated_law(d_in, d_out, size),
        stated_rate("theta", theta),
        stated_level(alpha),
    )
    truth = stated_rate("alternative", alternative)
    if truth < rate:
        rate, truth = _ONE - rate, _ONE - truth
    threshold = critical(law, rate, level)
    return round_down(law.at_least(truth, threshold, enough(level)).lo)


# === opendp_lite.extras.numpy.stated:stated_law ===

from gmpy2 import mpq
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial
from opendp_lite.measurements.canonical_noise import check_target
from typing import Any

_VARIANT = "FailedFunction"

def stated_law(d_in: Any, d_out: Any, size: Any) -> NoisyBinomial:
    fix = "Pass the d_in of make_canonical_noise, such as 1 for a count"
    scale: mpq = rational_argument(
        _VARIANT, "d_in", d_in, fix=fix, at_least=0
    )
    if scale == 0:
        rule = "must be positive: without noise, use a binomial test"
        raise refusal(_VARIANT, "d_in", d_in, rule, fix)
    epsilon, delta = check_target(d_out)
    fix = "Pass the number of records that were counted, such as size=1000"
    trials = integer_argument(
        _VARIANT, "size", size, fix=fix, at_least=1
    )
    return NoisyBinomial(trials, scale, epsilon, delta)


# === opendp_lite.extras.numpy.stated:stated_cell ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.exact.rounding import to_double
from typing import Any
from typing import TypeAlias
import math
import sys

Cell: TypeAlias = tuple[mpq | None, mpq | None]
_VARIANT = "FailedFunction"
_HALF = mpq(1, 2)

def stated_cell(release: Any) -> Cell:
    fix = "Pass what the measurement released"
    value: mpq = rational_argument(_VARIANT, "Z", release, fix=fix)
    nearest, largest = to_double(value), sys.float_info.max

    def middle(neighbour: float) -> mpq:
        return (mpq(nearest) + mpq(neighbour)) * _HALF

    before, after = (math.nextafter(nearest, end) for end in (-math.inf, math.inf))
    return (
        None if nearest == -largest else middle(before),
        None if nearest == largest else middle(after),
    )


# === opendp_lite.extras.numpy.stated:mirrored ===

from gmpy2 import mpq
from typing import TypeAlias

Cell: TypeAlias = tuple[mpq | None, mpq | None]

def mirrored(cell: Cell, size: int) -> Cell:
    least, most = cell
    return (
        None if most is None else mpq(size) - most,
        None if least is None else mpq(size) - least,
    )


# === opendp_lite.extras.numpy.stated:stated_rate ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from typing import Any

_VARIANT = "FailedFunction"

def stated_rate(name: str, value: Any) -> mpq:
    fix = "Pass a success rate, such as 0.5"
    rate: mpq = rational_argument(
        _VARIANT, name, value, fix=fix, at_least=0, at_most=1
    )
    return rate


# === opendp_lite.extras.numpy.stated:stated_level ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from typing import Any

_VARIANT = "FailedFunction"

def stated_level(alpha: Any) -> mpq:
    fix = "Pass the probability of an error that is allowed, such as 0.05"
    level: mpq = rational_argument(
        _VARIANT, "alpha", alpha, fix=fix, at_least=0, at_most=1
    )
    if level in (0, 1):
        rule = "must be above 0 and below 1"
        raise refusal(_VARIANT, "alpha", alpha, rule, fix)
    return level


# === opendp_lite.extras.numpy.stated:stated_side ===

from opendp_lite.core.errors import refusal
from typing import Any

_VARIANT = "FailedFunction"

def stated_side(name: str, value: Any, sides: tuple[str, str]) -> str:
    if not isinstance(value, str) or value not in sides:
        rule = f'must be "{sides[0]}" or "{sides[1]}"'
        raise refusal(_VARIANT, name, value, rule, f'Pass {name}="{sides[0]}"')
    return value


# === opendp_lite.measurements.canonical_noise:check_target ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_target
from typing import Any

_MAKE = "MakeMeasurement"

def check_target(d_out: Any) -> tuple[mpq, mpq]:
    if not isinstance(d_out, tuple | list) or len(d_out) != 2:
        rule, fix = "must be a pair (epsilon, delta)", "Pass for example (1.0, 1e-9)"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    fix = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
    epsilon: mpq = rational_argument(
        _MAKE, "d_out[0]", d_out[0], fix=fix, convert=to_target, at_least=0
    )
    fix = "Pass a probability such as 1e-9"
    delta: mpq = rational_argument(
        _MAKE, "d_out[1]", d_out[1], fix=fix, convert=to_target, at_least=0, at_most=1
    )
    if epsilon == 0 and delta == 0:
        rule, fix = "must not be (0, 0)", "Nothing can be released there; ask for more"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    return epsilon, delta


# === opendp_lite.extras.numpy.inversion:probability_up ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_up

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_PRECISION = 64
_CLOSE, _MOST = power_of_two(-54), _ONE - power_of_two(-50)
_NOTHING = power_of_two(-1080)

def probability_up(enclose: Callable[[int], Enclosure]) -> float:
    precision = _PRECISION
    while True:
        value = enclose(precision)
        if value.width <= _CLOSE * value.hi or value.hi <= _NOTHING:
            return round_up(min(value.hi, _ONE))
        precision *= 2


# === opendp_lite.extras.numpy.inversion:least_bound ===

from gmpy2 import mpq
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)

def least_bound(law: NoisyBinomial, least: mpq | None, level: mpq) -> mpq:
    if least is None:
        return _ZERO
    precision = enough(level)

    def excess(i: int) -> mpq:
        rate = _rate(i)
        if not 0 <= rate <= 1:
            return _ONE if i > 0 else -_ONE
        return mpq(law.at_least(rate, least, precision).hi) - level

    return _rate(max(_crossing(excess, *_near(law, least)), 0))


# === opendp_lite.extras.numpy.inversion:excluded ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_FINEST = power_of_two(-40)

def excluded(law: NoisyBinomial, least: mpq | None, level: mpq) -> mpq:
    if least is None or least <= 0:
        return _ZERO
    precision = enough(level)
    top = min(least / mpq(law.size), _ONE)

    def excess(lesser: mpq, greater: mpq) -> mpq:
        above = mpq(law.at_least(greater, least, precision).hi)
        reflected = _TWO * mpq(law.size) * greater - least
        beyond = mpq(law.at_least(lesser, reflected, precision).lo)
        return above + _ONE - beyond - level

    end, step = _ZERO, _ONE
    while step >= _FINEST:
        if end + step <= top and excess(end, end + step) <= 0:
            end, step = end + step, _TWO * step
        else:
            step *= _HALF
    return end


# === opendp_lite.extras.numpy.inversion:critical ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_CLOSE, _MOST = power_of_two(-54), _ONE - power_of_two(-50)

def critical(law: NoisyBinomial, rate: mpq, level: mpq) -> mpq:
    precision = enough(level)
    while True:
        threshold = _threshold(law, rate, level, precision)
        reached = law.at_least(rate, threshold, precision)
        if reached.hi <= level and reached.lo >= _MOST * level:
            return threshold
        precision *= 2


# === opendp_lite.extras.numpy.inversion:_threshold ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

def _threshold(law: NoisyBinomial, rate: mpq, level: mpq, precision: int) -> mpq:
    grid = exponent_at_least(law.scale) - precision

    def excess(i: int) -> mpq:
        place = mpq(-i) * power_of_two(grid)
        return mpq(law.at_least(rate, place, precision).hi) - level

    start = -ceil_multiple(mpq(law.size) * rate, grid)
    stride = ceil_multiple(_spread(law), grid)
    return mpq(-_crossing(excess, start, stride)) * power_of_two(grid)


# === opendp_lite.extras.numpy.inversion:rejections ===

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rounding import round_down
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_SMALL_BITS, _LARGE_BITS = 1200, 128

def rejections(law: NoisyBinomial, threshold: mpq) -> list[float]:
    split = min(max(ceil_multiple(threshold, 0), 0), law.size + 1)
    count = law.size + 1 - split
    small, _ = law.tails(threshold - mpq(split - 1), split, _SMALL_BITS)
    rest, lost = law.tails(mpq(split) - threshold, count, _LARGE_BITS)
    unit, whole = mpz(1) << _SMALL_BITS, mpz(1) << _LARGE_BITS
    found = [round_down(mpq(tail, unit)) for tail in reversed(small)]
    for tail in rest:
        least = mpq(whole - tail - mpz(lost), whole)
        found.append(round_down(max(least, _ZERO)))
    return found


# === opendp_lite.extras.numpy.inversion:_crossing ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import floor_multiple

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)

def _crossing(excess: Callable[[int], mpq], start: int, stride: int) -> int:
    low, high, stride = start, start, max(stride, 1)
    below = above = excess(start)
    while above <= 0:
        low, below = high, above
        high, stride = high + stride, 2 * stride
        above = excess(high)
    while below > 0:
        high, above = low, below
        low, stride = low - stride, 2 * stride
        below = excess(low)
    count, last = 0, 0
    while high - low > 1:
        count += 1
        guess = (low + high) // 2
        if count % 4:
            share = below / (below - above)
            guess = low + floor_multiple(mpq(high - low) * share, 0)
            guess = min(max(guess, low + 1), high - 1)
        value = excess(guess)
        if value <= 0:
            low, below, above = guess, value, above * _HALF if last < 0 else above
            last = -1
        else:
            high, above, below = guess, value, below * _HALF if last > 0 else below
            last = 1
    return low


# === opendp_lite.extras.numpy.inversion:_near ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_GRID = -60

def _near(law: NoisyBinomial, least: mpq) -> tuple[int, int]:
    n = mpq(law.size)
    start = floor_multiple(min(max(least / n, _ZERO), _ONE), _GRID)
    return start, ceil_multiple(_spread(law) / n, _GRID)


# === opendp_lite.extras.numpy.inversion:_spread ===

from gmpy2 import mpq
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

def _spread(law: NoisyBinomial) -> mpq:
    return mpq(1 << law.size.bit_length() // 2) + law.scale


# === opendp_lite.extras.numpy.inversion:_rate ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two

_GRID = -60

def _rate(i: int) -> mpq:
    return mpq(i) * power_of_two(_GRID)


# === opendp_lite.extras.numpy.inversion:enough ===

from gmpy2 import mpq
from opendp_lite.exact.grids import exponent_at_least

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_PRECISION = 64

def enough(level: mpq) -> int:
    return _PRECISION + exponent_at_least(_ONE / level)


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


# === opendp_lite.exact.rounding:round_up ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_up(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


# === opendp_lite.exact.rounding:round_down ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_down(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


# === opendp_lite.exact.rounding:_infinity ===

import math

def _infinity(x: float) -> float:
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:divide_to_double ===

import sys

def divide_to_double(n: int, d: int) -> float:
    try:
        nearest = n / d
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max
    return nearest + 0.0


# === opendp_lite.exact.rationals:to_target ===

from gmpy2 import mpq
from typing import Any

def to_target(value: Any) -> mpq:
    stored = to_mpq(value)
    if issubclass(type(value), float):
        return min(stored, to_mpq(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))
    return stored


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)
