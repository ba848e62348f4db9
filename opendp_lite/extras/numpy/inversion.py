"""Numbers that are found from tails of a noisy count: bounds, thresholds, p-values.

An inequality is used only after an enclosure has shown it. Where to look for it is
guessed, and a bad guess costs time, or width, and never validity.
"""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq, mpz

from opendp_lite.exact.grids import (
    ceil_multiple,
    exponent_at_least,
    floor_multiple,
    power_of_two,
)
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial

_ZERO, _HALF, _ONE, _TWO = mpq(0), mpq(1, 2), mpq(1), mpq(2)
_PRECISION = 64
_CLOSE, _MOST = power_of_two(-54), _ONE - power_of_two(-50)
_NOTHING = power_of_two(-1080)  # below all positive doubles
_SMALL_BITS, _LARGE_BITS = 1200, 128
_GRID = -60  # rates are multiples of 2^-60
_FINEST = power_of_two(-40)


def probability_up(enclose: Callable[[int], Enclosure]) -> float:
    """Return a double, at most 1, that is at least the probability enclosed.

    It exceeds the probability by less than 2^-51 of it, or by less than 2^-1073.
    """
    precision = _PRECISION
    while True:
        value = enclose(precision)
        if value.width <= _CLOSE * value.hi or value.hi <= _NOTHING:  # proof: enough
            return round_up(min(value.hi, _ONE))  # proof: up
        precision *= 2


def least_bound(law: NoisyBinomial, least: mpq | None, level: mpq) -> mpq:
    """Return a rate at which X + d N >= `least` has at most the probability `level`.

    It is 0 if there is none, or if `least` is None.
    """
    if least is None:
        return _ZERO  # proof: unbounded
    precision = enough(level)

    def excess(i: int) -> mpq:
        rate = _rate(i)
        if not 0 <= rate <= 1:  # proof: outside
            return _ONE if i > 0 else -_ONE
        return mpq(law.at_least(rate, least, precision).hi) - level  # proof: excess

    return _rate(max(_crossing(excess, *_near(law, least)), 0))  # proof: found


def excluded(law: NoisyBinomial, least: mpq | None, level: mpq) -> mpq:
    """Return a rate, with n times it at most `least`, such that at all lesser rates
    X + d N is as far from its mean as `least` with at most the probability `level`.

    It is 0 if there is none, or if `least` is None.
    """
    if least is None or least <= 0:
        return _ZERO  # proof: unbounded
    precision = enough(level)
    top = min(least / mpq(law.size), _ONE)  # proof: top

    def excess(lesser: mpq, greater: mpq) -> mpq:
        above = mpq(law.at_least(greater, least, precision).hi)  # proof: above
        reflected = _TWO * mpq(law.size) * greater - least
        beyond = mpq(law.at_least(lesser, reflected, precision).lo)  # proof: below
        return above + _ONE - beyond - level

    # p need not grow with the rate, so it is bounded on intervals, from 0 on.
    end, step = _ZERO, _ONE
    while step >= _FINEST:
        if end + step <= top and excess(end, end + step) <= 0:  # proof: step
            end, step = end + step, _TWO * step
        else:
            step *= _HALF
    return end  # proof: end


def critical(law: NoisyBinomial, rate: mpq, level: mpq) -> mpq:
    """Return m at which P(X + d N >= m) is between (1 - 2^-50) level and the level."""
    precision = enough(level)
    while True:
        threshold = _threshold(law, rate, level, precision)  # proof: threshold
        reached = law.at_least(rate, threshold, precision)
        if reached.hi <= level and reached.lo >= _MOST * level:  # proof: reached
            return threshold
        precision *= 2


def _threshold(law: NoisyBinomial, rate: mpq, level: mpq, precision: int) -> mpq:
    """Return about the least m at which P(X + d N >= m) is at most the level."""
    grid = exponent_at_least(law.scale) - precision  # proof: grid

    def excess(i: int) -> mpq:
        place = mpq(-i) * power_of_two(grid)
        return mpq(law.at_least(rate, place, precision).hi) - level  # proof: excess

    start = -ceil_multiple(mpq(law.size) * rate, grid)
    stride = ceil_multiple(_spread(law), grid)
    return mpq(-_crossing(excess, start, stride)) * power_of_two(grid)  # proof: found


def rejections(law: NoisyBinomial, threshold: mpq) -> list[float]:
    """Return P(x + d N >= threshold) for x = 0, ..., n, each rounded down."""
    split = min(max(ceil_multiple(threshold, 0), 0), law.size + 1)  # proof: split
    count = law.size + 1 - split
    small, _ = law.tails(threshold - mpq(split - 1), split, _SMALL_BITS)  # proof: under
    rest, lost = law.tails(mpq(split) - threshold, count, _LARGE_BITS)  # proof: over
    unit, whole = mpz(1) << _SMALL_BITS, mpz(1) << _LARGE_BITS
    found = [round_down(mpq(tail, unit)) for tail in reversed(small)]  # proof: small
    for tail in rest:
        least = mpq(whole - tail - mpz(lost), whole)  # proof: large
        found.append(round_down(max(least, _ZERO)))
    return found


def _crossing(excess: Callable[[int], mpq], start: int, stride: int) -> int:
    """Return an i with excess(i) <= 0 < excess(i + 1).

    Strides from the start double until the sign changes. Then the place is guessed by
    a straight line, with the trick of the Illinois method, and halved now and then.
    """
    low, high, stride = start, start, max(stride, 1)
    below = above = excess(start)
    while above <= 0:  # proof: up
        low, below = high, above
        high, stride = high + stride, 2 * stride
        above = excess(high)
    while below > 0:  # proof: down
        high, above = low, below
        low, stride = low - stride, 2 * stride
        below = excess(low)
    count, last = 0, 0
    while high - low > 1:  # proof: halve
        count += 1
        guess = (low + high) // 2
        if count % 4:
            share = below / (below - above)
            guess = low + floor_multiple(mpq(high - low) * share, 0)
            guess = min(max(guess, low + 1), high - 1)  # proof: inside
        value = excess(guess)
        if value <= 0:
            low, below, above = guess, value, above * _HALF if last < 0 else above
            last = -1
        else:
            high, above, below = guess, value, below * _HALF if last > 0 else below
            last = 1
    return low  # proof: low


def _near(law: NoisyBinomial, least: mpq) -> tuple[int, int]:
    """Return a multiple of the grid near the rates of interest, and their spread."""
    n = mpq(law.size)
    start = floor_multiple(min(max(least / n, _ZERO), _ONE), _GRID)
    return start, ceil_multiple(_spread(law) / n, _GRID)


def _spread(law: NoisyBinomial) -> mpq:
    """Return about a standard deviation of X + d N."""
    return mpq(1 << law.size.bit_length() // 2) + law.scale


def _rate(i: int) -> mpq:
    return mpq(i) * power_of_two(_GRID)


def enough(level: mpq) -> int:
    """Return a precision at which a probability can be compared with the level."""
    return _PRECISION + exponent_at_least(_ONE / level)
