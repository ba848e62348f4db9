from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from opendp_lite.transformations.sums import aliases
from tests.rows import for_each

FLOATS: list[tuple[Any, Any]] = [
    (dp.t.make_bounded_float_checked_sum, oracle.t.make_bounded_float_checked_sum),
    (dp.t.make_bounded_float_ordered_sum, oracle.t.make_bounded_float_ordered_sum),
]
SIZED_FLOATS: list[tuple[Any, Any]] = [
    (
        dp.t.make_sized_bounded_float_checked_sum,
        oracle.t.make_sized_bounded_float_checked_sum,
    ),
    (
        dp.t.make_sized_bounded_float_ordered_sum,
        oracle.t.make_sized_bounded_float_ordered_sum,
    ),
]
INTEGERS: list[tuple[Any, Any]] = [
    (dp.t.make_bounded_int_monotonic_sum, oracle.t.make_bounded_int_monotonic_sum),
    (dp.t.make_bounded_int_ordered_sum, oracle.t.make_bounded_int_ordered_sum),
    (dp.t.make_bounded_int_split_sum, oracle.t.make_bounded_int_split_sum),
]
SIZED_INTEGERS: list[tuple[Any, Any]] = [
    (
        dp.t.make_sized_bounded_int_checked_sum,
        oracle.t.make_sized_bounded_int_checked_sum,
    ),
    (
        dp.t.make_sized_bounded_int_monotonic_sum,
        oracle.t.make_sized_bounded_int_monotonic_sum,
    ),
    (
        dp.t.make_sized_bounded_int_ordered_sum,
        oracle.t.make_sized_bounded_int_ordered_sum,
    ),
    (
        dp.t.make_sized_bounded_int_split_sum,
        oracle.t.make_sized_bounded_int_split_sum,
    ),
]
ALL = FLOATS + SIZED_FLOATS + INTEGERS + SIZED_INTEGERS
CASES: list[tuple[Any, Any, dict[str, Any]]] = [
    *((*pair, {"size_limit": 9, "bounds": (-1.0, 3.0)}) for pair in FLOATS),
    *((*pair, {"size": 4, "bounds": (-1.0, 3.0)}) for pair in SIZED_FLOATS),
    *((*pair, {"bounds": (1, 3)}) for pair in INTEGERS),
    *((*pair, {"size": 4, "bounds": (1, 3)}) for pair in SIZED_INTEGERS),
]
NAMES = [ours.__name__ for ours, _, _ in CASES]
DATA: list[float] = [1, 3, 2, 2]


def test_all_eleven_are_there() -> None:
    assert sorted(NAMES) == sorted(aliases.__all__)
    theirs = [name for name in dir(oracle.t) if "bounded_" in name and "_sum" in name]
    assert sorted(name for name in theirs if name.startswith("make_")) == sorted(NAMES)


@for_each(("ours", "theirs"), ALL, ids=[o.__name__ for o, _ in ALL])
def test_arguments_are_opendps(ours: Any, theirs: Any) -> None:
    mine, other = (inspect.signature(each).parameters for each in (ours, theirs))
    assert list(mine) == list(other)
    assert [p.default for p in mine.values()] == [p.default for p in other.values()]


@for_each(("ours", "theirs", "arguments"), CASES, ids=NAMES)
def test_each_is_a_sum_with_a_map_no_greater(
    ours: Any, theirs: Any, arguments: dict[str, Any]
) -> None:
    oracle.enable_features("contrib")
    mine, other = ours(**arguments), theirs(**arguments)
    atom = dp.atom_domain(arguments["bounds"])
    domain = dp.vector_domain(atom, arguments.get("size"))
    metric = dp.insert_delete_distance() if "ordered" in ours.__name__ else None
    plain = dp.t.make_sum(domain, metric or dp.symmetric_distance())
    assert mine.input_space == plain.input_space
    assert mine.output_space == plain.output_space
    assert repr(mine.input_metric) == repr(other.input_metric)
    floats = "float" in ours.__name__
    data = [float(x) for x in DATA] if floats else DATA
    assert mine(data) == plain(data) == mine(numpy.array(data)) == sum(DATA)
    assert float(mine(data)) == float(other(data))
    for d_in in (0, 1, 2, 3, 8, 100):
        assert mine.map(d_in) == plain.map(d_in)
        assert mine.map(d_in) <= other.map(d_in)


def test_rows_are_neither_dropped_nor_saturated() -> None:
    total = dp.t.make_bounded_float_checked_sum(2, (0.0, 1.0))
    assert total([0.5] * 1000) == 500
    whole = dp.t.make_bounded_int_split_sum((0, 2**31 - 1), T="i32")
    assert whole([2**31 - 1] * 3) == 3 * (2**31 - 1)
    assert whole.output_domain == dp.atom_domain(T=int)


def test_half_the_distance_is_not_truncated() -> None:
    """OpenDP #314: the product d_in (U - L) / 2 was rounded down, as integers are."""
    total = dp.t.make_sized_bounded_int_checked_sum(4, (0, 3))
    assert [total.map(d) for d in (1, 2, 3, 4)] == [0, 3, 3, 6]


@pytest.mark.parametrize("S", ["Pairwise<f64>", "Sequential<f64>", "Pairwise<T>"])
def test_the_way_to_sum_makes_no_difference(S: str) -> None:
    rows = [0.1, 0.7, 1e-17, 0.3]
    for total in (
        dp.t.make_bounded_float_ordered_sum(4, (0.0, 1.0), S),
        dp.t.make_sized_bounded_float_checked_sum(4, (0.0, 1.0), S),
    ):
        assert total(rows) == total(rows[::-1])
        assert type(total(rows)) is Fraction


def test_they_go_into_a_chain() -> None:
    noisy = dp.t.make_bounded_int_monotonic_sum((0, 10)) >> dp.m.then_laplace(10.0)
    assert noisy.map(1) == 1.0


BAD: list[Any] = [
    (dp.t.make_bounded_float_checked_sum, {"size_limit": -1}, "size_limit"),
    (dp.t.make_bounded_float_checked_sum, {"size_limit": "many"}, "size_limit"),
    (dp.t.make_bounded_float_checked_sum, {"size_limit": 0.5}, "size_limit"),
    (dp.t.make_bounded_float_checked_sum, {"S": "Kahan<f64>"}, "S"),
    (dp.t.make_bounded_float_ordered_sum, {"bounds": (0.0, math.inf)}, "bounds"),
    (dp.t.make_bounded_float_ordered_sum, {"bounds": None}, "bounds"),
    (dp.t.make_bounded_float_ordered_sum, {"bounds": (1.0, 0.0)}, "bounds"),
    (dp.t.make_sized_bounded_float_checked_sum, {"size": -1}, "size"),
    (dp.t.make_sized_bounded_float_checked_sum, {"size": 1.5}, "size"),
    (dp.t.make_sized_bounded_float_ordered_sum, {"S": 3}, "S"),
    (dp.t.make_bounded_int_split_sum, {"bounds": (0.5, 1)}, "bounds"),
    (dp.t.make_bounded_int_split_sum, {"bounds": None, "T": "u8"}, "bounds"),
    (dp.t.make_bounded_int_split_sum, {"bounds": (0, 300), "T": "u8"}, "bounds"),
    (dp.t.make_bounded_int_ordered_sum, {"T": float}, "T"),
    (dp.t.make_bounded_int_ordered_sum, {"T": "nope"}, "T"),
    (dp.t.make_sized_bounded_int_checked_sum, {"T": bool}, "T"),
    (dp.t.make_sized_bounded_int_monotonic_sum, {"T": str}, "T"),
    *((ours, {"size": None}, "size") for ours, _ in SIZED_FLOATS + SIZED_INTEGERS),
]


@for_each(("ours", "bad", "name"), BAD)
def test_what_cannot_be_is_refused(ours: Any, bad: dict[str, Any], name: str) -> None:
    good = {o: arguments for o, _, arguments in CASES}[ours]
    with pytest.raises(dp.OpenDPException) as raised:
        ours(**{**good, **bad})
    assert raised.value.message.startswith(f"{name}=")
