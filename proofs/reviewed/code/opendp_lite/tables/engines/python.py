# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.python; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.engines.engine import Engine
from opendp_lite.tables.engines.engine import Row
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.engines.engine import Totals
from opendp_lite.tables.engines.engine import one
from opendp_lite.tables.terms import Expr
from typing import Any

opendp_lite.tables.engines.engine.Totals = dict[tuple[typing.Any, ...], tuple[int, ...]]
opendp_lite.tables.engines.engine.Row = dict[str, typing.Any]


# === PythonEngine.filter with Engine, Table, Expr, Any
class PythonEngine(Engine):
    def filter(self, table: Table, predicate: Expr) -> Any:
        return tuple(row for row in table.frame if predicate.python(row))


# === PythonEngine.with_columns with Mapping, Engine, Table, Expr, Any
class PythonEngine(Engine):
    name = "Python"
    def with_columns(self, table: Table, new: Mapping[str, Expr]) -> Any:
        return tuple(
            row | {name: expr.python(row) for name, expr in new.items()}
            for row in table.frame
        )


# === PythonEngine.join_public with Mapping, Sequence, Engine, Table, one, Any
class PythonEngine(Engine):
    name = "Python"
    def join_public(
        self,
        table: Table,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
        brought = [name for name in public if name not in on]
        found = {
            key: dict(zip(brought, values, strict=True))
            for key, values in zip(
                zip(*(public[name] for name in on), strict=True),
                _transposed([public[name] for name in brought], len(public[on[0]])),
                strict=True,
            )
        }
        joined = []
        for row in table.frame:
            key = tuple(row[name] for name in on)
            if key in found:
                joined.append(row | {n: one(v) for n, v in found[key].items()})
            elif how == "left":
                joined.append(row | dict.fromkeys(brought))
        return tuple(joined)


# === PythonEngine.totals with Plan, Engine, Table, Totals,
#    opendp_lite.tables.engines.engine.Totals
class PythonEngine(Engine):
    def totals(self, table: Table, plan: Plan) -> Totals:
        return plan.meaning(table.frame)


# === PythonEngine.rows with Engine, Row, Table, opendp_lite.tables.engines.engine.Row
class PythonEngine(Engine):
    def rows(self, table: Table) -> list[Row]:
        return [dict(row) for row in table.frame]


# === _transposed with Sequence, Any
def _transposed(columns: list[Sequence[Any]], rows: int) -> list[tuple[Any, ...]]:
    return list(zip(*columns, strict=True)) if columns else [()] * rows
