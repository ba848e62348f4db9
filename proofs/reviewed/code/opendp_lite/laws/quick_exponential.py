# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.quick_exponential; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide

UNIT_BITS = 64
_LEADING_BITS = 8
_LEAST_BITS = 40


# === near_exponential with UNIT_BITS, _LEADING_BITS, _LEAST_BITS
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


# === _logarithms with lru_cache
@lru_cache(maxsize=1)
def _logarithms() -> tuple[int, list[int]]:
    table = [0] * 128 + [_scaled(t) for t in range(128, 256)]
    return _scaled(2), table


# === _scaled with mpq, ln, floor_multiple, Enclosure, decide, UNIT_BITS
def _scaled(t: int) -> int:
    def test(value: Enclosure) -> int | None:
        low, high = (
            floor_multiple(mpq(end), -UNIT_BITS) for end in (value.lo, value.hi)
        )
        return low if low == high else None

    return decide(lambda precision: ln(t, precision), test, 96)
