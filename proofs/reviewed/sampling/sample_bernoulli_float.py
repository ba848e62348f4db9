# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_bernoulli_float; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.bernoulli:sample_bernoulli_float ===

from gmpy2 import mpq
from opendp_lite.sampling.entropy import random_bits

def sample_bernoulli_float(p: float, constant_time: bool = False) -> bool:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    numerator, denominator = p.as_integer_ratio()
    if constant_time:
        return random_bits(denominator.bit_length() - 1) < numerator
    return sample_bernoulli_rational(mpq(numerator, denominator))
