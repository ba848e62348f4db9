"""Expressions as engines are told them, in Narwhals (`stable.v2`).

Each node is told by comparisons, CASE and arithmetic within range, which mean the same
on every engine; nothing is told that an engine may round, cast or order in its own way.
Narwhals is imported inside of functions.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

from opendp_lite.base.aliases import Data
from opendp_lite.tables.expressions import (
    Arithmetic,
    Clip,
    Column,
    Columns,
    Compare,
    Cut,
    Expr,
    FillNull,
    IsIn,
    IsNull,
    Literal,
    Logic,
    atom_of,
)

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


_OPERATORS: dict[str, Any] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "&": operator.and_,
    "|": operator.or_,
}


def translated(expr: Expr, columns: Columns, names: Mapping[str, str]) -> nw.Expr:
    """Return what an engine is told of an expression.

    :param expr: an expression that fits the columns
    :param columns: the domains of the columns, by the user's names
    :param names: what the columns are called inside of the engine
    """
    if expr.constant:  # proof: constant
        return _literal(expr.python({}))
    if isinstance(expr, Column):
        import narwhals.stable.v2 as nw

        return nw.col(names[expr.name])
    if isinstance(expr, Clip) and isinstance(expr.x, FillNull):  # proof: fused
        x = translated(expr.x.x, columns, names)
        fill = Clip(Literal(expr.x.value), expr.lower, expr.upper).python({})
        return _clipped(x, expr.lower, expr.upper, fill)
    inner = [translated(part, columns, names) for part in expr.parts]
    if isinstance(expr, FillNull):
        return _if(_is_there(expr, columns, inner[0]), inner[0], _literal(expr.value))
    if isinstance(expr, IsNull):
        there = _is_there(expr, columns, inner[0])
        return _if(there, _literal(False), _literal(True))
    if isinstance(expr, Clip):
        low, high = _literal(expr.lower), _literal(expr.upper)
        beyond = _if(inner[0] > high, high, inner[0])
        return _if(inner[0] < low, low, beyond)
    if isinstance(expr, IsIn):
        found = [inner[0] == _literal(value) for value in dict.fromkeys(expr.values)]
        return _halved(found)
    if isinstance(expr, Cut):
        return _tree(inner[0], expr.edges, 0, len(expr.edges))
    if isinstance(expr, Logic) and expr.symbol == "~":
        return ~inner[0]
    assert isinstance(expr, Arithmetic | Compare | Logic)
    made: nw.Expr = reduce(_OPERATORS[expr.symbol], inner)
    return made


def _literal(value: Data) -> nw.Expr:
    """Return a public value, of the one dtype that its type has in tables."""
    import narwhals.stable.v2 as nw

    kinds = {int: nw.Int64, float: nw.Float64, bool: nw.Boolean, str: nw.String}
    return nw.lit(value, kinds[type(value)])


def _if(condition: nw.Expr, yes: nw.Expr, no: nw.Expr) -> nw.Expr:
    import narwhals.stable.v2 as nw

    return nw.when(condition).then(yes).otherwise(no)


def _is_there(expr: FillNull | IsNull, columns: Columns, x: nw.Expr) -> nw.Expr:
    """Return whether a value is there; of floats, null and NaN both fail to be <= inf.

    Engines take a NaN for greater than all numbers, or compare it as false: it is at
    most infinity on none of them.
    """
    if atom_of(expr.x.domain(columns)).T is float:
        return x <= _literal(math.inf)
    return ~x.is_null()


def _clipped(x: nw.Expr, lower: Any, upper: Any, fill: Any) -> nw.Expr:
    """Return what may be missing, filled and clipped: for most rows, two comparisons.

    A missing value fails the first question and the second, and is told from what is
    too large by the last.
    """
    low, high = _literal(lower), _literal(upper)
    top = _literal(math.inf) if type(upper) is float else _literal(2**63 - 1)
    over = _if((x > high) & (x <= top), high, _literal(fill))
    beyond = _if(x < low, low, over)
    return _if((x >= low) & (x <= high), x, beyond)


def _halved(parts: list[nw.Expr]) -> nw.Expr:
    """Return whether one of several holds, halved so that nothing nests deeply."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return _halved(parts[:middle]) | _halved(parts[middle:])


def _tree(x: nw.Expr, edges: tuple[Any, ...], low: int, high: int) -> nw.Expr:
    """Return how many edges are at or below, which is known to be in low..high."""
    if low == high:
        return _literal(low)
    middle = (low + high + 1) // 2
    return _if(
        x >= _literal(edges[middle - 1]),
        _tree(x, edges, middle, high),
        _tree(x, edges, low, middle - 1),
    )
