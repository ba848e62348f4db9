"""The self-test passes what is right, and refuses what differs by one integer."""

from __future__ import annotations

import gc
import hashlib
import weakref
from collections.abc import Callable
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines import selftest
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.duckdb import DuckDBEngine
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.polars import PolarsEngine
from tests.rows import for_each
from tests.tables.samples import connected

COLUMNS = {"g": dp.option_domain(dp.atom_domain(T=str))}
PLAN = Plan(COLUMNS | {"g": dp.atom_domain(T=str)}, ("g",))


def own_table(engine: LazyEngine) -> Table:
    """Return a table of an engine that nobody has tried yet."""
    if isinstance(engine, PolarsEngine):
        frame = enter(pl.DataFrame({"g": ["a", "b"]}), COLUMNS).frame
    else:
        frame = enter(connected().sql("SELECT 'a' AS g"), COLUMNS).frame
    return Table(engine, frame, tuple(COLUMNS.items()))


@pytest.mark.parametrize(
    "frame", [pl.DataFrame({"g": ["a"]}), pa.table({"g": ["a"]})], ids=["Polars", "own"]
)
def test_engines_pass(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = enter(frame, COLUMNS)
    assert isinstance(table.engine, LazyEngine)
    monkeypatch.setattr(table.engine, "tested", set())  # whatever was tried before
    assert table.engine.totals(table, PLAN) == {("a",): (1, 1)}
    assert len(table.engine.tested) == 1


def counted(
    monkeypatch: pytest.MonkeyPatch, is_computed: Callable[[int], bool]
) -> list[str]:
    """The engines of all runs from now on; those that are not computed pass."""
    runs: list[str] = []
    right = selftest.agrees

    def agrees(engine: LazyEngine, frame: Any) -> bool:
        runs.append(engine.name)
        return not is_computed(len(runs)) or right(engine, frame)

    monkeypatch.setattr(selftest, "agrees", agrees)
    return runs


def test_it_is_run_once_and_again_when_settings_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It is computed where there are another collation and functions.
    runs = counted(monkeypatch, lambda run: run == 5)
    connection = duckdb.connect()
    table = enter(connection.sql("SELECT 'a' AS g"), COLUMNS)
    for _ in range(2):
        assert table.engine.totals(table, PLAN) == {("a",): (1, 1)}
    assert runs == ["DuckDB"]
    connection.execute("SET default_collation = 'nocase'")
    table.engine.totals(table, PLAN)
    assert runs == ["DuckDB"] * 2
    connection.execute("CREATE MACRO twice(x) AS x + x")
    table.engine.totals(table, PLAN)
    assert runs == ["DuckDB"] * 3
    for other in ("twice(y) AS y + y", "first(x, y) AS x", "first(y, x) AS x"):
        connection.execute(f"CREATE OR REPLACE MACRO {other}")
        table.engine.totals(table, PLAN)
    assert runs == ["DuckDB"] * 6


def test_all_tables_of_a_connection_share_its_self_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = counted(monkeypatch, lambda run: False)
    connection, other = duckdb.connect(), duckdb.connect()

    def query(session: Any) -> None:
        table = enter(session.sql("SELECT 'a' AS g"), COLUMNS)
        assert table.engine.totals(table, PLAN) == {("a",): (1, 1)}

    for session in (connection, connection, other, connection, other):
        query(session)
    assert runs == ["DuckDB"] * 2
    connection.execute("SET default_collation = 'nocase'")
    for session in (connection, connection, other):
        query(session)
    assert runs == ["DuckDB"] * 3


def test_a_connection_is_not_kept_for_its_self_test() -> None:
    connection = duckdb.connect()
    selftest.require_tested(*_engine_and_frame(connection))
    known = weakref.ref(connection)
    del connection
    gc.collect()
    assert known() is None


def _engine_and_frame(connection: Any) -> tuple[LazyEngine, Any]:
    table = enter(connection.sql("SELECT 'a' AS g"), COLUMNS)
    assert isinstance(table.engine, LazyEngine)
    return table.engine, table.frame


def test_settings_are_kept_as_a_digest() -> None:
    table = enter(pl.DataFrame({"g": ["a"]}), COLUMNS)
    engine = table.engine
    assert isinstance(engine, LazyEngine)
    selftest.require_tested(engine, table.frame)
    settings = engine.settings(table.frame)
    assert hashlib.sha256(settings.encode()).hexdigest() in engine.tested
    assert settings not in engine.tested


class OffByOne(PolarsEngine):
    """One integer of all that is collected is one too great."""

    def collect(self, frame: Any) -> list[Any]:
        rows = super().collect(frame)
        for row in rows:
            if row.get("count") == 2:
                row["count"] = 3
                break
        return rows


class ByRank(PolarsEngine):
    """Codes of text by its rank among all rows, as categories have."""

    def text_code(self, frame: Any, name: str, new: str) -> Any:
        rank = pl.col(name).rank("dense").cast(pl.Int64)
        return nw.from_native(nw.to_native(frame).with_columns(rank.alias(new)))


class NoCase(DuckDBEngine):
    """Text that is compared without its case, as a column may ask for."""

    def public(self, frame: Any, table: Any) -> Any:
        right = nw.to_native(super().public(frame, table))
        text = [f"{c} COLLATE NOCASE AS {c}" for c in right.columns]
        kinds = [str(kind) for kind in right.types]
        pairs = zip(right.columns, text, kinds, strict=True)
        return nw.from_native(
            right.project(", ".join(t if k == "VARCHAR" else c for c, t, k in pairs))
        )


class NaNLeft(PolarsEngine):
    """NaN that is greater than all numbers, and is kept where it is compared."""

    def with_columns(self, table: Table, new: Any) -> Any:
        filled = table.frame.with_columns(nw.col("c3").fill_nan(None).fill_null(9e9))
        return super().with_columns(Table(table.engine, filled, table.columns), new)


class KeepsAll(PolarsEngine):
    """A join that keeps the rows whose keys are not public."""

    def joined(self, frame: Any, on: Any, public: Any, how: str) -> Any:
        return super().joined(frame, on, public, "left")


@for_each("tampered", [OffByOne, ByRank, NoCase, NaNLeft, KeepsAll])
def test_a_tampered_engine_is_refused(tampered: type[LazyEngine]) -> None:
    table = own_table(tampered())
    with pytest.raises(OpenDPException, match="64 rows") as caught:
        table.engine.totals(table, PLAN)
    assert caught.value.variant == "FailedEngine"


def test_a_session_with_a_function_of_its_own_is_refused() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE MACRO sha256(x) AS '00000000000000000000'")
    table = enter(connection.sql("SELECT 'a' AS g"), COLUMNS)
    with pytest.raises(OpenDPException) as caught:
        table.engine.totals(table, PLAN)
    assert caught.value.variant == "FailedEngine"


def test_a_function_of_python_that_comes_later_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = counted(monkeypatch, lambda run: run >= 4)  # computed of the wrong one
    connection = duckdb.connect()
    table = enter(connection.sql("SELECT 'a' AS g"), COLUMNS)
    assert table.engine.totals(table, PLAN) == {("a",): (1, 1)}
    takes = ["VARCHAR", "INTEGER", "INTEGER"]
    # DuckDB prefers these to its own `substr`, and calls them internal.
    for _ in range(2):  # removing one removes DuckDB's own, so that once says less
        connection.create_function("substr", lambda t, i, n: t[:n], takes, "VARCHAR")
        assert table.engine.totals(table, PLAN) == {("a",): (1, 1)}
        connection.remove_function("substr")
    assert runs == ["DuckDB"] * 3
    connection.create_function("substr", lambda t, i, n: "0" * 15, takes, "VARCHAR")
    with pytest.raises(OpenDPException) as caught:
        table.engine.totals(table, PLAN)
    assert caught.value.variant == "FailedEngine"
    assert "64 rows" in str(caught.value)


def test_an_engine_that_fails_in_the_test_says_nothing() -> None:
    class Broken(PolarsEngine):
        def text_code(self, frame: Any, name: str, new: str) -> Any:
            raise ValueError("row 17: Miller")

    table = own_table(Broken())
    with pytest.raises(OpenDPException) as caught:
        table.engine.totals(table, PLAN)
    error = caught.value
    assert error.variant == "FailedEngine"
    assert "Miller" not in str(error)
    assert error.__context__ is None
    assert error.__cause__ is None
