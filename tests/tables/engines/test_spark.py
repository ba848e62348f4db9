"""Spark says what Python says, as all other engines do, and in its own traps."""

from __future__ import annotations

import logging
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines import selftest
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.spark import SparkEngine, _silenced, spark_engine
from opendp_lite.testing import state_flakiness
from tests.tables.agreement import (
    disagreements,
    plan_disagreements,
    random_table,
    row_disagreements,
)
from tests.tables.mutants import MUTANTS, Mutant, tried
from tests.tables.places import Place
from tests.tables.samples import arrow
from tests.tables.traps import FLOAT, INT, TRAPS, said, summed, table_of, totals, x

TEXT = dp.atom_domain(T=str)

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    # PySpark 4.0 leaves its own sockets to be found.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]


def frame_of(spark: Any, rows: list[Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spark.createDataFrame(arrow(rows)).repartition(3)


def test_spark_says_what_python_says(spark: Any) -> None:
    """Of all rows, and of a plan, before which Spark is tried.

    That is where expressions, filters and joins are compared; random ones are compared
    in the audit.
    """
    rng, rows = random_table(1)
    frame = frame_of(spark, rows)
    assert row_disagreements(rows, frame) == []
    assert plan_disagreements(rng, rows, frame, 1) == []
    engine = spark_engine(spark)
    assert len(engine.tested) == 1


@pytest.mark.audit
@pytest.mark.parametrize("seed", range(1, 12))
def test_many_tables(spark: Any, seed: int) -> None:
    rng, rows = random_table(seed, {1: 40, 2: 0}.get(seed, 80))
    frame = frame_of(spark, rows)
    assert disagreements(rng, rows, frame) == []
    assert plan_disagreements(rng, rows, frame) == []


@pytest.mark.audit
def test_no_trap_catches_spark(spark: Any, tmp_path: Path) -> None:
    for trap in TRAPS:
        table = table_of(trap)
        if pa.types.is_uint8(table["x"].type):
            continue  # Spark has no integers without a sign
        path = tmp_path / f"{TRAPS.index(trap)}.parquet"
        pq.write_table(table, path)
        frame = spark.read.parquet(str(path))
        assert said(frame, trap.domain, trap.expr) == trap.expected, trap.name


@pytest.mark.usefixtures("as_users_run_it")
def test_sums_and_files_of_nan(spark: Any, tmp_path: Path) -> None:
    nan = float("nan")
    pq.write_table(pa.table({"x": [0.5, 1.5, 2.5, -0.5, nan]}), tmp_path / "x.parquet")
    frame = spark.read.parquet(str(tmp_path / "x.parquet"))
    plan = summed(x.fill_null(0.0).clip(-8.0, 8.0), 0)
    assert totals(frame, {"x": FLOAT}, plan) == {(): (5, 5, 4)}
    for predicate in (x.is_null(), x.fill_null(5.0) > dp.lit(3.0)):
        table = enter(frame, {"x": FLOAT})
        kept = table.engine.filter(table, predicate)
        assert Table(table.engine, kept, table.columns).rows() == [{"x": None}]
    big = spark.sql("SELECT 4611686018427387904L AS x FROM range(3000)")
    plan = summed(x.fill_null(0).clip(-(2**52), 2**52))
    assert totals(big, {"x": INT}, plan) == {(): (3000, 3000, 3000 * 2**52)}


def test_text_without_case_and_without_unicode(spark: Any) -> None:
    frame = spark.sql(
        "SELECT x COLLATE UTF8_LCASE AS x FROM VALUES ('a'), ('A'), ('A') AS t(x)"
    )
    every = totals(frame, {"x": TEXT}, lambda c: Plan(c, ("x",)))
    assert every == {("a",): (1, 1), ("A",): (2, 2)}
    broken = spark.sql("SELECT CAST(X'61FF62' AS STRING) AS x")
    assert enter(broken, {"x": TEXT}).rows() == [{"x": "a\ufffdb"}]


def test_names_by_case_and_what_spark_says(spark: Any) -> None:
    frame = spark.sql("SELECT 1L AS a, 2L AS b, 3L AS c").toDF("x", "X", "a`b")
    wanted = {"X": INT, "a`b": INT, "x": INT}
    assert enter(frame, wanted).rows() == [{"X": 2, "a`b": 3, "x": 1}]
    twice = frame.toDF("x", "x", "y")
    wrong = spark.sql("SELECT CAST('1.5' AS DECIMAL(3, 1)) AS x")
    for misfit in (twice, wrong, spark.sql("SELECT now() AS x")):
        with pytest.raises(OpenDPException, match="The column 'x' is"):
            enter(misfit, {"x": INT})
    failing = spark.sql("SELECT CAST(raise_error('row 777') AS BIGINT) AS x")
    table = enter(failing, {"x": INT})
    with pytest.raises(OpenDPException) as caught:
        table.rows()
    assert caught.value.variant == "FailedEngine"
    assert "777" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_new_function_of_the_users_is_seen_by_the_self_test(spark: Any) -> None:
    """It may stand before one of Spark's, so the session is tried anew.

    In Spark 4.0 it cannot be dropped again, so this is a session of its own.
    """
    session = spark.newSession()
    table = enter(session.sql("SELECT 1L AS x"), {"x": INT})
    engine = table.engine
    assert isinstance(engine, LazyEngine)
    before = engine.settings(table.frame)
    assert engine.settings(table.frame) == before
    session.udf.register("sha2", lambda text, bits: "7", "string")
    assert engine.settings(table.frame) != before


def test_a_thread_that_ends_lets_nothing_of_another_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Filters are asked one by one: none may go while those behind it are to come."""
    from pyspark.logger import PySparkLogger

    log, written = PySparkLogger.getLogger("SQLQueryContextLogger"), []
    inside, end, kept = threading.Event(), threading.Event(), logging.StreamHandler()
    kept.emit = lambda record: written.append(record.getMessage())  # type: ignore
    monkeypatch.setattr(log, "handlers", [kept])
    monkeypatch.setattr(log, "propagate", False)
    monkeypatch.setattr(log, "filters", [])

    def other() -> None:
        with _silenced():
            inside.set()
            end.wait(60)

    def ends(record: logging.LogRecord) -> bool:
        end.set()
        thread.join(60)
        return True

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(60)
    log.addFilter(ends)
    with _silenced():
        log.error("outer")
        with _silenced():
            log.error("inner")
        log.error("outer again")
    assert written == []
    log.error("after")
    with pytest.raises(KeyError), _silenced():
        raise KeyError
    log.error("last")
    assert written == ["after", "last"]
    end.set()
    thread.join(60)


QUICK = ("(2^53+1) // 3", "invalid UTF-8", "logs with values")


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(
            mutant,
            id=mutant.trap,
            marks=() if mutant.trap in QUICK else pytest.mark.audit,
        )
        for mutant in MUTANTS
        if "Spark" in mutant.engines
    ],
)
def test_what_is_left_out_is_seen_where_the_trap_is(
    mutant: Mutant, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in `test_mutants`, of Spark; three are run each time, and all in the audit."""
    tried(mutant, Place("Spark", tmp_path, spark), monkeypatch)


@pytest.mark.usefixtures("as_users_run_it")
def test_the_example_answers_the_same_query(
    spark: Any, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    """The frame is Spark's, with declared types, and noise apart the numbers agree.

    It is run here, in the session that is there, and by `make audit` with its own.
    """
    folder = Path(__file__).parents[3] / "examples"
    monkeypatch.syspath_prepend(str(folder))
    example = runpy.run_path(str(folder / "tables_spark.py"))
    dp.enable_features("contrib")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Spark warns of the versions of others
        assert example["started"]().sparkContext is spark.sparkContext
        on_spark, on_duckdb = example["shown"](spark, tmp_path)
        rows = on_spark.collect()
    dp.disable_features("contrib")
    assert "a frame of Spark: pyspark" in capsys.readouterr().out
    kinds = [kind for _, kind in on_spark.dtypes]
    assert kinds == ["string"] + ["bigint"] * 6 + ["double"] * 6
    others = on_duckdb.to_pylist()
    assert [row.city for row in rows] == [other["city"] for other in others]
    assert on_spark.columns == on_duckdb.column_names
    state_flakiness("1e-9")  # noise of scale 8 beyond 200, at twelve numbers
    for row, other in zip(rows, others, strict=True):
        assert abs(row.people - other["people"]) < 400
    assert rows[0].people > 1000


def check_interrupted(session: Any) -> None:
    """Press Ctrl-C in the middle of a query, which would take days.

    Its jobs are cancelled, and no others, and the session goes on.
    """
    slow = session.sql("SELECT a.id AS x FROM range(10000000) AS a, range(10000000)")
    context = dp.Context.compositor(
        data=slow,
        domain=dp.table_domain({"x": dp.option_domain(dp.atom_domain(T=int))}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    total = dp.col("x").fill_null(0).clip(0, 96).sum()
    query = context.table(epsilon=0.5).agg(total=total)
    began, ended, pressed = threading.Event(), threading.Event(), list[float]()
    fetch = SparkEngine.fetch_arrow

    def fetch_arrow(self: Any, frame: Any) -> Any:
        began.set()
        try:
            return fetch(self, frame)
        finally:
            ended.set()

    def press() -> None:
        assert began.wait(120)
        time.sleep(1)  # so that the job has begun, as a rule; it is stopped in any case
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    presser = threading.Thread(target=press)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(selftest, "require_tested", lambda *_: None)
            patch.setattr(SparkEngine, "fetch_arrow", fetch_arrow)
            presser.start()
            with pytest.raises(KeyboardInterrupt, match="Its charge was kept"):
                query.release()
        assert time.monotonic() - pressed[0] < 5
    finally:
        presser.join()
        signal.signal(signal.SIGINT, before)
    assert ended.wait(60), "the jobs go on"
    assert session.range(3).count() == 3
    assert context.current_privacy_loss() == 0.5
    assert not context.queryable.closed


def test_ctrl_c_cancels_the_jobs_of_a_query(spark: Any) -> None:
    check_interrupted(spark)


CONNECT = """
import warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
from tests.tables.agreement import disagreements, plan_disagreements, random_table
from tests.tables.samples import arrow
from tests.tables.test_spark import check_interrupted

session = SparkSession.builder.remote("local[2]").getOrCreate()
assert "connect" in type(session).__module__
rng, rows = random_table(1)
frame = session.createDataFrame(arrow(rows)).repartition(3)
print(disagreements(rng, rows, frame), plan_disagreements(rng, rows, frame, 2))
check_interrupted(session)
session.stop()
"""


@pytest.mark.audit
def test_connect_says_what_python_says() -> None:
    """A process has sessions of one kind, so this is one of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", CONNECT], capture_output=True, text=True, check=False
    )
    assert ran.stdout.strip().endswith("[] []"), ran.stderr[-2000:]
    assert ran.returncode == 0, ran.stderr[-2000:]
