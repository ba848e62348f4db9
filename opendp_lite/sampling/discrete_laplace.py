"""Geometric and two-sided geometric (discrete Laplace) integers."""

from __future__ import annotations

from functools import lru_cache

from gmpy2 import mpq

from opendp_lite.exact.enclosures import Enclosure, exp, log1p
from opendp_lite.exact.grids import (
    ceil_multiple,
    exponent_at_least,
    floor_multiple,
    power_of_two,
)
from opendp_lite.sampling.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform

__all__ = ["sample_discrete_laplace", "sample_geometric"]


def sample_geometric(scale: mpq) -> int:
    """G = floor(-scale ln U): P(G >= g) = e^(-g/scale) for g = 0, 1, 2, ...

    At scale 0 it is 0, the limit.

    >>> sample_geometric(mpq(5, 2)) >= 0
    True
    """
    if scale < 0:  # proof: range
        raise ValueError(f"scale must be non-negative, got {scale}")
    if scale == 0:  # proof: zero
        return 0
    numerator, denominator = int(scale.numerator), int(scale.denominator)

    def decide(prefix: int, length: int) -> int | None:
        precision = length + 32
        lo, hi = bound_exponential(prefix, length, precision)
        if hi is None:  # proof: unbounded
            return None
        divisor = denominator << precision
        least = lo * numerator // divisor  # proof: least
        most = hi * numerator // divisor  # proof: most
        return least if least == most else None

    return LazyUniform().locate(decide, _bits_to_start_with(scale))


def sample_discrete_laplace(scale: mpq) -> int:
    """P(X = x) = (1 - q)/(1 + q) q^|x| for all integers x, with q = e^(-1/scale).

    The sign comes first: X >= 0 where U < 1/(1 + q). There V = (1 + q) U is uniform,
    and X = floor(-scale ln V) is geometric. Elsewhere V = (1 + q)(1 - U) is uniform
    below q, and -X = floor(-scale ln V) >= 1. At scale 0 it is 0, the limit.

    >>> sample_discrete_laplace(mpq(0))
    0
    """
    if scale < 0:  # proof: range
        raise ValueError(f"scale must be non-negative, got {scale}")
    if scale == 0:  # proof: zero
        return 0
    numerator, denominator = int(scale.numerator), int(scale.denominator)

    def decide(prefix: int, length: int) -> int | None:
        split, offset = _split_and_offset(scale, length)
        if prefix + 1 <= split[0]:  # proof: nonnegative
            sign, tail = 1, prefix
        elif prefix >= split[1]:  # proof: negative
            # The bits of 1 - U.
            sign, tail = -1, (1 << length) - 1 - prefix  # proof: mirrored
        else:
            return None
        precision = length + 32
        lo, hi = bound_exponential(tail, length, precision)
        if hi is None:  # proof: unbounded
            return None
        divisor = denominator << precision
        least = (lo - offset[1]) * numerator // divisor  # proof: least
        most = (hi - offset[0]) * numerator // divisor  # proof: most
        return sign * least if least == most else None

    return LazyUniform().locate(decide, _bits_to_start_with(scale))


@lru_cache(maxsize=256)
def _split_and_offset(
    scale: mpq, length: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Integers that enclose 2^length/(1 + q), and 2^(length+32) ln(1 + q)."""
    precision = length + 32
    if scale * precision <= 1:  # then q < 2^(-1/scale) <= 2^-precision
        q = Enclosure(0, power_of_two(-precision))  # proof: tiny
    else:
        q = exp(mpq(-1) / scale, precision)  # proof: ratio
    split = (1 << length) / (1 + q)  # proof: split
    offset = (1 << precision) * log1p(q, precision)  # proof: offset
    return _integers_around(split), _integers_around(offset)


def _integers_around(x: Enclosure) -> tuple[int, int]:
    return floor_multiple(mpq(x.lo), 0), ceil_multiple(mpq(x.hi), 0)


def _bits_to_start_with(scale: mpq) -> int:
    """Enough bits that an integer separates the ends with probability below 2^-40."""
    return max(64, exponent_at_least(scale) + 48)
