from __future__ import annotations

import math
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each

METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
ROWS = dp.vector_domain(dp.atom_domain(T=int))
DISTANCES = (0, 1, 2, 3, 100)


def test_lists_and_arrays_are_counted() -> None:
    count = dp.t.make_count(ROWS, METRICS[0])
    assert [count(data) for data in ([], [5], numpy.arange(10**6))] == [0, 1, 10**6]
    assert type(count([5])) is int


@pytest.mark.parametrize("metric", METRICS[:2], ids=repr)
def test_an_added_row_adds_one(metric: Any) -> None:
    count = dp.t.make_count(ROWS, metric)
    assert [count.map(d) for d in (*DISTANCES, math.inf)] == [*DISTANCES, math.inf]


@pytest.mark.parametrize("metric", METRICS[2:], ids=repr)
def test_changed_rows_add_none(metric: Any) -> None:
    count = dp.t.make_count(ROWS, metric)
    assert [count.map(d) for d in DISTANCES] == [0] * 5
    # At infinite distance sizes may differ.
    assert count.map(math.inf) == math.inf


@for_each("metric", METRICS, ids=repr)
def test_a_public_size_does_not_change(metric: Any) -> None:
    count = dp.t.make_count(dp.vector_domain(dp.atom_domain(T=int), size=5), metric)
    assert [count.map(d) for d in (*DISTANCES, math.inf)] == [0] * 6


@pytest.mark.parametrize("size", [None, 5])
def test_the_map_is_never_above_opendps(size: int | None) -> None:
    oracle.enable_features("contrib")
    domain = oracle.vector_domain(oracle.atom_domain(T=int), size=size)
    theirs = oracle.t.make_count(domain, oracle.symmetric_distance())
    ours = dp.t.make_count(dp.vector_domain(ROWS.element_domain, size), METRICS[0])
    for d_in in DISTANCES:
        assert ours.map(d_in) <= theirs.map(d_in)
        # Equal but for the public size, which OpenDP's map does not use.
        assert size is not None or ours.map(d_in) == theirs.map(d_in)


def test_a_sized_type_stops_at_its_greatest_value() -> None:
    count = dp.t.make_count(ROWS, METRICS[0], TO="u8")
    assert [count([0] * n) for n in (254, 255, 256, 1000)] == [254, 255, 255, 255]
    assert count.output_domain == dp.atom_domain(T="u8")
    assert count.map(3) == 3


def test_a_count_is_an_integer_or_a_float() -> None:
    count = dp.t.make_count(ROWS, METRICS[0])
    assert count.output_space == (dp.atom_domain(T=int), dp.absolute_distance(T=int))
    count = dp.t.make_count(ROWS, METRICS[0], TO=float)
    floats = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    assert count.output_space == floats
    with pytest.raises(dp.OpenDPException, match=r"TO='f32'.*TO=int, or float"):
        dp.t.make_count(ROWS, METRICS[0], TO="f32")


@for_each("name", ["make_count", "make_count_distinct"])
@for_each("data", [[], [5], [5, 5, 7]])
def test_a_float_count_is_opendps(name: str, data: list[int]) -> None:
    oracle.enable_features("contrib")
    space = oracle.vector_domain(oracle.atom_domain(T=int)), oracle.symmetric_distance()
    theirs = getattr(oracle.t, name)(*space, TO=float)
    ours = getattr(dp.t, name)(ROWS, METRICS[0], TO=float)
    released = ours(data)
    assert (released, type(released)) == (theirs(data), float)
    assert [ours.map(d) for d in DISTANCES] == [theirs.map(d) for d in DISTANCES]
    noisy = ours >> dp.m.then_laplace(scale=2)
    assert (type(noisy(data)), noisy.map(1)) == (float, 0.5)


def test_a_float_count_stops_where_floats_leave_integers_out() -> None:
    """2^53 + 1 is no double: its neighbours would differ by 0, and then by 2."""
    count = dp.t.make_count(ROWS, METRICS[0], TO=float)
    top = 2**53
    # A range stands for a list that no memory holds.
    found = [count.function(range(top + k)) for k in (-2, -1, 0, 1, 2, 3, top)]
    assert found == [top - 2, top - 1, *[top] * 5]
    assert {type(each) for each in found} == {float}
    assert count.merge is not None
    for k in (-1, 0, 1, 2, 3):
        pieces = [2.0**52, 1.0, 2.0**52 - 1 + k]
        assert count.merge(iter(pieces)) == count.function(range(top + k))
        assert type(count.merge(iter(pieces))) is float


@pytest.mark.parametrize("TO", [int, "u8", "i8", "i64", float])
@pytest.mark.parametrize("rows", [0, 1, 126, 127, 128, 254, 255, 256, 1000])
def test_parts_are_counted_as_the_whole(
    monkeypatch: pytest.MonkeyPatch, TO: Any, rows: int
) -> None:
    """Each part stops at the greatest value of the type, and so does their sum."""
    space = dp.vector_domain(dp.atom_domain(T=int)), METRICS[0]
    count = dp.t.make_count(*space, TO=TO)
    data = numpy.arange(rows)
    assert count.merge is not None
    chain = space >> dp.t.then_clamp((0, 9)) >> dp.t.then_count(TO=TO)
    whole = count(data)
    for cut in (1, 3, 100, 200, 300):
        pieces = [data[i : i + cut] for i in range(0, rows, cut)] or [data]
        assert count.merge(map(count.function, pieces)) == whole
        monkeypatch.setattr("opendp_lite.base.containers._PART", cut)
        found = chain(data)
        assert found == count(data) == whole == chain(data.tolist())
        assert type(found) is (float if TO is float else int)
