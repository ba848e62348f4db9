"""The meaning itself: rows in Python, one after the other.

It needs no library. The proofs are about it, and contracts, brute force and bit trees
run on it; every other engine is compared with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from opendp_lite.data.identity import key
from opendp_lite.tables.engines.engine import Engine, Frame, Row, Table, Totals, one

if TYPE_CHECKING:
    from opendp_lite.tables.cells import Plan
    from opendp_lite.tables.expressions import Expr


class PythonEngine(Engine):
    """Rows as a tuple of dictionaries, by the names of the domain."""

    name = "Python"

    def filter(self, table: Table, predicate: Expr) -> Any:
        """Return the rows for which `predicate` is true."""
        return tuple(row for row in table.frame if predicate.python(row))

    def with_columns(self, table: Table, new: Mapping[str, Expr]) -> Any:
        """Return the rows with new columns, all computed from the old ones."""
        return tuple(
            row | {name: expr.python(row) for name, expr in new.items()}
            for row in table.frame
        )

    def join_public(
        self,
        table: Table,
        on: Sequence[str],
        public: Mapping[str, Sequence[Any]],
        how: str,
    ) -> Any:
        """Return the rows with what the public table says of their keys."""
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

    def totals(self, table: Table, plan: Plan) -> Totals:
        """Return the meaning of the plan."""
        return plan.meaning(table.frame)

    def rows(self, table: Table) -> list[Row]:
        """Return the rows."""
        return [dict(row) for row in table.frame]

    def same(self, frame: Frame, other: Any) -> bool:
        """Return whether two frames have the same rows, in the same order."""
        return key(frame) == key(other)


PYTHON = PythonEngine()


def _transposed(columns: list[Sequence[Any]], rows: int) -> list[tuple[Any, ...]]:
    return list(zip(*columns, strict=True)) if columns else [()] * rows
