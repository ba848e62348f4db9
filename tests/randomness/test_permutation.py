"""Random orders: the exact law by bit trees, and the sorted keys of arrays."""

from __future__ import annotations

from functools import partial
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.randomness import bulk_draws as bulk_permutation
from opendp_lite.randomness.bulk import run_lanes_on
from opendp_lite.randomness.bulk_draws import _equal_runs, sample_place_array
from opendp_lite.randomness.draws import sample_places
from opendp_lite.randomness.entropy import random_bits, use_source
from opendp_lite.randomness.lanes import LaneBits
from opendp_lite.testing import state_flakiness
from tests.randomness.lane_bits import LaneString, ReplayedLanes
from tests.randomness.laws import (
    FLAKINESS,
    distance_of_counts,
    law_fault,
    misses_at_most,
    point,
    tolerance,
)
from tests.rows import for_each

DEPTH = 20
DRAWS = 25_000


@for_each(("n", "count"), [(n, k) for n in range(5) for k in range(n + 1)])
def test_every_arrangement_is_equally_likely(n: int, count: int) -> None:
    arrangements = list(permutations(range(n), count))
    fault = law_fault(
        lambda: tuple(sample_places(n, count)),
        lambda y: point(mpq(int(y in arrangements), perm(n, count))),
        arrangements,
        DEPTH,
        200 * 2.0**-DEPTH,
    )
    assert fault is None


def test_the_tree_finds_the_swaps_of_all_places_with_all() -> None:
    """The well-known mistake: 27 equally likely ways cannot be 6 orders."""

    def mutant() -> tuple[int, ...]:
        places = [0, 1, 2]
        for i in range(3):
            (j,) = sample_places(3, 1)
            places[i], places[j] = places[j], places[i]
        return tuple(places)

    orders = list(permutations(range(3)))
    fault = law_fault(mutant, lambda y: point(mpq(1, 6)), orders, 16, 0.01)
    assert fault is not None


@for_each(("n", "count"), [(-1, 0), (3, 4), (3, -1)])
@for_each("sample", [sample_places, sample_place_array])
def test_what_is_refused(sample: Any, n: int, count: int) -> None:
    with pytest.raises(ValueError, match="count must be from 0 to n"):
        sample(n, count)


@for_each("n", [0, 1, 15, 16, 17, 1000, 2**17 + 5])
def test_the_places_are_all_different(n: int) -> None:
    for count in {0, min(n, 1), n // 2, n}:
        array = sample_place_array(n, count)
        assert array.dtype == np.int64
        for places in (array.tolist(), sample_places(n, count)):
            assert len(places) == len(set(places)) == count
            assert all(type(i) is int and 0 <= i < n for i in places)


def replayed(keys: list[int], n: int) -> list[int]:
    """The places of n rows whose keys begin with these bits, 64 - b bits each."""
    bits = 64 - (n - 1).bit_length()
    strings = [LaneString(i, f"{key:0{bits}b}") for i, key in enumerate(keys)]

    with use_source(LaneString("ties")):
        run = partial(run_lanes_on, ReplayedLanes(strings))
        return list(sample_place_array(n, n, run).tolist())


def test_rows_are_sorted_by_their_keys() -> None:
    top = 2**59 - 1
    keys = [5, 0, top, 7, *range(100, 126), top - 1, 3]
    assert replayed(keys, 32) == sorted(range(32), key=keys.__getitem__)


def test_rows_of_equal_keys_are_mixed_among_themselves() -> None:
    keys = [i // 20 for i in range(60)]
    places = replayed(keys, 60)
    assert [keys[i] for i in places] == sorted(keys)
    assert places != sorted(places)
    for start in (0, 20, 40):
        assert sorted(places[start : start + 20]) == list(range(start, start + 20))


@for_each(
    ("words", "runs"),
    [
        ([], []),
        ([1], []),
        ([1, 2, 3], []),
        ([1, 1], [(0, 2)]),
        ([1, 1, 2, 2, 2, 3], [(0, 2), (2, 5)]),
        ([0, 1, 1, 2, 3, 3, 3], [(1, 3), (4, 7)]),
    ],
)
def test_runs_of_equal_entries(words: list[int], runs: list[tuple[int, int]]) -> None:
    assert _equal_runs(np.array(words, dtype=np.uint64)) == runs


@pytest.mark.parametrize("keys", [1, 2])
def test_the_tree_of_arrays(keys: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four rows sorted by keys of so few bits that the tree is small.

    With 1 bit most are equal, with 2 bits some.
    """
    monkeypatch.setattr(bulk_permutation, "is_bulk", lambda *_: True)
    monkeypatch.setattr(
        LaneBits,
        "integers",
        lambda self, lanes, bits: np.array([random_bits(keys) for _ in lanes]),
    )
    orders = list(permutations(range(4)))
    fault = law_fault(
        lambda: tuple(sample_place_array(4, 4).tolist()),
        lambda order: point(mpq(int(order in orders), 24)),
        orders,
        4 * keys + 6,
        0.2,
    )
    assert fault is None


# The tree is exact, so that what the operating system gives is drawn in the audit.
@pytest.mark.audit
@pytest.mark.parametrize("keys", [62, 1])
def test_the_law_of_arrays(keys: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four rows sorted by keys, of 62 bits or of 1, where most are equal.

    Both fail with probability at most 1e-9; they find an order that is left out.
    """
    state_flakiness(FLAKINESS / 2)
    monkeypatch.setattr(bulk_permutation, "FEW_PLACES", 1)
    whole = LaneBits.integers
    monkeypatch.setattr(
        LaneBits,
        "integers",
        lambda self, lanes, bits: whole(self, lanes, min(bits, keys)),
    )
    number = {order: i for i, order in enumerate(permutations(range(4)))}
    found = [number[tuple(sample_place_array(4, 4).tolist())] for _ in range(DRAWS)]
    within = tolerance(DRAWS, FLAKINESS / 2)
    assert distance_of_counts(found, lambda k: min(max(k + 1, 0), 24) / 24) <= within
    assert misses_at_most(1 / 24, DRAWS, FLAKINESS / 2) <= FLAKINESS


def test_without_mixing_equal_keys_the_law_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The planted fault: rows of equal keys stay in their order."""
    monkeypatch.setattr(bulk_permutation, "_equal_runs", lambda words: [])
    keys = [0] * 30
    assert replayed(keys, 30) == list(range(30))
