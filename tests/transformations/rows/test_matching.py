from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.containers import rows as dp_rows
from opendp_lite.data.identity import key
from tests.rows import for_each
from tests.transformations.small_data import data_sets, suprema

SYMMETRIC = dp.symmetric_distance()
METRICS = [
    SYMMETRIC,
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
NAN, INF = math.nan, math.inf
INT64, UINT64 = (-(2**63), 2**63 - 1), (0, 2**64 - 1)


pytestmark = pytest.mark.usefixtures("opendp_contrib")


def rows_of(T: Any, option: bool = False, size: int | None = None) -> Any:
    atom = dp.atom_domain(T=T)
    return dp.vector_domain(dp.option_domain(atom) if option else atom, size)


def is_equal(T: Any, value: Any, option: bool = False) -> Any:
    return dp.t.make_is_equal(rows_of(T, option), SYMMETRIC, value)


def find(T: Any, categories: Any, option: bool = False) -> Any:
    return dp.t.make_find(rows_of(T, option), SYMMETRIC, categories)


@for_each(
    ("T", "value", "data", "expected"),
    [
        (float, 0.0, [0.0, -0.0, 0, 5e-324, NAN], [1, 1, 1, 0, 0]),
        (float, -0.0, [0.0, -0.0], [1, 1]),
        (float, NAN, [NAN, 0.0, INF], [0, 0, 0]),
        (float, INF, [INF, -INF, NAN, 1e308], [1, 0, 0, 0]),
        (float, 2**53, [2.0**53, 2**53, 2.0**53 - 1], [1, 1, 0]),
        (int, 2**63, [2**63, 2**63 - 1, -(2**63), 10**30], [1, 0, 0, 0]),
        (int, 10**30, [10**30, 10**30 + 1], [1, 0]),
        (bool, True, [True, False], [1, 0]),
        (str, "", ["", "a", "\0", " "], [1, 0, 0, 0]),
        (str, "a\0", ["a", "a\0", "a\0\0"], [0, 1, 0]),
        (str, "\ud800", ["\ud800", "?"], [1, 0]),
        (Fraction, Fraction(1, 3), [Fraction(1, 3), Fraction(2, 6), 0], [1, 1, 0]),
        (Fraction, 2, [Fraction(2), 2, 3], [1, 1, 0]),
    ],
)
def test_rows_are_compared_by_value(
    T: Any, value: Any, data: list[Any], expected: list[int]
) -> None:
    found = is_equal(T, value)(data)
    assert found == [bool(each) for each in expected]
    assert all(type(each) is bool for each in found)
    assert is_equal(T, value, option=True)([None, *data, None]) == [
        False,
        *found,
        False,
    ]
    assert is_equal(T, value)([]) == []


def test_a_binary32_row_is_not_the_double_that_rounds_to_it() -> None:
    # numpy compares float32(0.1) and 0.1 as equal.
    narrow = numpy.array([0.1, 0.5], dtype="float32")
    made = is_equal(float, 0.1)
    assert made(narrow).tolist() == [False, False]
    assert made(list(narrow)) == [False, False]
    assert is_equal(float, float(narrow[0]))(narrow).tolist() == [True, False]
    assert is_equal("f32", 0.1)(narrow).tolist() == [False, False]


NEAR_ENDS = [-1, 0, 127, 128, 255, 256, 2**53, 2**53 + 1, 2**63]
NEAR_ENDS += [*INT64, *UINT64, 10**30]


@for_each("dtype", ["int8", "uint8", "int64", "uint64", ">i4", ">u8"])
def test_integers_of_every_width(dtype: str) -> None:
    """Also those that no double tells apart."""
    info = numpy.iinfo(dtype)
    far = [each for each in (2**53, 2**53 + 1) if each <= info.max]
    array = numpy.array([info.min, 0, 1, 127, *far, info.max], dtype=dtype)
    for value in NEAR_ENDS:
        found = is_equal(int, value)(array)
        assert found.dtype == bool, value
        assert found.tolist() == [row == value for row in array.tolist()], value


@for_each("value", ["", "a", "ab", "abc", "a\0", "a ", "\U0001f600"])
@for_each("dtype", ["U0", "U1", "U3", ">U3"])
def test_arrays_of_text(value: str, dtype: str) -> None:
    array = numpy.array(["", "a", "ab", "a ", "\U0001f600"], dtype=dtype)
    found = is_equal(str, value)(array)
    assert found.dtype == bool
    assert found.tolist() == [row == value for row in array.tolist()]


def test_a_signaling_nan_is_compared_in_silence() -> None:
    signaling = numpy.array([0x7FA00000, 0], dtype="uint32").view("float32")
    with numpy.errstate(all="raise"):
        assert is_equal(float, 0)(signaling).tolist() == [False, True]


@given(st.lists(st.floats() | st.sampled_from([0.5, -0.0])), st.floats())
def test_is_equal_is_opendps(data: list[float], value: float) -> None:
    theirs = oracle.t.make_is_equal(
        oracle.vector_domain(oracle.atom_domain(T=float)),
        oracle.symmetric_distance(),
        value,
    )
    ours = is_equal(float, value)
    assert ours(data) == theirs(data)
    assert ours(numpy.array(data, dtype=float)).tolist() == theirs(data)
    assert ours.map(3) == theirs.map(3)


@for_each(
    ("T", "categories", "data", "expected"),
    [
        (str, ["a", "b", ""], ["b", "", "c", "a\0", "a"], [1, 2, None, None, 0]),
        (float, [0.5, -0.0], [0.0, -0.0, 0, 0.5, NAN, INF], [1, 1, 1, 0, None, None]),
        (float, [INF, 2], [2.0, 2, INF, -INF], [1, 1, 0, None]),
        (int, [2**64, -1], [-1, 2**64, 2**64 + 1, 0], [1, 0, None, None]),
        (bool, [True], [True, False], [0, None]),
        (bool, [False, True], [True, False], [1, 0]),
        (Fraction, [Fraction(1, 3), 2], [2, Fraction(2), Fraction(1, 3)], [1, 1, 0]),
        (str, [], ["a"], [None]),
    ],
)
def test_rows_become_their_places(
    T: Any, categories: Any, data: list[Any], expected: list[Any]
) -> None:
    assert find(T, categories)(data) == expected
    assert find(T, tuple(categories), option=True)([None, *data]) == [None, *expected]
    assert find(T, categories)([]) == []


def test_arrays_of_rows_and_of_categories() -> None:
    made = find(int, numpy.array([7, 2**63 - 1]))
    rows = numpy.array([2**63 - 1, 0, 7])
    assert made(rows) == made(rows.tolist()) == [1, None, 0]
    top = numpy.array([2**64 - 1, 7], dtype="uint64")
    assert find(int, [2**64 - 1])(top) == [0, None]
    # The row of a narrow array is not the double that rounds to it.
    assert find(float, [0.1, 0.5])(numpy.array([0.1, 0.5], "float32")) == [None, 1]
    assert find(str, ["a\0", "a"])(numpy.array(["a", "b"])) == [1, None]


def test_places_can_be_imputed() -> None:
    space = rows_of(str, size=3), SYMMETRIC
    made = space >> dp.t.then_find(["a"]) >> dp.t.then_impute_constant(1)
    assert made(["a", "b", "a"]) == [0, 1, 0]
    assert made.output_domain == dp.vector_domain(dp.atom_domain(T="usize"), size=3)


@for_each(
    ("T", "categories", "words"),
    [
        (float, [1, 1.0], "no two"),
        (float, [0.0, -0.0], "no two"),
        (Fraction, [Fraction(2), 2], "no two"),
        (float, [NAN], "no NaN"),
    ],
)
def test_categories_differ_by_value(T: Any, categories: Any, words: str) -> None:
    with pytest.raises(dp.OpenDPException, match=words):
        find(T, categories)


@given(st.lists(st.sampled_from("abcd")), st.sets(st.sampled_from("abc")))
def test_find_is_opendps(data: list[str], categories: set[str]) -> None:
    chosen = sorted(categories)
    domain = oracle.vector_domain(oracle.atom_domain(T=str))
    theirs = oracle.t.make_find(domain, oracle.symmetric_distance(), chosen)
    # OpenDP cannot hand out rows that may be missing.
    theirs = theirs >> oracle.t.then_impute_constant(9)
    ours = find(str, chosen)
    assert [9 if place is None else place for place in ours(data)] == theirs(data)
    assert ours.map(2) == theirs.map(2)


def index(categories: Any, null: Any, TOA: Any = None) -> Any:
    return dp.t.make_index(rows_of(int), SYMMETRIC, categories, null, TOA)


PLACES = [0, 1, 2, -1, 10**30, -(2**63), 2**63]


@for_each(
    ("categories", "null", "TOA", "values"),
    [
        (["a", "b"], "", None, ["a", "b", ""]),
        (["a\0", "b"], "", None, ["a\0", "b", ""]),
        ([1, 2], 0, None, [1, 2, 0]),
        ([1, 2], 0, float, [1.0, 2.0, 0.0]),
        ([2**63, 1], 0, None, [2**63, 1, 0]),
        ([-(2**63), 2**63 - 1], 0, "i64", [-(2**63), 2**63 - 1, 0]),
        ([1, 0.5], 2, None, [1.0, 0.5, 2.0]),
        ([INF, -0.0], -INF, None, [INF, -0.0, -INF]),
        ([0.5, 0.25], 1, "f32", [0.5, 0.25, 1.0]),
        ([Fraction(1, 3), 2], 0, None, [Fraction(1, 3), Fraction(2), Fraction(0)]),
        ([True, True], False, None, [True, True, False]),
    ],
)
def test_places_become_categories(
    categories: Any, null: Any, TOA: Any, values: list[Any]
) -> None:
    made = index(categories, null, TOA)
    expected = [*values, *[values[-1]] * 4]
    assert key(made(PLACES)) == key(expected)
    assert made([]) == []
    array = numpy.array([0, 1, 2, -1, -(2**63), 2**63 - 1])
    for form in (array, array[:4].astype("int8"), array[:3].astype(">u8"), array[:0]):
        found = made(form)
        assert key(list(dp_rows(found))) == key(made(form.tolist()))
        assert type(found) is type(made(array))
    top = numpy.array([1, 2**64 - 1], dtype="uint64")
    assert key(list(dp_rows(made(top)))) == key([values[1], values[2]])
    assert made.output_domain.member(made(array))


def test_what_no_array_holds_comes_out_as_a_list() -> None:
    array = numpy.array([0, 1, 5])
    for categories, null in ([2**63], 0), (["a\0"], "b"), ([Fraction(1, 2)], 1):
        assert type(index(categories, null)(array)) is list
    for value, kind in [("a", "U"), (1, "i"), (0.5, "f"), (True, "b")]:
        assert index([value], value)(array).dtype.kind == kind
    assert index([], "n")(array).tolist() == ["n"] * 3


def test_more_categories_than_a_narrow_array_can_name() -> None:
    made = index(list(range(1000)), -1)
    narrow = numpy.array([-128, -1, 0, 127], dtype="int8")
    assert made(narrow).tolist() == [-1, -1, 0, 127]
    assert made(numpy.array([255], dtype="uint8")).tolist() == [255]


def test_nan_comes_out_only_where_it_is_among_the_values() -> None:
    assert index([1.0], NAN).output_domain == rows_of(float)
    assert index([NAN], 1.0).output_domain == rows_of(float)
    without = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    assert index([1.0], INF).output_domain == without
    assert index([1.0], NAN)(numpy.array([0, 1]))[1] != 1


def test_bins_can_be_named() -> None:
    space = rows_of(float, size=3), SYMMETRIC
    names = ["low", "middle", "high"]
    made = space >> dp.t.then_find_bin([0, 1]) >> dp.t.then_index(names, "none")
    assert made([0.5, -1.0, 7.0]) == ["middle", "low", "high"]
    assert made(numpy.array([0.5, -1.0, NAN])).tolist() == ["middle", "low", "high"]


@given(st.lists(st.integers(0, 5)), st.lists(st.sampled_from("abc"), min_size=1))
def test_index_is_opendps(data: list[int], categories: list[str]) -> None:
    theirs = oracle.t.make_index(
        oracle.vector_domain(oracle.atom_domain(T="usize")),
        oracle.symmetric_distance(),
        categories,
        "null",
    )
    ours = index(categories, "null")
    assert ours(data) == theirs(data)
    assert ours(numpy.array(data, dtype=int)).tolist() == theirs(data)
    assert ours.map(2) == theirs.map(2)


ROW_BY_ROW: list[tuple[Any, list[Any]]] = [
    (lambda space: space >> dp.t.then_is_equal(1.0), [1.0, 0.0, NAN]),
    (lambda space: space >> dp.t.then_find([1.0, 2.0]), [1.0, 2.0, 3.0]),
]


@for_each("metric", METRICS, ids=repr)
@for_each(("make", "rows"), ROW_BY_ROW)
def test_the_map_is_the_supremum(metric: Any, make: Any, rows: list[Any]) -> None:
    made = make((rows_of(float), metric))
    reached = range(4) if metric in METRICS[:2] else range(3)
    data = data_sets(rows, range(4))
    assert suprema(made, data, reached) == [made.map(d) for d in reached]
    assert made.map(INF) == INF


@for_each("metric", METRICS, ids=repr)
def test_the_map_of_index_is_the_supremum(metric: Any) -> None:
    made = dp.t.make_index(rows_of(int), metric, ["a", "b"], "c")
    reached = range(4) if metric in METRICS[:2] else range(3)
    data = data_sets([0, 1, 7, -1], range(4))
    assert suprema(made, data, reached) == [made.map(d) for d in reached]
    assert made.map(INF) == INF
