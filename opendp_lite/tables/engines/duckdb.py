"""DuckDB: what it is told natively.

Relations can be joined only within their own connection, which a relation does not
give out. So a public table travels in the query, as one JSON literal.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from opendp_lite.base.aliases import Data
from opendp_lite.sessions.trees import current_process
from opendp_lite.tables.engines.engine import Answer, Frame, asked
from opendp_lite.tables.engines.lazy import LazyEngine, Opened, kind_of
from opendp_lite.tables.engines.sources import loaded_class
from opendp_lite.tables.engines.waiting import allow_stop

# Of each connection: its lock, and the settings under which it passed its self-test.
_CONNECTIONS: WeakKeyDictionary[Any, tuple[Any, set[str]]] = WeakKeyDictionary()
_TYPES = {int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN", str: "VARCHAR"}


class DuckDBEngine(LazyEngine):
    """The connection of a relation; sums of int64 are exact, in 128 bits.

    :param connection: None where a relation does not give it out, before DuckDB 2.0;
        then no query can be stopped
    """

    name = "DuckDB"
    wide_sum = True

    def __init__(self, connection: Any = None) -> None:
        super().__init__()
        self.connection = connection  # it has to outlive its relations
        state = threading.RLock(), self.tested
        if connection is not None:
            state = _CONNECTIONS.setdefault(connection, state)
        self._lock, self.tested = state

    @classmethod
    def open_frame(cls, data: Data) -> Opened | None:
        """Return an engine of a relation's connection, the relation, its columns."""
        if type(data) is not loaded_class("duckdb", "DuckDBPyRelation"):
            return None
        engine = cls(getattr(data, "_con", None))
        return engine, data, asked(lambda: list(data.columns), engine)

    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        """Return the columns at these places as c0, c1, ...; names do not count."""
        import narwhals.stable.v2 as nw

        columns = (f"#{place + 1} AS c{i}" for i, place in enumerate(places))
        return nw.from_native(native.project(", ".join(columns)))

    def text(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column as text, compared by bytes.

        A column may carry a collation that its type does not show; C is bytes.
        """
        return _projected(frame, f"CAST({name} AS VARCHAR) COLLATE C", name)

    def real(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of floats as doubles, each as it was.

        Files of Parquet tell the least and the greatest number of a column, and leave
        NaN out of both. DuckDB believes them, and takes `x <= 8` for true in all
        rows of a file if the greatest is 8: a NaN would count as what the other rows
        allow. Of a CASE it knows no bounds.
        """
        return _projected(frame, _hidden(name, f"CAST({name} AS DOUBLE)"), name)

    def whole(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of integers as int64, each as it was.

        What a file tells of its integers is a claim as well: if it were wrong, a clip
        would let through what lies beyond its bounds.
        """
        return _projected(frame, _hidden(name, f"CAST({name} AS BIGINT)"), name)

    def days(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of dates as days; none if infinite."""
        days = f"CAST(date_diff('day', DATE '1970-01-01', {name}) AS BIGINT)"
        return _projected(frame, _hidden(name, days), name)

    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        """Return the frame with a column of codes."""
        code = f"CAST('0x' || substr(sha256({name}), 1, 15) AS BIGINT)"
        return _projected(frame, code, new)

    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
        """Return a public table as a relation of the same connection.

        Values travel as text and are cast, since JSON has no infinities and no
        integers of 64 bits; the text of a float is that of its shortest decimal.
        """
        import narwhals.stable.v2 as nw

        texts = {name: [_text(v) for v in values] for name, values in table.items()}
        kinds = json.dumps({name: ["VARCHAR"] for name in table})
        lists = f"from_json({_literal(json.dumps(texts))}, {_literal(kinds)}) AS v"
        rows = (
            _single(frame)
            .project(lists)
            .project(", ".join(f"unnest(v.{name}) AS {name}" for name in table))
        )
        cast = ", ".join(
            f"CAST({name} AS {_TYPES[kind_of(values)]})"
            f"{' COLLATE C' if kind_of(values) is str else ''} AS {name}"
            for name, values in table.items()
        )
        return nw.from_native(rows.project(cast))

    def fetch_arrow(self, frame: Frame) -> Any:
        """Return the rows of a frame, by a query that can be stopped.

        Without a connection it is not stopped, and not begun if it is too late.
        """
        known = self.connection is not None
        with allow_stop(self.connection.interrupt if known else lambda: None):
            return super().fetch_arrow(frame)

    def answer_alone(self, question: Callable[[], Answer]) -> Answer:
        """Return what `question` returns, while no other thread uses the connection.

        DuckDB 2.0 refuses what a second thread asks of a connection, and to interrupt a
        connection stops whatever it computes, for whichever thread.
        """
        with self._lock:
            return question()

    def settings(self, frame: Frame) -> str:
        """Return the settings of the connection, and all functions that it knows.

        DuckDB calls a function of a user's internal, too, and may prefer it to its own
        of the same name. The number tells one that was made again from the one before.
        """
        said = _single(frame).project(
            "(SELECT string_agg(name || '=' || value, chr(10) ORDER BY name) "
            "FROM duckdb_settings()) AS settings, "
            "(SELECT string_agg(known, chr(10) ORDER BY known) FROM (SELECT "
            "concat_ws(' ', function_name, function_oid, parameters, parameter_types, "
            "macro_definition) AS known FROM duckdb_functions())) AS functions"
        )
        return repr(said.fetchall())


def own_session() -> tuple[DuckDBEngine, Any]:
    """Return an engine of the library's own DuckDB, and its connection, a new one.

    All of them share one database, and what was found when it was tested.
    """
    database, tested = _database(current_process())
    engine = DuckDBEngine(database.cursor())
    engine.tested = tested
    return engine, engine.connection


@cache
def _database(process: tuple[int, int]) -> tuple[Any, set[str]]:
    """Return a database in memory; a fork has none of its parent's threads."""
    import duckdb

    return duckdb.connect(":memory:"), set()


def _projected(frame: Frame, expression: str, new: str) -> Any:
    """Return the frame with a column `new`; the names inside are plain words."""
    import narwhals.stable.v2 as nw

    native = nw.to_native(frame)
    columns = {name: name for name in native.columns} | {new: f"{expression} AS {new}"}
    return nw.from_native(native.project(", ".join(columns.values())))


def _hidden(name: str, expression: str) -> str:
    """Return an expression of a column as one of which DuckDB knows no bounds.

    It does know those of sums, products and `coalesce`: a product by 1 hides nothing.
    """
    return f"CASE WHEN {name} IS NULL THEN NULL ELSE {expression} END"


def _single(frame: Frame) -> Any:
    """Return a relation of one row in the connection of `frame`; it reads no data."""
    import narwhals.stable.v2 as nw

    return nw.to_native(frame).limit(0).aggregate("count(*) AS n")


def _text(value: Data) -> str | None:
    return None if value is None else str(value)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
