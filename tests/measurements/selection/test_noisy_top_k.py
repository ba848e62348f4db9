"""make_noisy_top_k: its law, what it loses, and OpenDP's maps and indices."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import opendp.prelude as theirs
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.measurements.selection import noisy_max
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits
from tests.rows import for_each

PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()


def make(
    measure: Any = PURE,
    k: int = 2,
    scale: Any = 1,
    T: Any = int,
    size: int | None = None,
    monotonic: bool = False,
    negate: bool = False,
) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    space = dp.vector_domain(atom, size), dp.linf_distance(T=T, monotonic=monotonic)
    return dp.m.make_noisy_top_k(*space, measure, k, scale, negate)


def test_the_exponential_mechanism_peels() -> None:
    """The law of (i, j) is w_i/(w_0 + w_1 + w_2) times w_j/(the rest)."""
    weights = [math.exp(-x) for x in (0, 1, 3)]
    made = make(CONCENTRATED)
    law = verify.enumerate_tree(lambda: made([3, 2, 0]), 22)
    masses = {tuple(law.outcomes[key]): float(law.masses[key]) for key in law.masses}
    assert law.unresolved < mpq(1, 10**4)
    for i, j in permutations(range(3), 2):
        first = weights[i] / sum(weights)
        second = weights[j] / (sum(weights) - weights[i])
        assert masses[i, j] == pytest.approx(first * second, abs=2e-4)


def test_permute_and_flip_peels() -> None:
    """With the gaps 0, 1, 3: the law of the second is that without the first."""

    def flip(gaps: dict[int, float], i: int) -> float:
        """The integral over [0, 1] of prod (1 - p_j + p_j z), times p_i."""
        least = min(gaps.values())
        p = {j: math.exp(least - gap) for j, gap in gaps.items()}
        others = np.poly1d([1.0])
        for j in p.keys() - {i}:
            others = others * np.poly1d([p[j], 1 - p[j]])
        return float(p[i] * others.integ()(1))

    gaps = {0: 0.0, 1: 1.0, 2: 3.0}
    made = make()
    law = verify.enumerate_tree(lambda: made([3, 2, 0]), 20)
    assert law.unresolved < mpq(1, 1000)
    masses = {tuple(law.outcomes[key]): float(law.masses[key]) for key in law.masses}
    for i, j in permutations(range(3), 2):
        rest = {key: gap for key, gap in gaps.items() if key != i}
        assert masses[i, j] == pytest.approx(flip(gaps, i) * flip(rest, j), abs=1e-3)


def test_the_loss_of_a_selection_from_all_is_needed() -> None:
    """Of two indices both are released, and only the first was a choice."""
    certificate = verify.privacy(make(size=2), [0, 0], [1, -1], depth=30)
    certificate.assert_holds()
    assert certificate.claimed_loss == 2
    assert certificate.claimed_loss - certificate.needs_epsilon < mpq(1, 10**6)


def test_selecting_with_replacement_would_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(noisy_max, "_without", lambda scores, i: scores)
    law = verify.enumerate_tree(lambda: make()([0, 0]), 8)
    assert [0, 0] in law.outcomes.values()
    monkeypatch.undo()
    law = verify.enumerate_tree(lambda: make()([0, 0]), 8)
    assert sorted(law.outcomes.values()) == [[0, 1], [1, 0]]


@for_each("measure", [PURE, CONCENTRATED])
@for_each("T", [int, float])
def test_the_data_stay_as_they_were(measure: Any, T: Any) -> None:
    for data in (np.arange(100).astype(T), np.arange(100).astype(T).tolist(), [T(3)]):
        before = list(data)
        assert sorted(make(measure, 100, 5, T)(data)) == list(range(len(data)))
        assert list(data) == before


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED])
def test_one_of_k_is_noisy_max(measure: Any) -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    one = dp.m.make_noisy_max(*space, measure, 2)
    for seed in range(40):
        with use_source(HashedBits(seed)):
            first = one([5, 3, 4, 4])
        with use_source(HashedBits(seed)):
            assert make(measure, 1, 2)([5, 3, 4, 4]) == [first]


@for_each("measure", [PURE, CONCENTRATED])
@for_each("size", [3, 70, 200])
def test_lists_and_arrays_give_the_same(measure: Any, size: int) -> None:
    data = np.arange(size) * 7 % 50
    for seed in (0, 4, 5):
        for negate in (False, True):
            answers = []
            for T, form in [
                (int, data.tolist()),
                (int, data),
                (int, data.astype(np.uint8)),
                (float, data.astype(np.float32)),
                (float, data.astype(float).tolist()),
            ]:
                select = make(measure, 3, 9, T, negate=negate)
                with use_source(HashedBits(seed)):
                    answers.append(select(form))
            assert answers == [answers[0]] * 5
            assert len(set(answers[0])) == 3


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED])
def test_many_scores_and_infinities_in_arrays(measure: Any) -> None:
    data = np.zeros(10_000)
    data[[7, 70, 700]] = 10.0**6, math.inf, 10.0**7
    data[5] = -math.inf
    assert make(measure, 3, 1, float)(data) == [70, 700, 7]
    assert make(measure, 3, 0, float)(data) == [70, 700, 7]
    assert make(measure, 1, 1, float, negate=True)(data) == [5]
    few = np.array([-math.inf, 1.0, -math.inf])
    assert set(make(measure, 3, 1, float)(few)[1:]) == {0, 2}
    extremes = np.array([2**63 - 1, -(2**63), 0])
    assert make(measure, 3, 1)(extremes) == [0, 2, 1]
    assert make(measure, 3, 1, negate=True)(extremes) == [1, 2, 0]


@for_each("size", [None, 3, 10])
@for_each("monotonic", [False, True])
@for_each("measure", ["max_divergence", "zero_concentrated_divergence"])
def test_the_map_is_not_above_that_of_opendp(
    measure: str, monotonic: bool, size: int | None
) -> None:
    """It is less where all indices are selected."""
    theirs.enable_features("contrib")
    space = (
        theirs.vector_domain(theirs.atom_domain(T=int), size),
        theirs.linf_distance(T=int, monotonic=monotonic),
    )
    for scale in (0.1, 1.0, 3.0, 1e6):
        for k in (0, 1, 2, 3):
            other = theirs.m.make_noisy_top_k(
                *space, getattr(theirs, measure)(), k, scale
            )
            mine = make(
                getattr(dp, measure)(), k, scale, size=size, monotonic=monotonic
            )
            for d_in in (0, 1, 7):
                wanted = other.map(d_in)
                assert mine.map(d_in) <= wanted
                share = 2 / 3 if k == size else 1
                assert mine.map(d_in) == pytest.approx(share * wanted, rel=1e-12)


def test_the_same_indices_as_opendp_without_noise() -> None:
    theirs.enable_features("contrib")
    space = (
        theirs.vector_domain(theirs.atom_domain(T=int)),
        theirs.linf_distance(T=int),
    )
    for negate in (False, True):
        other = theirs.m.make_noisy_top_k(
            *space, theirs.max_divergence(), 3, 0.0, negate=negate
        )
        for data in ([3, 1, 2], [5], [], [0, -7, 7, 1]):
            assert make(PURE, 3, 0, negate=negate)(data) == other(data)
