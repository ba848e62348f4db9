r"""The variance of canonical noise, for any tradeoff.

Let p(x) be the probability of noise below -x, for x >= 0. It is convex, and the
variance is :math:`4 \int_0^\infty x\,p(x)\,dx`. On an interval a convex function is, on
average, at least its value at the mean place and at most that of the chord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gmpy2 import mpq, mpz

from opendp_lite.exact.grids import ceil_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure

if TYPE_CHECKING:
    from opendp_lite.laws.tradeoff import Tradeoff


_HALF, _ONE, _TWO, _FOUR = mpq(1, 2), mpq(1), mpq(2), mpq(4)
_TWO_THIRDS, _FIVE_QUARTERS = mpq(2, 3), mpq(5, 4)
_LEAST_INTERVALS = 16


def enclose_variance(tradeoff: Tradeoff, precision: int) -> Enclosure:
    """Enclose the variance of canonical noise.

    Every 8 bits of the precision double the cost and divide the width by 4.
    """
    intervals = max(_LEAST_INTERVALS, 1 << max(precision // 8, 0))
    end, rest = _end(tradeoff, precision)  # proof: end
    width = end / mpz(intervals)
    lower, upper = mpq(0), rest
    start, before = mpq(0), _HALF
    for i in range(intervals):
        stop = width * mpz(i + 1)
        weight = (stop * stop - start * start) * _HALF  # proof: weight
        squares = stop * stop + stop * start + start * start
        place = squares / (stop + start) * _TWO_THIRDS  # proof: place
        after = mpq(below(tradeoff, stop, precision).hi)
        share = (place - start) / width
        lower += weight * mpq(below(tradeoff, place, precision).lo)  # proof: lower
        upper += weight * (before + share * (after - before))  # proof: upper
        start, before = stop, after
    return Enclosure(lower * _FOUR, upper * _FOUR)


def below(tradeoff: Tradeoff, x: mpq, precision: int) -> Enclosure:
    """Enclose p(x), for x >= 0."""
    steps = max(ceil_multiple(x - _HALF, 0), 0)  # proof: steps
    density = tradeoff.density(precision)
    centre = density * (mpz(steps) - x) + _HALF  # proof: centre
    return tradeoff.lowered(centre, steps, precision)  # proof: lowered


def _end(tradeoff: Tradeoff, precision: int) -> tuple[mpq, mpq]:
    """Where the mesh ends, and a bound on the integral of x p(x) behind it.

    The bound is small beside the integral, which is at least 1/48.
    """
    end, ratio = mpq(1), _ONE
    enough = power_of_two(-(precision // 4) - 8)
    while True:
        here = below(tradeoff, end, precision)
        ratio = min(ratio, _TWO * mpq(below(tradeoff, _ONE, precision).hi))
        if here.lo > 0:  # proof: known
            following = mpq(below(tradeoff, end + _ONE, precision).hi)
            ratio = min(ratio, following / mpq(here.lo))  # proof: ratio
        if ratio < 1:
            gap = _ONE - ratio
            rest = mpq(here.hi) * (
                (end + _ONE) / gap + ratio / (gap * gap)
            )  # proof: tail
            if rest <= enough:  # proof: enough
                return end, rest
        end = end * _FIVE_QUARTERS
        precision += 8  # proof: finer
