# ruff: noqa
# fmt: off
# What was read of opendp_lite.sampling.bernoulli; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.laws.exponential import bound_exponential
from opendp_lite.sampling.entropy import random_bits
from opendp_lite.sampling.lazy import LazyUniform


# === sample_bernoulli_rational with mpq, LazyUniform
def sample_bernoulli_rational(p: mpq) -> bool:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    return LazyUniform().locate(decide_below(p))


# === decide_below with Callable, mpq
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


# === sample_bernoulli_exp with mpq, bound_exponential, LazyUniform
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


# === sample_bernoulli_float with mpq, random_bits
def sample_bernoulli_float(p: float, constant_time: bool = False) -> bool:
    if not 0 <= p <= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    numerator, denominator = p.as_integer_ratio()
    if constant_time:
        return random_bits(denominator.bit_length() - 1) < numerator
    return sample_bernoulli_rational(mpq(numerator, denominator))
