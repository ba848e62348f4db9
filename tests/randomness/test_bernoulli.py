"""Coins: the exact law, the number of bits, and the coins that the OS tosses."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, nan

import pytest
from gmpy2 import mpq

from opendp_lite.exact.intervals import Enclosure
from opendp_lite.randomness.draws import (
    sample_bernoulli_exp,
    sample_bernoulli_float,
    sample_bernoulli_rational,
)
from opendp_lite.testing import state_flakiness
from tests.randomness.laws import (
    DRAWS,
    FLAKINESS,
    exponential,
    law_fault,
    misses_at_most,
    point,
    tolerance,
)
from tests.randomness.tree import bits_used, enumerate_tree, run
from tests.rows import for_each

DEPTH = 40


def coin_fault(coin: Callable[[], bool], p: Enclosure) -> str | None:
    def pmf(side: bool) -> Enclosure:
        return p if side else 1 - p

    return law_fault(coin, pmf, (True, False), DEPTH, 2.0**-DEPTH)


RATIONALS = [mpq(p) for p in ("1/3", "2/3", "1/10", "12345/54321", "999/1000")]
DYADICS = [mpq(p) for p in ("0", "1", "1/2", "1/4", "3/4", "5/64", "1023/1024")]


@for_each("p", RATIONALS, ids=str)
def test_the_law_of_a_rational_coin(p: mpq) -> None:
    assert coin_fault(lambda: sample_bernoulli_rational(p), point(p)) is None


@for_each("p", DYADICS, ids=str)
def test_a_dyadic_coin_is_decided_by_its_digits(p: mpq) -> None:
    digits = int(p.denominator).bit_length() - 1
    law, unresolved = enumerate_tree(lambda: sample_bernoulli_rational(p), digits)
    assert unresolved == 0
    assert law.get(True, 0) == p
    assert law.get(False, 0) == 1 - p


def test_no_bit_is_read_that_is_not_needed() -> None:
    def quarter() -> bool:
        return sample_bernoulli_rational(mpq(1, 4))

    assert [bits_used(quarter, w, 2) for w in range(4)] == [2, 2, 1, 1]
    assert bits_used(lambda: sample_bernoulli_rational(mpq(0)), 0, 0) == 0
    assert bits_used(lambda: sample_bernoulli_rational(mpq(1)), 0, 0) == 0
    assert bits_used(lambda: sample_bernoulli_exp(mpq(0)), 0, 0) == 0
    assert sample_bernoulli_exp(mpq(0)) is True


EXPONENTS = [mpq(x) for x in ("1/1000000", "1/3", "2/3", "1", "5/2", "10", "27")]


@for_each("x", EXPONENTS, ids=str)
def test_the_law_of_an_exponential_coin(x: mpq) -> None:
    assert coin_fault(lambda: sample_bernoulli_exp(x), exponential(-x)) is None


@for_each("x", [mpq(40), mpq(10**6), mpq(10**300), mpq(10) ** 5000])
def test_an_improbable_coin_is_resolved_by_its_first_one(x: mpq) -> None:
    """e^-x < 2^-40: only the string of 40 zeros is undecided, all else is false."""
    law, unresolved = enumerate_tree(lambda: sample_bernoulli_exp(x), DEPTH)
    assert unresolved == mpq(1, 2**DEPTH)
    assert set(law) == {False}


def test_a_tiny_exponent_is_told_from_zero() -> None:
    x = mpq(1, 10**30)
    assert run(lambda: sample_bernoulli_exp(x), 0, 1)
    ones = (1 << 120) - 1
    assert not run(lambda: sample_bernoulli_exp(x), ones, 120)


@for_each("p", [0.0, 1.0, 0.5, 0.625, 0.0625, 1 - 2.0**-9])
@for_each("constant_time", [False, True])
def test_the_law_of_a_float_coin(p: float, constant_time: bool) -> None:
    def coin() -> bool:
        return sample_bernoulli_float(p, constant_time)

    law, unresolved = enumerate_tree(coin, 10)
    assert unresolved == 0
    assert law.get(True, 0) == mpq(p)


@for_each("p", [0.1, 1 / 3, 0.75, 1e-9, 5e-324, 1 - 2.0**-53, 1.0, 0.0])
def test_constant_time_reads_all_digits_of_p(p: float) -> None:
    numerator, denominator = p.as_integer_ratio()
    digits = denominator.bit_length() - 1

    def coin() -> bool:
        return sample_bernoulli_float(p, constant_time=True)

    words = {0, denominator - 1, denominator // 3}
    words |= {word for word in (numerator - 1, numerator) if 0 <= word < denominator}
    for word in words:
        assert run(coin, word, digits) is (word < numerator)
        assert bits_used(coin, word << 200, digits + 200) == digits


def test_a_float_coin_has_the_binary_value() -> None:
    """0.1 is 3602879701896397/2^55, which the coin tells from 1/10."""
    numerator, bits = 3602879701896397, 55
    coin = lambda: sample_bernoulli_float(0.1)  # noqa: E731
    assert run(coin, numerator - 1, bits) is True
    assert run(coin, numerator, bits) is False
    # 1/10 < 3602879701896397/2^55: the string of 1/10 itself is heads.
    string = 2**70 // 10 + 1
    assert run(coin, string, 70) is True
    assert run(lambda: sample_bernoulli_rational(mpq(1, 10)), string, 70) is False


COINS: dict[str, tuple[Callable[[], bool], float]] = {
    "rational": (lambda: sample_bernoulli_rational(mpq(1, 3)), 1 / 3),
    "exponential": (lambda: sample_bernoulli_exp(mpq(2, 3)), exp(-2 / 3)),
    "float": (lambda: sample_bernoulli_float(0.1), 0.1),
    "constant time": (lambda: sample_bernoulli_float(0.1, True), 0.1),
}


def deviation(coin: Callable[[], bool], p: float) -> float:
    state_flakiness(FLAKINESS)
    return abs(sum(coin() for _ in range(DRAWS)) / DRAWS - p)


@for_each("name", COINS)
def test_coins_from_the_operating_system(name: str) -> None:
    """Fails with probability at most 1e-9; detects a probability off by 0.035."""
    assert deviation(*COINS[name]) <= tolerance()


def test_a_biased_coin_would_be_detected() -> None:
    effect = 0.035
    assert misses_at_most(effect) <= FLAKINESS
    biased = mpq(1, 3) + mpq(35, 1000)
    found = deviation(lambda: sample_bernoulli_rational(biased), 1 / 3)
    assert found > tolerance()


@pytest.mark.parametrize("off", [mpq(1, 10**9), mpq(-1, 10**9)])
def test_the_bit_tree_detects_a_probability_off_by_a_billionth(off: mpq) -> None:
    p = mpq(1, 3)
    mutant = coin_fault(lambda: sample_bernoulli_rational(p + off), point(p))
    assert mutant is not None
    assert "mass on" in mutant
    assert coin_fault(lambda: sample_bernoulli_exp(p + off), exponential(-p))


@pytest.mark.parametrize("p", [mpq(-1, 10), mpq(11, 10)])
def test_a_probability_outside_is_refused(p: mpq) -> None:
    with pytest.raises(ValueError, match="p must be between 0 and 1, got"):
        sample_bernoulli_rational(p)


@for_each("p", [-5e-324, 1.0000000000000002, nan, inf, -inf])
@for_each("constant_time", [False, True])
def test_a_float_outside_is_refused(p: float, constant_time: bool) -> None:
    with pytest.raises(ValueError, match="p must be between 0 and 1, got"):
        sample_bernoulli_float(p, constant_time)


def test_a_negative_exponent_is_refused() -> None:
    with pytest.raises(ValueError, match="x must be non-negative, got -1/3"):
        sample_bernoulli_exp(mpq(-1, 3))
