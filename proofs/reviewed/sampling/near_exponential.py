# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/near_exponential; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.quick_exponential:near_exponential ===

UNIT_BITS = 64
_LEADING_BITS = 8
_LEAST_BITS = 40

def near_exponential(prefix: int, length: int) -> int | None:
    bits = prefix.bit_length()
    if bits < _LEAST_BITS:
        return None
    k = bits - _LEADING_BITS
    t = prefix >> k
    head = t << k
    f = (prefix - head << UNIT_BITS) // head
    two, logarithms = _logarithms()
    whole = (length - k) * two - logarithms[t]
    return whole - f + (f * f >> UNIT_BITS + 1)


# === opendp_lite.sampling.quick_exponential:_logarithms ===

from functools import lru_cache

@lru_cache(maxsize=1)
def _logarithms() -> tuple[int, list[int]]:
    table = [0] * 128 + [_scaled(t) for t in range(128, 256)]
    return _scaled(2), table


# === opendp_lite.sampling.quick_exponential:_scaled ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide

UNIT_BITS = 64

def _scaled(t: int) -> int:
    def test(value: Enclosure) -> int | None:
        low, high = (
            floor_multiple(mpq(end), -UNIT_BITS) for end in (value.lo, value.hi)
        )
        return low if low == high else None

    return decide(lambda precision: ln(t, precision), test, 96)


# === opendp_lite.exact.intervals:decide ===

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

def decide(
    enclose: Callable[[int], Enclosure],
    test: Callable[[Enclosure], T | None],
    precision: int = 64,
) -> T:
    while True:
        answer = test(enclose(precision))
        if answer is not None:
            return answer
        precision *= 2


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)
