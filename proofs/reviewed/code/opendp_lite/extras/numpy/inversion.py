# ruff: noqa
# fmt: off
# What was read of opendp_lite.extras.numpy.inversion; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_PRECISION = 64
_CLOSE, _MOST = power_of_two(-54), _ONE - power_of_two(-50)
_NOTHING = power_of_two(-1080)
_FINEST = power_of_two(-40)
_SMALL_BITS, _LARGE_BITS = 1200, 128
_GRID = -60


# === probability_up with Callable, mpq, power_of_two, Enclosure, round_up, _ZERO,
#    _PRECISION, _CLOSE, _NOTHING
def probability_up(enclose: Callable[[int], Enclosure]) -> float:
    precision = _PRECISION
    while True:
        value = enclose(precision)
        if value.width <= _CLOSE * value.hi or value.hi <= _NOTHING:
            return round_up(min(value.hi, _ONE))
        precision *= 2


# === least_bound with mpq, NoisyBinomial, _ZERO
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


# === excluded with mpq, power_of_two, NoisyBinomial, _ZERO, _FINEST
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


# === critical with mpq, power_of_two, NoisyBinomial, _ZERO, _CLOSE
def critical(law: NoisyBinomial, rate: mpq, level: mpq) -> mpq:
    precision = enough(level)
    while True:
        threshold = _threshold(law, rate, level, precision)
        reached = law.at_least(rate, threshold, precision)
        if reached.hi <= level and reached.lo >= _MOST * level:
            return threshold
        precision *= 2


# === _threshold with mpq, ceil_multiple, exponent_at_least, power_of_two, NoisyBinomial
def _threshold(law: NoisyBinomial, rate: mpq, level: mpq, precision: int) -> mpq:
    grid = exponent_at_least(law.scale) - precision

    def excess(i: int) -> mpq:
        place = mpq(-i) * power_of_two(grid)
        return mpq(law.at_least(rate, place, precision).hi) - level

    start = -ceil_multiple(mpq(law.size) * rate, grid)
    stride = ceil_multiple(_spread(law), grid)
    return mpq(-_crossing(excess, start, stride)) * power_of_two(grid)


# === rejections with mpq, mpz, ceil_multiple, round_down, NoisyBinomial, _ZERO,
#    _SMALL_BITS
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


# === _crossing with Callable, mpq, floor_multiple, _ZERO
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


# === _near with mpq, ceil_multiple, floor_multiple, NoisyBinomial, _ZERO, _GRID
def _near(law: NoisyBinomial, least: mpq) -> tuple[int, int]:
    n = mpq(law.size)
    start = floor_multiple(min(max(least / n, _ZERO), _ONE), _GRID)
    return start, ceil_multiple(_spread(law) / n, _GRID)


# === _spread with mpq, NoisyBinomial
def _spread(law: NoisyBinomial) -> mpq:
    return mpq(1 << law.size.bit_length() // 2) + law.scale


# === _rate with mpq, power_of_two, _GRID
def _rate(i: int) -> mpq:
    return mpq(i) * power_of_two(_GRID)


# === enough with mpq, exponent_at_least, _ZERO, _PRECISION
def enough(level: mpq) -> int:
    return _PRECISION + exponent_at_least(_ONE / level)
