"""The weights e^(-rate j^power) of integers j = 0, 1, 2, ..., enclosed by integers."""

from __future__ import annotations

import attrs
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two

__all__ = ["Weights", "enclose_weights"]


@attrs.frozen
class Weights:
    """Integers lower[j] <= 2^p e^(-rate j^power) <= upper[j], and a bound of the rest.

    `rest` is at least the sum of 2^p e^(-rate j^power) over all j that are not listed.
    """

    lower: list[int]
    upper: list[int]
    rest: int


def enclose_weights(rate: mpq, power: int, precision: int, least: int) -> Weights:
    """Enclose 2^p e^(-rate j^power), with p = precision, down to 2^least or below.

    The power is 1 or 2. Let r_j = e^(-rate ((j+1)^power - j^power)). Each weight is
    r_j times the one before it; each r_j is the one before it times e^(-2 rate), or
    the same where the power is 1. As the ratios never grow, the weights behind j sum
    to at most r_j/(1 - r_j) times the weight of j. The rate must be at least
    2^-16, and p and `least` large enough that rounding does not hide the decrease:
    p >= 64 and 20 <= least < p.

    >>> weights = enclose_weights(mpq(1), 1, 64, 32)
    >>> round(weights.lower[1] / 2**64, 6), len(weights.lower)
    (0.367879, 24)
    """
    one = 1 << precision  # proof: one
    ratio, ratio_up = _enclose_exp(rate, precision)  # proof: first-ratio
    change, change_up = one, one
    if power == 2:
        change, change_up = _enclose_exp(rate + rate, precision)  # proof: change
    lower, upper = [one], [one]
    while upper[-1] >> least:  # proof: until
        lower.append(lower[-1] * ratio >> precision)  # proof: lower
        upper.append(_ceil_shift(upper[-1] * ratio_up, precision))  # proof: upper
        ratio = ratio * change >> precision  # proof: ratio
        ratio_up = _ceil_shift(ratio_up * change_up, precision)  # proof: ratio-up
    rest = -(-upper[-1] * ratio_up // (one - ratio_up))  # proof: rest
    return Weights(lower, upper, rest)


def _enclose_exp(x: mpq, precision: int) -> tuple[int, int]:
    """Integers around 2^p e^(-x), where x > 0 and p is the precision."""
    if x >= precision:  # then e^(-x) < 2^-p
        return 0, 1  # proof: tiny
    value = exp(-x, precision + 4)
    scale = power_of_two(precision)
    return (
        floor_multiple(mpq(value.lo) * scale, 0),  # proof: floor
        ceil_multiple(mpq(value.hi) * scale, 0),  # proof: ceil
    )


def _ceil_shift(x: int, count: int) -> int:
    return -(-x >> count)  # proof: ceil-shift
