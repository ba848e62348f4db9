# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_bernoulli_exp; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bernoulli:sample_bernoulli_exp ===

from gmpy2 import mpq
from opendp_lite.sampling.exponential import bound_exponential
from opendp_lite.sampling.lazy import LazyUniform

def sample_bernoulli_exp(x: mpq) -> bool:
    if x < 0:
        raise ValueError(f"x must be non-negative, got {x}")
    numerator, denominator = int(x.numerator), int(x.denominator)

    def decide(prefix: int, length: int) -> bool | None:
        precision = length + 32
        lo, hi = bound_exponential(prefix, length, precision)
        threshold = numerator << precision
        if lo * denominator >= threshold:
            return True
        if hi is not None and hi * denominator <= threshold:
            return False
        return None

    return LazyUniform().locate(decide)


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
