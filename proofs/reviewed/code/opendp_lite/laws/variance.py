# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.variance; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.tradeoff import Tradeoff

_HALF, _ONE, _TWO, _FOUR = mpq(1, 2), mpq(1), mpq(2), mpq(4)
_TWO_THIRDS, _FIVE_QUARTERS = mpq(2, 3), mpq(5, 4)
_LEAST_INTERVALS = 16


# === enclose_variance with mpq, mpz, Enclosure, Tradeoff, _HALF, _TWO_THIRDS,
#    _LEAST_INTERVALS
def enclose_variance(tradeoff: Tradeoff, precision: int) -> Enclosure:
    intervals = max(_LEAST_INTERVALS, 1 << max(precision // 8, 0))
    end, rest = _end(tradeoff, precision)
    width = end / mpz(intervals)
    lower, upper = mpq(0), rest
    start, before = mpq(0), _HALF
    for i in range(intervals):
        stop = width * mpz(i + 1)
        weight = (stop * stop - start * start) * _HALF
        squares = stop * stop + stop * start + start * start
        place = squares / (stop + start) * _TWO_THIRDS
        after = mpq(below(tradeoff, stop, precision).hi)
        share = (place - start) / width
        lower += weight * mpq(below(tradeoff, place, precision).lo)
        upper += weight * (before + share * (after - before))
        start, before = stop, after
    return Enclosure(lower * _FOUR, upper * _FOUR)


# === below with mpq, mpz, ceil_multiple, Enclosure, Tradeoff, _HALF
def below(tradeoff: Tradeoff, x: mpq, precision: int) -> Enclosure:
    steps = max(ceil_multiple(x - _HALF, 0), 0)
    density = tradeoff.density(precision)
    centre = density * (mpz(steps) - x) + _HALF
    return tradeoff.lowered(centre, steps, precision)


# === _end with mpq, power_of_two, Tradeoff, _HALF, _TWO_THIRDS
def _end(tradeoff: Tradeoff, precision: int) -> tuple[mpq, mpq]:
    end, ratio = mpq(1), _ONE
    enough = power_of_two(-(precision // 4) - 8)
    while True:
        here = below(tradeoff, end, precision)
        ratio = min(ratio, _TWO * mpq(below(tradeoff, _ONE, precision).hi))
        if here.lo > 0:
            following = mpq(below(tradeoff, end + _ONE, precision).hi)
            ratio = min(ratio, following / mpq(here.lo))
        if ratio < 1:
            gap = _ONE - ratio
            rest = mpq(here.hi) * (
                (end + _ONE) / gap + ratio / (gap * gap)
            )
            if rest <= enough:
                return end, rest
        end = end * _FIVE_QUARTERS
        precision += 8
