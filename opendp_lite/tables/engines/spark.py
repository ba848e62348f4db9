"""Spark, classic and Connect: what it is told natively."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from opendp_lite.base.aliases import Data
from opendp_lite.tables.engines.engine import Frame, asked
from opendp_lite.tables.engines.lazy import LazyEngine, Opened, kind_of
from opendp_lite.tables.engines.sources import loaded_class
from opendp_lite.tables.engines.waiting import allow_stop

_TYPES = {int: "bigint", float: "double", bool: "boolean", str: "string"}
_NATIVE = ("sha2", "substring", "conv", "unix_date", "make_valid_utf8", "collate")
_FUNCTIONS = (*_NATIVE, "sum", "count", "coalesce", "isnull")
_LOGS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
_FRAMES = ("pyspark.sql.classic.dataframe", "pyspark.sql.connect.dataframe")
_TAGS = count()
_HERE = threading.local()  # of each thread: whether it asks Spark for rows
_ENGINES: WeakKeyDictionary[Any, SparkEngine] = WeakKeyDictionary()


class SparkEngine(LazyEngine):
    """One session of Spark."""

    name = "Spark"

    @classmethod
    def open_frame(cls, data: Data) -> Opened | None:
        """Return the engine of a DataFrame's session, the DataFrame, its columns."""
        if type(data) not in [loaded_class(module, "DataFrame") for module in _FRAMES]:
            return None
        names = asked(lambda: list(data.columns))
        return spark_engine(data.sparkSession), data, names

    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        """Return the columns at these places as c0, c1, ...; names do not count."""
        import narwhals.stable.v2 as nw

        raw = native.toDF(*(f"r{i}" for i in range(len(names))))
        inside = [f"r{place} AS c{i}" for i, place in enumerate(places)]
        return nw.from_native(raw.selectExpr(*inside))

    def text(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column as valid text, compared by bytes."""
        from pyspark.sql import functions as F

        valid = F.make_valid_utf8(F.col(name).cast("string"))
        return _with(frame, name, F.collate(valid, "UTF8_BINARY"))

    def days(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of dates as days since 1970-01-01."""
        from pyspark.sql import functions as F

        return _with(frame, name, F.unix_date(F.col(name)).cast("bigint"))

    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        """Return the frame with a column of codes."""
        from pyspark.sql import functions as F

        digits = F.substring(F.sha2(F.col(name), 256), 1, 15)
        return _with(frame, new, F.conv(digits, 16, 10).cast("bigint"))

    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
        """Return a public table as a frame of the session, sent to all workers."""
        import narwhals.stable.v2 as nw
        from pyspark.sql import functions as F

        session = nw.to_native(frame).sparkSession
        schema = ", ".join(f"{n} {_TYPES[kind_of(v)]}" for n, v in table.items())
        rows = list(zip(*table.values(), strict=True))
        return nw.from_native(F.broadcast(session.createDataFrame(rows, schema)))

    def settings(self, frame: Frame) -> str:
        """Return the settings of the session, and what a user's functions may replace.

        Such a function may stand before one of Spark's, if a setting says so; in Spark
        4.0 one of the same name always does, and is listed as Spark's own.
        """
        import narwhals.stable.v2 as nw

        session = nw.to_native(frame).sparkSession
        own = (f"DESCRIBE FUNCTION {name}" for name in _FUNCTIONS)
        queries = ("SET", "SHOW USER FUNCTIONS", *own)
        return repr(
            [sorted(tuple(row) for row in session.sql(q).collect()) for q in queries]
        )

    def fetch_arrow(self, frame: Frame) -> Any:
        """Return the rows of a frame, whose jobs have a tag by which they are stopped.

        They are asked for in a thread of the library's own. Spark keeps a pool, a group
        and a description of jobs for each thread, so those of the main thread do not
        count here.
        """
        import narwhals.stable.v2 as nw

        session = nw.to_native(frame).sparkSession
        add, remove, cancel = _tagging(session)
        tag = f"opendp-lite-{os.getpid()}-{next(_TAGS)}"
        with _silenced(), allow_stop(lambda: cancel(tag)):
            add(tag)
            try:
                return super().fetch_arrow(frame)
            finally:
                remove(tag)


def spark_engine(session: Any) -> SparkEngine:
    """Return the engine of a session: the same one each time."""
    return _ENGINES.setdefault(session, SparkEngine())


def _tagging(session: Any) -> tuple[Any, Any, Any]:
    """Return what adds a tag to the jobs of this thread, removes it, and cancels jobs.

    A session of Connect tags its operations. One of classic Spark has these methods,
    too, but there another thread cannot cancel by them.
    """
    if type(session).__module__.startswith("pyspark.sql.connect"):
        return session.addTag, session.removeTag, session.interruptTag
    jobs = session.sparkContext
    return jobs.addJobTag, jobs.removeJobTag, jobs.cancelJobsWithTag


def _with(frame: Frame, name: str, column: Any) -> Any:
    import narwhals.stable.v2 as nw

    return nw.from_native(nw.to_native(frame).withColumn(name, column))


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep PySpark from writing what an error of this thread says, which shows rows.

    PySpark logs errors while it makes them, on the stream of errors, whatever level the
    session has. Those of other threads go on. The filter stays: if one were removed
    while another thread is asked for its own, that one could be passed over.
    """
    from pyspark.logger import PySparkLogger

    for name in _LOGS:
        PySparkLogger.getLogger(name).addFilter(_heard)
    before = getattr(_HERE, "asks", False)
    try:
        _HERE.asks = True
        yield
    finally:
        _HERE.asks = before


def _heard(record: logging.LogRecord) -> bool:
    """Return whether a log writes what this thread tells it: not while it asks."""
    return not getattr(_HERE, "asks", False)
