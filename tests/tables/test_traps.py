"""No engine is caught in a trap; what is seen where a rule is left out: `mutants`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables.cells import Plan, text_code
from opendp_lite.tables.engines import door
from opendp_lite.tables.engines.polars import _codes
from opendp_lite.tables.steps import as_steps
from tests.tables.samples import TEXTS, connected
from tests.tables.traps import (
    FLOAT,
    INT,
    TEXT,
    TRAPS,
    Trap,
    said,
    summed,
    table_of,
    totals,
    x,
)

pytestmark = pytest.mark.usefixtures("tried_once")


def frames(table: Any, folder: Path) -> dict[str, Any]:
    pq.write_table(table, folder / "trap.parquet")
    return {
        "Python": {name: table[name].to_pylist() for name in table.column_names},
        "Polars": pl.from_arrow(table),
        "PyArrow": table,
        "Parquet": folder / "trap.parquet",
        "Polars, Parquet": pl.scan_parquet(folder / "trap.parquet"),
        "DuckDB": connected().from_arrow(table),
        "DuckDB, Parquet": connected().read_parquet(str(folder / "trap.parquet")),
    }


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_no_engine_is_caught(trap: Trap, tmp_path: Path) -> None:
    for kind, frame in frames(table_of(trap), tmp_path).items():
        assert said(frame, trap.domain, trap.expr) == trap.expected, kind


def test_sums_are_exact_beyond_64_bits(tmp_path: Path) -> None:
    table = pa.table({"x": pa.array([2**62] * 5000)})
    plan = summed(x.fill_null(0).clip(-(2**52), 2**52))
    for kind, frame in frames(table, tmp_path).items():
        found = totals(frame, {"x": INT}, plan)
        assert found == {(): (5000, 5000, 5000 * 2**52)}, kind


def test_halves_are_rounded_to_even(tmp_path: Path) -> None:
    table = pa.table({"x": [0.5, 1.5, 2.5, -0.5, math.nan]})
    plan = summed(x.fill_null(0.0).clip(-8.0, 8.0), 0)
    for kind, frame in frames(table, tmp_path).items():
        assert totals(frame, {"x": FLOAT}, plan) == {(): (5, 5, 4)}, kind


def test_a_file_says_nothing_of_nan(tmp_path: Path) -> None:
    """A file tells the least and the greatest number, and leaves NaN out of both."""
    table = pa.table({"row": range(3), "x": [0.5, 2.5, math.nan]})
    exprs: list[tuple[Any, list[Any]]] = [
        (x.fill_null(-1.0), [0.5, 2.5, -1.0]),
        (x.is_null(), [False, False, True]),
        (x.fill_null(1.0).clip(0.0, 8.0), [0.5, 2.5, 1.0]),
        (x.fill_null(5.0) > dp.lit(3.0), [False, False, True]),
    ]
    for kind, frame in frames(table, tmp_path).items():
        for expr, expected in exprs:
            assert said(frame, FLOAT, expr) == expected, kind
        columns = {"row": INT, "x": FLOAT}
        for predicate in (x.is_null(), x.fill_null(5.0) > dp.lit(3.0)):
            entered = door.enter(frame, columns)
            kept = entered.engine.filter(entered, predicate)
            rows = type(entered)(entered.engine, kept, entered.columns).rows()
            assert [row["row"] for row in rows] == [2], kind
        with pytest.raises(OpenDPException, match="not a member of its domain"):
            door.enter(frame, {"x": dp.atom_domain(T=float, bounds=(0.0, 8.0))})


def test_rows_are_counted_without_columns(tmp_path: Path) -> None:
    for kind, frame in frames(pa.table({"x": [1, 2, None]}), tmp_path).items():
        assert totals(frame, {"x": INT}, lambda c: Plan(c, ())) == {(): (3, 3)}, kind


def test_a_column_without_case_has_its_cases_again() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (x VARCHAR COLLATE NOCASE, u BIGINT)")
    connection.execute("INSERT INTO t VALUES ('a', 1), ('A', 2), ('A', 3)")
    columns = {"x": dp.atom_domain(T=str), "u": dp.atom_domain(T=int)}
    keys = (("a",), ("b",))
    for default in ("", "nocase"):
        connection.execute(f"SET default_collation = '{default}'")
        frame = connection.table("t")
        every = totals(frame, columns, lambda c: Plan(c, ("x",)))
        assert every == {("a",): (1, 1), ("A",): (2, 2)}
        few = totals(frame, columns, lambda c: Plan(c, ("x",), keys=keys))
        assert few == {("a",): (1, 1)}
        people = totals(
            frame, columns, lambda c: Plan(c, ("x",), identifier="u", keys=keys)
        )
        assert people == {("a",): (1, 1)}


def test_narrow_keys(tmp_path: Path) -> None:
    """A key of 8 bits is the equal one of 64, and a sum of such is no narrower."""
    table = pa.table({"x": pa.array([127] * 300 + [-128], pa.int8())})
    columns = {"x": dp.atom_domain(T=int, bounds=(-128, 127))}
    keys = ((127,), (2**40,))

    def plan(given: Any) -> Plan:
        return Plan(given, ("x",), (as_steps("s", x, given),), keys=keys)

    for kind, frame in frames(table, tmp_path).items():
        assert totals(frame, columns, plan) == {(127,): (300, 300, 38100)}, kind


def test_ten_thousand_public_keys(tmp_path: Path) -> None:
    keys = tuple((number,) for number in range(10_000))
    table = pa.table({"x": pa.array([5, 5, 9_999, 10_000])})
    for kind, frame in frames(table, tmp_path).items():
        columns = {"x": dp.atom_domain(T=int)}
        found = totals(frame, columns, lambda c: Plan(c, ("x",), keys=keys))
        assert found == {(5,): (2, 2), (9_999,): (1, 1)}, kind


def test_nothing_is_cast_before_it_is_chosen(tmp_path: Path) -> None:
    """A filter guards no cast, as an engine may put the cast first."""
    table = pa.table({"row": pa.array(range(3)), "x": [1e308, math.nan, 2.0]})
    small = x.fill_null(0.0).clip(0.0, 3.0)
    for kind, frame in frames(table, tmp_path).items():
        entered = door.enter(frame, {"row": INT, "x": FLOAT})
        kept = entered.engine.filter(entered, small < dp.lit(2.5))
        inside = type(entered)(entered.engine, kept, entered.columns)
        plan = summed(small)({"row": INT, "x": FLOAT})
        rows = entered.engine.totals(inside, plan)[()][0]
        assert rows == 2, kind


def test_what_is_not_in_the_language_cannot_be_told() -> None:
    text: Any = dp.col("x")  # type checkers know no such methods
    for write in (
        lambda: text.str.to_uppercase(),
        lambda: text.cast(int),
        lambda: text // 3,
        lambda: text % 3,
        lambda: text.round(),
        lambda: abs(text),
    ):
        with pytest.raises((OpenDPException, AttributeError, TypeError)):
            write()
    with pytest.raises(OpenDPException):
        (dp.col("x") == dp.lit(1.0)).domain({"x": dp.atom_domain(T=int)})
    with pytest.raises(OpenDPException):
        (dp.col("x") < dp.lit("a")).domain({"x": TEXT})


@pytest.mark.parametrize("often", [1, 50], ids=["rare", "often"])
def test_codes_of_polars_are_those_of_python(
    often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether texts recur or not, and in how many parts they are hashed."""
    monkeypatch.setattr("opendp_lite.tables.engines.polars._HELD", 7)
    texts = [text for text in [*TEXTS, "a" * 100] for _ in range(often)]
    found = _codes(pl.Series(texts))
    assert found.dtype == pl.Int64
    assert found.to_list() == [text_code(text) for text in texts]
    assert _codes(pl.Series([], dtype=pl.String)).to_list() == []
