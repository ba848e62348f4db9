"""What is asked of each group: people, rows, sums, means, variances, quantiles, ...

An aggregate is a description, and computes nothing. What a table must add up for it
says `tables/questions/asking.py`: sums of expressions, which are asked for together
with the numbers of people and rows, in one pass for all aggregates.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import (
    OpenDPException,
    OpenDPTypeError,
    printed,
    refusal,
)
from opendp_lite.data.freezing import freeze
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.tables.domain import misfit_name
from opendp_lite.transformations.quantiles import quantile_level

if TYPE_CHECKING:
    from opendp_lite.tables.expressions import Columns, Expr


_MAKE = "MakeTransformation"
_LARGEST = 2**52  # of integers that are computed with
_EDGES_FIX = "Pass increasing numbers of the type of the values, such as [0, 18, 65]"
_ALPHAS_FIX = "Pass for example alphas=[0.25, 0.5, 0.75]"
_CLIP_FIX = "Use .clip(lower, upper)"
_NEARER_FIX = "Use .clip(lower, upper), with bounds that are nearer to each other"
_K_FIX = "Pass for example k=-10: sums are then multiples of 2^-10"


@attrs.frozen(eq=False, repr=False)
class Aggregate:
    """What is asked of each group, as `dp.people()` and `expr.sum()` make it.

    `kind` is "people", "count", "sum", "mean", "variance", "quantiles", "histogram",
    "n_unique" or "misfits"; `options` are as they were given, checked.
    """

    kind: str
    expr: Any = None
    options: tuple[tuple[str, Any], ...] = ()

    def option(self, name: str) -> Any:
        """Return an option by its name."""
        return dict(self.options)[name]

    def __repr__(self) -> str:
        told = [(n, v) for n, v in self.options if (n, v) not in _DEFAULTS]
        listed = [(n, list(v) if type(v) is tuple else v) for n, v in told]
        text = ", ".join(f"{n}={printed(v)}" for n, v in listed)
        start = "" if self.expr is None else f"{self.expr!r}."
        return f"{start}{self.kind}({text})"


_DEFAULTS = (("k", None), ("ddof", 1))


def people() -> Aggregate:
    """Return the aggregate of the number of people in a group.

    The table needs an identifier, `unit_of(contributions=1, identifier=...)`.

    >>> people()
    people()
    """
    return Aggregate("people")


def count() -> Aggregate:
    """Return the aggregate of the number of rows in a group.

    With an identifier, a person counts with at most `rows` of them, which
    `Context.table` or `group_by` has to say.

    >>> count()
    count()
    """
    return Aggregate("count")


def aggregate(kind: str, expr: Expr, **options: Any) -> Aggregate:
    """Return the aggregate of an expression: what `expr.sum()` and its like call.

    :param kind: "sum", "mean", "variance", "quantiles", "histogram", "n_unique" or
        "misfits"
    :param expr: a value for each row
    :param options: `k`, the exponent of the grid of sums of floats, for sums, means and
        variances; `ddof`, 0 or 1, for variances; `edges` for histograms and quantiles;
        `alphas` for quantiles
    """
    due = _OPTIONS[kind]
    for name in options:
        if name not in due:
            known = ", ".join(due) or "none"
            raise OpenDPTypeError(
                _MAKE, f"{kind}() has no argument {name!r}. It has: {known}."
            )
    checked = {name: check(options.get(name)) for name, check in due.items()}
    return Aggregate(kind, expr, tuple(checked.items()))


def _check_k(k: object) -> int | None:
    if k is None:
        return None
    return integer_argument(_MAKE, "k", k, fix=_K_FIX)


def _check_ddof(ddof: object) -> int:
    if ddof is None:
        return 1
    fix = "Pass 1 for the estimate from a sample, 0 for the variance of the rows"
    return integer_argument(_MAKE, "ddof", ddof, fix=fix, at_least=0, at_most=1)


def _public_list(values: Any) -> Any:
    from opendp_lite.tables.terms import public_list

    return public_list(values)


def check_edges(edges: Any) -> tuple[Any, ...]:
    """Return increasing edges, all ints or all floats, or refuse them.

    :param edges: a list, or what stands for one

    >>> check_edges(range(3)), check_edges([0, 0.5])
    ((0, 1, 2), (0.0, 0.5))
    """
    values = freeze(_public_list(edges), "edges")
    if type(values) is not tuple or not values:
        rule = "must be a list of at least one number"
        raise refusal(_MAKE, "edges", edges, rule, _EDGES_FIX)
    kinds = {type(each) for each in values}
    if kinds == {int, float} and all(abs(each) <= _LARGEST for each in values):
        values, kinds = tuple(map(float, values)), {float}
    infinite = kinds == {float} and not all(map(math.isfinite, values))
    if kinds not in ({int}, {float}) or infinite:
        rule = "must be finite, and all of them int or all float"
        raise refusal(_MAKE, "edges", edges, rule, _EDGES_FIX)
    if any(a >= b for a, b in pairwise(values)):
        rule = "must be strictly increasing"
        raise refusal(_MAKE, "edges", edges, rule, _EDGES_FIX)
    return values


def _check_alphas(alphas: Any) -> tuple[ExactNumber, ...]:
    rows = _public_list(alphas)
    values = freeze(rows, "alphas")
    values = values if type(values) is tuple else (values,)
    try:
        levels = [quantile_level(each) for each in values]
    except OpenDPException:
        if rows is alphas:
            raise
        levels = []  # a column, which may be data: its class is named, and no value
    if not levels or not all(0 < each < 1 for each in levels):
        rule = "must lie between 0 and 1: the least and the greatest value are no "
        rule += "quantiles that can be told"
        raise refusal(_MAKE, "alphas", alphas, rule, _ALPHAS_FIX)
    if any(a >= b for a, b in pairwise(levels)):
        rule = "must be strictly increasing"
        raise refusal(_MAKE, "alphas", alphas, rule, _ALPHAS_FIX)
    return values


_OPTIONS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "sum": {"k": _check_k},
    "mean": {"k": _check_k},
    "variance": {"k": _check_k, "ddof": _check_ddof},
    "quantiles": {"alphas": _check_alphas, "edges": check_edges},
    "histogram": {"edges": check_edges},
    "n_unique": {},
    "misfits": {},
}


def aggregate_misfits(
    columns: Iterable[str], identifier: str | None
) -> dict[str, Aggregate]:
    """Return the aggregates of misfits of all columns that `declare_misfits` marks.

    Rows without an identifier never count, so its own misfits are left out.

    :param columns: the names of the columns of the table
    :param identifier: the column that says whose row it is, or None

    >>> aggregate_misfits(["id", "age", "id_misfit", "age_misfit"], "id")
    {'age_misfits': col('age').misfits()}
    """
    from opendp_lite.tables.expressions import col

    names = list(columns)
    return {
        f"{name}_misfits": aggregate("misfits", col(name))
        for name in names
        if misfit_name(name) in names and name != identifier
    }


@attrs.frozen
class Centred:
    """An expression around the middle of its bounds, where a row weighs least.

    `beside` is the expression less `centre`. It lies between the two of `ends`, and no
    farther than `size` from 0.
    """

    centre: Any
    bounds: tuple[mpq, mpq]
    beside: Any
    ends: tuple[Any, Any]
    size: Any

    def squares(self, name: str) -> tuple[Any, mpq]:
        """Return the square as an expression, and the greatest that it can be.

        It is clipped, as the arithmetic of bounds knows of no squares.

        :param name: of the aggregate
        """
        most = self.size * self.size
        if most > (_LARGEST if type(most) is int else sys.float_info.max):
            rule = "is how far values lie from the middle of their bounds, and its "
            rule += "square must be within 2^52 for ints, and a double for floats"
            raise refusal(_MAKE, name, self.size, rule, _NEARER_FIX)
        return (self.beside * self.beside).clip(type(most)(0), most), to_mpq(most)


def centred(name: str, expr: Expr, columns: Columns) -> Centred:
    """Return an expression around the middle of its bounds, or refuse one without.

    :param name: of the aggregate
    :param expr: numbers with finite bounds
    :param columns: of the table
    """
    low, high = finite_bounds(name, expr, columns)
    centre = (low + high) // 2 if type(low) is int else low / 2 + high / 2
    ends = low - centre, high - centre  # rounded as the expression rounds them
    bounds, size = (to_mpq(low), to_mpq(high)), max(ends[1], -ends[0])
    return Centred(centre, bounds, expr - centre, ends, size)


def finite_bounds(name: str, expr: Expr, columns: Columns) -> tuple[Any, Any]:
    """Return the bounds of an expression, or refuse it where it has none."""
    from opendp_lite.tables.expressions import present

    domain = present(name, expr.domain(columns))
    bounds = domain.bounds if domain.T in (int, float) else None
    wide = bounds is None or not all(map(math.isfinite, bounds))
    if wide or (domain.T is int and max(map(abs, bounds or ())) > _LARGEST):
        rule = f"{expr!r} is to be numbers with finite bounds, integers within 2^52"
        raise refusal(_MAKE, name, domain, rule, _CLIP_FIX)
    assert bounds is not None
    low, high = bounds
    return low, high


def inner_edges(name: str, kind: Aggregate, columns: Columns) -> tuple[Any, ...]:
    """Return the edges of quantiles, with the bounds of the values around them.

    Edges that are not strictly within the bounds separate nothing, and are left out.

    :param name: of the aggregate
    :param kind: quantiles
    :param columns: of the table
    """
    low, high = finite_bounds(name, kind.expr, columns)
    edges = kind.option("edges")
    inner = tuple(each for each in edges if low < each < high)
    if type(edges[0]) is not type(low) or not inner:
        rule = (
            f"must be {type(low).__name__}s, some between the bounds {low} and {high}"
        )
        raise refusal(_MAKE, "edges", edges, rule, _EDGES_FIX)
    return low, *inner, high
