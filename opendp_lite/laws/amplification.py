"""Amplification by sampling: what is lost of a sample that nobody knows.

A row that differs shows only if it is drawn. The *share* is the probability that some
row which differs is drawn; it is computed exactly, or rounded up, in a time that does
not grow with the numbers of rows.

Proof: proofs/lemmas/amplification.tex
"""

from __future__ import annotations

from math import prod

from gmpy2 import mpq

from opendp_lite.exact.enclosures import expm1, ln
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import Extended

_ZERO, _ONE, _HALF = mpq(0), mpq(1), mpq(1, 2)
_PRECISION = 128
# A share is computed exactly if its parts have at most so many bits.
_EXACT_BITS = 4096
# e^-epsilon is less than the second number if epsilon is greater than the first.
_LARGE, _NEGLIGIBLE = 1024, power_of_two(-1400)


def amplified_epsilon(epsilon: Extended, share: mpq) -> Extended:
    """Return ln(1 + share (e^epsilon - 1)), rounded up; `share` is from 0 to 1.

    >>> amplified_epsilon(2, mpq(1)), amplified_epsilon(2, mpq(0))
    (2, mpq(0,1))
    >>> float(amplified_epsilon(1, mpq(1, 10)))
    0.1585650787404291
    """
    if share == 0:  # proof: none
        return _ZERO
    if share == 1 or isinstance(epsilon, float):  # proof: all
        return epsilon
    if epsilon > _LARGE:
        factor = share + _NEGLIGIBLE  # proof: factor
        value = epsilon + mpq(ln(factor, _PRECISION).hi)  # proof: large
    else:
        grown = mpq(expm1(epsilon, _PRECISION).hi)  # proof: grown
        value = mpq(ln(_ONE + share * grown, _PRECISION).hi)  # proof: value
    return min(value, epsilon)  # proof: least


def poisson_share(rate: mpq, rows: int | float) -> mpq:
    """Return 1 - (1 - rate)^rows, rounded up: that one of so many rows is kept.

    >>> poisson_share(mpq(1, 10), 2)
    mpq(19,100)
    """
    if rate == 0 or rows == 0:  # proof: none
        return _ZERO
    if rate == 1 or isinstance(rows, float):  # proof: all
        return _ONE
    left = _ONE - rate  # proof: left
    if rows * left.denominator.bit_length() <= _EXACT_BITS:
        return _ONE - left**rows  # proof: exact
    return _complement(rows * mpq(ln(left, _PRECISION).lo))  # proof: bound


def population_share(population: int, size: int, rows: int) -> mpq:
    """Return 1 - C(n - j, m) / C(n, m), rounded up: that one of j rows is drawn.

    n is `population`, m is `size` and j is `rows`; m rows are drawn without
    replacement.

    >>> population_share(100, 10, 1), population_share(100, 10, 91)
    (mpq(1,10), mpq(1,1))
    """
    few, many = min(size, rows), max(size, rows)  # proof: few
    if few == 0:  # proof: none
        return _ZERO
    if few + many > population:  # proof: all
        return _ONE
    if few * population.bit_length() <= _EXACT_BITS:
        missed = prod(range(population - many, population - many - few, -1))
        ways = prod(range(population, population - few, -1))
        return _ONE - mpq(missed, ways)  # proof: exact
    precision = _PRECISION + 2 * population.bit_length()  # proof: precision
    whole, rest = population + _HALF, population - many + _HALF  # proof: ends
    least = _area(rest, few, precision)[0]  # proof: least
    most = _area(whole, few, precision)[1]  # proof: most
    return _complement(least - most)  # proof: bound


def _area(end: mpq, width: int, precision: int) -> tuple[mpq, mpq]:
    """Return bounds of the integral of ln(x) + 1 from end - width to end."""
    start = end - width  # proof: start
    upper, lower = ln(end, precision), ln(start, precision)  # proof: logarithms
    return (
        end * mpq(upper.lo) - start * mpq(lower.hi),  # proof: below
        end * mpq(upper.hi) - start * mpq(lower.lo),  # proof: above
    )


def _complement(x: mpq) -> mpq:
    """Return 1 - e^x, rounded up, for x <= 0."""
    return -mpq(expm1(x, _PRECISION).lo)  # proof: up
