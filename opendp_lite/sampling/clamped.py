"""Discrete Laplace integers clamped to an interval, from a fixed number of bits."""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.sampling.discrete_laplace import _split_and_offset
from opendp_lite.sampling.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform

__all__ = ["sample_discrete_laplace_within"]


def sample_discrete_laplace_within(scale: mpq, limit: int) -> int:
    """min(max(X, -m), m), where m is `limit` and X is discrete Laplace.

    P(X = x) = (1 - q)/(1 + q) q^|x| for all integers x, with q = e^(-1/scale). X is
    the function of one uniform U that `sample_discrete_laplace` evaluates; what lies
    beyond m need not be told apart, so at most 6 m + 10 cells of 2^-n are undecided
    after n bits. With the bits of the operating system and scale > 0, exactly
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
