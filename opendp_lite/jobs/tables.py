"""What a TOML file says of a table: its columns, what is protected, the queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import shown
from opendp_lite.context.contexts import Context
from opendp_lite.core.domains import Domain, atom_domain, option_domain
from opendp_lite.jobs.queries import LOSSES, Described, described_at, misfits_at
from opendp_lite.jobs.shapes import (
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
from opendp_lite.solving.units import loss_of, unit_of
from opendp_lite.tables.domain import TableDomain, declare_misfits
from opendp_lite.tables.questions.queries import TableQuery

_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool, "text": str}
_LOSS_FIX = 'Say for all queries what each may lose, or give each a "share"'


@attrs.frozen
class Description:
    """A table, what is protected, and queries with what each may lose.

    `columns` has those that mark misfits, too, if queries count `misfits`.
    """

    key: Key
    columns: Mapping[str, Domain]
    unit: Mapping[str, Any]
    loss: Mapping[str, Fraction]
    queries: Sequence[Described]
    losses: Sequence[Mapping[str, Fraction]]
    misfits: bool

    def opened(self, data: str | None) -> tuple[Context, list[tuple[str, TableQuery]]]:
        """Return the context and its queries; about an empty table if there is none.

        :param data: path of a Parquet file, or None
        """
        key = self.key.at("privacy")
        with key.naming():
            unit, loss = unit_of(**self.unit), loss_of(**self.loss)
        with (key if data is None else Key(data)).naming():
            context = Context.compositor(
                data={name: [] for name in self.columns} if data is None else data,
                domain=TableDomain(dict(self.columns)),
                privacy_unit=unit,
                privacy_loss=loss,
            )
        pairs = zip(self.queries, self.losses, strict=True)
        return context, [(each.name, each.built(context, own)) for each, own in pairs]


def columns_at(key: Key, value: Value) -> tuple[dict[str, Domain], str, bool]:
    """Return the columns, what separates fields, and whether there is a header.

    Every column may have missing values, so that nothing is claimed of the data.

    :param key: where it stands
    :param value: the table `data`
    """
    given = table_at(key, value, ("columns", "separator", "header"), ("columns",))
    inside = key.at("columns")
    columns: dict[str, Domain] = {}
    for name, each in table_at(inside, given["columns"], None).items():
        if type(each) is not str or each not in _TYPES:
            fix = near(each if type(each) is str else "", _TYPES, "The types are")
            raise inside.at(name).missing(f"{shown(each)} is no type of a column", fix)
        columns[name] = option_domain(atom_domain(T=_TYPES[each]))
    if not columns:
        raise inside.missing("there are none", 'Write for example age = "int"')
    separator, header = given.get("separator", ","), given.get("header", True)
    if type(separator) is not str or len(separator) != 1 or separator in '"\n\r':
        rule = "must be one character, no quote and no newline"
        raise key.at("separator").refused(separator, rule, 'Write ","')
    if type(header) is not bool:
        raise key.at("header").refused(header, "must be true or false", "Write true")
    return columns, separator, header


def description_at(
    key: Key, whole: Named, columns: Mapping[str, Domain]
) -> Description:
    """Return what a file says, whose expressions can be read; they may not fit yet.

    :param key: of the file
    :param whole: all that it says
    :param columns: of the table
    """
    place = key.at("privacy")
    keys = ("contributions", "identifier", *LOSSES)
    privacy = table_at(place, whole["privacy"], keys)
    if "contributions" not in privacy:
        rule = "is missing: how many rows a person may have, or, with an identifier, "
        raise place.at("contributions").missing(
            f"{rule}how many people are protected together", "Write contributions = 1"
        )
    rows = whole_at(place.at("contributions"), privacy["contributions"])
    named: dict[str, Any] = {"contributions": rows}
    if "identifier" in privacy:
        who = text_at(place, privacy, "identifier", None)
        if who not in columns:
            fix = near(who, columns, "The columns are")
            raise place.at("identifier").missing(f"{who!r} is no column", fix)
        named["identifier"] = who
    loss = loss_at(place, {n: privacy[n] for n in LOSSES if n in privacy})
    inside = key.at("query")
    entries = list_at(inside, whole["query"], "Write [[query]] and its keys below")
    queries = [described_at(inside.at(i), each) for i, each in enumerate(entries)]
    kinds = [each.kind for query in queries for each in query.aggregates.values()]
    misfits = "misfits" in whole or "misfits" in kinds
    if misfits:
        with key.at("data").at("columns").naming():
            columns = declare_misfits(columns)
    if "misfits" not in whole:
        losses = _losses(loss, queries)
    else:
        place = key.at("misfits")
        identifier = named.get("identifier")
        query = misfits_at(place, whole["misfits"], columns, identifier)
        own = _stated(query, loss)
        losses = [*_losses(_rest(place, loss, own), queries), own]
        queries.append(query)
    names = [each.name for each in queries]
    for query in queries:
        query.check_names(columns)
        if names.count(query.name) > 1:
            rule, fix = "names two queries", "Give each its own name"
            raise query.key.at("name").refused(query.name, rule, fix)
    return Description(key, columns, named, loss, queries, losses, misfits)


def _rest(
    key: Key, loss: Mapping[str, Fraction], own: Mapping[str, Fraction]
) -> Mapping[str, Fraction]:
    """Return what the count of misfits leaves to the other queries."""
    rest = {name: value - own[name] for name, value in loss.items()}
    for name in own:
        if name != "delta" and rest[name] <= 0:
            rule = f"leaves nothing of {name} {loss[name]} for the queries"
            raise key.at(name).missing(rule, "Write less")
    return rest


def _losses(
    loss: Mapping[str, Fraction], queries: Sequence[Described]
) -> list[Mapping[str, Fraction]]:
    """Return what each query may lose: what it says, or its share of the whole.

    A delta is parted among the queries that need one.
    """
    stated = [any(name in each.table for name in LOSSES) for each in queries]
    if any(stated):
        return [_stated(each, loss) for each in queries]
    shares = [
        number_at(each.key.at("share"), each.table.get("share", 1)) for each in queries
    ]
    total = sum(shares)
    needing = sum(s for s, each in zip(shares, queries, strict=True) if each.hidden)
    found: list[Mapping[str, Fraction]] = []
    for share, each in zip(shares, queries, strict=True):
        own = {n: value * share / total for n, value in loss.items() if n != "delta"}
        if "delta" in loss:
            part = share / needing if each.hidden else Fraction(0)
            own["delta"] = loss["delta"] * part
        found.append(own)
    return found


def _stated(query: Described, loss: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """Return what a query says that it may lose, in the terms of the whole."""
    table = {name: query.table[name] for name in LOSSES if name in query.table}
    if not table or "share" in query.table:
        raise query.key.missing("some queries say what they may lose", _LOSS_FIX)
    own = loss_at(query.key, table)
    for name in own:
        if name not in loss:
            told = " and ".join(loss)
            raise query.key.at(name).missing(
                f"the whole is told in {told}, by [privacy]", f"Write {told} here too"
            )
    return {"delta": Fraction(0), **own} if "delta" in loss else own
