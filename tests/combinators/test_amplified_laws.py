"""Amplification by brute force: exact laws of samples, and groups of rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import attrs
import numpy
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.combinators import amplification
from opendp_lite.data.identity import visible
from opendp_lite.exact.enclosures import exp
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.transformations.ordering import shuffled
from tests.rows import for_each

PURE, SYMMETRIC = dp.max_divergence(), dp.symmetric_distance()
APPROXIMATE = dp.approximate(PURE)
INTS = dp.vector_domain(dp.atom_domain(T=int))
ROWS = INTS, SYMMETRIC
ORDERED = INTS, dp.insert_delete_distance()
TINY = mpq(1, 10**30)
NEAR = mpq(1, 10**17)  # what the logarithm of a test may be rounded up

Law = dict[Any, mpq]


def sized(size: int, metric: Any = SYMMETRIC) -> Any:
    return dp.vector_domain(dp.atom_domain(T=int), size=size), metric


def user(space: Any, measure: Any, function: Any, privacy_map: Any) -> dp.Measurement:
    return dp.m.make_user_measurement(*space, measure, function, privacy_map)


# --- finite mechanisms, and the exact laws of samples ---------------------------------


def mixed(laws: list[tuple[mpq, Law]]) -> Law:
    total: Law = {}
    for weight, law in laws:
        for outcome, mass in law.items():
            total[outcome] = total.get(outcome, mpq(0)) + weight * mass
    return total


@attrs.frozen
class Mechanism:
    """A law, in sixteenths, for every multiset of rows 0 and 1."""

    table: Mapping[tuple[int, int], tuple[int, ...]]

    def law(self, rows: Any) -> Law:
        rows = list(rows)
        weights = self.table[rows.count(0), rows.count(1)]
        return {i: mpq(weight, 16) for i, weight in enumerate(weights)}

    def draw(self, rows: Any) -> int:
        rows = list(rows)
        weights = self.table[rows.count(0), rows.count(1)]
        drawn, reached = random_bits(4), 0
        for outcome, weight in enumerate(weights):
            reached += weight
            if drawn < reached:
                return outcome
        raise AssertionError("the weights add up to 16")


def mechanism(seed: int, most: int) -> Mechanism:
    """One of many: its weights are picked by a fixed sequence."""
    table, state = {}, seed
    for zeros, ones in itertools.product(range(most + 1), repeat=2):
        cuts = []
        for _ in range(2):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            cuts.append(1 + (state >> 33) % 14)
        low, high = sorted(cuts)
        high += low == high
        table[zeros, ones] = (low, high - low, 16 - high)
    return Mechanism(table)


def any_one(most: int) -> Mechanism:
    """Twice as likely if there is a 1: the loss is ln 2, whatever the distance."""
    pairs = itertools.product(range(most + 1), repeat=2)
    return Mechanism({(a, b): (8, 8) if b else (4, 12) for a, b in pairs})


def graded(most: int) -> Mechanism:
    """Twice as likely for every 1, up to three of them: the loss is d ln 2."""
    pairs = itertools.product(range(most + 1), repeat=2)
    grades = {(a, b): 2 ** min(b, 3) for a, b in pairs}
    return Mechanism({key: (grade, 16 - grade) for key, grade in grades.items()})


def numbered(seed: int, most: int) -> Mechanism:
    fixed = [any_one, graded]
    return fixed[seed](most) if seed < len(fixed) else mechanism(seed, most)


@cache
def factors(epsilon: Any) -> tuple[mpq, mpq]:
    """Numbers below and above e^epsilon, and hardly so."""
    found = exp(mpq(epsilon), 256)
    return mpq(found.lo), mpq(found.hi)


def excess(p: Law, q: Law, epsilon: Any) -> mpq:
    """A number that is at most sum max(0, p - e^epsilon q), and hardly less."""
    if epsilon == math.inf:
        return mpq(0)
    factor = factors(epsilon)[1]
    return sum((max(mpq(0), p[y] - factor * q.get(y, mpq(0))) for y in p), mpq(0))


def least_delta(p: Law, q: Law, epsilon: Any) -> mpq:
    """A delta that suffices at epsilon, in one order, and hardly more."""
    factor = factors(epsilon)[0]
    return sum((max(mpq(0), p[y] - factor * q.get(y, mpq(0))) for y in p), mpq(0))


def inner_map(
    laws: dict[Any, Law], far: Callable[[Any, Any], Any], epsilon: Any = None
) -> Any:
    """The least map of a mechanism by brute force; pairs, if an epsilon is given."""
    worst: dict[int, Any] = {}
    for x, y in itertools.permutations(laws, 2):
        if epsilon is None:
            loss = PURE.divergence(laws[x], laws[y])
        else:
            loss = least_delta(laws[x], laws[y], epsilon)
        d = far(x, y)
        worst[d] = max(worst.get(d, 0), loss)

    def privacy_map(d_in: Any) -> Any:
        if d_in == 0:
            return 0 if epsilon is None else (0, 0)
        loss = max((worst[d] for d in worst if d <= d_in), default=0)
        return loss if epsilon is None else (epsilon, loss)

    return privacy_map


def data_sets(most: int) -> list[tuple[int, ...]]:
    return [x for n in range(most + 1) for x in itertools.product((0, 1), repeat=n)]


def poisson_law(made: Mechanism, x: Any, rate: mpq) -> Law:
    kept = itertools.product((False, True), repeat=len(x))
    return mixed(
        [
            (
                rate ** sum(coins) * (1 - rate) ** (len(x) - sum(coins)),
                made.law(itertools.compress(x, coins)),
            )
            for coins in kept
        ]
    )


def sample_law(made: Mechanism, population: Any, size: int) -> Law:
    chosen = list(itertools.combinations(population, size))
    return mixed([(mpq(1, len(chosen)), made.law(each)) for each in chosen])


def violations(laws: dict[Any, Law], far: Any, privacy_map: Any, pairs: bool) -> int:
    """How many pairs lose more than the map says, by exact laws."""
    found, losses = 0, cache(privacy_map)
    for x, y in itertools.permutations(laws, 2):
        loss = losses(far(x, y))
        epsilon, delta = loss if pairs else (loss, 0)
        found += excess(laws[x], laws[y], epsilon) > delta + TINY
    return found


@cache
def symmetric(x: Any, y: Any) -> Any:
    return SYMMETRIC.distance(list(x), list(y))


def changed(x: Any, y: Any) -> Any:
    return symmetric(x, y) // 2


MOST = 3
RATES = [mpq(1, 4), mpq(1, 2), mpq(9, 10)]
EPSILONS = [None, 0, Fraction(1, 4), 1]


def subsampled(mech: Mechanism, rate: Any, epsilon: Any, space: Any = ROWS) -> Any:
    return dp.c.make_poisson_subsample(of_all(mech, epsilon, space), rate)


def of_all(mech: Mechanism, epsilon: Any, space: Any = ROWS) -> Any:
    """The mechanism before rows are drawn."""
    laws = {x: mech.law(x) for x in data_sets(MOST)}
    far = inner_map(laws, symmetric, epsilon)
    measure = PURE if epsilon is None else APPROXIMATE
    return user(space, measure, mech.draw, far)


def count_poisson(epsilon: Any, seeds: range) -> int:
    """The pairs of all small data sets that lose more than the map says."""
    found = 0
    for seed in seeds:
        mech = numbered(seed, MOST)
        inner, pairs = of_all(mech, epsilon), epsilon is not None
        for rate in RATES:
            made = dp.c.make_poisson_subsample(inner, Fraction(str(rate)))
            laws = {x: poisson_law(mech, x, rate) for x in data_sets(MOST)}
            found += violations(laws, symmetric, made.privacy_map, pairs)
    return found


@for_each("epsilon", EPSILONS)
def test_no_pair_of_small_data_sets_loses_more_than_the_map(epsilon: Any) -> None:
    """Rows added, removed, or both at once: up to three of one and three of the other.

    All sequences of up to three rows, thirteen mechanisms, three rates.
    """
    assert count_poisson(epsilon, range(13)) == 0


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(
    "share",
    [
        lambda rate, rows: rate if rows else mpq(0),  # the same for every group
        lambda rate, rows: 1 - (1 - rate) ** max(rows - 1, 0),
        lambda rate, rows: 1 - (1 - rate) ** ((rows + 1) // 2),  # as if rows changed
    ],
)
def test_a_share_that_is_too_small_is_found(
    monkeypatch: pytest.MonkeyPatch, share: Any, epsilon: Any
) -> None:
    monkeypatch.setattr(amplification, "poisson_share", share)
    assert count_poisson(epsilon, range(3)) > 0


def test_a_delta_or_a_loss_of_one_row_only_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = amplification._amplified

    def of_one(inner: Any, distance: Any, share: Any, pairs: bool) -> Any:
        return kept(inner, min(distance, 1), share, pairs)

    def squared(inner: Any, distance: Any, share: Any, pairs: bool) -> Any:
        epsilon, delta = kept(inner, distance, share, pairs)
        return epsilon, share * delta

    monkeypatch.setattr(amplification, "_amplified", of_one)
    assert count_poisson(None, range(4)) > 0
    assert count_poisson(1, range(4)) > 0
    monkeypatch.setattr(amplification, "_amplified", squared)
    assert count_poisson(Fraction(1, 4), range(4)) > 0


def test_the_map_is_reached_by_groups() -> None:
    """Three rows that are there or not, and a loss of ln 2 at every distance."""
    made = subsampled(any_one(MOST), "1/4", None)
    for rows in (1, 2, 3):
        laws = [poisson_law(any_one(MOST), x, mpq(1, 4)) for x in ((1,) * rows, ())]
        least = PURE.divergence(*laws)
        share = 1 - mpq(3, 4) ** rows
        assert laws[0][0] / laws[1][0] == 1 + share
        assert abs(made.privacy_map(rows) - least) <= NEAR


def test_the_code_has_the_law_of_the_sample() -> None:
    mech = mechanism(5, MOST)
    for rate in ("0", "1/4", "1/2", "1"):
        made = subsampled(mech, rate, None)
        for x in [(), (1,), (0, 1), (1, 1, 0)]:
            for data in (list(x), numpy.array(x, dtype=numpy.int64)):
                tree = verify.enumerate_tree(
                    lambda made=made, data=data: made(data), 16, runs=20_000
                )
                expected = poisson_law(mech, x, mpq(Fraction(rate)))
                assert tree.unresolved == 0
                assert dict(tree.masses) == {
                    visible(y): mass for y, mass in expected.items() if mass
                }


@for_each(("x", "x2"), [([1, 1], []), ([0, 1], [0]), ([1], [0]), ([0, 0], [1])])
def test_certificates_of_groups(x: Any, x2: Any) -> None:
    made = subsampled(any_one(MOST), "1/2", None)
    found = verify.privacy(made, x, x2, depth=12)
    assert found.holds
    assert found.unresolved == 0
    if x2 == []:
        assert found.needs_epsilon > Fraction(559, 1000)  # ln(7/4)


@pytest.mark.parametrize(
    "planted",
    [
        lambda data, rate: [row for row in data if random_bits(2)],  # 3/4, not 1/2
        lambda data, rate: list(data),  # all of them
        lambda data, rate: [row for row in data if row or random_bits(1)],
        lambda data, rate: list(data) if random_bits(2) else [],  # one coin for all
    ],
)
def test_a_planted_sampler_is_refuted(
    monkeypatch: pytest.MonkeyPatch, planted: Any
) -> None:
    made = subsampled(any_one(MOST), "1/2", None)
    assert verify.privacy(made, [1], [], depth=12).holds
    monkeypatch.setattr(amplification, "_kept", planted)
    assert verify.privacy(made, [1], [], depth=12).verdict == "refuted"


# --- populations ----------------------------------------------------------------------

SAMPLES = [(3, 1), (4, 2), (4, 3), (5, 2), (3, 3), (4, 0)]


def of_sample(mech: Mechanism, size: int, metric: Any, epsilon: Any = None) -> Any:
    space = sized(size, metric)
    laws = {x: mech.law(x) for x in itertools.product((0, 1), repeat=size)}
    far = symmetric if metric == SYMMETRIC else changed
    measure = PURE if epsilon is None else APPROXIMATE
    return user(space, measure, mech.draw, inner_map(laws, far, epsilon))


def count_population(epsilon: Any, seeds: range) -> int:
    found = 0
    for (population, size), seed in itertools.product(SAMPLES, seeds):
        mech = numbered(seed, 5)
        for metric in (SYMMETRIC, dp.change_one_distance()):
            inner = of_sample(mech, size, metric, epsilon)
            made = dp.c.make_population_amplification(inner, population)
            laws = {
                x: sample_law(mech, x, size)
                for x in itertools.combinations_with_replacement((0, 1), population)
            }
            far = symmetric if metric == SYMMETRIC else changed
            pairs = epsilon is not None
            found += violations(laws, far, made.privacy_map, pairs)
    return found


@for_each("epsilon", EPSILONS)
def test_no_pair_of_populations_loses_more_than_the_map(epsilon: Any) -> None:
    assert count_population(epsilon, range(9)) == 0


@pytest.mark.parametrize(
    "share",
    [
        lambda n, m, j: mpq(m, n) if n else mpq(0),  # OpenDP's: of every group
        lambda n, m, j: 1 - (1 - mpq(m, n)) ** j,  # as if rows were drawn by coins
        lambda n, m, j: amplification_of_one(n, m, j - 1),
    ],
)
def test_a_share_of_the_population_that_is_too_small_is_found(
    monkeypatch: pytest.MonkeyPatch, share: Any
) -> None:
    monkeypatch.setattr(amplification, "population_share", share)
    assert count_population(None, range(2)) > 0


def amplification_of_one(n: int, m: int, j: int) -> mpq:
    return mpq(0) if j < 1 else 1 - mpq(math.comb(n - j, m), math.comb(n, m))


def test_the_loss_of_a_population_is_reached() -> None:
    made = dp.c.make_population_amplification(of_sample(any_one(5), 2, SYMMETRIC), 5)
    for rows in range(1, 6):
        laws = [
            sample_law(any_one(5), (1,) * ones + (0,) * (5 - ones), 2)
            for ones in (rows, 0)
        ]
        share = 1 - mpq(math.comb(5 - rows, 2), 10)
        assert laws[0][0] / laws[1][0] == 1 + share
        least = PURE.divergence(*laws)
        for d_in in (2 * rows, 2 * rows + 1):
            assert abs(made.privacy_map(d_in) - least) <= NEAR
    assert made.privacy_map(math.inf) == made.privacy_map(10**9)
    assert made.privacy_map(10**9) == made.privacy_map(10)


def test_what_is_released_of_a_drawn_sample_has_a_certificate() -> None:
    """Here the sample is drawn by the code, from populations as data."""
    mech, inner = any_one(5), of_sample(any_one(5), 2, SYMMETRIC)
    made = dp.c.make_population_amplification(inner, 4)

    def drawn(population: Any) -> int:
        sample = shuffled(population, 2)
        return int(made(sample))

    whole = user(sized(4), PURE, drawn, lambda d: made.map(d, exact=True))
    for x, x2 in [
        ([1, 0, 0, 0], [0, 0, 0, 0]),
        ([1, 1, 0, 0], [0, 0, 0, 0]),
        ([1, 1, 1, 1], [0, 0, 0, 0]),
    ]:
        found = verify.privacy(whole, x, x2, depth=26, runs=20_000, cap="1/100000")
        assert found.holds
        assert found.needs_epsilon > found.claimed_loss * Fraction(999, 1000)
    # A sample that is not drawn: always the first two rows.
    first = user(sized(4), PURE, lambda x: mech.draw(x[:2]), whole.privacy_map)
    found = verify.privacy(first, [1, 0, 0, 0], [0, 0, 0, 0], depth=12)
    assert found.verdict == "refuted"


def test_2932_with_replacement_a_row_counts_several_times() -> None:
    """The condition that nobody but the owner can verify is needed."""
    mech = Mechanism({(2, 0): (1, 15), (1, 1): (3, 13), (0, 2): (9, 7)})
    inner = of_sample(mech, 2, SYMMETRIC)
    made = dp.c.make_population_amplification(inner, 2)
    x, x2 = (0, 1), (0, 0)
    again = itertools.product
    law, law2 = (
        mixed([(mpq(1, 4), mech.law(each)) for each in again(population, repeat=2)])
        for population in (x, x2)
    )
    assert excess(law, law2, made.privacy_map(2)) > mpq(1, 17)
    once, once2 = (sample_law(mech, population, 2) for population in (x, x2))
    assert excess(once, once2, made.privacy_map(2)) == 0


def test_2933_two_releases_of_one_sample_lose_more_than_twice() -> None:
    """So they are refused; composed first, and amplified as a whole, they are right."""
    inner = of_sample(any_one(5), 1, SYMMETRIC)
    made = dp.c.make_population_amplification(inner, 4)
    both = dp.c.make_composition([inner, inner])
    whole = dp.c.make_population_amplification(both, 4)

    def twice(population: Any) -> Law:
        chosen = [
            any_one(5).law(each) for each in itertools.combinations(population, 1)
        ]
        return mixed(
            [
                (
                    mpq(1, 4),
                    {(a, b): p * q for a, p in law.items() for b, q in law.items()},
                )
                for law in chosen
            ]
        )

    laws = twice((1, 0, 0, 0)), twice((0, 0, 0, 0))
    assert excess(*laws, 2 * made.privacy_map(2)) > mpq(1, 100)
    assert excess(*laws, whole.privacy_map(2)) == 0
    assert PURE.divergence(*laws) >= whole.privacy_map(2) - NEAR
    with pytest.raises(dp.OpenDPException, match="Compose first, and amplify"):
        dp.c.make_composition([made, made])


def test_an_order_that_tells_is_refused() -> None:
    """What treats orders differently leaks through the sample, at distance 0."""

    def first(rows: Any) -> bool:
        return bool(rows and rows[0] == 1) == (random_bits(2) > 0)

    loss = dp.m.make_randomized_response_bool("3/4").map(1, exact=True)
    leaks = user(ROWS, PURE, first, lambda d: loss)
    calls: list[tuple[Any, ...]] = [
        (dp.c.make_poisson_subsample, leaks, "1/2"),
        (
            dp.c.make_population_amplification,
            user(sized(2), PURE, first, lambda d: loss),
            4,
        ),
        (
            dp.c.make_poisson_subsample,
            user(ROWS, APPROXIMATE, first, lambda d: (0, "1/10")),
            "1/2",
        ),
    ]
    for make, inner, number in calls:
        with pytest.raises(dp.OpenDPException, match="has a loss at distance 0"):
            make(inner, number)
    # Had it been taken, the map would be 0 at 0, and the laws are apart.
    trees = [
        verify.enumerate_tree(lambda x=x: first(amplification._kept(x, mpq(1, 2))), 9)
        for x in ([1, 0], [0, 1])
    ]
    assert dict(trees[0].masses) != dict(trees[1].masses)
    # Where distances see the order, it is at distance 0 from itself only.
    ordered = user(ORDERED, PURE, first, lambda d: loss if d else 0)
    made = dp.c.make_poisson_subsample(ordered, "1/2")
    assert verify.privacy(made, [1, 0], [0, 1], depth=12).holds
    assert verify.privacy(made, [1, 0], [0], depth=12).holds
