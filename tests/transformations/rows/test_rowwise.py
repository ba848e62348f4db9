from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy
import pytest

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


@pytest.fixture(autouse=True)
def _draft() -> None:
    dp.enable_features("contrib", "honest-but-curious")


def rows_of(T: Any, option: bool = False, size: int | None = None) -> Any:
    atom = dp.atom_domain(T=T)
    return dp.vector_domain(dp.option_domain(atom) if option else atom, size)


def by_row(domain: Any, row: Any, function: Callable[[Any], Any], default: Any) -> Any:
    return dp.t.make_row_by_row(domain, SYMMETRIC, row, function, default)


DIGITS = dp.atom_domain((0, 9))


def test_what_fails_or_leaves_the_domain_becomes_the_default() -> None:
    made = by_row(rows_of(str), DIGITS, int, 7)
    assert made(["3", "-1", "10", "x", "9"]) == [3, 7, 7, 7, 9]
    assert made(numpy.array(["3", "x"])) == [3, 7]
    assert made([]) == []
    assert made.output_domain == dp.vector_domain(DIGITS)
    sized = by_row(rows_of(str, size=2), DIGITS, int, 7)
    assert sized.output_domain == dp.vector_domain(DIGITS, size=2)


@for_each(
    "answer",
    [None, True, 1.0, "1", [1], (1,), Fraction(1), object(), NAN, 10, numpy.float64(1)],
    ids=lambda each: type(each).__name__,
)
def test_answers_of_other_types_are_no_members(answer: Any) -> None:
    assert by_row(rows_of(int), DIGITS, lambda row: answer, 7)([0]) == [7]


class Liar(int):
    """An integer that says that it is within all bounds."""

    def __le__(self, other: object) -> bool:
        return True

    __ge__ = __le__


def test_a_class_of_somebodys_own_is_no_member() -> None:
    assert by_row(rows_of(int), DIGITS, Liar, 7)([1, 99]) == [7, 7]


def test_no_error_of_the_function_shows() -> None:
    def deep(row: int) -> int:
        return deep(row)

    def fails(row: int) -> int:
        raise dp.OpenDPException("FailedFunction", f"the row is {row}")

    assert by_row(rows_of(int), DIGITS, deep, 7)([1]) == [7]
    assert by_row(rows_of(int), DIGITS, fails, 7)([1]) == [7]
    assert by_row(rows_of(int), DIGITS, lambda row: row // 0, 7)([1]) == [7]
    assert by_row(rows_of(int), DIGITS, lambda: 1, 7)([1]) == [7]  # type: ignore


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_who_interrupts_is_heard(error: Any) -> None:
    def stop(row: int) -> int:
        raise error

    with pytest.raises(error):
        by_row(rows_of(int), DIGITS, stop, 7)([1])


def test_the_function_sees_python_values_of_one_type() -> None:
    seen: list[Any] = []
    data: Any
    for T, data in [
        (float, [1, 1.5, numpy.float32(0.5), NAN, -0.0]),
        (int, [1, numpy.int8(2), 10**30]),
        (str, ["a", numpy.str_("b")]),
        (bool, [True, numpy.bool_(False)]),
        (Fraction, [1, Fraction(1, 3)]),
    ]:
        seen.clear()
        by_row(rows_of(T), dp.atom_domain(T=bool), seen.append, False)(data)
        assert {type(row) for row in seen} == {T}
        assert key(seen) == key([T(row) for row in data])
    seen.clear()
    by_row(rows_of(float, option=True), DIGITS, seen.append, 0)([None, 2])
    assert key(seen) == key([None, 2.0])
    seen.clear()
    by_row(rows_of(float), DIGITS, seen.append, 0)(numpy.array([0.5], dtype="float32"))
    assert key(seen) == key([0.5])


@for_each(
    "tells_apart",
    [
        lambda row: int(math.copysign(1, row)),
        lambda row: int.from_bytes(struct.pack(">d", row), "big"),
        hash,
        id,
    ],
    ids=["sign", "bits", "hash", "id"],
)
def test_the_function_cannot_tell_nans_apart(tells_apart: Any) -> None:
    """They are at distance 0, so what becomes of them must be."""
    nans = [NAN, float("nan"), math.copysign(NAN, -1)]
    nans.append(struct.unpack(">d", bytes.fromhex("7ff0000000000001"))[0])
    made = by_row(rows_of(float), dp.atom_domain(T=int), tells_apart, 0)
    assert SYMMETRIC.distance(nans, [NAN] * 4) == made.map(0) == 0
    assert len(set(made(nans) + made(numpy.array(nans)))) == 1
    missing = by_row(rows_of(float, option=True), dp.atom_domain(T=int), tells_apart, 0)
    assert len(set(missing(nans))) == 1


def test_what_comes_out_is_pythons_too() -> None:
    floats = dp.atom_domain(T=float)
    made = by_row(rows_of(float), floats, numpy.float32, numpy.float32(0.5))
    assert key(made([0.25, 0.1])) == key([0.25, float(numpy.float32(0.1))])
    assert type(made([0.25])[0]) is float
    failing = by_row(rows_of(float), floats, lambda row: None, numpy.float32(0.5))
    assert key(failing([1.0])) == key([0.5])
    assert type(failing([1.0])[0]) is float


def test_none_where_rows_may_be_missing() -> None:
    row = dp.option_domain(dp.atom_domain(T=float, nan=False))
    made = by_row(rows_of(str), row, float, None)
    assert made(["1", "nan", "x", "inf"]) == [1.0, None, None, INF]


def test_a_feature_is_needed() -> None:
    with pytest.raises(dp.OpenDPException, match="looks at the row alone"):
        dp.disable_features("honest-but-curious")
        by_row(rows_of(int), DIGITS, abs, 0)


@for_each("metric", METRICS, ids=repr)
def test_the_map_is_the_supremum(metric: Any) -> None:
    made = dp.t.make_row_by_row(rows_of(int), metric, DIGITS, abs, 0)
    reached = range(4) if metric in METRICS[:2] else range(3)
    data = data_sets([-1, 1, 2, 99], range(4))
    assert suprema(made, data, reached) == [made.map(d) for d in reached]
    assert made.map(INF) == INF
