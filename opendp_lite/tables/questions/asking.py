"""What a query about a table asks for: its groups, and the vectors of its aggregates.

Aggregates are taken apart into vectors of integers, each of which is asked for once:
one number of rows serves all means. Whatever can be added up in one pass is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.domains import Domain
from opendp_lite.exact.grids import power_of_two
from opendp_lite.solving.casts import CONCENTRATED, PURE
from opendp_lite.solving.parameters import joined
from opendp_lite.solving.refused import ContextError, refused
from opendp_lite.tables.aggregates import (
    Aggregate,
    aggregate_misfits,
    centred,
    inner_edges,
)
from opendp_lite.tables.domain import misfit_name
from opendp_lite.tables.expressions import Column, atom_of
from opendp_lite.tables.grouping import (
    then_table_count_distinct,
    then_table_group_by,
)
from opendp_lite.tables.keys import hidden_plan
from opendp_lite.tables.planning import (
    key_column,
    make_plan,
    public_keys,
    table_space,
)
from opendp_lite.tables.questions.arguments import new_name, space_of
from opendp_lite.tables.questions.bounds import Bounds
from opendp_lite.tables.questions.noise import Hidden, Part, Vector
from opendp_lite.tables.questions.results import Asked, Wanted, column_names
from opendp_lite.tables.rows import then_table_with_columns
from opendp_lite.tables.steps import as_steps, step_between
from opendp_lite.tables.terms import public_list

if TYPE_CHECKING:
    from opendp_lite.context.queries import Query


_PEOPLE, _ROWS = ("people",), ("rows",)
_KEYS_FIX = 'Pass for example keys={"region": ["north", "south"]}'


@attrs.frozen(eq=False)
class Grouping:
    """The keys of groups, public or not, and how much of a person counts.

    `keys` is a dict as of `make_table_group_by`, with all keys of `order`; both are
    None where keys are not public.
    """

    by: tuple[str, ...]
    keys: Any
    order: tuple[tuple[Any, ...], ...] | None
    limits: Bounds

    @classmethod
    def of(
        cls, query: Query, by: tuple[Any, ...], keys: Any, limits: Bounds
    ) -> Grouping:
        """Return the groups of a query, or refuse what does not fit its table."""
        space = table_space(*space_of(query._chain))
        columns = space[0]
        for name in by:
            key_column("by", name, columns)
        if len(set(by)) < len(by):
            raise refused("by", list(by), "names a column twice", "Name each once")
        order = None
        if keys is not None or not by:
            keys = _dict_of(by, {} if keys is None else keys)
            by, order = public_keys(keys, columns)
            keys = _copied(by, order)
        # What is wrong with rows and groups is said at once.
        bounds: dict[str, Any] = limits.arguments()
        make_plan(space, by, order, **bounds)
        return cls(by, keys, order, limits)

    def link(self, sums: Any, k: Any, p: int, keys: Any = None) -> Any:
        """Return the link that adds up people, rows and sums, by public keys."""
        keys = self.keys if keys is None else keys
        return then_table_group_by(keys, sums, p=p, k=k, **self.limits.arguments())

    def written(self, bounds: Mapping[str, int], keys: object = "...") -> str:
        """Return the grouping as it would be written with these bounds.

        :param bounds: by name
        :param keys: stands for public keys
        """
        told = [repr(name) for name in self.by]
        told += [] if not self.order or not self.by else [f"keys={keys}"]
        told += [f"{name}={each}" for name, each in bounds.items()]
        return f"group_by({', '.join(told)})"


def _dict_of(by: tuple[str, ...], keys: Any) -> Any:
    """Return public keys as a dict of columns, or of one tuple of them."""
    if isinstance(keys, dict):
        keys = {name: public_list(each) for name, each in keys.items()}
        if by and set(by) != {n for each in keys for n in _names(each)}:
            rule = "must have just the columns of by"
            raise refused("keys", list(keys), rule, "Leave by out")
        return (
            {name: keys[name] for name in by} if by and set(by) == set(keys) else keys
        )
    given, keys = keys, public_list(keys)
    if not isinstance(keys, list | tuple) or not by:
        rule = "must be a dict of columns and lists, or a list of tuples with by"
        raise refused("keys", keys, rule, _KEYS_FIX)
    if len(by) == 1 and not any(isinstance(k, list | tuple) for k in keys):
        return {by[0]: list(keys)}
    if keys is not given and not all(
        isinstance(k, list | tuple) and len(k) == len(by) for k in keys
    ):  # a column, which may be data: its class is named, and no value
        rule = "must be a tuple for each key, with a value for each column of by"
        raise refused("keys", given, rule, _KEYS_FIX)
    return {by: list(keys)}


def _copied(by: tuple[str, ...], order: tuple[tuple[Any, ...], ...]) -> Any:
    """Return all keys as a dict that nobody else has: a list may yet be changed."""
    if len(by) == 1:
        return {by[0]: [key[0] for key in order]}
    return {by: list(order)} if by else {}


def _names(name: Any) -> tuple[Any, ...]:
    return name if type(name) is tuple else (name,)


@attrs.frozen(eq=False)
class Question:
    """What is asked: the key columns, the aggregates, and the passes over the table."""

    grouping: Grouping
    keys: tuple[tuple[str, type], ...]
    asked: tuple[Asked, ...]
    parts: tuple[Part, ...]


@attrs.define(eq=False)
class _Vectors:
    """The vectors that one pass adds up, each asked for once, under different names."""

    columns: dict[str, Domain]
    taken: set[str]
    counts: dict[Wanted, Vector] = attrs.field(factory=dict)
    sums: dict[Wanted, tuple[Vector, Any, int | None]] = attrs.field(factory=dict)

    def named(self, name: str) -> str:
        """Return the name, or one like it that no other vector or aggregate has."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def count(self, wanted: Wanted, name: str | None = None) -> Wanted:
        """Ask for the number of people or rows, and return what it is known by."""
        if wanted not in self.counts:
            own = self.named(wanted[0]) if name is None else name
            self.counts[wanted] = Vector(wanted, own, wanted[0])
        return wanted

    def sum(self, name: str, words: str, expr: Any, k: int | None, unit: mpq) -> Wanted:
        """Ask for a sum in steps of a unit, and return what it is known by."""
        wanted = ("sum", repr(expr), k)
        if wanted not in self.sums:
            self.sums[wanted] = Vector(wanted, name, words, unit), expr, k
        return wanted


def question(
    query: Query,
    grouping: Grouping,
    aggregates: Sequence[tuple[str, Aggregate]],
    p: int,
) -> Question:
    """Return the vectors and passes of a query, or refuse what does not fit its table.

    :param query: the links before the groups
    :param grouping: the groups
    :param aggregates: what is asked of each, by name
    :param p: 1 to measure distances for Laplace noise, 2 for Gaussian
    """
    columns: dict[str, Domain] = space_of(query._chain)[0].declared
    vectors = _Vectors(columns, {name for name, _ in aggregates})
    for name, each in aggregates:  # so that these give the vectors their names
        if each.kind in ("people", "count"):
            _counted(name, each, grouping, vectors)
    if grouping.order is None:  # what is compared with the threshold
        _check_delta(query)
        vectors.count(_ROWS if grouping.limits.identifier is None else _PEOPLE)
    asked, others = list[Asked](), dict[Wanted, Part]()
    for name, each in aggregates:
        if each.kind in _OTHERS:
            if grouping.order is None:
                raise ContextError(
                    "Context",
                    f"{name}: {each.kind} needs public keys. Pass keys= to group_by, "
                    "for example those that an earlier query released.",
                )
            made, part = _OTHERS[each.kind](query, grouping, name, each, columns, p)
            others.setdefault(made.wanted[0], part)
        else:
            made = _added(name, each, grouping, vectors)
        asked.append(made)
    _check_names(grouping.by, asked)
    parts = [*_main(query, grouping, vectors, p), *others.values()]
    types = tuple((name, atom_of(columns[name]).T) for name in grouping.by)
    return Question(grouping, types, tuple(asked), tuple(parts))


def _check_delta(query: Query) -> None:
    """Refuse keys that are not public where nothing may be left out."""
    loss: Any = query._d_out
    if query._output_measure in (PURE, CONCENTRATED) or (loss and loss[1] == 0):
        raise ContextError(
            "Context",
            "group_by: without public keys those are released that enough people "
            "have, for which a delta greater than 0 is needed. Pass keys=, or give "
            "the Context and the query a delta, such as delta=1e-9.",
        )


def _counted(
    name: str, each: Aggregate, grouping: Grouping, vectors: _Vectors
) -> Asked:
    """Return the number of people or of rows."""
    if each.kind == "count":
        return Asked(name, each, (vectors.count(_ROWS, name),))
    if grouping.limits.identifier is None:
        raise ContextError(
            "Context",
            f"{name}: people are counted where the table has an identifier. Use "
            "dp.count(), or unit_of(contributions=1, identifier=...).",
        )
    return Asked(name, each, (vectors.count(_PEOPLE, name),))


def _added(name: str, each: Aggregate, grouping: Grouping, vectors: _Vectors) -> Asked:
    """Return what is made of numbers of people and rows, and of sums."""
    if each.kind in ("people", "count"):
        return _counted(name, each, grouping, vectors)
    k, columns = each.option("k"), vectors.columns
    if each.kind == "sum":
        steps = as_steps(name, each.expr, columns, k)
        unit = power_of_two(steps.k)
        wanted = vectors.sum(name, "sum", each.expr, k, unit)
        return Asked(name, each, (wanted,), real=steps.real)
    around = centred(name, each.expr, columns)
    words, real = f"around {around.centre}", type(around.centre) is float
    unit = step_between(real, *around.ends, k)
    total = vectors.sum(name, f"sum {words}", around.beside, k, unit)
    both = vectors.count(_ROWS), total
    if each.kind == "mean":
        return Asked(name, each, both, middle=around)
    expr, most = around.squares(name)
    own = vectors.named(f"{name}_squares")
    unit = step_between(real, 0, most)
    squares = vectors.sum(own, f"squares {words}", expr, None, unit)
    return Asked(name, each, (*both, squares), middle=around, most=most)


def _main(query: Query, grouping: Grouping, vectors: _Vectors, p: int) -> list[Part]:
    """Return the pass of all numbers of people and rows and sums, if there is one."""
    if not vectors.counts and not vectors.sums:
        return []
    sums = {vector.name: expr for vector, expr, _ in vectors.sums.values()}
    k = {v.name: each for v, _, each in vectors.sums.values() if each is not None}
    first = [_ROWS] if grouping.limits.identifier is None else [_PEOPLE, _ROWS]
    known = [*first, *vectors.sums]
    every = {**vectors.counts, **{w: each[0] for w, each in vectors.sums.items()}}
    places = [place for place, wanted in enumerate(known) if wanted in every]
    found = tuple(every[known[place]] for place in places)
    if grouping.order is None:
        options: dict[str, Any] = {**grouping.limits.arguments(), "k": k}
        plan = hidden_plan(*space_of(query._chain), grouping.by, sums, **options)
        hidden = Hidden(plan, sums, options, len(known))
        return [Part(found, tuple(places), query._chain, hidden=hidden)]
    chain = joined(query._chain, grouping.link(sums, k, p))
    return [Part(found, tuple(places), chain)]


def _binned(
    query: Query,
    grouping: Grouping,
    name: str,
    each: Aggregate,
    columns: dict[str, Domain],
    p: int,
) -> tuple[Asked, Part]:
    """Return a histogram or quantiles: the numbers of rows by key and bin."""
    edges: tuple[Any, ...] = ()
    cuts = each.option("edges")
    if each.kind == "quantiles":
        edges = inner_edges(name, each, columns)
        cuts = edges[1:-1]
    own = new_name(f"{name}_bin", columns)
    bins = len(cuts) + 1
    chain = joined(query._chain, then_table_with_columns({own: each.expr.cut(cuts)}))
    keys = {**grouping.keys, own: list(range(bins))}
    chain = joined(chain, grouping.link({}, {}, p, keys))
    wanted = ("bins", repr(each.expr), cuts)
    vector = Vector(wanted, name, f"rows in {bins} bins", bins=bins)
    place = 0 if grouping.limits.identifier is None else 1
    return Asked(name, each, (wanted,), edges=edges), Part((vector,), (place,), chain)


def _distinct(
    query: Query,
    grouping: Grouping,
    name: str,
    each: Aggregate,
    columns: dict[str, Domain],
    p: int,
) -> tuple[Asked, Part]:
    """Return the number of different values."""
    chain, own = query._chain, ""
    if isinstance(each.expr, Column):
        own = each.expr.name
    else:
        own = new_name(f"{name}_value", columns)
        chain = joined(chain, then_table_with_columns({own: each.expr}))
    bounds = grouping.limits.arguments()
    bounds.pop("rows", None)
    link = then_table_count_distinct(grouping.keys, own, p=p, **bounds)
    wanted = ("distinct", repr(each.expr))
    vector = Vector(wanted, name, "different values")
    part = Part((vector,), (0,), joined(chain, link), single=True)
    return Asked(name, each, (wanted,)), part


def _misfits(
    query: Query,
    grouping: Grouping,
    name: str,
    each: Aggregate,
    columns: dict[str, Domain],
    p: int,
) -> tuple[Asked, Part]:
    """Return the number of rows whose text did not fit a column.

    These are the rows of one more public key: that the mark of the column is true.
    """
    column = each.expr.name if isinstance(each.expr, Column) else ""
    mark = misfit_name(column)
    if mark not in columns or atom_of(columns[mark]).T is not bool:
        raise ContextError(
            "Context",
            f"{name}: {each!r} needs a column of bools that marks the misfits of "
            "a column. Declare it by domain=table_domain(declare_misfits(columns)); "
            "csv_to_parquet writes it.",
        )
    if column == grouping.limits.identifier:
        raise ContextError(
            "Context",
            f"{name}: {column!r} says whose row it is, and rows in which it is missing "
            "do not count, so that its misfits would always be 0. Leave it out.",
        )
    own = new_name(mark, columns)
    marked = {own: Column(mark).fill_null(False)}
    chain = joined(query._chain, then_table_with_columns(marked))
    chain = joined(chain, grouping.link({}, {}, p, {**grouping.keys, own: [True]}))
    wanted = ("misfits", column)
    place = 0 if grouping.limits.identifier is None else 1
    return Asked(name, each, (wanted,)), Part(
        (Vector(wanted, name, "misfits"),), (place,), chain
    )


def all_misfits(query: Query) -> dict[str, Aggregate]:
    """Return the aggregates of misfits of all columns whose misfits are marked.

    :param query: the links so far
    """
    domain, metric = space_of(query._chain)
    found = aggregate_misfits(domain.declared, Bounds.of(metric).identifier)
    if not found:
        raise ContextError(
            "Context",
            "count_misfits: the table declares no column that marks misfits. Pass "
            "domain=table_domain(declare_misfits(columns)); csv_to_parquet writes "
            "these columns, so write an older file anew.",
        )
    return found


_OTHERS: dict[str, Callable[..., tuple[Asked, Part]]] = {
    "quantiles": _binned,
    "histogram": _binned,
    "n_unique": _distinct,
    "misfits": _misfits,
}


def _check_names(by: tuple[str, ...], asked: Sequence[Asked]) -> None:
    """Refuse two columns of the answer with one name."""
    seen = set(by)
    for each in asked:
        for name in column_names(each):
            for full in (name, f"{name}_low", f"{name}_high"):
                if full in seen:
                    raise ContextError(
                        "Context",
                        f"{each.name}: the answer would have two columns of the name "
                        f"{full!r}. Choose another name.",
                    )
                seen.add(full)
