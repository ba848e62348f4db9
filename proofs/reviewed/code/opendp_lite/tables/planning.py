# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.planning; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from itertools import product
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.exact.roots import root
from opendp_lite.tables.cells import PRIME
from opendp_lite.tables.cells import Plan
from opendp_lite.tables.distance import IdentifierDistance
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.steps import Steps
from opendp_lite.tables.steps import WIDEST
from opendp_lite.tables.steps import as_steps
from opendp_lite.tables.terms import Columns
from opendp_lite.tables.terms import atom_of
from opendp_lite.tables.terms import expression_argument
from opendp_lite.tables.terms import may_be_missing
from typing import Any

_MAKE = "MakeTransformation"
_METRICS = (IdentifierDistance, SymmetricDistance, ChangeOneDistance)
opendp_lite.tables.terms.Columns: typing.TypeAlias = collections.abc.Mapping[str, opendp_lite.core.domains.domain.Domain]
opendp_lite.tables.cells.PRIME = 2 ** 31 - 1
_MOST = 2**40
opendp_lite.tables.steps.WIDEST = 2 ** 50


# === table_space with check_type, refusal, Domain, ChangeOneDistance,
#    SymmetricDistance, Metric, IdentifierDistance, TableDomain, atom_of, _MAKE,
#    _METRICS
def table_space(
    input_domain: Domain, input_metric: Metric
) -> tuple[dict[str, Domain], str | None]:
    fix = "Pass for example table_domain({...})"
    check_type(_MAKE, "input_domain", input_domain, TableDomain, fix)
    fix = "Pass symmetric_id_distance(...), symmetric_distance() or "
    fix += "change_one_distance()"
    check_type(_MAKE, "input_metric", input_metric, _METRICS, fix)
    assert isinstance(input_domain, TableDomain)
    columns = input_domain.declared
    if not isinstance(input_metric, IdentifierDistance):
        return columns, None
    identifier = input_metric.identifier
    if identifier not in columns or atom_of(columns[identifier]).T not in (int, str):
        rule = "must name a column of the table that is int or text"
        fix = "Pass symmetric_id_distance of such a column"
        raise refusal(_MAKE, "identifier", identifier, rule, fix)
    return columns, identifier


# === key_column with refusal, Columns, atom_of, may_be_missing, _MAKE,
#    opendp_lite.tables.terms.Columns
def key_column(argument: str, name: object, columns: Columns) -> type:
    if type(name) is not str or name not in columns:
        rule = f"names no column of the table, which has {', '.join(columns)}"
        raise refusal(_MAKE, argument, type(name), rule, "Name one of these")
    if may_be_missing(columns[name]):
        fix = "Say what a missing key counts as: then_table_with_columns("
        fix += f"{{{name!r}: col({name!r}).fill_null(...)}})"
        raise refusal(_MAKE, argument, name, "may be missing, and is no key so", fix)
    T: type = atom_of(columns[name]).T
    if T not in (int, bool, str):
        fix = f"Cut it first: then_table_with_columns({{...: col({name!r}).cut(...)}})"
        raise refusal(_MAKE, argument, name, "floats are no keys", fix)
    return T


# === public_keys with product, check_type, refusal, Columns, Any, _MAKE,
#    opendp_lite.tables.terms.Columns
def public_keys(
    keys: object, columns: Columns
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    fix = 'Pass for example {"region": ["north", "south"]}'
    check_type(_MAKE, "keys", keys, dict, fix)
    assert isinstance(keys, dict)
    by: list[str] = []
    lists: list[list[tuple[Any, ...]]] = []
    for names, values in keys.items():
        together = type(names) is tuple
        own = names if together else (names,)
        types = [key_column("keys", name, columns) for name in own]
        argument = f"keys[{names!r}]"
        listed = tuple(values) if issubclass(type(values), list | tuple) else ()
        if not listed:
            rule = "must be a list of at least one value"
            raise refusal(_MAKE, argument, values, rule, fix)
        given = listed if together else [(value,) for value in listed]
        lists.append([_key(argument, each, types) for each in given])
        by.extend(own)
    if len(set(by)) < len(by):
        raise refusal(_MAKE, "keys", keys, "names a column twice", "Name each once")
    found = tuple(tuple(v for part in each for v in part) for each in product(*lists))
    if len(set(found)) < len(found):
        rule = "no two keys may be equal"
        raise refusal(_MAKE, "keys", keys, rule, "Leave out what is there twice")
    return tuple(by), found


# === _key with native, refusal, AtomDomain, Any, _MAKE
def _key(argument: str, given: Any, types: list[type]) -> tuple[Any, ...]:
    values = tuple(given) if issubclass(type(given), list | tuple) else ()
    if len(values) != len(types):
        rule = f"each must be a tuple of {len(types)} values"
        raise refusal(_MAKE, argument, given, rule, "Pass a value for each column")
    for value, T in zip(values, types, strict=True):
        domain = AtomDomain(T="i64" if T is int else T)
        text = native(value)
        valid = type(text) is not str or text.isascii() or _is_unicode(text)
        if not domain.member(value) or not valid:
            rule = f"each must be {domain.rule()}"
            rule += ", with a code in UTF-8" if T is str else ""
            wrong = type(value)
            raise refusal(_MAKE, argument, wrong, rule, "Pass values of that type")
    return tuple(T(native(v)) for v, T in zip(values, types, strict=True))


# === _is_unicode
def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)


# === make_plan with integer_argument, refusal, PRIME, Plan, WIDEST, Columns, Any,
#    opendp_lite.tables.cells.PRIME, _MAKE, _MOST, opendp_lite.tables.steps.WIDEST,
#    opendp_lite.tables.terms.Columns
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
    columns, identifier = space
    steps = _all_steps({} if sums is None else sums, {} if k is None else k, columns)
    fix = "Pass how many rows and groups of a person may count, such as 1"
    m = integer_argument(_MAKE, "rows", rows, fix=fix, at_least=1, at_most=_MOST)
    c = integer_argument(_MAKE, "groups", groups, fix=fix, at_least=1, at_most=_MOST)
    if identifier is None and (m > 1 or c > 1):
        rule = "rows and groups bound what a person adds, and there is no identifier"
        fix = "Leave them out, or use symmetric_id_distance(...)"
        raise refusal(_MAKE, "rows" if m > 1 else "groups", max(m, c), rule, fix)
    largest = max([1, *(each.largest for each in steps)])
    if m * largest > WIDEST and identifier is not None:
        rule = f"rows times the most steps of a row, {largest}, must be within 2^50"
        raise refusal(_MAKE, "rows", m, rule, "Pass fewer rows, or a greater k")
    number = integer_argument(_MAKE, "salt", salt, fix="Pass an integer, such as 0")
    salted = number % PRIME
    return Plan(columns, by, steps, identifier, m, c, salted, keys, distinct)


# === _all_steps with check_type, refusal, Steps, as_steps, Columns,
#    expression_argument, _MAKE, opendp_lite.tables.terms.Columns
def _all_steps(sums: object, k: object, columns: Columns) -> tuple[Steps, ...]:
    fix = 'Pass for example {"age": col("age").fill_null(0).clip(0, 120)}'
    check_type(_MAKE, "sums", sums, dict, fix)
    check_type(_MAKE, "k", k, dict, 'Pass for example {"age": -10}')
    assert isinstance(sums, dict)
    assert isinstance(k, dict)
    sums, k = dict(sums), dict(k)
    for name, expr in sums.items():
        if type(name) is not str:
            rule = "must be a dict of names and expressions"
            raise refusal(_MAKE, "sums", sums, rule, fix)
        expression_argument(f"sums[{name!r}]", expr)
    for name in k:
        if name not in sums:
            rule = "names what is no sum"
            raise refusal(_MAKE, "k", k, rule, "Name one of the sums")
    return tuple(as_steps(n, e, columns, k.get(n)) for n, e in sums.items())


# === spread with root, Any
def spread(p: int, unit: int, d_in: int) -> Any:
    return d_in * unit if p == 1 else root(d_in * d_in * unit)
