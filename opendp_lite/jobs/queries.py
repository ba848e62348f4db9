"""A query of a TOML file: its expressions, its groups, what is asked of each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.context.contexts import Context
from opendp_lite.jobs.expressions import parsed
from opendp_lite.jobs.shapes import (
    JobError,
    Key,
    Named,
    list_at,
    loss_at,
    near,
    number_at,
    table_at,
    text_at,
    whole_at,
)
from opendp_lite.tables.aggregates import Aggregate, aggregate_misfits
from opendp_lite.tables.expressions import Column, Expr
from opendp_lite.tables.questions.queries import TableQuery

LOSSES = ("epsilon", "delta", "rho")
_BOUNDS = ("rows", "groups")
_ROWS = ("columns", "filter", "group_by", *_BOUNDS)
_KEYS = ("name", "share", *LOSSES, *_ROWS, "weights", "aggregates")
_RESERVED = {"self", "weights"}  # names of arguments, in Python
_MOST_KEYS = 2**20  # all of which are held, and answered


@attrs.frozen
class Described:
    """An entry of the list of queries, its expressions read."""

    key: Key
    name: str
    table: Mapping[str, Any]
    columns: Mapping[str, Expr]
    filters: Sequence[Expr]
    aggregates: Mapping[str, Aggregate]
    weights: Mapping[str, Fraction] | None

    def built(self, context: Context, loss: Mapping[str, Fraction]) -> TableQuery:
        """Return the query, or refuse it by the key that does not fit."""
        key = self.key
        given: dict[str, Any] = {**loss, **self._bounds(key, self.table)}
        with key.naming():
            query = context.table(**given)
        for name, expr in self.columns.items():
            with key.at("columns").at(name).naming():  # one by one, to name the key
                query.with_columns(**{name: expr})
        if self.columns:
            query = query.with_columns(**self.columns)
        for place, predicate in enumerate(self.filters):
            with key.at("filter").at(place).naming():
                query = query.filter(predicate)
        query = self._grouped(query)
        with key.naming():
            query._check_bounds(tuple(self.aggregates.items()), self._write)
        for name, each in self.aggregates.items():
            with key.at("aggregates").at(name).naming():
                one: dict[str, Any] = {name: each}
                query.agg(**one)
        with key.at("aggregates").naming():
            asked: dict[str, Any] = dict(self.aggregates)
            made = query.agg(weights=self.weights, **asked)
        if self.weights is not None:
            with key.at("weights").naming():
                made.resolve()  # which is when weights are looked at
        return made

    def check_names(self, columns: Iterable[str]) -> None:
        """Refuse names of columns that there are not, before anything is built.

        :param columns: those of the table
        """
        given, key = list(columns), self.key
        for name, expr in self.columns.items():
            _check_columns(key.at("columns").at(name), expr, given)
        known = [*given, *self.columns]
        for option, name in self._key_columns():
            _check_columns(key.at("group_by").at(option), Column(name), known)
        for place, expr in enumerate(self.filters):
            _check_columns(key.at("filter").at(place), expr, known)
        for name, each in self.aggregates.items():
            if each.expr is not None:
                _check_columns(key.at("aggregates").at(name), each.expr, known)

    def _key_columns(self) -> Iterator[tuple[str, str]]:
        """Yield the names of key columns, and the option that each stands in."""
        group = self.table.get("group_by")
        if type(group) is dict:
            by, keys = group.get("by"), group.get("keys")
            names = [by] if type(by) is str else by if type(by) is list else []
            yield from (("by", name) for name in names if type(name) is str)
            yield from (("keys", name) for name in (keys if type(keys) is dict else ()))

    def _grouped(self, query: TableQuery) -> TableQuery:
        if "group_by" not in self.table:
            return query
        key = self.key.at("group_by")
        given = table_at(key, self.table["group_by"], ("by", "keys", *_BOUNDS))
        by = given.get("by", [])
        by = [by] if type(by) is str else by
        if "by" in given:
            list_at(key.at("by"), by, 'Write by = ["city"]')
        bounds = self._bounds(key, given)
        keys = self._keys(key.at("keys"), given)
        for option, name in self._key_columns():
            if name not in self.columns:  # a column of the file, which may be missing
                fix = "Say what a missing key counts as, in the query: columns = "
                fix += f'{{ {name} = "{name}.fill_null(...)" }}'
                rule = "may be missing, and is no key so"
                raise key.at(option).refused(name, rule, fix)
        with key.naming():
            return query.group_by(*by, keys=keys, **bounds)

    @staticmethod
    def _bounds(key: Key, given: Named) -> dict[str, int]:
        """Return how much of a person counts, as far as a table says it."""
        return {
            name: whole_at(key.at(name), given[name])
            for name in _BOUNDS
            if name in given
        }

    def _write(self, bounds: Mapping[str, int]) -> str:
        """Return how bounds of a person are written in this query."""
        told = [f"{name} = {each}" for name, each in bounds.items()]
        if "group_by" in self.table:
            return f"group_by = {{ {', '.join(['...', *told])} }}"
        return f"{' and '.join(told)} below [[query]]"

    def _keys(self, key: Key, given: Named) -> Any:
        """Return public keys as Python has them: pairs are tuples."""
        keys = given.get("keys")
        if type(keys) is dict:
            lengths = [len(each) for each in keys.values() if type(each) is list]
            if math.prod(lengths) > _MOST_KEYS:
                rule = f"there would be {math.prod(lengths)} keys, at most {_MOST_KEYS}"
                raise key.missing(rule, "Write fewer values, or a list of pairs")
            return {
                name: [
                    _plain(key.at(name), each)
                    for each in list_at(
                        key.at(name), values, f'Write {name} = ["north", "south"]'
                    )
                ]
                for name, values in keys.items()
            }
        if keys is None:
            return None
        fix = 'Write keys = { city = ["Bern", "Chur"] }'
        return [
            tuple(_plain(key, part) for part in each)
            if type(each) is list
            else (_plain(key, each),)
            for each in list_at(key, keys, fix)
        ]

    @property
    def hidden(self) -> bool:
        """Whether keys are found in the data, for which a delta is needed."""
        group = self.table.get("group_by")
        return type(group) is dict and "by" in group and "keys" not in group


def described_at(key: Key, value: Value) -> Described:
    """Return an entry of the list of queries, its expressions read.

    :param key: where it stands
    :param value: what stands there
    """
    table = table_at(key, value, _KEYS, ("aggregates",))
    name = text_at(key, table, "name", None)
    filters = table.get("filter", [])
    filters = [filters] if type(filters) is str else filters
    if "filter" in table:
        list_at(key.at("filter"), filters, 'Write filter = "age.fill_null(0) >= 18"')
    weights = None
    if "weights" in table:
        inside = key.at("weights")
        weights = {
            each: number_at(inside.at(each), number, zero=True)
            for each, number in table_at(inside, table["weights"], None).items()
        }
    return Described(
        key=key,
        name=name,
        table=table,
        columns=_expressions(key.at("columns"), table.get("columns", {}), Expr),
        filters=[
            _expression(key.at("filter").at(i), each, Expr)
            for i, each in enumerate(filters)
        ],
        aggregates=_expressions(key.at("aggregates"), table["aggregates"], Aggregate),
        weights=weights,
    )


def misfits_at(
    key: Key, value: Value, columns: Iterable[str], identifier: str | None
) -> Described:
    """Return the query that counts the values that do not fit their columns.

    :param key: where it stands
    :param value: the table `misfits`
    :param columns: those of the table, with those that mark its misfits
    :param identifier: the column that says whose row it is, or None
    """
    table = dict(table_at(key, value, ("epsilon", "rho", "rows")))
    rows = table.pop("rows", None)
    loss_at(key, table)
    if identifier is None and rows is not None:
        rule = "bounds what a person adds, and the table has no identifier"
        raise key.at("rows").missing(rule, "Leave it out")
    if identifier is not None:
        if rows is None:
            rule = "is missing: how many misfits of a person count in a column at most"
            raise key.at("rows").missing(rule, "Write rows = 1, or more")
        table["rows"] = whole_at(key.at("rows"), rows)
    aggregates = aggregate_misfits(columns, identifier)
    if not aggregates:
        rule = "no column is read from text as a number or a bool"
        raise key.missing(rule, "Leave [misfits] out")
    return Described(key, "misfits", table, {}, (), aggregates, None)


def _expressions(key: Key, value: Value, kind: type) -> dict[str, Any]:
    """Return expressions, or aggregates, by the names that they are given."""
    found = {}
    for name, text in table_at(key, value, None).items():
        if name in _RESERVED:
            rule = "is no name for a column of an answer"
            raise key.at(name).missing(rule, "Choose another one")
        found[name] = _expression(key.at(name), text, kind)
    if kind is Aggregate and not found:
        raise key.missing("nothing is asked for", 'Write people = "people()"')
    return found


def _expression(key: Key, text: Value, kind: type) -> Any:
    try:
        found = parsed(text)
    except JobError as error:
        raise JobError(f"{key}: {error.message}") from None
    if isinstance(found, kind):
        return found
    if kind is Aggregate:
        rule = "is a value for each row, and no aggregate"
        fix = "End it in sum(), mean(), variance(), quantiles(...), histogram(...), "
        raise key.refused(text, rule, f"{fix}n_unique() or misfits()")
    rule, fix = "is an aggregate, and no value for each row", "Put it into aggregates"
    raise key.refused(text, rule, fix)


def _check_columns(key: Key, expr: Expr, known: Sequence[str]) -> None:
    """Refuse an expression that names a column that there is not."""
    if isinstance(expr, Column) and expr.name not in known:
        fix = near(expr.name, known, "The columns are")
        raise key.missing(f"there is no column {expr.name!r}", fix)
    for part in expr.parts:
        _check_columns(key, part, known)


def _plain(key: Key, value: Value) -> Any:
    """Return a public key as a plain value, or refuse what none is."""
    if type(value) in (str, int, bool):
        return value
    kind = "float" if type(value) is Decimal else type(value).__name__
    rule = f"a key is text, a whole number, true or false, and no {kind}"
    raise key.missing(rule, "Put numbers into intervals by cut(edges), in columns")
