# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.uniform_double; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.sampling.lazy import LazyUniform
import math


# === sample_uniform_double with LazyUniform, math
def sample_uniform_double(lower: float, upper: float) -> float:
    if not -math.inf < lower < upper < math.inf:
        raise ValueError(f"bounds must be finite and in order, got {lower}, {upper}")
    return LazyUniform().locate(decide_double(lower, upper))


# === decide_double with Callable, mpq, divide_to_double
def decide_double(lower: float, upper: float) -> Callable[[int, int], float | None]:
    start, end = mpq(lower), mpq(upper)
    d = int(start.denominator * end.denominator)
    a, b = int(start * d), int((end - start) * d)

    def decide(prefix: int, length: int) -> float | None:
        below, scale = (a << length) + b * prefix, d << length
        least = divide_to_double(below, scale)
        most = divide_to_double(below + b, scale)
        return least if least == most else None

    return decide
