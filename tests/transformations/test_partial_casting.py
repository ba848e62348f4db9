"""make_cast and make_cast_inherent: what has no meaning becomes None or NaN."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
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
INF, NAN = math.inf, math.nan
LARGEST = sys.float_info.max
SINGLE = 3.4028234663852886e38  # the greatest binary32 value


pytestmark = pytest.mark.usefixtures("opendp_contrib")


def rows_of(T: Any, option: bool = False) -> Any:
    atom = dp.atom_domain(T=T)
    return dp.vector_domain(dp.option_domain(atom) if option else atom)


def cast(T: Any, TOA: Any, option: bool = False) -> Any:
    return dp.t.make_cast(rows_of(T, option), SYMMETRIC, TOA)


def inherent(T: Any, TOA: Any = float, option: bool = False) -> Any:
    return dp.t.make_cast_inherent(rows_of(T, option), SYMMETRIC, TOA)


# Rows of a type, the type that they are cast to, and what becomes of each.
TABLE: list[tuple[Any, Any, list[tuple[Any, Any]]]] = [
    (str, int, [("0", 0), ("-0", 0), ("007", 7), ("", None), ("0.0", None)]),
    (str, int, [("1" * 4300, (10**4300 // 9)), ("0" * 4301, None), ("\u0663", None)]),
    (str, "u8", [("0", 0), ("255", 255), ("256", None), ("-1", None), ("x", None)]),
    (str, float, [("0", 0.0), ("-0", -0.0), ("1e400", INF), ("1e-400", 0.0)]),
    (str, float, [("nan", None), ("-INF", -INF), ("1_0", None), (" 1", None)]),
    (
        str,
        float,
        [("9" * 5000, INF), ("0" * 5000, 0.0), ("1" + "0" * 5000 + "x", None)],
    ),
    (str, "f32", [("1e39", None), ("1e-50", 0.0), ("1e400", INF), ("0.5", 0.5)]),
    (str, Fraction, [("1/3", Fraction(1, 3)), ("0", Fraction(0)), ("1/0", None)]),
    (str, Fraction, [("0/7", Fraction(0)), ("inf", None), ("0" * 4301, None)]),
    (str, bool, [("", False), ("false", True)]),
    (str, str, [("", ""), ("a\0", "a\0")]),
    (float, int, [(0.0, 0), (-0.9, 0), (0.9, 0), (1.0, 1), (NAN, None), (INF, None)]),
    (float, "i8", [(127.9, 127), (128.0, None), (-128.9, -128), (-129.0, None)]),
    (float, float, [(NAN, None), (-0.0, -0.0), (INF, INF), (3, 3.0)]),
    (float, "f32", [(SINGLE, SINGLE), (1e39, None), (5e-324, 0.0), (-INF, -INF)]),
    (float, "f32", [(-5e-324, -0.0), (-LARGEST, None), (NAN, None), (0.5, 0.5)]),
    (
        float,
        Fraction,
        [(0.5, Fraction(1, 2)), (NAN, None), (-INF, None), (0, Fraction(0))],
    ),
    (float, bool, [(NAN, True), (-0.0, False), (INF, True)]),
    (float, str, [(NAN, "NaN"), (3, "3.0"), (-0.0, "-0.0")]),
    (int, float, [(0, 0.0), (10**309, None), (2**53 + 1, 2.0**53), (-(10**400), None)]),
    (int, "u64", [(2**64 - 1, 2**64 - 1), (2**64, None), (-1, None), (0, 0)]),
    (int, "f32", [(10**39, None), (10**309, None), (2**24 + 1, 2.0**24)]),
    (int, bool, [(0, False), (10**400, True)]),
    (bool, int, [(False, 0), (True, 1)]),
    (bool, float, [(False, 0.0), (True, 1.0)]),
    (bool, str, [(False, "false")]),
    (Fraction, int, [(Fraction(1, 3), 0), (Fraction(-7, 2), -3), (2, 2)]),
    (Fraction, "i8", [(Fraction(257, 2), None), (Fraction(-1, 2), 0)]),
    (Fraction, float, [(Fraction(1, 10**400), 0.0), (Fraction(10**400), None)]),
    (Fraction, str, [(Fraction(1, 3), "1/3"), (2, "2")]),
]


@for_each(("T", "TOA", "pairs"), TABLE)
def test_none_only_for_want_of_a_meaning(
    T: Any, TOA: Any, pairs: list[tuple[Any, Any]]
) -> None:
    data, expected = [row for row, _ in pairs], [result for _, result in pairs]
    made = cast(T, TOA)
    assert key(made(data)) == key(expected)
    assert key(cast(T, TOA, option=True)([None, *data])) == key([None, *expected])
    assert made.output_domain.member(made(data))
    default = dp.t.make_cast_default(rows_of(T), SYMMETRIC, TOA)(data)
    for result, total in zip(expected, default, strict=True):
        # None stands where the total cast returns its default, or NaN.
        assert result is None or key(result) == key(total)
        assert result is not None or total == 0 or total != total


@for_each(("T", "TOA", "pairs"), [row for row in TABLE if row[1] in (float, "f32")])
def test_nan_in_place_of_none(T: Any, TOA: Any, pairs: list[tuple[Any, Any]]) -> None:
    data = [row for row, _ in pairs]
    expected = [NAN if result is None else result for _, result in pairs]
    made = inherent(T, TOA)
    assert key(made(data)) == key(expected)
    assert key(inherent(T, TOA, option=True)([*data, None])) == key([*expected, NAN])
    assert made([]) == []
    assert made.output_domain == rows_of(TOA)
    assert made.output_domain.member(made(data))


@for_each("TOA", [float, "f32"])
@for_each(
    "array",
    [
        numpy.array([NAN, INF, -INF, -0.0, 5e-324, 1e39, -LARGEST, SINGLE, 0.1, 1.0]),
        numpy.array([NAN, 65504.0, -0.0, 6e-8], dtype="float16"),
        numpy.array([0, 1, -1, 2**63 - 1, -(2**63)]),
        numpy.array([0, 1, 2**64 - 1], dtype=">u8"),
        numpy.array([True, False]),
        numpy.array(["1", "x", "", "nan", "1e39", "1e400", "-0", "\u0663"]),
        numpy.array([], dtype="U3"),
        numpy.array([], dtype="int8"),
    ],
)
def test_arrays_are_treated_as_lists(array: Any, TOA: Any) -> None:
    T: Any = {"f": float, "i": int, "u": int, "b": bool, "U": str}[array.dtype.kind]
    before = key(array)
    with numpy.errstate(all="raise"):
        found = inherent(T, TOA)(array)
    assert found.dtype == numpy.float64
    assert key(found.tolist()) == key(inherent(T, TOA)(array.tolist()))
    assert not numpy.shares_memory(found, array)
    assert key(cast(T, TOA)(array)) == key(cast(T, TOA)(array.tolist()))
    assert key(array) == before


def test_a_signaling_nan_is_cast_in_silence() -> None:
    signaling = numpy.array([0x7FA00000, 0], dtype="uint32").view("float32")
    with numpy.errstate(all="raise"):
        assert key(inherent(float, "f32")(signaling).tolist()) == key([NAN, 0.0])


def test_integers_beyond_int64_stay_in_arrays() -> None:
    """Arrays come out as lists, so nothing is lost, as it is in make_cast_default."""
    array = numpy.array([2**64 - 1, 0], dtype="uint64")
    assert cast(int, int)(array) == [2**64 - 1, 0]


def test_missing_rows_can_be_imputed() -> None:
    space = rows_of(str), SYMMETRIC
    made = space >> dp.t.then_cast(int) >> dp.t.then_impute_constant(-1)
    assert made(["1", "one", "0"]) == [1, -1, 0]
    other = space >> dp.t.then_cast_inherent(float) >> dp.t.then_impute_constant(-1.0)
    assert other(["1", "one", "0"]) == [1.0, -1.0, 0.0]


@for_each("TOA", [int, str, bool, Fraction, "i32"])
def test_only_floats_hold_nan(TOA: Any) -> None:
    with pytest.raises(dp.OpenDPException, match=r"TOA=.*NaN.*make_cast"):
        inherent(str, TOA)


TEXT = st.from_regex(r"[+-]?[0-9]{0,12}[.]?[0-9]{0,3}(e[+-]?[0-9]{1,4})?\Z") | st.text(
    max_size=4
).filter(lambda text: "\x00" not in text)
ORACLE_ROWS: dict[Any, Any] = {
    str: TEXT | st.sampled_from(["nan", "inf", "-Infinity", "2147483648", "1e400"]),
    int: st.integers(-(2**31), 2**31 - 1),
    float: st.floats(),
    bool: st.booleans(),
}


@given(st.data())
def test_opendp_finds_the_same_missing(data: Any) -> None:
    """OpenDP cannot hand out rows that may be None; it says which are missing."""
    T = data.draw(st.sampled_from(list(ORACLE_ROWS)))
    TOA = data.draw(st.sampled_from(["i32", "i64", float, bool]))
    rows = data.draw(st.lists(ORACLE_ROWS[T]))
    domain = oracle.vector_domain(oracle.atom_domain(T=T))
    theirs = oracle.t.make_cast(domain, oracle.symmetric_distance(), TOA)
    missing = theirs >> oracle.t.then_is_null()
    ours = cast(T, TOA)
    assert [row is None for row in ours(rows)] == missing(rows)
    assert ours.map(3) == theirs.map(3)


@given(st.data())
def test_opendps_inherent_cast_is_the_same(data: Any) -> None:
    T = data.draw(st.sampled_from(list(ORACLE_ROWS)))
    rows = data.draw(st.lists(ORACLE_ROWS[T]))
    domain = oracle.vector_domain(oracle.atom_domain(T=T))
    theirs = oracle.t.make_cast_inherent(domain, oracle.symmetric_distance(), float)
    assert key(inherent(T)(rows)) == key(theirs(rows))


@for_each("metric", METRICS, ids=repr)
def test_the_maps_are_the_suprema(metric: Any) -> None:
    data = data_sets(["0", "x", "", "7"], range(4))
    reached = range(4) if metric in METRICS[:2] else range(3)
    for make, TOA in (dp.t.make_cast, int), (dp.t.make_cast_inherent, float):
        made = make(rows_of(str), metric, TOA)
        assert suprema(made, data, reached) == [made.map(d) for d in reached]
        assert made.map(INF) == INF
