"""Geometric and discrete Laplace integers: exact law, extremes, draws of the OS."""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import Enclosure, log1p
from opendp_lite.sampling import discrete_laplace
from opendp_lite.sampling.bernoulli import sample_bernoulli_rational
from opendp_lite.sampling.discrete_laplace import (
    _split_and_offset,
    sample_discrete_laplace,
    sample_geometric,
)
from opendp_lite.sampling.entropy import random_bits
from tests.sampling.laws import (
    DRAWS,
    FLAKINESS,
    PRECISION,
    distance_of_counts,
    exponential,
    law_fault,
    misses_at_most,
    tolerance,
)
from tests.sampling.tree import bits_used, enumerate_tree, run

SCALES = [mpq(s) for s in ("1/10", "1/3", "1", "5/2", "10")]


def geometric_fault(
    sampler: Callable[[], int], scale: mpq, depth: int, unresolved_at_most: float
) -> str | None:
    def pmf(g: int) -> Enclosure:
        if g < 0:
            return Enclosure(0, 0)
        return exponential(-g / scale) - exponential(-(g + 1) / scale)

    support = range(-2, 40)
    return law_fault(sampler, pmf, support, depth, unresolved_at_most)


def two_sided_fault(
    sampler: Callable[[], int], scale: mpq, depth: int, unresolved_at_most: float
) -> str | None:
    q = exponential(-1 / scale)

    def pmf(x: int) -> Enclosure:
        return (1 - q) / (1 + q) * exponential(-abs(x) / scale)

    support = range(-30, 31)
    return law_fault(sampler, pmf, support, depth, unresolved_at_most)


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_geometric_law(scale: mpq) -> None:
    """Within u < 1e-5 in total variation."""
    fault = geometric_fault(lambda: sample_geometric(scale), scale, 24, 1e-5)
    assert fault is None


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_discrete_laplace_law(scale: mpq) -> None:
    """Within u < 2e-5 in total variation."""
    fault = two_sided_fault(lambda: sample_discrete_laplace(scale), scale, 24, 2e-5)
    assert fault is None


def fair_sign(scale: mpq) -> int:
    magnitude = sample_geometric(scale)
    return magnitude if random_bits(1) else -1 - magnitude


def double_zero(scale: mpq) -> int:
    magnitude = sample_geometric(scale)
    return magnitude if random_bits(1) else -magnitude


def shifted(scale: mpq) -> int:
    return sample_discrete_laplace(scale) + 1


def wider(scale: mpq) -> int:
    return sample_discrete_laplace(scale * mpq(105, 100))


def narrower(scale: mpq) -> int:
    return sample_discrete_laplace(scale * mpq(95, 100))


def sometimes_zero(scale: mpq) -> int:
    if sample_bernoulli_rational(mpq(1, 64)):
        return 0
    return sample_discrete_laplace(scale)


@pytest.mark.parametrize(
    "mutant", [fair_sign, double_zero, shifted, wider, narrower, sometimes_zero]
)
def test_the_bit_tree_detects_mutants(mutant: Callable[[mpq], int]) -> None:
    scale = mpq(1)
    fault = two_sided_fault(lambda: mutant(scale), scale, 16, 1e-2)
    assert fault is not None
    assert "mass on" in fault


def test_the_bit_tree_detects_a_scale_off_by_a_thousandth() -> None:
    scale = mpq(1)
    mutant = lambda: sample_geometric(scale * mpq(1001, 1000))  # noqa: E731
    fault = geometric_fault(mutant, scale, 24, 1e-5)
    assert fault is not None
    assert "mass on" in fault


def test_scale_zero_is_no_noise_and_no_bits() -> None:
    for sampler in (sample_geometric, sample_discrete_laplace):
        assert sampler(mpq(0)) == 0
        assert bits_used(lambda sampler=sampler: sampler(mpq(0)), 0, 0) == 0


@pytest.mark.parametrize("power", [3, 20, 300, 10_000])
def test_a_tiny_scale(power: int) -> None:
    """Not 0 with probability 2 e^-1000 at most."""
    scale = mpq(1, 10**power)
    assert {sample_discrete_laplace(scale) for _ in range(50)} == {0}
    assert {sample_geometric(scale) for _ in range(50)} == {0}
    # Only the strings of zeros and of ones, the far tails, stay undecided.
    law, unresolved = enumerate_tree(lambda: sample_discrete_laplace(scale), 40)
    assert set(law) == {0}
    assert unresolved == mpq(2, 2**40)


@pytest.mark.parametrize("power", [10, 20, 300, 2000])
def test_a_huge_scale(power: int) -> None:
    """Some of 20 draws has |x| < s/1e20, or > 60 s, with probability below 1e-18."""
    scale = mpq(10**power)
    draws = [sample_discrete_laplace(scale) for _ in range(20)]
    assert all(type(x) is int for x in draws)
    assert all(10**power < 10**20 * (abs(x) + 1) for x in draws)
    assert all(abs(x) < 60 * scale for x in draws)
    # All 64 draws on one side have probability 2^-63.
    more = [sample_discrete_laplace(scale) > 0 for _ in range(64)]
    assert len(set(more)) == 2


def test_a_large_draw_is_exact() -> None:
    """floor(-scale ln(2/3)) from the bits of 2/3, to all 60 digits."""
    scale, bits = mpq(10**60), 400
    word = 2 * (2**bits // 3)
    magnitude = 405465108108164381978013115464349136571990423462494197614014
    assert run(lambda: sample_geometric(scale), word, bits) == magnitude
    # X = floor(scale (ln 3 - ln(1 + q))) at U = 1/3, and its negative at U = 2/3;
    # here ln(1 + q) = ln 2 - 1/(2 scale) + ..., so half a unit is added.
    for granularity in (1, 64):
        draw = lambda: sample_discrete_laplace(scale)  # noqa: E731
        assert run(draw, word // 2, bits, granularity) == magnitude
        assert run(draw, word, bits, granularity) == -magnitude


@pytest.mark.parametrize("scale", [*SCALES, mpq(1, 10**5), mpq(10**30)], ids=str)
@pytest.mark.parametrize("length", [0, 1, 7, 64, 200])
def test_the_split_and_the_offset(scale: mpq, length: int) -> None:
    split, offset = _split_and_offset(scale, length)
    q = exponential(-1 / scale)
    exact = 2**length / (1 + q)
    assert 0 <= split[0] <= exact.lo
    assert exact.hi <= split[1] <= 2**length
    assert split[1] - split[0] <= 1
    exact = 2 ** (length + 32) * log1p(q, PRECISION)
    assert 0 <= offset[0] <= exact.lo
    assert exact.hi <= offset[1]
    assert offset[1] - offset[0] <= 16


def test_wide_enclosures_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """With looser bounds of split and offset more is undecided, but nothing is wrong.

    So every comparison uses the end of the enclosure that makes it certain.
    """

    def loosened(scale: mpq, length: int) -> tuple[tuple[int, int], tuple[int, int]]:
        split, offset = _split_and_offset(scale, length)
        coarse, fine = 1 << length // 2, 1 << length // 2 + 32
        return (
            (split[0] - coarse, split[1] + coarse),
            (offset[0] - fine, offset[1] + fine),
        )

    monkeypatch.setattr(discrete_laplace, "_split_and_offset", loosened)
    scale = mpq(1, 2)
    draw = lambda: sample_discrete_laplace(scale)  # noqa: E731
    assert two_sided_fault(draw, scale, 18, 0.05) is None


def geometric_distance(draw: Callable[[], int], scale: float) -> float:
    samples = [draw() for _ in range(DRAWS)]
    return distance_of_counts(samples, lambda k: 1 - exp(-max(k + 1, 0) / scale))


def folded_distance(draw: Callable[[], int], scale: float) -> float:
    """The distance of |X| from its law; folded, a wrong scale shows twice as much."""
    q = exp(-1 / scale)
    samples = [abs(draw()) for _ in range(DRAWS)]
    return distance_of_counts(
        samples, lambda k: 1 - 2 * q ** (k + 1) / (1 + q) if k >= 0 else 0.0
    )


def side_distance(draw: Callable[[], int], scale: float) -> float:
    """How far the share of X >= 0 is from 1/(1 + q)."""
    share = sum(draw() >= 0 for _ in range(DRAWS)) / DRAWS
    return abs(share - 1 / (1 + exp(-1 / scale)))


@pytest.mark.parametrize("scale", [0.5, 5.0, 40.0])
def test_draws_from_the_operating_system(scale: float) -> None:
    """Each comparison fails with probability at most 1e-9."""
    s = mpq(scale)
    assert geometric_distance(lambda: sample_geometric(s), scale) <= tolerance()
    assert folded_distance(lambda: sample_discrete_laplace(s), scale) <= tolerance()
    assert side_distance(lambda: sample_discrete_laplace(s), scale) <= tolerance()


@pytest.mark.parametrize("factor", [mpq(11, 10), mpq(9, 10)], ids=str)
def test_a_scale_off_by_a_tenth_would_be_detected(factor: mpq) -> None:
    scale, wrong = 40.0, float(40 * factor)
    effect = max(abs(exp(-k / scale) - exp(-k / wrong)) for k in range(200))
    assert misses_at_most(effect) <= FLAKINESS
    found = geometric_distance(lambda: sample_geometric(40 * factor), scale)
    assert found > tolerance()
    q, r = exp(-1 / scale), exp(-1 / wrong)
    effect = max(abs(2 * q**k / (1 + q) - 2 * r**k / (1 + r)) for k in range(1, 200))
    assert misses_at_most(effect) <= FLAKINESS
    found = folded_distance(lambda: sample_discrete_laplace(40 * factor), scale)
    assert found > tolerance()


def test_a_wrong_sign_would_be_detected() -> None:
    """A fair sign at scale 5, where X >= 0 has probability 0.55."""
    assert misses_at_most(1 / (1 + exp(-1 / 5)) - 0.5) <= FLAKINESS
    assert side_distance(lambda: fair_sign(mpq(5)), 5.0) > tolerance()


@pytest.mark.parametrize("sampler", [sample_geometric, sample_discrete_laplace])
def test_a_negative_scale_is_refused(sampler: Callable[[mpq], int]) -> None:
    with pytest.raises(ValueError, match="scale must be non-negative, got -1/2"):
        sampler(mpq(-1, 2))
