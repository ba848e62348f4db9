# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.amplification; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from math import prod
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_ZERO, _ONE, _HALF = mpq(0), mpq(1), mpq(1, 2)
_PRECISION = 128
_LARGE, _NEGLIGIBLE = 1024, power_of_two(-1400)
_EXACT_BITS = 4096


# === amplified_epsilon with mpq, expm1, ln, power_of_two, Extended,
#    opendp_lite.exact.rationals.Extended, _ZERO, _PRECISION, _LARGE
def amplified_epsilon(epsilon: Extended, share: mpq) -> Extended:
    if share == 0:
        return _ZERO
    if share == 1 or isinstance(epsilon, float):
        return epsilon
    if epsilon > _LARGE:
        factor = share + _NEGLIGIBLE
        value = epsilon + mpq(ln(factor, _PRECISION).hi)
    else:
        grown = mpq(expm1(epsilon, _PRECISION).hi)
        value = mpq(ln(_ONE + share * grown, _PRECISION).hi)
    return min(value, epsilon)


# === poisson_share with mpq, ln, _ZERO, _PRECISION, _EXACT_BITS
def poisson_share(rate: mpq, rows: int | float) -> mpq:
    if rate == 0 or rows == 0:
        return _ZERO
    if rate == 1 or isinstance(rows, float):
        return _ONE
    left = _ONE - rate
    if rows * left.denominator.bit_length() <= _EXACT_BITS:
        return _ONE - left**rows
    return _complement(rows * mpq(ln(left, _PRECISION).lo))


# === population_share with mpq, prod, _ZERO, _PRECISION, _EXACT_BITS
def population_share(population: int, size: int, rows: int) -> mpq:
    few, many = min(size, rows), max(size, rows)
    if few == 0:
        return _ZERO
    if few + many > population:
        return _ONE
    if few * population.bit_length() <= _EXACT_BITS:
        missed = prod(range(population - many, population - many - few, -1))
        ways = prod(range(population, population - few, -1))
        return _ONE - mpq(missed, ways)
    precision = _PRECISION + 2 * population.bit_length()
    whole, rest = population + _HALF, population - many + _HALF
    least = _area(rest, few, precision)[0]
    most = _area(whole, few, precision)[1]
    return _complement(least - most)


# === _area with mpq, ln
def _area(end: mpq, width: int, precision: int) -> tuple[mpq, mpq]:
    start = end - width
    upper, lower = ln(end, precision), ln(start, precision)
    return (
        end * mpq(upper.lo) - start * mpq(lower.hi),
        end * mpq(upper.hi) - start * mpq(lower.lo),
    )


# === _complement with mpq, expm1, _PRECISION
def _complement(x: mpq) -> mpq:
    return -mpq(expm1(x, _PRECISION).lo)
