# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.translate; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from functools import reduce
from opendp_lite.base.aliases import Data
from opendp_lite.tables.expressions import Arithmetic
from opendp_lite.tables.expressions import Clip
from opendp_lite.tables.expressions import Compare
from opendp_lite.tables.expressions import Cut
from opendp_lite.tables.expressions import FillNull
from opendp_lite.tables.expressions import IsIn
from opendp_lite.tables.expressions import IsNull
from opendp_lite.tables.expressions import Logic
from opendp_lite.tables.terms import Column
from opendp_lite.tables.terms import Columns
from opendp_lite.tables.terms import Expr
from opendp_lite.tables.terms import Literal
from opendp_lite.tables.terms import atom_of
from typing import Any
import math
import narwhals.stable.v2 as nw
import operator

opendp_lite.tables.terms.Columns: typing.TypeAlias = collections.abc.Mapping[str, opendp_lite.core.domains.domain.Domain]
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
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === translated with Mapping, reduce, Arithmetic, Clip, Compare, Cut, FillNull, IsIn,
#    IsNull, Logic, Column, Columns, Expr, Literal, Any, nw, operator,
#    opendp_lite.tables.terms.Columns, _OPERATORS
def translated(expr: Expr, columns: Columns, names: Mapping[str, str]) -> nw.Expr:
    if expr.constant:
        return _literal(expr.python({}))
    if isinstance(expr, Column):
        import narwhals.stable.v2 as nw

        return nw.col(names[expr.name])
    if isinstance(expr, Clip) and isinstance(expr.x, FillNull):
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


# === _literal with Data, nw, opendp_lite.base.aliases.Data
def _literal(value: Data) -> nw.Expr:
    import narwhals.stable.v2 as nw

    kinds = {int: nw.Int64, float: nw.Float64, bool: nw.Boolean, str: nw.String}
    return nw.lit(value, kinds[type(value)])


# === _if with nw
def _if(condition: nw.Expr, yes: nw.Expr, no: nw.Expr) -> nw.Expr:
    import narwhals.stable.v2 as nw

    return nw.when(condition).then(yes).otherwise(no)


# === _is_there with FillNull, IsNull, Columns, atom_of, math, nw,
#    opendp_lite.tables.terms.Columns
def _is_there(expr: FillNull | IsNull, columns: Columns, x: nw.Expr) -> nw.Expr:
    if atom_of(expr.x.domain(columns)).T is float:
        return x <= _literal(math.inf)
    return ~x.is_null()


# === _clipped with Any, math, nw
def _clipped(x: nw.Expr, lower: Any, upper: Any, fill: Any) -> nw.Expr:
    low, high = _literal(lower), _literal(upper)
    top = _literal(math.inf) if type(upper) is float else _literal(2**63 - 1)
    over = _if((x > high) & (x <= top), high, _literal(fill))
    beyond = _if(x < low, low, over)
    return _if((x >= low) & (x <= high), x, beyond)


# === _halved with nw
def _halved(parts: list[nw.Expr]) -> nw.Expr:
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return _halved(parts[:middle]) | _halved(parts[middle:])


# === _tree with Any, nw
def _tree(x: nw.Expr, edges: tuple[Any, ...], low: int, high: int) -> nw.Expr:
    if low == high:
        return _literal(low)
    middle = (low + high + 1) // 2
    return _if(
        x >= _literal(edges[middle - 1]),
        _tree(x, edges, middle, high),
        _tree(x, edges, low, middle - 1),
    )
