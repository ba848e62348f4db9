"""Group-bys of a Parquet file, over the bare aggregation of the same engine.

Times are CPU seconds of all threads, and of the JVM that is a child of ours: on a
machine that is shared, others do not count. The file is made once, of synthetic rows.
"""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.harness import OURS, Absent, Call, Contender, Goal, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["cpu_seconds", "rows"]

_GROUPS = 10_000
_MAKE = """
    COPY (SELECT
        CAST(hash(i) % greatest({n} // 2, 1) AS BIGINT) AS id,
        'person-' || CAST(hash(i) % greatest({n} // 2, 1) AS VARCHAR) AS name,
        CAST(hash(i + 7) % {groups} AS BIGINT) AS g,
        'group-' || lpad(CAST(hash(i + 7) % {groups} AS VARCHAR), 5, '0') AS gs,
        CASE WHEN hash(i + 3) % 20 > 0 THEN CAST(hash(i) % 110 AS BIGINT) END AS age,
        CASE WHEN hash(i + 2) % 20 > 0 THEN hash(i + 5) % 4000000 / 16384.0 END AS x
    FROM range({n}) AS t(i)) TO '{path}' (FORMAT parquet)
"""


def cpu_seconds() -> float:
    """Seconds of CPU that this process has used, and its children that still run."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    total = used.ru_utime + used.ru_stime
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = each.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _timed(work: Call) -> Call:
    def call() -> float:
        start = cpu_seconds()
        work()
        return cpu_seconds() - start

    return call


@cache
def _file(length: int) -> str:
    """A Parquet file of so many rows, removed when the run ends."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = str(Path(folder) / "visits.parquet")
    _duckdb().sql(_MAKE.format(n=length, groups=_GROUPS, path=path))
    return path


@cache
def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError:
        raise Absent("DuckDB is not installed") from None
    return duckdb.connect()


@cache
def _spark() -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise Absent("PySpark is not installed") from None
    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "8"}
    options["spark.driver.memory"] = "4g"
    builder = SparkSession.builder.master("local[2]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _source(engine: str, path: str) -> Any:
    """The table as a user would pass it."""
    if engine == "Polars":
        try:
            import polars
        except ImportError:
            raise Absent("Polars is not installed") from None
        return polars.scan_parquet(path)
    return path if engine == "DuckDB" else _spark().read.parquet(path)


def ours(
    engine: str, length: int, by: str, sums: int, keys: bool, person: str | None
) -> Call:
    """Exact totals, as a release computes them before noise is drawn."""
    dp = load(OURS)
    from opendp_lite.tables.planning import make_plan

    whole = dp.option_domain(dp.atom_domain(T="i64"))
    text = dp.option_domain(dp.atom_domain(T=str))
    real = dp.option_domain(dp.atom_domain(T=float))
    every = {"id": whole, "name": text, "g": whole, "gs": text, "age": whole, "x": real}
    needed = {by, person, "x", *(["age"] if sums > 1 else [])}
    domain = dp.table_domain({n: d for n, d in every.items() if n in needed})
    dp.enable_features("contrib")
    fill = "?" if by == "gs" else -1
    made = dp.t.make_table_with_columns(
        domain, dp.symmetric_distance(), {by: dp.col(by).fill_null(fill)}
    )
    exprs = {"x": dp.col("x").fill_null(0.0).clip(0.0, 200.0)}
    if sums > 1:
        exprs["age"] = dp.col("age").fill_null(0).clip(0, 100)
    texts = [f"group-{i:05}" for i in range(_GROUPS)]
    values: list[Any] = texts if by == "gs" else list(range(_GROUPS))
    public = tuple((value,) for value in values) if keys else None
    bounds: dict[str, Any] = {"rows": 2, "groups": 3} if person else {}
    space = made.output_domain.declared, person
    plan = make_plan(space, (by,), public, sums=exprs, **bounds)
    table = made(_source(engine, _file(length)))
    return _timed(lambda: table.engine.totals(table, plan))


def bare(engine: str, length: int, by: str, sums: int, clipped: bool = False) -> Call:
    """The engine's own count and sums of the same file."""
    path, names = _file(length), ["x", "age"][:sums]
    if engine == "Polars":
        import polars as pl

        totals = [pl.len(), *(pl.col(name).sum() for name in names)]
        groups = pl.scan_parquet(path).group_by(by.split(", ")).agg(*totals)
        return _timed(lambda: groups.collect(engine="streaming"))
    value = "least(greatest(coalesce({}, 0), 0), 200)" if clipped else "{}"
    what = ", ".join(f"sum({value.format(name)}) AS s{name}" for name in names)
    asked = f"SELECT {by}, count(*) AS n, {what} FROM {{}} GROUP BY {by}"
    if engine == "DuckDB":
        sql = asked.format(f"read_parquet('{path}')")
        if "," in by:
            sql = f"SELECT count(*), sum(sx) FROM ({sql})"
        return _timed(lambda: _duckdb().sql(sql).fetchall())
    _spark().read.parquet(path).createOrReplaceTempView("visits")
    sql = asked.format("visits")
    if "," in by:
        sql = f"SELECT count(*), sum(sx) FROM ({sql})"
    return _timed(lambda: _spark().sql(sql).toArrow())


def opendp(length: int) -> Call:
    """OpenDP's Polars path: the same sums by the same keys, with noise."""
    dp = load("OpenDP")
    path = _file(length)

    def release() -> Any:
        import polars as pl

        context = dp.Context.compositor(
            data=pl.scan_parquet(path).select("g", "x"),
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=1.0),
            split_evenly_over=1,
            margins=[dp.polars.Margin(by=["g"], invariant="keys")],
        )
        value = pl.col.x.fill_nan(0.0).fill_null(0.0).dp.sum((0.0, 200.0))
        query = context.query().group_by("g").agg(dp.len(), value)
        return query.release().collect()

    try:
        release()
    except Exception as error:
        reason = f"OpenDP's tables do not run here ({type(error).__name__})"
        raise Absent(reason) from None
    return _timed(release)


def _row(
    key: str,
    title: str,
    engine: str,
    length: int,
    build: Callable[[], Call],
    others: dict[str, Callable[[], Call]],
    goals: dict[str, float],
) -> Row:
    contenders = [Contender(OURS, build, length, f"on {engine}", self_timed=True)]
    contenders += [
        Contender(name, each, length, self_timed=True) for name, each in others.items()
    ]
    at_most = tuple(Goal((name,), 1 / times) for name, times in goals.items())
    note = f"CPU time, {count(length)} rows, {_GROUPS} groups"
    return Row(
        f"table-{engine.lower()}-{key}", title, "row", tuple(contenders), at_most, note
    )


def rows(sizes: Sizes) -> Iterator[Row]:
    """Sums by key on each engine, and people; a tenth of the rows for people."""
    length, tenth = sizes.tables, max(sizes.tables // 10, 1)
    works = {
        "sum": ("count and a sum", "g", 1, False, 2.0),
        "sums": ("count and two sums", "g", 2, False, 2.0),
        "text": ("count and a sum by text", "gs", 1, False, 2.0),
        "keys": ("count and two sums, 1e4 public keys", "g", 2, True, 2.5),
    }
    for engine in ("DuckDB", "Polars", "Spark"):
        for key, (title, by, sums, keys, most) in works.items():
            if engine == "Spark" and key in ("sums", "text"):
                continue

            def mine(engine=engine, by=by, sums=sums, keys=keys) -> Call:  # type: ignore[no-untyped-def]
                return ours(engine, length, by, sums, keys, None)

            def theirs(engine=engine, by=by, sums=sums) -> Call:  # type: ignore[no-untyped-def]
                return bare(engine, length, by, sums)

            others: dict[str, Callable[[], Call]] = {engine: theirs}
            goals = {engine: most}
            if (engine, key) == ("DuckDB", "sum"):
                name = "DuckDB, clipped in floats"
                others[name] = lambda: bare("DuckDB", length, "g", 1, clipped=True)
                goals[name] = 1.0
            if (engine, key) == ("Polars", "sum"):
                others["OpenDP"] = lambda: opendp(length)
            yield _row(key, f"{title}, {engine}", engine, length, mine, others, goals)
        for person in ("id", "name"):

            def cells(engine=engine, person=person) -> Call:  # type: ignore[no-untyped-def]
                return ours(engine, tenth, "g", 1, False, person)

            def pairs(engine=engine, person=person) -> Call:  # type: ignore[no-untyped-def]
                return bare(engine, tenth, f"{person}, g", 1)

            kind = "people" if person == "id" else "people-text"
            title = f"a sum of people, rows=2, groups=3, by {person}, {engine}"
            goals = {engine: 5.0}
            yield _row(kind, title, engine, tenth, cells, {engine: pairs}, goals)
