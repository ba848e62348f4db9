"""Weights: every listed one is enclosed, and the rest is bounded."""

from __future__ import annotations

import gmpy2
import pytest
from gmpy2 import mpfr, mpq

from opendp_lite.exact.directed import context
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.weights import Weights, enclose_weights
from tests.longer import shortened
from tests.randomness.laws import exponential
from tests.rows import for_each

RATES = [
    mpq(1, 2**16),
    mpq(1, 8191),
    mpq(1, 2048),
    mpq(1, 32),
    mpq(2, 7),
    mpq(1),
    mpq(10),
    mpq(89, 2),
    mpq(64),
    mpq(10**300),
]
PRECISIONS = [(64, 20), (128, 56), (192, 56), (256, 200)]


def reference(x: mpq, precision: int) -> tuple[mpfr, mpfr]:
    """2^p e^(-x), rounded down and up to 300 bits."""
    down, up = context(300, gmpy2.RoundDown), context(300, gmpy2.RoundUp)
    n, d = int(-x.numerator), int(x.denominator)
    lower, upper = down.exp(down.div(n, d)), up.exp(up.div(n, d))
    with gmpy2.context(precision=300):  # where powers of two change exponents only
        return gmpy2.mul_2exp(lower, precision), gmpy2.mul_2exp(upper, precision)


def weights_fault(weights: Weights, rate: mpq, power: int, precision: int) -> int:
    """The first j whose weight is not enclosed, or -1."""
    for j, (low, high) in enumerate(zip(weights.lower, weights.upper, strict=True)):
        least, most = reference(rate * j**power, precision)
        if not (0 <= low <= least and most <= high):
            return j
    return -1


def rest_of(rate: mpq, power: int, after: int) -> Enclosure:
    """The sum of e^(-rate j^power) over all j > after."""
    if power == 1:
        return exponential(-rate * (after + 1)) / (1 - exponential(-rate))
    total, j = Enclosure(0, 0), after + 1
    while rate * (j * j - (after + 1) ** 2) < 250:
        total += exponential(-rate * j * j)
        j += 1
    tail = exponential(-rate * j * j) / (1 - exponential(-rate * (2 * j + 1)))
    return total + Enclosure(0, tail.hi)


CASES = [
    *((rate, 1, *bits) for rate in RATES[3:] for bits in PRECISIONS),
    *((rate, 2, *bits) for rate in RATES for bits in PRECISIONS),
    # With the power 1 these are long, so they are listed down to 1/2, 1/4 and 1/16.
    (RATES[0], 1, 128, 127),
    (RATES[1], 1, 128, 126),
    (RATES[2], 1, 128, 124),
]


# The longest list is for the audit, and so is one of four precisions.
@pytest.mark.parametrize(
    ("rate", "power", "precision", "least"),
    shortened(CASES, CASES[-3], *(case for case in CASES if case[2] == 192), parts=4),
)
def test_the_weights_are_enclosed(
    rate: mpq, power: int, precision: int, least: int
) -> None:
    weights = enclose_weights(rate, power, precision, least)
    assert weights_fault(weights, rate, power, precision) == -1
    last = len(weights.lower) - 1
    assert weights.lower[0] == weights.upper[0] == 1 << precision
    assert weights.upper[-1] < 1 << least <= weights.upper[-2]
    # What the proof says of lengths, widths and the rest.
    assert 1 <= last <= 1 + 2**20 * (precision - least)
    for j, (low, high) in enumerate(zip(weights.lower, weights.upper, strict=True)):
        assert high - low <= 2 * j * (j + 1)
    assert weights.rest <= 1 << (least + 18)


@for_each("power", [1, 2])
@for_each("rate", RATES[2:-1], ids=float)
def test_the_rest_is_bounded_and_not_by_far(rate: mpq, power: int) -> None:
    precision, least = 128, 56
    weights = enclose_weights(rate, power, precision, least)
    rest = rest_of(rate, power, len(weights.lower) - 1) * (1 << precision)
    assert rest.hi <= weights.rest
    # The ratio of neighbours is that behind the last: no worse than a few times.
    assert weights.rest <= 8 * rest.lo + 4


def test_a_weight_that_is_rounded_the_wrong_way_is_found() -> None:
    rate, precision = mpq(2, 7), 64
    good = enclose_weights(rate, 2, precision, 20)
    for j in range(1, len(good.lower)):
        low, high = list(good.lower), list(good.upper)
        low[j] = high[j]
        assert weights_fault(Weights(low, high, 0), rate, 2, precision) == j
        low, high = list(good.lower), list(good.upper)
        high[j] = low[j]
        assert weights_fault(Weights(low, high, 0), rate, 2, precision) == j


def test_a_huge_rate_has_one_weight() -> None:
    weights = enclose_weights(mpq(10**300), 2, 128, 56)
    assert weights.lower == [1 << 128, 0]
    assert weights.upper == [1 << 128, 1]
    assert weights.rest == 1
