"""A real Gaussian variable, released as the nearest floating-point value."""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.exact.rounding import BINARY64, FloatFormat, round_nearest
from opendp_lite.sampling.entropy import random_bits
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.normal import bound_normal

__all__ = ["sample_gaussian_rounded"]


def sample_gaussian_rounded(shift: mpq, scale: mpq, fmt: FloatFormat = BINARY64) -> mpq:
    """RN(shift + scale Z), where Z has the density e^(-z^2/2)/sqrt(2 pi).

    RN rounds to the nearest value of the format ``fmt``, ties to even, and saturates
    at its largest value. Z is a fair sign times the z >= 0 with P(|Z| > z) = U. As RN
    is monotone, an interval whose two ends are rounded to one value is rounded to it
    whole. At scale 0 the result is RN(shift).

    >>> sample_gaussian_rounded(mpq(1, 10), mpq(0)) == mpq(0.1)
    True
    """
    if scale < 0:  # proof: range
        raise ValueError(f"scale must be non-negative, got {scale}")
    if scale == 0:  # proof: zero
        return round_nearest(shift, fmt)
    signed_scale = scale if random_bits(1) else -scale  # proof: sign

    def decide(prefix: int, length: int) -> mpq | None:
        precision = length + 24
        unit = 1 << precision
        lo, hi = bound_normal(prefix, length, precision)
        near = round_nearest(shift + signed_scale * mpq(lo, unit), fmt)  # proof: near
        if hi is None:
            far = fmt.largest if signed_scale > 0 else -fmt.largest  # proof: saturated
        else:
            far = round_nearest(shift + signed_scale * mpq(hi, unit), fmt)  # proof: far
        return near if near == far else None

    return LazyUniform().locate(decide, first=fmt.significand_bits + 51)
