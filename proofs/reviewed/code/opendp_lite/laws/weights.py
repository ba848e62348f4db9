# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.weights; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.exact.directed import context
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')
UNIT_BITS = 64
_LEADING_BITS = 8
_LEAST_BITS = 40


# === enclose_weights with mpq
def enclose_weights(rate: mpq, power: int, precision: int, least: int) -> Weights:
    one = 1 << precision
    ratio, ratio_up = _enclose_exp(rate, precision)
    change, change_up = one, one
    if power == 2:
        change, change_up = _enclose_exp(rate + rate, precision)
    lower, upper = [one], [one]
    while upper[-1] >> least:
        lower.append(lower[-1] * ratio >> precision)
        upper.append(_ceil_shift(upper[-1] * ratio_up, precision))
        ratio = ratio * change >> precision
        ratio_up = _ceil_shift(ratio_up * change_up, precision)
    rest = -(-upper[-1] * ratio_up // (one - ratio_up))
    return Weights(lower, upper, rest)


# === _enclose_exp with mpq, exp, ceil_multiple, floor_multiple, power_of_two
def _enclose_exp(x: mpq, precision: int) -> tuple[int, int]:
    if x >= precision:
        return 0, 1
    value = exp(-x, precision + 4)
    scale = power_of_two(precision)
    return (
        floor_multiple(mpq(value.lo) * scale, 0),
        ceil_multiple(mpq(value.hi) * scale, 0),
    )


# === _ceil_shift
def _ceil_shift(x: int, count: int) -> int:
    return -(-x >> count)


# === bound_exponential with context, gmpy2, ?
def bound_exponential(
    prefix: int, length: int, precision: int
) -> tuple[int, int | None]:
    up = context(precision + length.bit_length(), gmpy2.RoundUp)
    logarithm = up.log(up.div(prefix + 1, 1 << length))
    mantissa, exponent = logarithm.as_mantissa_exp()
    shift = exponent + precision
    lo = int(-mantissa << shift if shift >= 0 else -mantissa >> -shift)
    if prefix == 0:
        return lo, None
    return lo, lo + (1 << precision) // prefix + 3


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
