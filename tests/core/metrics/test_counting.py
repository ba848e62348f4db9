"""Metrics that count rows, against brute force on small data."""

from __future__ import annotations

import itertools
import math
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.metrics import (
    Metric,
    change_one_distance,
    discrete_distance,
    hamming_distance,
    insert_delete_distance,
    symmetric_distance,
)
from opendp_lite.core.metrics.counting import CountingMetric
from opendp_lite.data.identity import key
from tests.rows import for_each

INF = math.inf
COUNTING = [
    symmetric_distance(),
    insert_delete_distance(),
    change_one_distance(),
    hamming_distance(),
]
ROWS = st.sampled_from([0, 1, True, 0.0, -0.0, math.nan, "a", None, Fraction(1), (1,)])
DATA = st.lists(ROWS, max_size=5)
SMALL = [list(rows) for n in range(4) for rows in itertools.product((0, 1), repeat=n)]


def edits(rows: tuple[Any, ...], *, ordered: bool) -> set[tuple[Any, ...]]:
    """All results of one insertion or one deletion (up to four rows)."""
    found = set()
    for i in range(len(rows) + 1):
        if i < len(rows):
            found.add(rows[:i] + rows[i + 1 :])
        if len(rows) < 4:
            found |= {(*rows[:i], new, *rows[i:]) for new in (0, 1)}
    return found if ordered else {tuple(sorted(each)) for each in found}


def shortest_path(x: tuple[Any, ...], y: tuple[Any, ...], *, ordered: bool) -> int:
    seen = {x: 0}
    queue = deque([x])
    while queue:
        rows = queue.popleft()
        if rows == y:
            return seen[rows]
        for each in edits(rows, ordered=ordered):
            if each not in seen:
                seen[each] = seen[rows] + 1
                queue.append(each)
    raise AssertionError("not reached")


def test_against_shortest_paths() -> None:
    for x in SMALL:
        for y in SMALL:
            ordered = shortest_path(tuple(x), tuple(y), ordered=True)
            unordered = shortest_path(tuple(sorted(x)), tuple(sorted(y)), ordered=False)
            assert insert_delete_distance().distance(x, y) == ordered
            assert symmetric_distance().distance(x, y) == unordered


def test_against_all_matchings() -> None:
    for x in SMALL:
        for y in SMALL:
            if len(x) != len(y):
                assert change_one_distance().distance(x, y) == INF
                assert hamming_distance().distance(x, y) == INF
                continue
            changed = [
                sum(a != b for a, b in zip(x, order, strict=True))
                for order in itertools.permutations(y)
            ]
            assert change_one_distance().distance(x, y) == min(changed)
            assert hamming_distance().distance(x, y) == sum(
                a != b for a, b in zip(x, y, strict=True)
            )


@pytest.mark.parametrize("metric", [*COUNTING, discrete_distance()])
@given(x=DATA, y=DATA, z=DATA)
def test_axioms(metric: Metric, x: list[Any], y: list[Any], z: list[Any]) -> None:
    same = sorted(map(repr, map(key, x))) == sorted(map(repr, map(key, y)))
    if metric in (insert_delete_distance(), hamming_distance(), discrete_distance()):
        same = key(x) == key(y)
    d = metric.distance(x, y)
    assert metric.distance(x, x) == 0
    assert (d == 0) == same
    assert d >= 0
    assert d == metric.distance(y, x)
    assert metric.distance(x, z) <= d + metric.distance(y, z)
    assert metric.within(x, y, d)
    if 0 < d < INF:
        assert not metric.within(x, y, d - 1)


@given(x=DATA, y=DATA)
def test_the_metrics_are_ordered(x: list[Any], y: list[Any]) -> None:
    symmetric = symmetric_distance().distance(x, y)
    assert symmetric <= insert_delete_distance().distance(x, y)
    assert change_one_distance().distance(x, y) <= hamming_distance().distance(x, y)
    if len(x) == len(y):
        assert symmetric == 2 * change_one_distance().distance(x, y)


def test_rows_are_equal_by_type_and_bits() -> None:
    metric = symmetric_distance()
    for a, b in itertools.combinations([0, 0.0, -0.0, False, Fraction(0), "0"], 2):
        assert metric.distance([a], [b]) == 2
        assert hamming_distance().distance([a], [b]) == 1
    assert metric.distance([math.nan], [-math.nan]) == 0
    assert metric.distance([[1], {"a": 0.0}], [{"a": 0.0}, [1]]) == 0
    assert metric.distance([{"a": 0.0}], [{"a": -0.0}]) == 2


def test_lists_and_arrays_hold_the_same_rows() -> None:
    for metric in COUNTING:
        assert metric.distance([1, 2], np.array([1, 2], dtype=np.int8)) == 0
        assert metric.distance([0.5], np.array([0.5], dtype=np.float16)) == 0
        assert metric.distance([np.float64(0.5)], [0.5]) == 0
        assert metric.distance(np.array(["a"]), ["a"]) == 0
        assert metric.distance(np.array([0.0]), np.array([-0.0])) > 0


@for_each("metric", [*COUNTING, discrete_distance()])
def test_distances_are_whole_numbers(metric: Metric) -> None:
    assert metric.parse(3) == 3
    for d in (3.0, Fraction(3), "3", Decimal(3), np.int8(3), np.float32(3)):
        assert metric.parse(d) == 3
        assert type(metric.parse(d)) is int
    for d in (INF, "inf", np.float32(INF), Decimal("Infinity")):
        assert metric.parse(d) == INF
    assert metric.present(3) == 3
    assert metric.present(3, exact=True) == 3
    assert metric.present(INF) == INF


@for_each("metric", [*COUNTING, discrete_distance()])
@for_each(
    ("d", "says"),
    [
        (0.5, "d_in=0.5: must be an integer"),
        (-1, "d_in=-1: must be at least 0"),
        (-INF, "d_in=-inf: must be at least 0"),
        (math.nan, "d_in=nan: must be a number, got nan"),
        (True, "d_in=True: must be a number"),
        (None, "d_in=None: must be a number"),
        ("many", "d_in='many'"),
        ((1,), "d_in=<sequence>: must be a number"),
        (Decimal("sNaN"), "got nan"),
        (np.array([1, 2]), "d_in=<ndarray>: must be a number"),
        (Fraction(1, 2), "must be an integer"),
    ],
)
def test_bad_distances_are_named(metric: Metric, d: Any, says: str) -> None:
    with pytest.raises(OpenDPException) as caught:
        metric.parse(d)
    assert caught.value.variant == "InvalidDistance"
    assert says in caught.value.message
    assert "Pass the number of rows" in caught.value.message
    with pytest.raises(OpenDPException, match=r"^InvalidDistance: d="):
        metric.within([1], [1], d)


def test_metrics_are_values() -> None:
    assert symmetric_distance() == symmetric_distance()
    assert len({*COUNTING, *COUNTING, discrete_distance()}) == 5
    assert [repr(metric) for metric in COUNTING] == [
        "SymmetricDistance()",
        "InsertDeleteDistance()",
        "ChangeOneDistance()",
        "HammingDistance()",
    ]
    assert symmetric_distance().matches(symmetric_distance())
    assert not symmetric_distance().matches(insert_delete_distance())
    assert not change_one_distance().matches(hamming_distance())


def test_the_base_classes_do_not_measure() -> None:
    for metric in (Metric(), CountingMetric()):
        with pytest.raises(TypeError, match="does not say how to measure"):
            metric.distance(1, 2)
    with pytest.raises(TypeError, match="what its distances are"):
        Metric().parse(1)
