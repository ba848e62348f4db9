# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.duckdb; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from functools import cache
from opendp_lite.base.aliases import Data
from opendp_lite.sessions.trees import current_process
from opendp_lite.tables.engines.engine import Answer
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.lazy import kind_of
from opendp_lite.tables.engines.waiting import allow_stop
from typing import Any
import json

opendp_lite.tables.engines.engine.Frame: typing.TypeAlias = typing.Any
_TYPES = {int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN", str: "VARCHAR"}
opendp_lite.tables.engines.engine.Answer = typing.TypeVar('Answer')
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === DuckDBEngine.chosen with Sequence, Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        import narwhals.stable.v2 as nw

        columns = (f"#{place + 1} AS c{i}" for i, place in enumerate(places))
        return nw.from_native(native.project(", ".join(columns)))


# === DuckDBEngine.text with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    name = "DuckDB"
    def text(self, frame: Frame, name: str) -> Any:
        return _projected(frame, f"CAST({name} AS VARCHAR) COLLATE C", name)


# === DuckDBEngine.real with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    name = "DuckDB"
    def real(self, frame: Frame, name: str) -> Any:
        return _projected(frame, _hidden(name, f"CAST({name} AS DOUBLE)"), name)


# === DuckDBEngine.whole with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    name = "DuckDB"
    def whole(self, frame: Frame, name: str) -> Any:
        return _projected(frame, _hidden(name, f"CAST({name} AS BIGINT)"), name)


# === DuckDBEngine.days with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    name = "DuckDB"
    def days(self, frame: Frame, name: str) -> Any:
        days = f"CAST(date_diff('day', DATE '1970-01-01', {name}) AS BIGINT)"
        return _projected(frame, _hidden(name, days), name)


# === DuckDBEngine.text_code with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    name = "DuckDB"
    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        code = f"CAST('0x' || substr(sha256({name}), 1, 15) AS BIGINT)"
        return _projected(frame, code, new)


# === DuckDBEngine.public with Mapping, Sequence, Frame, LazyEngine, kind_of, Any, json,
#    _TYPES, opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    name = "DuckDB"
    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
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


# === DuckDBEngine.fetch_arrow with Frame, LazyEngine, allow_stop, Any,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    def fetch_arrow(self, frame: Frame) -> Any:
        known = self.connection is not None
        with allow_stop(self.connection.interrupt if known else lambda: None):
            return super().fetch_arrow(frame)


# === DuckDBEngine.answer_alone with Callable, Answer, LazyEngine,
#    opendp_lite.tables.engines.engine.Answer
class DuckDBEngine(LazyEngine):
    def answer_alone(self, question: Callable[[], Answer]) -> Answer:
        with self._lock:
            return question()


# === DuckDBEngine.settings with Frame, LazyEngine,
#    opendp_lite.tables.engines.engine.Frame
class DuckDBEngine(LazyEngine):
    def settings(self, frame: Frame) -> str:
        said = _single(frame).project(
            "(SELECT string_agg(name || '=' || value, chr(10) ORDER BY name) "
            "FROM duckdb_settings()) AS settings, "
            "(SELECT string_agg(known, chr(10) ORDER BY known) FROM (SELECT "
            "concat_ws(' ', function_name, function_oid, parameters, parameter_types, "
            "macro_definition) AS known FROM duckdb_functions())) AS functions"
        )
        return repr(said.fetchall())


# === own_session with current_process, Any
def own_session() -> tuple[DuckDBEngine, Any]:
    database, tested = _database(current_process())
    engine = DuckDBEngine(database.cursor())
    engine.tested = tested
    return engine, engine.connection


# === _database with cache, Any
@cache
def _database(process: tuple[int, int]) -> tuple[Any, set[str]]:
    import duckdb

    return duckdb.connect(":memory:"), set()


# === _projected with Frame, Any, opendp_lite.tables.engines.engine.Frame
def _projected(frame: Frame, expression: str, new: str) -> Any:
    import narwhals.stable.v2 as nw

    native = nw.to_native(frame)
    columns = {name: name for name in native.columns} | {new: f"{expression} AS {new}"}
    return nw.from_native(native.project(", ".join(columns.values())))


# === _hidden
def _hidden(name: str, expression: str) -> str:
    return f"CASE WHEN {name} IS NULL THEN NULL ELSE {expression} END"


# === _single with Frame, Any, opendp_lite.tables.engines.engine.Frame
def _single(frame: Frame) -> Any:
    import narwhals.stable.v2 as nw

    return nw.to_native(frame).limit(0).aggregate("count(*) AS n")


# === _text with Data, opendp_lite.base.aliases.Data
def _text(value: Data) -> str | None:
    return None if value is None else str(value)


# === _literal
def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
