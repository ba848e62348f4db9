# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.noise.clamped_laplace; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import log1p
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform


# === sample_discrete_laplace_within with mpq, bound_exponential, LazyUniform
def sample_discrete_laplace_within(scale: mpq, limit: int) -> int:
    if scale < 0:
        raise ValueError(f"scale must be non-negative, got {scale}")
    if limit < 0:
        raise ValueError(f"limit must be non-negative, got {limit}")
    if scale == 0:
        return 0
    numerator, denominator = int(scale.numerator), int(scale.denominator)

    def decide(prefix: int, length: int) -> int | None:
        split, offset = _split_and_offset(scale, length)
        if prefix + 1 <= split[0]:
            sign, tail = 1, prefix
        elif prefix >= split[1]:
            sign, tail = -1, (1 << length) - 1 - prefix
        else:
            return None
        precision = length + 32
        lo, hi = bound_exponential(tail, length, precision)
        divisor = denominator << precision
        least = min((lo - offset[1]) * numerator // divisor, limit)
        if hi is None:
            most = limit
        else:
            most = min((hi - offset[0]) * numerator // divisor, limit)
        return sign * least if least == most else None

    first = 68 + (limit + 1).bit_length()
    return LazyUniform().locate(decide, first)


# === _split_and_offset with lru_cache, mpq, exp, log1p, power_of_two, Enclosure
@lru_cache(maxsize=256)
def _split_and_offset(
    scale: mpq, length: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    precision = length + 32
    if scale * precision <= 1:
        q = Enclosure(0, power_of_two(-precision))
    else:
        q = exp(mpq(-1) / scale, precision)
    split = (1 << length) / (1 + q)
    offset = (1 << precision) * log1p(q, precision)
    return _integers_around(split), _integers_around(offset)


# === _integers_around with mpq, ceil_multiple, floor_multiple, Enclosure
def _integers_around(x: Enclosure) -> tuple[int, int]:
    return floor_multiple(mpq(x.lo), 0), ceil_multiple(mpq(x.hi), 0)
