"""Gaussian and Laplace tradeoffs: formulas by Arb, steps, profiles, canonical noise."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import pytest
from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.laws.location import (
    GaussianTradeoff,
    LaplaceTradeoff,
    LocationTradeoff,
)
from opendp_lite.measurements.canonical.canonical_sampler import PartialSample
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify import law
from opendp_lite.verify.contracts.checks import HashedBits
from tests.longer import shortened
from tests.randomness.canonical_laws import Remembered, Stepwise, cell_law, noise_of
from tests.randomness.tradeoff_oracles import (
    Oracle,
    arb,
    canonical_cdf,
    centre,
    ends,
    flint_precision,
    gaussian,
    laplace,
    phi,
)
from tests.rows import for_each

KINDS: list[tuple[Any, Oracle]] = [
    (GaussianTradeoff, gaussian),
    (LaplaceTradeoff, laplace),
]
MUS = [mpq(1, 1000), mpq(1, 3), mpq(1), mpq(5, 2), mpq(50)]
PLACES = [mpq(1, 10**12), mpq(1, 1000), mpq(1, 7), mpq(1, 3), mpq(1, 2), mpq(2, 3)]
PLACES += [mpq(9, 10), 1 - mpq(1, 10**9)]

by_kind = pytest.mark.parametrize(("kind", "oracle"), KINDS)
by_mu = pytest.mark.parametrize("mu", MUS)
WHOLE = [(*kind, mu) for kind in KINDS for mu in MUS]
NARROW = mpq(1, 2**90)


def meet(left: Enclosure, right: Enclosure, width: mpq = NARROW) -> bool:
    """The two may enclose one number, and are both narrow."""
    narrow = max(left.width, right.width) <= width
    return bool(narrow and left.lo <= right.hi and right.lo <= left.hi)


# The function


@by_kind
@by_mu
def test_values_are_those_of_arb(kind: Any, oracle: Oracle, mu: mpq) -> None:
    tradeoff = kind(mu)
    with flint_precision(400):
        for a in PLACES:
            expected = ends(oracle(arb(a), arb(mu)))
            assert meet(tradeoff.value(a, 128), expected), a
        c = ends(centre(oracle, arb(mu)))
        assert meet(tradeoff.fixed_point(128), c)
        assert meet(tradeoff.density(128), 1 - 2 * c)
        assert tradeoff.density(16).lo > 0


@by_kind
@by_mu
def test_ends_are_points(kind: Any, oracle: Oracle, mu: mpq) -> None:
    tradeoff = kind(mu)
    assert tradeoff.value(0, 64) == Enclosure(1, 1)
    assert tradeoff.value(1, 64) == Enclosure(0, 0)
    assert tradeoff.value(Enclosure(-1, 2), 64) == Enclosure(0, 1)
    assert not tradeoff.bounded


@by_kind
def test_an_interval_holds_the_values_in_it(kind: Any, oracle: Oracle) -> None:
    tradeoff = kind(mpq(3, 2))
    for lo, hi in pairwise(PLACES):
        whole = tradeoff.value(Enclosure(lo, hi), 96)
        inside = [tradeoff.value(lo + (hi - lo) * k / 8, 96) for k in range(9)]
        assert whole.lo == inside[-1].lo
        assert whole.hi == inside[0].hi
        assert all(whole.lo <= v.lo <= v.hi <= whole.hi for v in inside)


@by_kind
@by_mu
def test_it_is_symmetric_and_not_above_1_less_a(
    kind: Any, oracle: Oracle, mu: mpq
) -> None:
    tradeoff = kind(mu)
    for a in PLACES:
        value = tradeoff.value(a, 400)
        assert value.hi < 1 - a
        if mu <= 5:
            assert meet(tradeoff.value(value, 400), Enclosure(a, a))


@pytest.mark.parametrize(
    ("kind", "oracle", "mu"),
    shortened(
        [each for each in WHOLE if each[2] in (mpq(1, 3), mpq(5, 2))],
        (*KINDS[0], mpq(5, 2)),
        parts=3,
    ),
)
def test_many_steps_are_one_shift(kind: Any, oracle: Oracle, mu: mpq) -> None:
    tradeoff = kind(mu)
    plain = Stepwise(tradeoff)
    for u in (mpq(1, 1000), mpq(2, 5), mpq(1, 2), mpq(9, 10)):
        for count in (0, 1, 2, 7):
            lowered = tradeoff.lowered(u, count, 256)
            assert meet(lowered, plain.lowered(u, count, 256))
            raised = tradeoff.raised(u, count, 256)
            assert meet(raised, plain.raised(u, count, 256))
            back = tradeoff.raised(lowered, count, 400)
            assert back.lo <= u <= back.hi


@by_kind
@by_mu
def test_the_count_of_steps(kind: Any, oracle: Oracle, mu: mpq) -> None:
    tradeoff = kind(mu)
    for u in (mpq(1, 2**80), mpq(1, 1000), mpq(1, 5), mpq(1, 2)):
        least, most = tradeoff.steps(u, 160)
        assert 0 <= least <= most <= least + 1
        c = tradeoff.fixed_point(160)
        assert tradeoff.raised(u, most, 160).hi >= c.lo
        if least:
            assert tradeoff.raised(u, least - 1, 160).lo < c.hi
        if mu >= 1:
            assert Stepwise(tradeoff).steps(u, 160) == (least, most)


def test_a_vague_quantile_gives_vague_counts() -> None:
    # At the precision 16, z / mu is known to some millions only.
    least, most = GaussianTradeoff("1e-20").steps(mpq(1, 3), 16)
    exact, _ = GaussianTradeoff("1e-20").steps(mpq(1, 3), 128)
    assert least < exact < most


@for_each("mu", [0, -1, "-1/2"])
@for_each("kind", [GaussianTradeoff, LaplaceTradeoff])
def test_a_shift_that_is_not_positive_is_refused(kind: Any, mu: Any) -> None:
    with pytest.raises(ValueError, match="mu must be positive"):
        kind(mu)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("distribution_at", "LocationTradeoff does not say what its law is"),
        ("quantile_at", "LocationTradeoff does not say what its law is"),
        ("profile", "LocationTradeoff does not say what its profile is"),
    ],
)
def test_without_a_law_there_is_none(method: str, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        getattr(LocationTradeoff(1), method)(mpq(1, 2), 64)


def test_they_are_values() -> None:
    assert GaussianTradeoff("0.1") == GaussianTradeoff(0.1) != LaplaceTradeoff(0.1)
    assert GaussianTradeoff(1) != GaussianTradeoff(2)
    assert pickle.loads(pickle.dumps(LaplaceTradeoff(3))) == LaplaceTradeoff(3)
    assert len({GaussianTradeoff(1), GaussianTradeoff("1"), LaplaceTradeoff(1)}) == 2
    assert repr(GaussianTradeoff(0.25)) == "GaussianTradeoff(mu=1/4)"


# Profiles


# The greatest shift has the profile and the values of Arb, above and in test_profiles.
@pytest.mark.parametrize(
    ("kind", "oracle", "mu"),
    shortened(WHOLE, (*KINDS[0], MUS[-1]), parts=3),
)
def test_the_profile_is_attained_and_not_exceeded(
    kind: Any, oracle: Oracle, mu: mpq
) -> None:
    tradeoff = kind(mu)
    for epsilon in (mpq(0), mu / 3, mu, mu * mu / 2, mu * 2):
        delta = tradeoff.profile(epsilon, 400)
        power = exp(epsilon, 400)
        if kind is GaussianTradeoff:
            best = tradeoff.distribution_at(-epsilon / mu - mu / 2, 400)
        elif epsilon <= mu:
            best = exp(-(mu + epsilon) / 2, 400) / 2
        else:
            best = Enclosure(0, 0)
        gained = 1 - tradeoff.value(best, 400) - power * best
        assert meet(gained, delta, mpq(1, 2**40)), epsilon
        for a in (*PLACES, best.lo * mpq(99, 100), best.hi * mpq(101, 100)):
            assert (1 - tradeoff.value(a, 400) - power * a).lo <= delta.hi


# Canonical noise


@by_kind
@pytest.mark.parametrize("mu", [mpq(1, 3), mpq(1), mpq(5, 2)])
def test_the_cdf_is_the_recursion(kind: Any, oracle: Oracle, mu: mpq) -> None:
    noise = noise_of(kind(mu))
    with flint_precision(1000):
        for x in (mpq(-13, 4), mpq(-3, 2), mpq(-1, 2), mpq(0), mpq(2, 7), mpq(11, 5)):
            expected = ends(canonical_cdf(oracle, arb(mu), x))
            assert meet(noise.cdf(x, 160), expected), x


@by_kind
@by_mu
def test_the_quantile_inverts_the_cdf(kind: Any, oracle: Oracle, mu: mpq) -> None:
    noise = noise_of(kind(mu))
    for u in (mpq(1, 10**6), mpq(1, 9), mpq(1, 2), mpq(4, 5), 1 - mpq(1, 2**40)):
        x = noise.quantile(u, 256)
        assert x.width < mpq(1, 2**100)
        assert noise.cdf(x.lo, 256).lo <= u <= noise.cdf(x.hi, 256).hi  # type: ignore[arg-type]
    lowest, highest = noise.support()
    assert (lowest, highest) == (float("-inf"), float("inf"))


def test_gaussian_canonical_noise_is_as_hard_to_tell_from_its_shift_as_normal() -> None:
    # The test "above t" has the errors (1 - F(t), F(t - 1)) for canonical noise, and
    # (1 - Phi(mu t), Phi(mu t - mu)) for normal noise of variance 1/mu^2.
    mu = mpq(3, 4)
    tradeoff, noise = GaussianTradeoff(mu), noise_of(GaussianTradeoff(mu))
    with flint_precision(400):
        for t in (mpq(-5, 3), mpq(-1, 4), mpq(1, 2), mpq(1), mpq(12, 5)):
            first, second = 1 - noise.cdf(t, 200), noise.cdf(t - 1, 200)
            assert meet(tradeoff.value(first, 200), second)
            normal = ends(1 - phi(arb(mu * t))), ends(phi(arb(mu * t - mu)))
            assert meet(tradeoff.value(normal[0], 200), normal[1])


@by_kind
def test_the_cost_of_a_draw_does_not_grow_with_the_steps(
    kind: Any, oracle: Oracle
) -> None:
    # 10^30 steps: anything that counts them would not return.
    noise = noise_of(kind("1e-30"))
    with use_source(HashedBits(5)):
        draws = [PartialSample(noise).value() for _ in range(4)]
    assert max(map(abs, draws)) > 1e28


@by_kind
@pytest.mark.parametrize(
    "mu", shortened([mpq(1, 3), mpq(2), mpq(50)], mpq(1, 3), mpq(50))
)
def test_the_law_of_a_rounded_draw(kind: Any, oracle: Oracle, mu: mpq) -> None:
    fmt = FloatFormat(2, -2, 1)
    noise = noise_of(kind(mu))
    quick = Remembered(noise)
    certificate = law(
        lambda: PartialSample(quick).rounded(fmt), cell_law(noise, fmt), 16
    )
    certificate.assert_holds()
    assert certificate.unresolved < mpq(1, 1000)


def test_a_wrong_law_is_found() -> None:
    fmt = FloatFormat(2, -2, 1)
    right = noise_of(GaussianTradeoff(1))
    wrong = Remembered(noise_of(GaussianTradeoff("1.01")))
    certificate = law(
        lambda: PartialSample(wrong).rounded(fmt), cell_law(right, fmt), 16
    )
    assert certificate.refuted
