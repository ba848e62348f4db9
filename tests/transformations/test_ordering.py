from __future__ import annotations

import math
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from opendp_lite.transformations.datasets import changed_rows
from tests.rows import for_each
from tests.transformations.small_data import data_sets, suprema

SYMMETRIC, INSERT_DELETE = dp.symmetric_distance(), dp.insert_delete_distance()
CHANGE_ONE, HAMMING = dp.change_one_distance(), dp.hamming_distance()
INF = math.inf
# What comes in, and what comes out.
UNORDERED = [(INSERT_DELETE, SYMMETRIC), (HAMMING, CHANGE_ONE)]
BOUNDED = [(SYMMETRIC, CHANGE_ONE), (INSERT_DELETE, CHANGE_ONE)]
UNBOUNDED = [(CHANGE_ONE, SYMMETRIC), (HAMMING, INSERT_DELETE)]


pytestmark = pytest.mark.usefixtures("opendp_contrib")


def ints(size: int | None = None) -> Any:
    return dp.vector_domain(dp.atom_domain(T=int), size)


def three(size: int | None = None) -> list[Any]:
    """The three constructors for each metric that they take."""
    domain = ints(size)
    made = [dp.t.make_unordered(domain, metric) for metric, _ in UNORDERED]
    made += [dp.t.make_metric_unbounded(domain, metric) for metric, _ in UNBOUNDED]
    if size is not None:
        made += [dp.t.make_metric_bounded(domain, metric) for metric, _ in BOUNDED]
    return made


def test_the_metrics() -> None:
    assert [(each.input_metric, each.output_metric) for each in three(4)] == [
        *UNORDERED,
        *UNBOUNDED,
        *BOUNDED,
    ]


def test_the_data_come_out_as_they_are() -> None:
    arrays = [numpy.arange(4), numpy.arange(4, dtype="uint8")[::-1]]
    for made in three(4):
        assert made.output_domain == made.input_domain == ints(4)
        for data in ([2**64, 1, -1, 0], *arrays):
            assert key(made(data)) == key(data)


@for_each("size", [None, 0, 1, 3])
def test_the_maps_are_the_suprema(size: int | None) -> None:
    data = data_sets([0, 1, 2], range(4) if size is None else [size])
    for made in three(size):
        if size is not None:
            reached: list[Any] = [0, 1, 2, 3, 4, 5, 6, 7, 100, INF]
        elif made.input_metric == INSERT_DELETE:
            reached = [0, 1, 2, 3, 4, 5]
        else:
            reached = [0, 1, 2, 3]
        # The map of make_unordered does not use the size: it is a bound there.
        spaces = made.input_metric, made.output_metric
        equal = size is None or spaces not in UNORDERED
        for d, supremum in zip(reached, suprema(made, data, reached), strict=True):
            assert supremum <= made.map(d)
            assert supremum == made.map(d) or not equal


@pytest.mark.parametrize(("metric", "_"), UNORDERED, ids=repr)
def test_unordered_keeps_distances(metric: Any, _: Any) -> None:
    made = dp.t.make_unordered(ints(), metric)
    assert [made.map(d) for d in (0, 1, 7, INF)] == [0, 1, 7, INF]


@pytest.mark.parametrize(("metric", "_"), BOUNDED, ids=repr)
def test_bounded_halves_and_stops_at_the_size(metric: Any, _: Any) -> None:
    made = dp.t.make_metric_bounded(ints(3), metric)
    found = [made.map(d) for d in (0, 1, 2, 3, 6, 7, 2**70, INF)]
    assert found == [0, 0, 1, 1, 3, 3, 3, 3]


@pytest.mark.parametrize(("metric", "_"), UNBOUNDED, ids=repr)
def test_unbounded_doubles(metric: Any, _: Any) -> None:
    made = dp.t.make_metric_unbounded(ints(), metric)
    assert [made.map(d) for d in (0, 1, 2**70, INF)] == [0, 2, 2**71, INF]
    sized = dp.t.make_metric_unbounded(ints(3), metric)
    assert [sized.map(d) for d in (0, 1, 3, 4, INF)] == [0, 2, 6, 6, 6]


def test_a_row_that_moves_changes_every_place() -> None:
    """OpenDP #2926: insert-delete does not become Hamming at half the distance."""
    before, after = [1, 2, 3, 4], [2, 3, 4, 1]
    assert INSERT_DELETE.distance(before, after) == 2
    assert HAMMING.distance(before, after) == 4
    made = dp.t.make_metric_bounded(ints(4), INSERT_DELETE)
    assert made.output_metric == CHANGE_ONE
    assert CHANGE_ONE.distance(made(before), made(after)) <= made.map(2) == 1


def test_the_maps_are_never_above_opendps() -> None:
    domain = oracle.vector_domain(oracle.atom_domain(T=int), size=3)
    pairs = [
        (
            oracle.t.make_metric_bounded(domain, oracle.symmetric_distance()),
            dp.t.make_metric_bounded(ints(3), SYMMETRIC),
        ),
        (
            oracle.t.make_metric_unbounded(domain, oracle.change_one_distance()),
            dp.t.make_metric_unbounded(ints(3), CHANGE_ONE),
        ),
        (
            oracle.t.make_metric_unbounded(domain, oracle.hamming_distance()),
            dp.t.make_metric_unbounded(ints(3), HAMMING),
        ),
        (
            oracle.t.make_unordered(domain, oracle.insert_delete_distance()),
            dp.t.make_unordered(ints(3), INSERT_DELETE),
        ),
        (
            oracle.t.make_unordered(domain, oracle.hamming_distance()),
            dp.t.make_unordered(ints(3), HAMMING),
        ),
    ]
    for theirs, ours in pairs:
        assert [ours.map(d) for d in range(4)] == [theirs.map(d) for d in range(4)]
        assert ours.map(9) <= theirs.map(9)


def test_a_chain_through_all_of_them() -> None:
    made = (
        (dp.vector_domain(dp.atom_domain((0, 10)), size=4), INSERT_DELETE)
        >> dp.t.then_unordered()
        >> dp.t.then_metric_bounded()
        >> dp.t.then_metric_unbounded()
        >> dp.t.then_sum()
    )
    assert made(numpy.array([1, 2, 3, 4])) == made([1, 2, 3, 4]) == 10
    assert [made.map(d) for d in (0, 1, 2, 3, 100)] == [0, 0, 10, 10, 40]


@for_each("metric", [SYMMETRIC, INSERT_DELETE, CHANGE_ONE, HAMMING])
@for_each("size", [0, 1, 2, 3])
def test_changed_rows_is_the_most_rows_that_differ(metric: Any, size: int) -> None:
    data = data_sets([0, 1], [size])
    for d in range(8):
        near = [
            CHANGE_ONE.distance(x, y)
            for x in data
            for y in data
            if metric.distance(x, y) <= d
        ]
        assert max(near) == changed_rows(metric, size, d)
    assert changed_rows(metric, size, INF) == size
    assert changed_rows(metric, None, INF) == INF
