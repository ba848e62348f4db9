# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.spark; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import contextmanager
from itertools import count
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.lazy import kind_of
from opendp_lite.tables.engines.waiting import allow_stop
from typing import Any
from weakref import WeakKeyDictionary
import logging
import os
import threading

opendp_lite.tables.engines.engine.Frame: typing.TypeAlias = typing.Any
_TYPES = {int: "bigint", float: "double", bool: "boolean", str: "string"}
_NATIVE = ("sha2", "substring", "conv", "unix_date", "make_valid_utf8", "collate")
_FUNCTIONS = (*_NATIVE, "sum", "count", "coalesce", "isnull")
_TAGS = count()
_ENGINES: WeakKeyDictionary[Any, SparkEngine] = WeakKeyDictionary()
_LOGS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
_HERE = threading.local()


# === SparkEngine.chosen with Sequence, Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class SparkEngine(LazyEngine):
    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        import narwhals.stable.v2 as nw

        raw = native.toDF(*(f"r{i}" for i in range(len(names))))
        inside = [f"r{place} AS c{i}" for i, place in enumerate(places)]
        return nw.from_native(raw.selectExpr(*inside))


# === SparkEngine.text with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class SparkEngine(LazyEngine):
    name = "Spark"
    def text(self, frame: Frame, name: str) -> Any:
        from pyspark.sql import functions as F

        valid = F.make_valid_utf8(F.col(name).cast("string"))
        return _with(frame, name, F.collate(valid, "UTF8_BINARY"))


# === SparkEngine.days with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class SparkEngine(LazyEngine):
    name = "Spark"
    def days(self, frame: Frame, name: str) -> Any:
        from pyspark.sql import functions as F

        return _with(frame, name, F.unix_date(F.col(name)).cast("bigint"))


# === SparkEngine.text_code with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class SparkEngine(LazyEngine):
    name = "Spark"
    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        from pyspark.sql import functions as F

        digits = F.substring(F.sha2(F.col(name), 256), 1, 15)
        return _with(frame, new, F.conv(digits, 16, 10).cast("bigint"))


# === SparkEngine.public with Mapping, Sequence, Frame, LazyEngine, kind_of, Any,
#    opendp_lite.tables.engines.engine.Frame, _TYPES
class SparkEngine(LazyEngine):
    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
        import narwhals.stable.v2 as nw
        from pyspark.sql import functions as F

        session = nw.to_native(frame).sparkSession
        schema = ", ".join(f"{n} {_TYPES[kind_of(v)]}" for n, v in table.items())
        rows = list(zip(*table.values(), strict=True))
        return nw.from_native(F.broadcast(session.createDataFrame(rows, schema)))


# === SparkEngine.settings with Frame, LazyEngine,
#    opendp_lite.tables.engines.engine.Frame, _NATIVE, _FUNCTIONS
class SparkEngine(LazyEngine):
    name = "Spark"
    def settings(self, frame: Frame) -> str:
        import narwhals.stable.v2 as nw

        session = nw.to_native(frame).sparkSession
        own = (f"DESCRIBE FUNCTION {name}" for name in _FUNCTIONS)
        queries = ("SET", "SHOW USER FUNCTIONS", *own)
        return repr(
            [sorted(tuple(row) for row in session.sql(q).collect()) for q in queries]
        )


# === SparkEngine.fetch_arrow with count, Frame, LazyEngine, allow_stop, Any, os,
#    opendp_lite.tables.engines.engine.Frame, _TAGS
class SparkEngine(LazyEngine):
    def fetch_arrow(self, frame: Frame) -> Any:
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


# === spark_engine with Any, WeakKeyDictionary, _ENGINES
def spark_engine(session: Any) -> SparkEngine:
    return _ENGINES.setdefault(session, SparkEngine())


# === _tagging with Any
def _tagging(session: Any) -> tuple[Any, Any, Any]:
    if type(session).__module__.startswith("pyspark.sql.connect"):
        return session.addTag, session.removeTag, session.interruptTag
    jobs = session.sparkContext
    return jobs.addJobTag, jobs.removeJobTag, jobs.cancelJobsWithTag


# === _with with Frame, Any, opendp_lite.tables.engines.engine.Frame
def _with(frame: Frame, name: str, column: Any) -> Any:
    import narwhals.stable.v2 as nw

    return nw.from_native(nw.to_native(frame).withColumn(name, column))


# === _silenced with Iterator, contextmanager, threading, _LOGS, _HERE
@contextmanager
def _silenced() -> Iterator[None]:
    from pyspark.logger import PySparkLogger

    for name in _LOGS:
        PySparkLogger.getLogger(name).addFilter(_heard)
    before = getattr(_HERE, "asks", False)
    try:
        _HERE.asks = True
        yield
    finally:
        _HERE.asks = before


# === _heard with logging, threading, _HERE
def _heard(record: logging.LogRecord) -> bool:
    return not getattr(_HERE, "asks", False)
