"""What must hold of a table wherever it is: asked of one engine, on a small table.

Each of these fails if the library tells the engine what it must not, and each is named
in the table of `mutants.py`.
"""

from __future__ import annotations

import datetime
import decimal
import logging
import math
import time
from collections.abc import Callable
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables import planning
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines import totals as engine_totals
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.expressions import Arithmetic, Expr
from opendp_lite.tables.steps import as_steps
from tests.tables.places import Place, rows_of
from tests.tables.traps import FLOAT, INT, TEXT, TRAPS, lying, said, table_of, totals, x

NAMES = ["x", "X", "^x.*$", "*", "c0", 'a"b', "a`b", "c1", " ", "select"]
HALVES = [0.5, 1.5, 2.5, -0.5, 0.75]
ROUNDED = [0, 2, 2, 0, 1]
OPEN = 'x,y\n1,"a\n2,b\n3,c"\n4,d\n'  # a quote that stays open for two lines
KEYED = pa.table({"x": range(40_000)})
GUARDED = pa.table({"s": ["ok", "no", "no"], "x": [2.0, 1e308, math.nan]})
DAY = datetime.date(1969, 12, 31)
BERLIN = pa.timestamp("us", tz="Europe/Berlin")
REFUSED = [
    pa.array([decimal.Decimal("-2.55")]),
    pa.array([datetime.datetime(2024, 1, 1, 23, 30, tzinfo=datetime.UTC)], BERLIN),
    pa.array([1], pa.uint64()),
]


def trap(name: str) -> Callable[[Place], None]:
    """Return the check that a trap of `traps.py` does not catch the engine."""
    (found,) = (each for each in TRAPS if each.name == name)

    def check(place: Place) -> None:
        frame = place.frame(table_of(found))
        assert said(frame, found.domain, found.expr) == found.expected

    return check


def means_the_same(
    values: list[Any], domain: Any, written: Callable[[], Expr]
) -> Callable[[Place], None]:
    """Return the check that an expression is refused, or is what Python says."""

    def check(place: Place) -> None:
        try:
            expr = written()
            expr.domain({"row": INT, "x": domain})
        except OpenDPException:
            return
        table = pa.table({"row": range(len(values)), "x": values})
        mine = [expr.python({"x": value}) for value in values]
        assert said(place.frame(table), domain, expr) == mine

    return check


doubled = means_the_same([2**62], INT, lambda: x.fill_null(0).clip(0, 2**62) + 2**62)
divided = means_the_same(
    [2**53 + 1],
    INT,
    lambda: Arithmetic("//", x.fill_null(0).clip(0, 2**60), dp.lit(3)),
)
mixed = means_the_same([2**53 + 1], INT, lambda: x.fill_null(0) == dp.lit(2.0**53))
not_of_null = means_the_same(
    [True, None], dp.option_domain(dp.atom_domain(T=bool)), lambda: ~x
)


def single(place: Place) -> None:
    """Two floats of 32 bits add up to what these have no number for."""
    domain = dp.atom_domain(T="f32", bounds=(0.0, 2.0**127))
    table = pa.table({"row": [0], "x": pa.array([2.0**127], pa.float32())})
    assert said(place.frame(table), domain, x + x) == [2.0**128]


def halves(place: Place) -> None:
    """Steps are the nearest integers, ties to even, and NaN is filled."""
    table = pa.table({"x": [*HALVES, math.nan]})
    found = totals(place.frame(table), {"x": FLOAT}, _summed(0))
    assert found == {(): (6, 6, sum(ROUNDED))}


def _summed(k: int) -> Callable[[Any], Plan]:
    value = x.fill_null(0.0).clip(-8.0, 8.0)
    return lambda columns: Plan(columns, (), (as_steps("s", value, columns, k),))


def large_sums(place: Place) -> None:
    """Sums of rows that no integer of 64 bits holds."""
    columns, plan = {"x": INT}, _wide(2**52, None)
    table = pa.table({"x": pa.array([2**62] * 5000)})
    found = totals(place.frame(table), columns, plan)
    assert found == {(): (5000, 5000, 5000 * 2**52)}


def large_cells(place: Place) -> None:
    """The same within the cell of one person, whose average is what counts."""
    table = pa.table({"u": [7] * 9000, "x": pa.array([2**62] * 9000)})
    found = totals(place.frame(table), {"u": INT, "x": INT}, _wide(2**50, "u"))
    assert found == {(): (1, 1, 2**50)}


def _wide(top: int, person: str | None) -> Callable[[Any], Plan]:
    value = x.fill_null(0).clip(-top, top)
    return lambda columns: Plan(
        columns, (), (as_steps("s", value, columns),), identifier=person
    )


def plain_integers(place: Place) -> None:
    """Totals are integers of Python, whatever an engine sums into."""
    table = pa.table({"x": [1, 2, 3]})
    ((_, found),) = totals(place.frame(table), {"x": INT}, _wide(9, None)).items()
    assert [(type(each), each) for each in found] == [(int, 3), (int, 3), (int, 6)]


def wide_counts(place: Place) -> None:
    """Rows are counted in 64 bits."""
    table = enter(place.frame(pa.table({"x": [1, 2, 3]})), {"x": INT})
    assert isinstance(table.engine, LazyEngine)
    frame = table.frame.with_columns(one=nw.lit(1, nw.Int64))
    counted = engine_totals._summed(table.engine, frame, [], [])
    assert counted.collect_schema()["count"] == nw.Int64


def float_keys(place: Place) -> None:
    """Floats are no keys; if they were, the keys would have to be Python's."""
    columns = {"x": FLOAT}
    try:
        planning.key_column("by", "x", columns)
    except OpenDPException:
        return
    table = pa.table({"x": [0.0, -0.0, math.nan, math.nan, None]})
    found = totals(place.frame(table), columns, lambda c: Plan(c, ("x",)))
    assert found == {(0.0,): (2, 2), (None,): (3, 3)}


def guarded(place: Place) -> None:
    """What is asked of a row is total, as no condition beside it is its guard."""
    entered = enter(place.frame(GUARDED), {"s": TEXT, "x": FLOAT})
    right = dp.col("s").fill_null("?") == dp.lit("ok")
    near = x.fill_null(0.0).clip(0.0, 8.0) < dp.lit(9.0)
    frame = entered.engine.with_columns(entered, {"x": right & near})
    rows = type(entered)(entered.engine, frame, entered.columns).rows()
    assert sorted(row["x"] for row in rows) == [False, False, True]


def cases(place: Place) -> None:
    """Texts that differ by case are two keys, whatever a column asks for."""
    found = totals(place.caseless(), {"x": TEXT}, lambda c: Plan(c, ("x",)))
    assert found == {("a",): (1, 1), ("A",): (2, 2)}


def unicode_only(place: Place) -> None:
    """Bytes that are no UTF-8 are repaired by Spark, and refused in Arrow."""
    if place.engine == "Spark":
        frame = place.session.sql("SELECT CAST(X'61FF62' AS STRING) AS x")
        assert enter(frame, {"x": TEXT}).rows() == [{"x": "a\ufffdb"}]
        return
    offsets, data = pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")
    broken = pa.Array.from_buffers(pa.string(), 1, [None, offsets, data])
    _refuses(pa.table({"x": broken}), {"x": TEXT})


def other_types(place: Place) -> None:
    """Decimals, times with zones and uint64 are no integers."""
    for array in REFUSED:
        if place.engine == "Spark" and pa.types.is_uint64(array.type):
            continue  # it has no integers without a sign
        _refuses(place.frame(pa.table({"x": array})), {"x": INT})


def _refuses(frame: Any, columns: Any) -> None:
    with pytest.raises(OpenDPException, match=r"'x' (once|is)"):
        enter(frame, columns)


def names(place: Place) -> None:
    """A column is the one of its name, by every character, and nothing else."""
    table = pa.table({name: [i] for i, name in enumerate(NAMES)})
    wanted = dict.fromkeys([*NAMES[3:], *NAMES[:3]], INT)
    expected = {name: NAMES.index(name) for name in wanted}
    assert enter(place.frame(table), wanted).rows() == [expected]


def many_keys(place: Place) -> None:
    """20,000 public keys are joined, not looked for in a list, row by row."""
    table = enter(place.frame(KEYED), {"x": INT})
    engine = table.engine
    assert isinstance(engine, LazyEngine)

    def kept(keys: list[int]) -> Any:
        return engine.joined(table.frame, ["c0"], {"c0": keys}, "inner")

    assert not grows(place, kept)


def grows(place: Place, kept: Callable[[list[int]], Any]) -> bool:
    """Return whether two hundred times the keys cost more than six times the CPU time.

    Where they are joined it is a quarter of that, where each row looks through a list
    four times as much; what is too short to be measured counts as 25 ms. What is near
    is measured again, as a busy machine makes it more, and never less. Spark's is
    another process's: there it is asked whether it makes a set of the keys, which its
    plan calls INSET, or compares with one after the other.
    """
    if place.engine == "Spark":
        native = nw.to_native(kept(list(range(100))))
        plan = str(native._jdf.queryExecution().optimizedPlan().toString())
        return " IN (" in plan

    def cost(size: int) -> float:
        start = time.process_time()
        counted = kept(list(range(size))).select(n=nw.len())
        assert rows_of(counted) == [{"n": size}]
        return time.process_time() - start

    most = 6 * max(min(cost(100), cost(100)), 0.025)
    spent = cost(20_000)
    return spent > 2 * most or (spent > most and cost(20_000) > most)


def few_values(place: Place) -> None:
    """What is listed in an expression is short."""
    with pytest.raises(OpenDPException):
        x.fill_null(0).is_in(list(range(65))).domain({"x": INT})


def silent(place: Place) -> None:
    """What an engine says of a row is not passed on."""
    table = enter(place.failing(), {"x": INT})
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        table.rows()
    assert type(caught.value) is OpenDPException
    assert "777" not in str(caught.value)


def quiet(place: Place) -> None:
    """PySpark writes no row either, and writes again what is not ours."""
    assert logged(lambda: enter(place.failing(), {"x": INT}).rows()) == []
    assert any("777" in text for text in logged(place.failing().collect))


def logged(failing: Callable[[], Any]) -> list[str]:
    """Return what PySpark logs of a call that fails."""
    from pyspark.logger import PySparkLogger

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            texts.append(record.getMessage())

    texts: list[str] = []
    log, kept = PySparkLogger.getLogger("SQLQueryContextLogger"), Kept()
    log.addHandler(kept)
    try:
        failing()
    except Exception:
        return texts
    finally:
        log.removeHandler(kept)
    raise AssertionError("it did not fail")


def files_of_nan(place: Place) -> None:
    """A NaN in a file is missing, whatever the file tells of its other numbers."""
    table = pa.table({"row": range(3), "x": [0.5, 2.5, math.nan]})
    for expr, expected in (
        (x.fill_null(-1.0), [0.5, 2.5, -1.0]),
        (x.is_null(), [False, False, True]),
        (x.fill_null(1.0).clip(0.0, 8.0), [0.5, 2.5, 1.0]),
    ):
        assert said(place.written(table), FLOAT, expr) == expected


def files_that_lie(place: Place) -> None:
    """A clip holds, whatever a file tells of its integers."""
    path = place.folder / "lies.parquet"
    lying(path, pa.int64())
    clipped = x.fill_null(0).clip(0, 50)
    assert said(place.file(path), INT, clipped) == [1, 2, 50]


def codes(place: Place) -> None:
    """Which cells of a person count depends on that person's rows alone."""
    people = [f"user-{i % 40}" for i in range(120)]
    keys = [f"key-{i * i % 23}" for i in range(120)]
    columns = {"u": dp.atom_domain(T=str), "x": dp.atom_domain(T=str)}
    plan = Plan(columns, ("x",), identifier="u", groups=1, salt=5)
    rows = [{"u": u, "x": key} for u, key in zip(people, keys, strict=True)]
    found = totals(
        place.frame(pa.table({"u": people, "x": keys})), columns, lambda _: plan
    )
    assert found == plan.meaning(rows)


def settings(place: Place) -> None:
    """What a user sets or defines later has the engine tried again."""
    frame = pa.table({"x": [1]})
    connection = duckdb.connect()  # its own, as a function is defined in it
    native = place.frame(frame)
    session = place.session.newSession() if place.engine == "Spark" else None
    if place.engine == "DuckDB":
        native = connection.from_arrow(frame)
    elif session is not None:  # in Spark 4.0 its functions cannot be had back
        native = session.sql("SELECT 1L AS x")
    table = enter(native, {"x": INT})
    assert isinstance(table.engine, LazyEngine)
    before = table.engine.settings(table.frame)
    try:
        if place.engine == "Polars":
            pl.Config.set_tbl_rows(7)
        elif place.engine == "DuckDB":
            connection.execute("CREATE MACRO sha256(t) AS '7'")
        elif session is not None:
            session.udf.register("sha2", lambda text, bits: "7", "string")
        assert table.engine.settings(table.frame) != before
    finally:
        if place.engine == "Polars":
            pl.Config.set_tbl_rows(None)


def no_csv(place: Place) -> None:
    """A CSV file is no table."""
    path = place.folder / "open.csv"
    path.write_text(OPEN)
    with pytest.raises(OpenDPException):
        enter(path, {"x": INT})


def lines(place: Place) -> None:
    """A quote that stays open ends with its line."""
    source, target = place.folder / "quote.csv", place.folder / "quote.parquet"
    source.write_text(OPEN)
    target.unlink(missing_ok=True)
    path = dp.csv_to_parquet(source, target, {"x": INT})
    assert [row["x"] for row in enter(path, {"x": INT}).rows()] == [1, 2, 3, 4]


def days(place: Place) -> None:
    """Dates are days since 1970."""
    trap("days")(place)


def no_casts(place: Place) -> None:
    """What engines do in their own ways cannot be written."""
    with pytest.raises(AttributeError):
        x.cast(int)  # type: ignore[attr-defined]
