"""Arguments of table queries: what users write, as the constructors take it.

A constructor takes floats beside floats, lists of public values, and numbers where it
adds up. Users write other things as well. Those that have one meaning become the first
here, and nothing here decides privacy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

import attrs

from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import Domain
from opendp_lite.solving.parameters import joined
from opendp_lite.solving.refused import ContextError, refused
from opendp_lite.tables.aggregates import Aggregate
from opendp_lite.tables.expressions import Column, Expr, Literal, atom_of
from opendp_lite.tables.language import foreign
from opendp_lite.tables.rows import then_table_join, then_table_with_columns
from opendp_lite.tables.terms import may_be_missing, public_list

AGG_FIX = "Pass for example people=dp.people(), total=dp.col('x').clip(0, 9).sum()"
_EXACT = 2**53  # every integer up to it is a double
_NAMED = ("count", "people")  # aggregates that are of the rows, and so have a name
_ADDED = ("sum", "mean", "variance")


def space_of(chain: Any) -> tuple[Any, Any]:
    """Return the space that the links of a query lead to.

    :param chain: a space or a transformation
    """
    return chain if isinstance(chain, tuple) else chain.output_space


def name_aggregates(
    unnamed: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Aggregate]:
    """Return the aggregates by name; `dp.count()` and `dp.people()` name themselves.

    :param unnamed: the aggregates that were passed by position
    :param named: those that were passed by name

    >>> from opendp_lite.tables.aggregates import count
    >>> name_aggregates([count()], {})
    {'count': count()}
    """
    if not unnamed and not named:
        raise ContextError("Context", f"agg: nothing is asked for. {AGG_FIX}.")
    found = dict[str, Any]()
    if len(unnamed) == 1 and type(unnamed[0]) in (list, tuple):
        unnamed = unnamed[0]
    for each in unnamed:
        if type(each) is not Aggregate or each.kind not in _NAMED:
            rule = "has no name of its own"
            raise refused("agg", type(each), rule, AGG_FIX)
        found[each.kind] = each
    for name, each in named.items():
        if type(each) is not Aggregate:
            raise refused(name, type(each), "must be an aggregate", AGG_FIX)
    twice = [name for name in found if name in named]
    if twice or len(found) < len(unnamed):
        rule = "there are two aggregates of this name"
        raise refused("agg", (twice or list(found))[0], rule, "Name each once")
    return {**found, **named}


def fit_numbers(expr: Any, columns: Mapping[str, Domain]) -> Any:
    """Return the expression with whole numbers as floats where they meet floats.

    What is no expression, or does not fit the columns, is returned as it is.

    :param expr: as a user wrote it
    :param columns: of the table

    >>> from opendp_lite.core.domains import AtomDomain
    >>> from opendp_lite.tables.expressions import col
    >>> fit_numbers(col("x").fill_null(0) > 3000, {"x": AtomDomain(T=float)})
    (col('x').fill_null(0.0) > 3000.0)
    """
    if not isinstance(expr, Expr) or not attrs.has(type(expr)):
        return expr
    kind: Any = type(expr)
    given = {each.name: getattr(expr, each.name) for each in attrs.fields(kind)}
    made = {name: fit_numbers(each, columns) for name, each in given.items()}
    floats = {name: _as_float(each) for name, each in made.items()}
    different = any(floats[name] is not made[name] for name in made)
    if different and any(_type_of(x, columns) is float for x in made.values()):
        made = floats
    if all(made[name] is given[name] for name in given):
        return expr
    return kind(**made)


def fit_aggregate(each: Aggregate, columns: Mapping[str, Domain]) -> Aggregate:
    """Return the aggregate with whole numbers as floats where they meet floats.

    :param each: as a user wrote it
    :param columns: of the table
    """
    expr = fit_numbers(each.expr, columns)
    options = dict(each.options)
    if "edges" in options and _type_of(expr, columns) is float:
        options["edges"] = _as_float(options["edges"])
    return attrs.evolve(each, expr=expr, options=tuple(options.items()))


def _type_of(expr: object, columns: Mapping[str, Domain]) -> type | None:
    """Return the type of an expression, or None if it does not fit the columns."""
    if not isinstance(expr, Expr):
        return None
    try:
        return atom_of(expr.domain(columns)).T
    except OpenDPException:
        return None


def _as_float(value: Any) -> Any:
    """Return an int, ints in a tuple or the literal of one as floats, if exact."""
    if type(value) is int and abs(value) <= _EXACT:
        return float(value)
    if type(value) is tuple and int in map(type, value):
        return tuple(map(_as_float, value))
    if type(value) is Literal and type(value.value) is int:
        return Literal(_as_float(value.value))
    return value


def number_truths(
    chain: Any, aggregates: Mapping[str, Aggregate], identifier: str | None
) -> tuple[Any, dict[str, Aggregate]]:
    """Return the chain and the aggregates with bools as 0 and 1 where they are added.

    A public table says which number each truth value is, and the chain joins it. So the
    sum of a column of bools is the number of rows where it is true, and the mean is
    their proportion. With an identifier the numbers are floats: the rows of a person
    may be averaged, and averages of integers are rounded to integers.

    :param chain: the links before the groups, a space or a transformation
    :param aggregates: by name
    :param identifier: the column that says whose row it is, or None
    """
    numbers = [0, 1] if identifier is None else [0.0, 1.0]
    found = dict[str, Aggregate]()
    for name, each in aggregates.items():
        columns: dict[str, Domain] = space_of(chain)[0].declared
        found[name] = each
        if each.kind not in _ADDED or _type_of(each.expr, columns) is not bool:
            continue
        if may_be_missing(each.expr.domain(columns)):
            continue  # is refused, and how to fill it is said
        truth, number = new_name(f"{name}_true", columns), new_name(name, columns)
        if isinstance(each.expr, Column):
            truth = each.expr.name
        else:
            link = then_table_with_columns({truth: each.expr})
            chain = joined(chain, link)
        link = then_table_join({truth: [False, True], number: numbers}, truth)
        chain = joined(chain, link)
        found[name] = attrs.evolve(each, expr=Column(number).fill_null(numbers[0]))
    return chain, found


def new_name(name: str, columns: Mapping[str, Domain]) -> str:
    """Return a name that no column has.

    :param name: to begin with
    :param columns: of the table
    """
    while name in columns:
        name += "_"
    return name


def public_columns(public: Any) -> Any:
    """Return a public table as a dict of lists, if it is a frame or a dict.

    :param public: as a user passed it

    >>> public_columns({"city": ("A", "B"), "zone": range(2)})
    {'city': ['A', 'B'], 'zone': [0, 1]}
    """
    if type(public) is dict:
        return {name: public_list(each) for name, each in public.items()}
    if foreign(type(public)) is None:
        return public
    if hasattr(public, "to_pydict"):  # of PyArrow
        return public.to_pydict()
    if hasattr(public, "to_dict") and hasattr(public, "columns"):
        return {name: public_list(public[name]) for name in public.columns}
    return public


_COUNT = "Write .agg(dp.count()) for rows and .agg(dp.people()) for people"
_ADD = "Write .agg(total=dp.col('x').clip(lower, upper).sum()), and so on"
_NOISE = (
    "The query takes the noise that is more accurate under its loss, and preview() "
    "says which. Write .laplace() or .gaussian() to ask for one"
)
_SHOW = "No rows are shown: preview() says what a query costs, release() answers it"
_ABSENT = {
    name: told
    for names, told in (
        ("count size len n_rows people", _COUNT),
        ("sum mean variance quantiles histogram n_unique median std", _ADD),
        ("groupby groupBy by group", "Write .group_by('city', keys=['A', 'B'])"),
        ("where query", "Write .filter(dp.col('age') >= 18)"),
        ("withColumn with_column assign mutate", "Write .with_columns(name=...)"),
        ("merge", "Write .join(public, on='city')"),
        ("aggregate summarise", "Write .agg(...)"),
        ("noise add_noise", _NOISE),
        ("collect execute run compute", "Write .release()"),
        ("head show describe rows columns limit", _SHOW),
    )
    for name in names.split()
}


class AbsentMethods:
    """What a query about a table says of methods and items that it has not."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers are to find the misspelt ones

        def __getattr__(self, name: str) -> NoReturn:
            names = [each for each in dir(type(self)) if not each.startswith("_")]
            near = get_close_matches(name, names, 1)
            told = _ABSENT.get(name, f"It has {', '.join(names)}") + "."
            if near and name not in _ABSENT:
                told = f"Did you mean .{near[0]}?"
            text = f"a query about a table has no method {name!r}. {told}"
            # No object: Python would add a guess of its own.
            raise AttributeError(text, name=name, obj=None)

        def __getitem__(self, item: object) -> NoReturn:
            raise ContextError(
                "Context",
                "a query about a table has no items. Name a column by dp.col(name), as "
                "in .agg(total=dp.col(name).clip(lower, upper).sum()).",
            )
