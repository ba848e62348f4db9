"""What the rows of tables time: group-bys of a Parquet file, by us and by the engines.

Times are CPU seconds of all threads, and of the JVM that is a child of ours: on a
machine that is shared, others do not count. The file is made once, of synthetic rows.
"""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.harness import OURS, Absent, Call
from benchmarks.peers import load

__all__ = [
    "GROUPS",
    "bare",
    "codes",
    "cpu_seconds",
    "file",
    "opendp",
    "ours",
    "peak",
    "release",
    "texts",
]

GROUPS = 10_000
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
def file(length: int) -> str:
    """A Parquet file of so many rows, removed when the run ends."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = str(Path(folder) / "visits.parquet")
    _duckdb().sql(_MAKE.format(n=length, groups=GROUPS, path=path))
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


def _table(
    engine: str, path: str, by: str, sums: int, person: str | None
) -> tuple[Any, dict[str, Any]]:
    """The table of the columns that are needed, keys filled, and what is summed."""
    dp = load(OURS)
    whole = dp.option_domain(dp.atom_domain(T="i64"))
    text = dp.option_domain(dp.atom_domain(T=str))
    real = dp.option_domain(dp.atom_domain(T=float))
    every = {"id": whole, "name": text, "g": whole, "gs": text, "age": whole, "x": real}
    needed = {by, person, "x", *(["age"] if sums > 1 else [])}
    domain = dp.table_domain({n: d for n, d in every.items() if n in needed})
    fill = "?" if by == "gs" else -1
    made = dp.t.make_table_with_columns(
        domain, dp.symmetric_distance(), {by: dp.col(by).fill_null(fill)}
    )
    exprs = {"x": dp.col("x").fill_null(0.0).clip(0.0, 200.0)}
    if sums > 1:
        exprs["age"] = dp.col("age").fill_null(0).clip(0, 100)
    return made(_source(engine, path)), exprs


def ours(
    engine: str, path: str, by: str, sums: int, keys: bool, person: str | None
) -> Call:
    """Exact totals, as a release computes them before noise is drawn."""
    from opendp_lite.tables.planning import make_plan

    table, exprs = _table(engine, path, by, sums, person)
    groups = [f"group-{i:05}" for i in range(GROUPS)]
    values: list[Any] = groups if by == "gs" else list(range(GROUPS))
    public = tuple((value,) for value in values) if keys else None
    bounds: dict[str, Any] = {"rows": 2, "groups": 3} if person else {}
    space = dict(table.columns), person
    plan = make_plan(space, (by,), public, sums=exprs, **bounds)
    return _timed(lambda: table.engine.totals(table, plan))


def release(engine: str, path: str) -> Call:
    """A number of rows and a sum for each public key, with noise: epsilon 1."""
    dp = load(OURS)
    columns = {"g": dp.atom_domain(T="i64"), "x": dp.atom_domain(T=float)}
    domain = dp.table_domain({n: dp.option_domain(d) for n, d in columns.items()})
    value = dp.col("x").fill_null(0.0).clip(0.0, 200.0)
    totals = (
        (domain, dp.symmetric_distance())
        >> dp.t.then_table_with_columns({"g": dp.col("g").fill_null(-1)})
        >> dp.t.then_table_group_by({"g": list(range(GROUPS))}, {"x": value})
    )
    rows, steps = totals.map(1)
    noise = [dp.m.then_laplace(2 * rows), dp.m.then_laplace(2 * steps)]
    made = totals >> dp.c.then_product(noise)
    source = _source(engine, path)
    return _timed(lambda: made(source))


def codes(engine: str, path: str) -> Call:
    """The greatest code, from SHA-256, of the names of people."""
    import narwhals.stable.v2 as nw

    table, _ = _table(engine, path, "g", 1, "name")
    name = table.names()["name"]

    def coded() -> Any:
        # Made anew each time: Spark keeps what a frame of its own has computed.
        frame = table.frame.filter(~nw.col(name).is_null())
        frame = table.engine.text_code(frame, name, "code")
        return table.engine.collect(frame.select(nw.col("code").max()))

    return _timed(coded)


def texts(engine: str, path: str) -> Call:
    """The length of the same names in all, which reads them and hashes none."""
    if engine == "Polars":
        import polars as pl

        names = pl.scan_parquet(path).select(pl.col("name").str.len_bytes().sum())
        return _timed(lambda: names.collect(engine="streaming"))
    if engine == "DuckDB":
        sql = f"SELECT sum(strlen(name)) FROM read_parquet('{path}')"
        return _timed(lambda: _duckdb().sql(sql).fetchall())
    frame = _spark().read.parquet(path)
    return _timed(lambda: frame.selectExpr("sum(octet_length(name))").toArrow())


_PEAK = """
from pathlib import Path
from benchmarks.rows.table_work import bare, ours
{call}()
lines = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""


def peak(call: str) -> Call:
    """The most memory, in GB, of a fresh interpreter that makes one call.

    It is the resident set, pages of the file and the libraries included.
    """
    if not Path("/proc/self/status").exists():
        raise Absent("the memory of a process is read from /proc")
    command = [sys.executable, "-c", _PEAK.format(call=call)]

    def measured() -> float:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return int(done.stdout) * 1024 / 1e9

    return measured


def bare(engine: str, path: str, by: str, sums: int, clipped: bool = False) -> Call:
    """The engine's own count and sums of the same file."""
    names = ["x", "age"][:sums]
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


def opendp(path: str, length: int) -> Call:
    """OpenDP's Polars path: the same numbers by the same keys, with noise."""
    dp = load("OpenDP")
    try:
        import polars as pl
    except ImportError:
        raise Absent("Polars is not installed") from None

    def released() -> Any:
        margin = dp.polars.Margin(
            by=["g"], invariant="keys", max_length=length, max_groups=GROUPS
        )
        context = dp.Context.compositor(
            data=pl.scan_parquet(path).select("g", "x"),
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=1.0),
            split_evenly_over=1,
            margins=[margin],
        )
        value = pl.col.x.fill_nan(0.0).fill_null(0.0).dp.sum((0.0, 200.0))
        query = context.query().group_by("g").agg(dp.len(signed=True), value)
        return query.release().collect()

    try:
        released()
    except Exception as error:
        reason = f"OpenDP's tables do not run with Polars {pl.__version__} "
        reason += f"({type(error).__name__}); OpenDP 0.16 asks for 1.36.1"
        raise Absent(reason) from None
    return _timed(released)
