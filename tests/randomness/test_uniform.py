"""Uniform integers: the exact law and the number of bits."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from opendp_lite.randomness.draws import sample_uniform_below
from tests.randomness.laws import (
    DRAWS,
    FLAKINESS,
    distance_of_counts,
    law_fault,
    misses_at_most,
    point,
    tolerance,
)
from tests.randomness.tree import enumerate_tree, run
from tests.rows import for_each

DEPTH = 24


@for_each("n", range(1, 21))
def test_the_law(n: int) -> None:
    fault = law_fault(
        lambda: sample_uniform_below(n),
        lambda y: point(mpq(1, n) if 0 <= y < n else mpq(0)),
        range(n),
        DEPTH,
        n * 2.0**-DEPTH,
    )
    assert fault is None


@for_each("bits", range(8))
def test_a_power_of_two_takes_its_bits(bits: int) -> None:
    law, unresolved = enumerate_tree(lambda: sample_uniform_below(1 << bits), bits)
    assert unresolved == 0
    assert law == {y: mpq(1, 1 << bits) for y in range(1 << bits)}


def test_a_bound_of_any_size() -> None:
    n = 10**1000 + 7
    # The least 2^-64 of the range are drawn with that probability only.
    assert n >> 64 < sample_uniform_below(n) < n
    bits = 4000
    for fraction in (0, 1, 2, 3):
        u = mpq(fraction, 3) - mpq(fraction // 3, 2**bits)
        word = int(u.numerator * 2**bits // u.denominator)
        found = run(lambda: sample_uniform_below(n), word, bits)
        assert found == word * n >> bits


def test_the_bit_tree_detects_a_missing_value() -> None:
    def mutant() -> int:
        return sample_uniform_below(6) + 1

    fault = law_fault(
        mutant, lambda y: point(mpq(int(0 <= y < 6), 6)), range(6), DEPTH, 1e-6
    )
    assert fault is not None
    assert "mass on" in fault


def test_draws_from_the_operating_system() -> None:
    """Fails with probability at most 1e-9; detects a bound of 11 or 9 for 10."""

    def distance(n: int) -> float:
        samples = [sample_uniform_below(n) for _ in range(DRAWS)]
        return distance_of_counts(samples, lambda k: min(max((k + 1) / 10, 0), 1))

    assert distance(10) <= tolerance()
    # The distribution functions differ by 1/11 at 9, and by 1/10 at 8.
    assert misses_at_most(1 / 11) <= FLAKINESS
    assert distance(11) > tolerance()
    assert distance(9) > tolerance()


@pytest.mark.parametrize("n", [0, -1, -(10**30)])
def test_a_bound_that_is_not_positive_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="n must be positive, got"):
        sample_uniform_below(n)
