"""For each erratum of the source: the printed formula fails, and ours holds.

The numbers are those of the section "Errata" in proofs/lemmas/test-tolerances.tex.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import testing
from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.enclosures import exp
from opendp_lite.laws.tails import discrete_laplace_tail

F23 = Fraction(1, 10**23)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)


def either(part: Fraction) -> Fraction:
    """The probability that one of two independent parts fails, or both."""
    return 1 - (1 - part) ** 2


def test_mean() -> None:
    # 10^-11.5 is between these two.
    printed = Fraction(316, 10**14), Fraction(317, 10**14)
    assert printed[0] ** 2 < F23 < printed[1] ** 2
    assert either(printed[0]) > Fraction(63, 10**13) > 10**11 * F23
    ours = Fraction(testing.mean_flakiness(F23))
    assert F23 * Fraction(999, 1000) < either(ours) <= F23


def test_ends_of_the_mean() -> None:
    s, c, a, b = Fraction(-30), Fraction(100), Fraction(10), Fraction(20)
    exact = s / c
    printed = max(
        abs((s + a) / (c - b) - exact),
        abs((s - a) / (c + b) - exact),
    )
    worst = abs((s - a) / (c - b) - exact)
    assert printed == Fraction(1, 20)
    assert worst == Fraction(1, 5)
    assert Fraction(testing.mean_tolerance(-1, 1, s, c, a, b)) >= worst
    # With the midpoint left out of the ends, even 0 noise seems to move the mean.
    assert abs(Fraction(30, 100) - (5 + Fraction(30, 100))) == 5
    assert testing.mean_tolerance(0, 10, 30, 100, 0, 0) == 0


def test_count() -> None:
    count, count_tolerance = 3, 3
    with pytest.raises(ZeroDivisionError):
        Fraction(5 + 1, count - count_tolerance)
    ours = testing.mean_tolerance(0, 10, 5, count, 1, count_tolerance)
    assert Fraction(10, 3) <= ours <= Fraction(10, 3) + Fraction(1, 10**15)


@pytest.mark.parametrize("p", [2, 9, 99])
def test_partitions(p: int) -> None:
    part = Fraction(1, 10**25)
    assert not 1 - p * part < 1 - 100 * part  # printed
    assert 1 - p * part > 1 - 100 * part
    # The printed rule holds, wide of the mark; ours is exact.
    assert 1 - (1 - part) ** p <= F23
    ours = Fraction(testing.partition_flakiness(F23, p))
    assert ours > part
    assert F23 * Fraction(999, 1000) < 1 - (1 - ours) ** p <= F23


def test_partitions_when_there_are_many() -> None:
    assert 1 - (1 - Fraction(1, 10**25)) ** 101 > F23  # printed
    ours = Fraction(testing.partition_flakiness(F23, 101))
    assert 1 - (1 - ours) ** 101 <= F23


def test_floats() -> None:
    assert 1 - 1e-23 == 1.0  # printed: of this, erfinv is infinite,
    assert -math.log(1 - 1e-23) == 0  # and the logarithm is 0
    assert testing.gaussian_tolerance(1, "1e-23") == pytest.approx(10.0416376121755)
    assert testing.complementary_laplace_tolerance(1, "1e-23") == pytest.approx(1e-23)
    assert testing.complementary_gaussian_tolerance(1, "1e-23") > 1e-23


def rounded_laplace_beyond(t: Fraction) -> mpq:
    """P(|N| > t) for N the integer nearest to Laplace noise of scale 1, nearly."""
    least = math.floor(t) + 1
    return mpq(exp(mpq(1, 2) - mpq(least), 200).lo)


def test_integers() -> None:
    for t in (Fraction(26, 10), Fraction(5, 2) + Fraction(1, 10**9)):
        level = mpq(exp(-mpq(t), 200).hi)  # the flakiness of which t is the tolerance
        assert rounded_laplace_beyond(t) > level  # not rounded up
        ours = Fraction(testing.integer_tolerance(t))
        assert rounded_laplace_beyond(ours) <= level
    # For 1.1 the source asks for more than 1; 1 itself will do.
    assert testing.integer_tolerance("1.1") == 1
    assert rounded_laplace_beyond(Fraction(1)) <= mpq(exp(-mpq("1.1"), 200).hi)


def test_integers_and_halves() -> None:
    # Noise that is 5/2 with probability 1/50 and else 0 never exceeds 5/2; rounded, it
    # exceeds 5/2 with probability 1/50, and 3 never.
    law = {Fraction(5, 2): Fraction(1, 50), Fraction(0): Fraction(49, 50)}
    rounded = {math.floor(y + Fraction(1, 2)): p for y, p in law.items()}
    assert sum(p for n, p in rounded.items() if n > Fraction(5, 2)) == Fraction(1, 50)
    ours = testing.integer_tolerance("2.5")
    assert sum(p for n, p in rounded.items() if n > ours) == 0


@pytest.mark.usefixtures("uncharged")
def test_complementary_integers() -> None:
    printed = testing.complementary_laplace_tolerance(1, F23)
    assert 0 < printed < 1
    unchanged = 1 - 2 * discrete_laplace_tail(1, mpq(1), 100)
    assert unchanged.lo > mpq("0.46")
    noisy = INTEGERS >> dp.m.then_laplace(scale=1)
    with pytest.raises(OpenDPException, match=r"Pass at least flakiness=0\.462"):
        testing.assert_noisy(5, 3, noisy, F23)


@pytest.mark.usefixtures("uncharged")
def test_complementary_floats() -> None:
    # What is rounded to 1 is within 2^-54 below and 2^-53 above.
    ends = mpq(1, 2**54), mpq(1, 2**53)
    atom = sum(mpq(1, 2) * (1 - mpq(exp(-end, 200).hi)) for end in ends)
    assert atom > mpq("8.3e-17")
    noisy = FLOATS >> dp.m.then_laplace(scale=1.0)
    with pytest.raises(OpenDPException, match=r"flakiness=8\.32\d*e-17"):
        testing.assert_noisy(2.0, 1.0, noisy, F23)
    testing.assert_noisy(2.0, 1.0, noisy, "8.33e-17")


def test_complementary_mean() -> None:
    s, c, sum_noise, count_noise = 30, 100, 3, 10
    quiet = testing.complementary_laplace_tolerance(1, "1e-3")
    assert min(sum_noise, count_noise) > quiet
    assert Fraction(s + sum_noise, c + count_noise) == Fraction(s, c)
    assert not any("mean" in n and "complementary" in n for n in dir(testing))
