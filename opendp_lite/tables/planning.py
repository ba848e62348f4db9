"""What group-bys ask of their arguments: spaces, public keys, bounds of a person."""

from __future__ import annotations

from itertools import product
from typing import Any

from opendp_lite.base.arguments import check_type, integer_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.core.metrics import ChangeOneDistance, Metric, SymmetricDistance
from opendp_lite.exact.roots import root
from opendp_lite.tables.cells import PRIME, Plan
from opendp_lite.tables.distance import IdentifierDistance
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.steps import WIDEST, Steps, as_steps
from opendp_lite.tables.terms import (
    Columns,
    atom_of,
    expression_argument,
    may_be_missing,
)

_MAKE = "MakeTransformation"
_METRICS = (IdentifierDistance, SymmetricDistance, ChangeOneDistance)
_KEYS = {
    int: AtomDomain(T="i64"),
    bool: AtomDomain(T=bool),
    str: AtomDomain(T=str),
}  # the values of keys, by the type of their column
_MOST = 2**40  # rows of a table, and so cells of a person


def table_space(
    input_domain: Domain, input_metric: Metric
) -> tuple[dict[str, Domain], str | None]:
    """Return the columns and the name of the identifier, if the metric has one."""
    fix = "Pass for example table_domain({...})"
    check_type(_MAKE, "input_domain", input_domain, TableDomain, fix)  # proof: tables
    fix = "Pass symmetric_id_distance(...), symmetric_distance() or "
    fix += "change_one_distance()"
    check_type(_MAKE, "input_metric", input_metric, _METRICS, fix)  # proof: metric
    assert isinstance(input_domain, TableDomain)
    columns = input_domain.declared
    if not isinstance(input_metric, IdentifierDistance):
        return columns, None  # proof: rows
    identifier = input_metric.identifier
    if identifier not in columns or atom_of(columns[identifier]).T not in (int, str):
        rule = "must name a column of the table that is int or text"
        fix = "Pass symmetric_id_distance of such a column"
        raise refusal(_MAKE, "identifier", identifier, rule, fix)  # proof: identifier
    return columns, identifier


def key_column(argument: str, name: object, columns: Columns) -> type:
    """Return the type of a column that can be a key: never missing, and no float."""
    if type(name) is not str or name not in columns:  # proof: known
        # Of a name that is none, the type: what it says may be data.
        rule = f"names no column of the table, which has {', '.join(columns)}"
        raise refusal(_MAKE, argument, type(name), rule, "Name one of these")
    if may_be_missing(columns[name]):  # proof: present
        fix = "Say what a missing key counts as: then_table_with_columns("
        fix += f"{{{name!r}: col({name!r}).fill_null(...)}})"
        raise refusal(_MAKE, argument, name, "may be missing, and is no key so", fix)
    T: type = atom_of(columns[name]).T
    if T not in _KEYS:  # proof: kinds
        fix = f"Cut it first: then_table_with_columns({{...: col({name!r}).cut(...)}})"
        raise refusal(_MAKE, argument, name, "floats are no keys", fix)
    return T


def public_keys(
    keys: object, columns: Columns
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Return the columns of public keys, and all keys, in order, each once.

    What several columns have in common is named by a tuple of their names, and its
    values are tuples; of all else, the keys are the product.
    """
    fix = 'Pass for example {"region": ["north", "south"]}'
    check_type(_MAKE, "keys", keys, dict, fix)  # proof: dict
    assert isinstance(keys, dict)
    by: list[str] = []
    lists: list[list[tuple[Any, ...]]] = []
    for names, values in keys.items():
        together = type(names) is tuple
        own = names if together else (names,)
        types = [key_column("keys", name, columns) for name in own]  # proof: columns
        argument = f"keys[{names!r}]"
        listed = tuple(values) if isinstance(values, list | tuple) else ()
        if not listed:
            rule = "must be a list of at least one value"
            raise refusal(_MAKE, argument, values, rule, fix)  # proof: listed
        given = listed if together else [(value,) for value in listed]
        lists.append([_key(argument, each, types) for each in given])  # proof: values
        by.extend(own)
    if len(set(by)) < len(by):  # proof: once
        raise refusal(_MAKE, "keys", keys, "names a column twice", "Name each once")
    found = tuple(tuple(v for part in each for v in part) for each in product(*lists))
    if len(set(found)) < len(found):  # proof: different
        rule = "no two keys may be equal"
        raise refusal(_MAKE, "keys", keys, rule, "Leave out what is there twice")
    return tuple(by), found


def _key(argument: str, given: Any, types: list[type]) -> tuple[Any, ...]:
    """Return a key, value by value of the type of its column, or refuse it."""
    # It is read once.
    values = tuple(given) if isinstance(given, list | tuple) else ()
    if len(values) != len(types):  # proof: width
        rule = f"each must be a tuple of {len(types)} values"
        raise refusal(_MAKE, argument, given, rule, "Pass a value for each column")
    read = []
    for value, T in zip(values, types, strict=True):
        own = native(value)
        valid = type(own) is not str or own.isascii() or _is_unicode(own)
        if not _KEYS[T].member(value) or not valid:  # proof: typed
            rule = f"each must be {_KEYS[T].rule()}"
            rule += ", with a code in UTF-8" if T is str else ""
            wrong = type(value)  # and not the value, which may be data
            raise refusal(_MAKE, argument, wrong, rule, "Pass values of that type")
        read.append(T(own))
    return tuple(read)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)


def make_plan(
    space: tuple[Columns, str | None],
    by: tuple[str, ...],
    keys: tuple[tuple[Any, ...], ...] | None,
    *,
    sums: object = None,
    k: object = None,
    rows: object = 1,
    groups: object = 1,
    salt: object = 0,
    distinct: str | None = None,
) -> Plan:
    """Return the plan of a group-by, or refuse bounds that could overflow."""
    columns, identifier = space
    steps = _all_steps({} if sums is None else sums, {} if k is None else k, columns)
    fix = "Pass how many rows and groups of a person may count, such as 1"
    m = integer_argument(_MAKE, "rows", rows, fix=fix, at_least=1, at_most=_MOST)
    c = integer_argument(_MAKE, "groups", groups, fix=fix, at_least=1, at_most=_MOST)
    if identifier is None and (m > 1 or c > 1):  # proof: people
        rule = "rows and groups bound what a person adds, and there is no identifier"
        fix = "Leave them out, or use symmetric_id_distance(...)"
        raise refusal(_MAKE, "rows" if m > 1 else "groups", max(m, c), rule, fix)
    largest = max([1, *(each.largest for each in steps)])
    if m * largest > WIDEST and identifier is not None:  # proof: cells
        rule = f"rows times the most steps of a row, {largest}, must be within 2^50"
        raise refusal(_MAKE, "rows", m, rule, "Pass fewer rows, or a greater k")
    number = integer_argument(_MAKE, "salt", salt, fix="Pass an integer, such as 0")
    salted = number % PRIME  # proof: salt
    return Plan(columns, by, steps, identifier, m, c, salted, keys, distinct)


def _all_steps(sums: object, k: object, columns: Columns) -> tuple[Steps, ...]:
    fix = 'Pass for example {"age": col("age").fill_null(0).clip(0, 120)}'
    check_type(_MAKE, "sums", sums, dict, fix)  # proof: sums
    check_type(_MAKE, "k", k, dict, 'Pass for example {"age": -10}')  # proof: grids
    assert isinstance(sums, dict)
    assert isinstance(k, dict)
    sums, k = dict(sums), dict(k)  # each is read once
    for name, expr in sums.items():
        if type(name) is not str:  # proof: names
            rule = "must be a dict of names and expressions"
            raise refusal(_MAKE, "sums", sums, rule, fix)
        expression_argument(f"sums[{name!r}]", expr)  # proof: expressions
    for name in k:
        if name not in sums:  # proof: grid
            rule = "names what is no sum"
            raise refusal(_MAKE, "k", k, rule, "Name one of the sums")
    return tuple(as_steps(n, e, columns, k.get(n)) for n, e in sums.items())


def spread(p: int, unit: int, d_in: int) -> Any:
    """Return how far d_in people or rows move a vector in Lp.

    :param unit: how far each of them does, to the power of p

    >>> spread(1, 3, 2), spread(2, 3, 2), spread(2, 4, 2)
    (6, sqrt(12), mpq(4,1))
    """
    return d_in * unit if p == 1 else root(d_in * d_in * unit)  # proof: spread
