"""What the source notes say about finite precision, and where it is false.

Each test shows by numbers that the printed rule would be wrong, and that ours is not.
The numbers are those of the section Errata of proofs/measurements/make_snapping.tex.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import gmpy2
import pytest
from gmpy2 import mpq

from opendp_lite.exact.directed import context
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.precision import (
    finite_loss,
    finite_scale,
    snapping_precision,
)
from opendp_lite.measurements.snapping.sampler import Snapping
from tests.randomness.finite_laws import exponent, exponential, logarithm, nearest
from tests.randomness.tree import run

HALF = Fraction(1, 2)
TINY = Fraction(1, 2**2000)  # P(M > y) is P(M >= y + TINY): M has far fewer bits


def loss(p: Fraction, q: Fraction) -> Fraction:
    """A lower bound of |ln(p/q)|, rounded by less than 10^-50."""
    low, high = logarithm(p / q, 400)
    return max(low, -high)


# A mantissa of 53 bits, and eta = 2^-118


def printed_noise(u: Fraction) -> Fraction:
    """ln u, in the 118 bits of the notes; the scale is 1."""
    low, high = (nearest(end, 118) for end in logarithm(u, 400))
    assert low == high
    return low


def printed_cell(v: Fraction, index: int) -> Fraction:
    """P(index) for the notes' U of 53 bits, at scale 1, below v.

    Of every edge the least U of 53 bits that reaches it is found by e^(edge - v), and
    then the notes' own sum of 118 bits must say so.
    """
    steps = []
    for edge in (index - HALF, index + HALF):
        guess = exponential(edge - v, 400)[0]
        unit = Fraction(2) ** (exponent(guess) - 52)
        least = math.ceil(guess / unit) * unit
        assert nearest(v + printed_noise(least), 118) >= edge
        assert nearest(v + printed_noise(least - unit), 118) < edge
        steps.append(least / 2)  # P(U < least), and the sign
    return steps[1] - steps[0]


def test_a_mantissa_of_53_bits_loses_more_than_eta_of_118_bits_allows() -> None:
    x = float.fromhex("0x1.8b90bfbe8e7bcp-3")  # about ln 2 - 1/2
    y = math.nextafter(x, 1)
    v, w = Fraction(x), Fraction(y)
    claimed = (w - v) + (12 * 8 + 2) * Fraction(1, 2**118)  # scale 1, B = 8
    printed = loss(printed_cell(v, -1), printed_cell(w, -1))
    assert Fraction("3.23e-16") < printed - claimed < Fraction("3.24e-16")
    # In words of 124 bits it is within the claim.
    noise = FiniteLogarithm(mpq(1), 118)
    ours = loss(cell(noise, v, -1), cell(noise, w, -1))
    assert ours <= claimed
    assert ours <= to_fraction(
        mpq(finite_loss(Lattice(mpq(-8), mpq(8), mpq(1)), 118, 1, mpq(y) - mpq(x)))
    )


def from_on(noise: FiniteLogarithm, y: Fraction) -> Fraction:
    """P(M >= y), y > 0, by walking to the edge: M is nonincreasing in U."""
    prefix = length = 0
    total = Fraction(0)
    while True:
        low, high = noise.magnitudes(prefix, length)
        if low >= y:
            return total + Fraction(1, 2**length)
        if high < y:
            return total
        prefix, length = 2 * prefix, length + 1
        if noise.magnitudes(prefix, length)[0] >= y:
            total += Fraction(1, 2**length)
            prefix += 1


def cell(noise: FiniteLogarithm, v: Fraction, index: int) -> Fraction:
    """P(index) of a cell of width 1 that lies below v."""
    below = [
        from_on(noise, v - edge + TINY) / 2 for edge in (index - HALF, index + HALF)
    ]
    return below[1] - below[0]


def test_the_walk_finds_the_law_of_a_few_bits() -> None:
    noise = FiniteLogarithm(mpq(1), 4)
    for y in (Fraction(1, 1024), Fraction(355, 512), Fraction(711, 1024), Fraction(2)):
        reached = sum(
            Fraction(1, 2**14)
            for n in range(1, 2**14)
            if noise.magnitudes(n << 10, 24)[0] >= y
        )
        assert 0 <= from_on(noise, y) - reached <= Fraction(1, 2**14)


# An exponent that is bounded


def test_a_bounded_exponent_loses_everything_beyond_744_scales() -> None:
    """From -B some outputs near B never come, if 2B - Lambda/2 > 1074 ln 2 lambda."""
    noise = FiniteLogarithm(mpq(1), 118)
    least_double = 1 << 200  # over 2^1274: 2^-1074
    greatest, _ = noise.magnitudes(least_double, 1274)
    assert mpq("744.44") < greatest < mpq("744.441")
    lattice = Lattice(mpq(-373), mpq(373), mpq(1))
    # The edge of the last cell is at 372.5.
    assert lattice.index(-lattice.half + mpq(greatest)) == 371 < lattice.last
    # With an unbounded exponent it comes, and as often as it should.
    snapping = Snapping(lattice, noise)
    for zeros, index in ((1073, 371), (1074, 372), (1075, 373)):
        word = 1 << 200  # a sign, so many zeros, a one, and zeros
        length = 1 + zeros + 201
        assert run(lambda: snapping.sample(-lattice.half), word, length) == index
    rare = from_on(noise, Fraction(1491, 2))
    low, high = (end / 2 for end in exponential(Fraction(-1491, 2), 400))
    assert abs(rare / 2 / low - 1) < Fraction(1, 2**110)
    assert abs(rare / 2 / high - 1) < Fraction(1, 2**110)


# "118 bits"


@pytest.mark.parametrize("word", [53, 118, 124])
def test_the_logarithm_needs_twice_as_many_bits_as_the_word(word: int) -> None:
    """ln(1 - x) = -x(1 + x/2 + x^2/3 + ...), and at x = 2^(1-w) x/2 is half a unit.

    So 118 bits are enough neither for 118 bits nor for any word of 60 bits or more;
    they are what rounding to a double takes. MPFR takes as many as it needs.
    """
    u = 1 - Fraction(1, 2 ** (word - 1))
    exact = context(word, gmpy2.RoundToNearest)
    correct = exact.log(exact.div(u.numerator, u.denominator))
    unit = Fraction(1, 2 ** (2 * word - 2))
    assert -to_fraction(mpq(correct)) == Fraction(1, 2 ** (word - 1)) + unit
    for bits, enough in ((word, True), (word + 40, False), (2 * word - 3, False)):
        finer = context(bits, gmpy2.RoundToNearest)
        value = finer.log(finer.div(u.numerator, u.denominator))
        twice = gmpy2.mpfr(value, word)
        assert (twice == correct) == enough
    finer = context(2 * word, gmpy2.RoundToNearest)
    value = finer.log(finer.div(u.numerator, u.denominator))
    assert gmpy2.mpfr(value, word) == correct


# p = m + 2


def test_two_bits_beyond_epsilon_may_leave_nothing_to_the_noise() -> None:
    for m in (130, 500):
        power = mpq(1, 2 ** (m + 1))
        just_above = power * (1 + mpq(1, 2**20))
        assert -exponent_at_least(just_above) == m
        for epsilon, left in (
            (just_above, mpq(1, 2**20 + 1)),
            (2 * power, mpq(1, 2)),
        ):
            # By the notes: of epsilon, the share `left` (and the scale 1/left times
            # what it might be).
            scale = finite_scale(epsilon, mpq(1, 2), mpq(1), m + 2)
            share = 1 / (scale * epsilon)
            assert abs(share / left - 1) < mpq(1, 2**100)
            precision = snapping_precision(epsilon, mpq(1, 2), 1)
            assert precision == m + 8
            scale = finite_scale(epsilon, mpq(1, 2), mpq(1), precision)
            assert 1 / (scale * epsilon) > mpq("0.98")


# B in units of Delta


def test_bounds_in_the_units_of_the_data_understate_the_loss() -> None:
    """Neighbours at 2^-46: the formula, with B as it stands, is false at p = 10."""
    eta, half, scale = Fraction(1, 2**10), 80, Fraction(5, 4)
    noise = FiniteLogarithm(mpq(5, 4), 10)
    lattice = Lattice(mpq(-half), mpq(half), mpq(5, 4))
    edge = (Fraction(1, 2) - lattice.last) * to_fraction(lattice.step)
    assert edge == -79  # below it the lower bound is released
    x = 61 + Fraction(1, 2**8)  # x - edge is a value of the noise
    distance = Fraction(1, 2**46)
    y = x - distance
    assert (float(x), float(y)) == (x, y)
    tails = [from_on(noise, place - edge + TINY) / 2 for place in (x, y)]
    needed = loss(*tails)
    assert Fraction("4.01") * eta < needed < Fraction("4.02") * eta
    in_units_of_data = distance / scale * (1 + 12 * half * eta) + 2 * eta
    assert needed > 2 * in_units_of_data
    in_units_of_distance = finite_loss(lattice, 10, 1, mpq(1, 2**46))
    assert in_units_of_distance == mpq(4, 5 * 2**46) + 770 * mpq(1, 2**10)
    assert needed < to_fraction(mpq(in_units_of_distance))


@pytest.mark.parametrize(
    ("x", "y", "distance"), [(1.206, 0.906, 0.3), (24.399, 21.399, 3.0)]
)
def test_a_quotient_of_doubles_may_take_neighbours_apart(
    x: float, y: float, distance: float
) -> None:
    assert Fraction(x) - Fraction(y) <= Fraction(distance)
    assert Fraction(x / distance) - Fraction(y / distance) > 1


def test_the_cells_of_the_walk_add_up() -> None:
    """The walk again: neighbouring cells below v share their edge."""
    noise, v = FiniteLogarithm(mpq(1), 10), Fraction(64)
    edges = [from_on(noise, v - (k - HALF)) / 2 for k in range(-5, 6)]
    assert all(a < b for a, b in pairwise(edges))
    total = sum(cell(noise, v, k) for k in range(-5, 5))
    ends = [from_on(noise, v - (k - HALF) + TINY) / 2 for k in (-5, 5)]
    assert total == ends[1] - ends[0]
