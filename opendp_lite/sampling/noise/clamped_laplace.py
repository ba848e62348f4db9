"""Discrete Laplace integers clamped to an interval, from a fixed number of bits."""

from __future__ import annotations

from functools import lru_cache

from gmpy2 import mpq

from opendp_lite.exact.enclosures import Enclosure, exp, log1p
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.laws.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform

__all__ = ["sample_discrete_laplace_within"]


def sample_discrete_laplace_within(scale: mpq, limit: int) -> int:
    """Return min(max(X, -m), m), where m is `limit` and X is discrete Laplace.

    P(X = x) = (1 - q)/(1 + q) q^|x| for all integers x, with q = e^(-1/scale). X is a
    function of one uniform U. The sign comes first: X >= 0 where U < 1/(1 + q). There
    V = (1 + q) U is uniform, and X = floor(-scale ln V) is geometric. Elsewhere
    V = (1 + q)(1 - U) is uniform below q, and -X = floor(-scale ln V) >= 1.

    What lies beyond m need not be told apart, so at most 6 m + 10 cells of 2^-n are
    undecided after n bits. With the bits of the operating system and scale > 0, exactly
    n = 68 + bit_length(m + 1) bits are read, except with probability at most 2^-64.
    At scale 0 it is 0, and no bit is read.

    >>> abs(sample_discrete_laplace_within(mpq(100), 3)) <= 3
    True
    """
    if scale < 0:  # proof: range
        raise ValueError(f"scale must be non-negative, got {scale}")
    if limit < 0:  # proof: limit
        raise ValueError(f"limit must be non-negative, got {limit}")
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
        divisor = denominator << precision
        least = min((lo - offset[1]) * numerator // divisor, limit)  # proof: least
        if hi is None:  # proof: unbounded
            most = limit
        else:
            most = min((hi - offset[0]) * numerator // divisor, limit)  # proof: most
        return sign * least if least == most else None

    first = 68 + (limit + 1).bit_length()  # proof: first
    return LazyUniform().locate(decide, first)


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
