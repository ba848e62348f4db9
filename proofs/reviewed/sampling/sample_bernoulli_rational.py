# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_bernoulli_rational; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bernoulli:sample_bernoulli_rational ===

from gmpy2 import mpq
from opendp_lite.sampling.lazy import LazyUniform

def sample_bernoulli_rational(p: mpq) -> bool:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    return LazyUniform().locate(decide_below(p))


# === opendp_lite.sampling.bernoulli:decide_below ===

from collections.abc import Callable
from gmpy2 import mpq

def decide_below(p: mpq) -> Callable[[int, int], bool | None]:
    numerator, denominator = int(p.numerator), int(p.denominator)

    def decide(prefix: int, length: int) -> bool | None:
        threshold = numerator << length
        if (prefix + 1) * denominator <= threshold:
            return True
        if prefix * denominator >= threshold:
            return False
        return None

    return decide


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
