"""Spark, classic and Connect: what it is told natively."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.lazy import LazyEngine, kind_of

__all__ = ["SparkEngine", "spark_engine"]

_TYPES = {int: "bigint", float: "double", bool: "boolean", str: "string"}
_ENGINES: WeakKeyDictionary[Any, SparkEngine] = WeakKeyDictionary()


class SparkEngine(LazyEngine):
    """One session of Spark."""

    name = "Spark"

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
        """Return the settings of the session, and the names of the user's functions.

        One of these may stand before a function of Spark, if a setting says so.
        """
        import narwhals.stable.v2 as nw

        session = nw.to_native(frame).sparkSession
        queries = ("SET", "SHOW USER FUNCTIONS")
        return repr(
            [sorted(tuple(row) for row in session.sql(q).collect()) for q in queries]
        )


def spark_engine(session: Any) -> SparkEngine:
    """Return the engine of a session: the same one each time."""
    return _ENGINES.setdefault(session, SparkEngine())


def _with(frame: Frame, name: str, column: Any) -> Any:
    import narwhals.stable.v2 as nw

    return nw.from_native(nw.to_native(frame).withColumn(name, column))
