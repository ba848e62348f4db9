"""Coins and uniform integers for arrays: lane by lane those of one number."""

from __future__ import annotations

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.randomness import bulk
from opendp_lite.randomness.bulk_draws import sample_bernoullis, sample_uniforms_below
from opendp_lite.randomness.draws import sample_bernoulli_rational, sample_uniform_below
from opendp_lite.randomness.lanes import Array
from opendp_lite.testing import state_flakiness
from tests.randomness.hostile_bits import binary
from tests.randomness.lane_bits import assert_lanes_equal_single_draws
from tests.randomness.laws import FLAKINESS, misses_at_most, tolerance
from tests.rows import for_each

PROBABILITIES = [mpq(0), mpq(1), mpq(1, 2), mpq(3, 8), mpq(1, 2**16), mpq(5, 2**18)]
PROBABILITIES += [mpq(1, 3), mpq(1, 10**30), 1 - mpq(1, 10**30), mpq(65535, 65536)]
SIZES = [1, 2, 3, 10, 2**16, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 10**18, 2**63]
DRAWS = 1_000_000
EACH = FLAKINESS / 2  # of two comparisons
WITHIN = tolerance(DRAWS, EACH)


@for_each("p", PROBABILITIES, ids=str)
def test_coins_are_single_coins(p: mpq) -> None:
    """At the beginning of p, above and below it, in 16, 64 and 128 bits."""
    starts = ["0" * 130, "1" * 130, *[""] * 300]
    for n in (16, 64, 128):
        w = int(p.numerator * 2**n // p.denominator)
        near = [x for x in (w - 1, w, w + 1) if 0 <= x < 2**n]
        starts += [binary(x, n) for x in near]
    alone = assert_lanes_equal_single_draws(
        lambda run: sample_bernoullis(p, len(starts), run),
        lambda i: sample_bernoulli_rational(p),
        starts,
        same_length=False,
    )
    assert alone > 0 or p == 1


@for_each("n", SIZES)
def test_uniforms_are_single_uniforms(n: int) -> None:
    """At the ends of the cells of 64 bits that hold a multiple of 1/n."""
    if n >= 2**32:
        assert ((x := sample_uniforms_below(n, 100)) >= 0).all()
        assert all(each < n for each in x.tolist())
        assert x.dtype == np.int64
        return
    starts = ["0" * 130, "1" * 130, *[""] * 300]
    for i in {1, 2, n // 2, n - 1}:
        w = i * 2**64 // n
        starts += [binary(x, 64) for x in (w - 1, w, w + 1) if 0 <= x < 2**64]
    if n % 2:
        # The cell that passes a multiple of 1/n by the least possible.
        starts.append(binary(pow(n, -1, 2**64) - 1, 64))
    alone = assert_lanes_equal_single_draws(
        lambda run: sample_uniforms_below(n, len(starts), run),
        lambda i: sample_uniform_below(n),
        starts,
    )
    assert (alone > 0) == (n & (n - 1) > 0)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 15, 16, 17, 48])
def test_lengths(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "CHUNK", 16)
    coins, numbers = (
        sample_bernoullis(mpq(1, 3), count),
        sample_uniforms_below(5, count),
    )
    assert coins.dtype == bool
    assert numbers.dtype == np.int64
    assert coins.shape == numbers.shape == (count,)
    if count >= 8:
        assert_lanes_equal_single_draws(
            lambda run: sample_uniforms_below(5, count, run),
            lambda i: sample_uniform_below(5),
            [""] * count,
        )


@pytest.mark.parametrize("p", [mpq(-1, 10), mpq(11, 10)])
def test_no_probability(p: mpq) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        sample_bernoullis(p, 10)


@pytest.mark.parametrize("n", [0, -1, 2**63 + 1])
def test_no_size(n: int) -> None:
    with pytest.raises(ValueError, match="positive and at most"):
        sample_uniforms_below(n, 10)


@for_each("p", [mpq(0), mpq(1, 10**6), mpq(1, 3), mpq(1, 2), mpq(1)])
def test_the_law_of_coins(p: mpq) -> None:
    """Flaky with at most 1e-9 (Hoeffding): 5e-10 for each of two comparisons.

    A coin of 1/3 or more that is off by 2 % is seen.
    """
    assert misses_at_most(1 / 150, DRAWS, EACH) < EACH
    state_flakiness(2 * EACH)
    mean = float(sample_bernoullis(p, DRAWS).mean())
    assert abs(mean - float(p)) < WITHIN
    if p in (0, 1):
        assert mean == p
    if p >= mpq(1, 3):
        other = float(sample_bernoullis(p * mpq(49, 50), DRAWS).mean())
        assert abs(other - float(p)) >= WITHIN


def cdf_fault(x: Array, n: int) -> float:
    """The greatest distance between the distribution functions of x and 0, ..., n-1.

    Compared with WITHIN it fails by chance with probability EACH, as stated.
    """
    state_flakiness(EACH)
    values, first = np.unique(np.sort(x), return_index=True)
    seen = np.append(first[1:], x.size) / x.size
    return float(np.abs(seen - (values + 1) / n).max())


@for_each("n", [1, 7, 1000, 2**31 + 1])
def test_the_law_of_uniforms(n: int) -> None:
    """Flaky with at most 1e-9 (DKW): 5e-10 for each of two comparisons.

    If 2 % of the numbers, or one of few, never come, this is seen.
    """
    x = sample_uniforms_below(n, DRAWS)
    assert x.min() >= 0
    assert x.max() < n
    assert misses_at_most(0.0199, DRAWS, EACH) < EACH
    assert cdf_fault(x, n) < WITHIN
    if n > 1:
        mutant = sample_uniforms_below(n - max(1, n // 50), DRAWS)
        assert cdf_fault(mutant, n) > WITHIN
