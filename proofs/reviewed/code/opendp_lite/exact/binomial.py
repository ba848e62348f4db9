# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.binomial; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import lru_cache
from gmpy2 import mpq
from gmpy2 import mpz
import attrs


# === BinomialWeights with mpz, attrs
@attrs.frozen
class BinomialWeights:
    start: int
    values: tuple[mpz, ...]
    slack: int


# === binomial_weights with lru_cache, mpq, mpz
@lru_cache(maxsize=8)
def binomial_weights(size: int, theta: mpq, bits: int) -> BinomialWeights:
    success, failure = theta.numerator, theta.denominator - theta.numerator
    mode = min(int(mpz(size + 1) * success // theta.denominator), size)
    top = mpz(1) << bits
    above = _descend(top, failure, success, mode, size)
    below = _descend(top, success, failure, size - mode, size)
    return BinomialWeights(
        mode - len(below),
        (*reversed(below), top, *above),
        max(len(above), len(below)) + 1,
    )


# === _descend with mpz
def _descend(top: mpz, less: mpz, more: mpz, start: int, size: int) -> list[mpz]:
    weights = []
    weight, left, reached = top, mpz(size - start) * more, mpz(start) * less
    while left:
        reached += less
        weight = weight * left // reached
        if not weight:
            break
        weights.append(weight)
        left -= more
    return weights
