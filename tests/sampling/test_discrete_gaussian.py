"""Discrete Gaussian integers: exact law, extremes, draws of the OS."""

from __future__ import annotations

from collections.abc import Callable
from math import erf, exp

import pytest
from gmpy2 import mpq

from opendp_lite import verify
from opendp_lite.exact.enclosures import Enclosure
from opendp_lite.sampling import discrete_gaussian
from opendp_lite.sampling.bernoulli import (
    sample_bernoulli_exp,
    sample_bernoulli_rational,
)
from opendp_lite.sampling.discrete_gaussian import _trial, sample_discrete_gaussian
from opendp_lite.sampling.discrete_laplace import sample_discrete_laplace
from tests.sampling.laws import (
    FLAKINESS,
    distance_of_counts,
    exponential,
    misses_at_most,
    tolerance,
)
from tests.sampling.tree import bits_used, enumerate_tree

DRAWS = 10_000
SCALES = [mpq(s) for s in ("1/10", "1/3", "1", "5/2", "4")]


def weight(x: int, scale: mpq) -> Enclosure:
    return exponential(-mpq(x * x) / (2 * scale * scale))


def total_weight(scale: mpq) -> Enclosure:
    """The sum of all weights: over |x| <= k, and a bound of the rest.

    Beyond k each weight is at most e^(-1/(2 scale^2)) times the one before, and that
    of k + 1 is below e^-300.
    """
    k = int(25 * scale) + 2
    rest = weight(k + 1, scale) / (1 - exponential(-1 / (2 * scale * scale)))
    half = sum((weight(x, scale) for x in range(1, k + 1)), Enclosure(0, 0))
    return 1 + 2 * (half + Enclosure(0, rest.hi))


def probabilities(scale: mpq) -> Callable[[int], Enclosure]:
    total = total_weight(scale)
    return lambda x: weight(x, scale) / total


def trial_probabilities(scale: mpq) -> Callable[[int | None], Enclosure]:
    """Of one trial: proportional to the weights, and the rest for a rejection."""
    t = mpq(int(scale) + 1)
    q = exponential(-1 / t)
    factor = (1 - q) / (1 + q) * exponential(-scale * scale / (2 * t * t))
    accepted = factor * total_weight(scale)
    return lambda x: 1 - accepted if x is None else factor * weight(x, scale)


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_law_of_a_trial(scale: mpq) -> None:
    """Within u < 1e-3 in total variation, so that of X is within 6 u."""
    pmf = trial_probabilities(scale)
    certificate = verify.law(
        lambda: _trial(scale), lambda x: lambda precision: pmf(x), 30, runs=8_000
    )
    certificate.assert_holds()
    assert certificate.total_variation < mpq(1, 1000)


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_law(scale: mpq) -> None:
    """The whole sampler; several trials in a row make its tree a thick one."""
    pmf = probabilities(scale)
    certificate = verify.law(
        lambda: sample_discrete_gaussian(scale),
        lambda x: lambda precision: pmf(x),
        40,
        runs=3_000,
    )
    certificate.assert_holds()
    assert certificate.total_variation < mpq(1, 2)


def test_a_trial_is_repeated_until_one_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([None, None, 0, 5, None, -7])
    monkeypatch.setattr(discrete_gaussian, "_trial", lambda scale: next(answers))
    assert [sample_discrete_gaussian(mpq(1)) for _ in range(3)] == [0, 5, -7]


def wider(scale: mpq) -> int | None:
    return _trial(scale * mpq(21, 20))


def shifted(scale: mpq) -> int | None:
    x = _trial(scale)
    return None if x is None else x + 1


def without_coin(scale: mpq) -> int | None:
    return sample_discrete_laplace(mpq(int(scale) + 1))


def wrong_centre(scale: mpq) -> int | None:
    x = sample_discrete_laplace(mpq(int(scale) + 1))
    return x if sample_bernoulli_exp((abs(x) - scale) ** 2 / (2 * scale**2)) else None


def forgetful(scale: mpq) -> int | None:
    """Zero where it should be rejected, now and then."""
    x = _trial(scale)
    return 0 if x is None and sample_bernoulli_rational(mpq(1, 64)) else x


@pytest.mark.parametrize(
    "mutant", [wider, shifted, without_coin, wrong_centre, forgetful]
)
def test_the_bit_tree_detects_mutants(mutant: Callable[[mpq], int | None]) -> None:
    scale = mpq(5, 2)
    pmf = trial_probabilities(scale)
    certificate = verify.law(
        lambda: mutant(scale), lambda x: lambda precision: pmf(x), 30, runs=3_000
    )
    assert not certificate.holds


def test_scale_zero_is_no_noise_and_no_bits() -> None:
    assert sample_discrete_gaussian(mpq(0)) == 0
    assert bits_used(lambda: sample_discrete_gaussian(mpq(0)), 0, 0) == 0


@pytest.mark.parametrize("power", [2, 20, 300, 5000])
def test_a_tiny_scale(power: int) -> None:
    """Not 0 with probability 2 e^-5000 at most."""
    scale = mpq(1, 10**power)
    assert {sample_discrete_gaussian(scale) for _ in range(50)} == {0}
    law, _ = enumerate_tree(lambda: sample_discrete_gaussian(scale), 12)
    assert set(law) == {0}


@pytest.mark.parametrize("power", [10, 20, 300, 1000])
def test_a_huge_scale(power: int) -> None:
    """Some of 20 draws has |x| < s/1e20, or > 15 s, with probability below 1e-18."""
    scale = mpq(10**power) + mpq(1, 3)
    draws = [sample_discrete_gaussian(scale) for _ in range(20)]
    assert all(type(x) is int for x in draws)
    assert all(10**power < 10**20 * (abs(x) + 1) for x in draws)
    assert all(abs(x) < 15 * scale for x in draws)
    # All 64 draws on one side have probability 2^-63.
    assert len({sample_discrete_gaussian(scale) > 0 for _ in range(64)}) == 2


@pytest.mark.parametrize("scale", ["1e-300", "1/2", "99/100", "1", "7", "1e9", "1e300"])
def test_few_proposals_are_needed(scale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is accepted with probability above 1/6, so 3000 are enough for 200.

    With p = 1/6 Hoeffding's inequality bounds fewer than 200 of 3000 successes by
    exp(-6000 (1/6 - 1/15)^2) < 1e-26.
    """
    proposals = 0

    def counted(width: mpq) -> int:
        nonlocal proposals
        proposals += 1
        return sample_discrete_laplace(width)

    monkeypatch.setattr(discrete_gaussian, "sample_discrete_laplace", counted)
    for _ in range(200):
        sample_discrete_gaussian(mpq(scale))
    assert 200 <= proposals < 3000


def folded_distance(draw: Callable[[], int], scale: float) -> float:
    """The distance of |X| from its law; folded, a wrong scale shows twice as much."""
    top = int(12 * scale) + 2
    masses = [1.0, *(2 * exp(-x * x / (2 * scale**2)) for x in range(1, top))]
    below, total = [0.0], sum(masses)
    for mass in masses:
        below.append(below[-1] + mass / total)
    samples = [abs(draw()) for _ in range(DRAWS)]
    return distance_of_counts(samples, lambda k: below[min(k + 1, top)])


@pytest.mark.parametrize("scale", [0.5, 5.0, 40.0])
def test_draws_from_the_operating_system(scale: float) -> None:
    """Each comparison fails with probability at most 1e-9."""
    s = mpq(scale)
    assert folded_distance(lambda: sample_discrete_gaussian(s), scale) <= tolerance(
        DRAWS
    )


def test_a_scale_off_by_a_fifth_would_be_detected() -> None:
    """At 40 the effect is that on a real Gaussian variable, to within 0.02."""
    effect = max(abs(erf(x / 100) - erf(x / 120)) for x in range(1, 500)) - 0.02
    assert misses_at_most(effect, DRAWS) <= FLAKINESS
    found = folded_distance(lambda: sample_discrete_gaussian(mpq(48)), 40.0)
    assert found > tolerance(DRAWS)


def test_a_negative_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="scale must be non-negative, got -1/2"):
        sample_discrete_gaussian(mpq(-1, 2))
