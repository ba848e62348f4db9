# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.weights; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two


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
