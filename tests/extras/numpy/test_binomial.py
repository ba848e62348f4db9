"""The weights of the binomial law, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

from gmpy2 import mpq

from opendp_lite.extras.numpy.noisy_binomial import binomial_weights
from tests.rows import for_each


@for_each("size", [1, 2, 7, 40])
@for_each("theta", ["0", "1", "1/2", "1/3", "1/1000", "999/1000", "7/8", "3/41"])
@for_each("bits", [1, 6, 30, 200])
def test_weights_are_rounded_down_by_no_more_than_the_slack(
    size: int, theta: str, bits: int
) -> None:
    rate = Fraction(theta)
    exact = [
        math.comb(size, k) * rate**k * (1 - rate) ** (size - k) for k in range(size + 1)
    ]
    weights = binomial_weights(size, mpq(theta), bits)
    assert weights.start >= 0
    assert weights.start + len(weights.values) <= size + 1
    unit = max(exact) / 2**bits
    assert max(weights.values) == 2**bits
    for k, value in enumerate(exact):
        i = k - weights.start
        inside = 0 <= i < len(weights.values)
        weight = int(weights.values[i]) if inside else 0
        assert weight <= value / unit <= weight + weights.slack


def test_the_largest_weight_is_where_it_should_be() -> None:
    # At (n + 1) theta = 2 two counts are equally likely, and the greater one is found.
    weights = binomial_weights(3, mpq(1, 2), 20)
    assert [int(weight) for weight in weights.values] == [
        349525,
        1048576,
        1048576,
        349525,
    ]
    assert weights.slack == 3


def test_the_number_of_weights_grows_with_the_root_of_the_size() -> None:
    small = len(binomial_weights(10**4, mpq(1, 2), 100).values)
    large = len(binomial_weights(10**6, mpq(1, 2), 100).values)
    assert 9 * small < large < 11 * small < 15_000
