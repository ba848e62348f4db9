"""The double nearest to a uniform real number."""

from __future__ import annotations

import math
from collections.abc import Callable

from gmpy2 import mpq

from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.sampling.lazy import LazyUniform

__all__ = ["decide_double", "sample_uniform_double"]


def sample_uniform_double(lower: float, upper: float) -> float:
    """Return RN(X), the double nearest to X, which is uniform on [lower, upper].

    >>> 0.5 <= sample_uniform_double(0.5, 2.0) <= 2.0
    True
    """
    if not -math.inf < lower < upper < math.inf:  # proof: range
        raise ValueError(f"bounds must be finite and in order, got {lower}, {upper}")
    return LazyUniform().locate(decide_double(lower, upper))  # proof: locate


def decide_double(lower: float, upper: float) -> Callable[[int, int], float | None]:
    """Return RN(lower + U (upper - lower)), from the first bits of U, for `locate`."""
    start, end = mpq(lower), mpq(upper)
    d = int(start.denominator * end.denominator)  # proof: denominator
    a, b = int(start * d), int((end - start) * d)  # proof: numerators

    def decide(prefix: int, length: int) -> float | None:
        below, scale = (a << length) + b * prefix, d << length  # proof: least
        least = divide_to_double(below, scale)
        most = divide_to_double(below + b, scale)  # proof: most
        return least if least == most else None  # proof: decided

    return decide
