"""Aggregates of the rows of a group, as they are asked for in `.agg(...)`."""

from __future__ import annotations

from typing import Any

import attrs

from opendp_lite.tables.expressions import Expr

__all__ = ["Aggregate", "aggregate"]


@attrs.frozen(eq=False)
class Aggregate:
    """What is asked of a group: a kind, an expression, and options of the kind."""

    kind: str
    expr: Expr
    options: dict[str, Any]


def aggregate(kind: str, expr: Expr, **options: Any) -> Aggregate:
    """Return the aggregate of an expression that its method of this name stands for."""
    return Aggregate(kind, expr, options)
