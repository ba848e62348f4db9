# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.rows; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import native
from opendp_lite.base.containers import scalar_kind
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.tables.distance import IdentifierDistance
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.terms import Expr
from opendp_lite.tables.terms import MAKE
from opendp_lite.tables.terms import atom_of
from opendp_lite.tables.terms import expression_argument
from opendp_lite.tables.terms import may_be_missing
from opendp_lite.tables.terms import plain
from typing import Any

_METRICS = (SymmetricDistance, ChangeOneDistance, IdentifierDistance)
opendp_lite.tables.terms.MAKE = 'MakeTransformation'
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_NAMES_FIX = "Pass for example {'adult': dp.col('age').fill_null(0) >= 18}"
_PUBLIC_FIX = "Pass a dict of lists, such as {'city': ['A', 'B'], 'region': [1, 2]}"
_ON_FIX = "Pass the names of the columns to join on, such as ['city']"


# === check_table with check_type, refusal, Domain, ChangeOneDistance,
#    SymmetricDistance, Metric, IdentifierDistance, TableDomain, MAKE, _METRICS,
#    opendp_lite.tables.terms.MAKE
def check_table(input_domain: Domain, input_metric: Metric) -> TableDomain:
    fix = "Pass for example table_domain({'age': atom_domain(T=int)})"
    check_type(MAKE, "input_domain", input_domain, TableDomain, fix)
    fix = "Pass symmetric_distance(), or symmetric_id_distance('id') for people"
    check_type(MAKE, "input_metric", input_metric, _METRICS, fix)
    objection = input_metric.objection(input_domain)
    if objection is not None:
        raise refusal(MAKE, "input_metric", input_metric, objection, fix)
    assert isinstance(input_domain, TableDomain)
    return input_domain


# === _is_identifier with Metric, IdentifierDistance
def _is_identifier(metric: Metric, name: str) -> bool:
    return isinstance(metric, IdentifierDistance) and metric.identifier == name


# === _filtered with ChangeOneDistance, SymmetricDistance, Metric
def _filtered(metric: Metric) -> tuple[Metric, int]:
    if isinstance(metric, ChangeOneDistance):
        return SymmetricDistance(), 2
    return metric, 1


# === make_table_filter with Data, ExactDistance, refusal, Domain, Metric,
#    Transformation, Table, Expr, MAKE, atom_of, expression_argument, may_be_missing,
#    Any, opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data,
#    opendp_lite.tables.terms.MAKE
def make_table_filter(
    input_domain: Domain, input_metric: Metric, predicate: Expr
) -> Transformation:
    tables = check_table(input_domain, input_metric)
    predicate = expression_argument("predicate", predicate)
    kept = predicate.domain(tables.declared)
    if may_be_missing(kept) or atom_of(kept).T is not bool:
        rule = "must be true or false in each row"
        raise refusal(MAKE, "predicate", predicate, rule, "Compare, as in x >= 18")
    if predicate.constant:
        rule = "names no column, and is the same in every row"
        raise refusal(MAKE, "predicate", predicate, rule, "Leave the filter out")
    output_metric, times = _filtered(input_metric)

    def function(arg: Data) -> Any:
        frame = arg.engine.filter(arg, predicate)
        return Table(arg.engine, frame, tables.series)

    def stability_map(d_in: ExactDistance) -> Any:
        return times * d_in

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        output_metric,
        stability_map,
    )


# === make_table_with_columns with Mapping, Data, ExactDistance, refusal, Domain,
#    Metric, Transformation, Table, Expr, MAKE, expression_argument, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _NAMES_FIX,
#    opendp_lite.tables.terms.MAKE
def make_table_with_columns(
    input_domain: Domain, input_metric: Metric, columns: Mapping[str, Expr]
) -> Transformation:
    tables = check_table(input_domain, input_metric)
    if type(columns) is not dict or not columns:
        rule = "must be a dict from names to expressions, one at least"
        raise refusal(MAKE, "columns", columns, rule, _NAMES_FIX)
    new: dict[str, Domain] = {}
    exprs: dict[str, Expr] = {}
    for name, expr in columns.items():
        if type(name) is not str:
            raise refusal(MAKE, "columns", type(name), "names are text", _NAMES_FIX)
        if _is_identifier(input_metric, name):
            rule = "tells people apart, and cannot be computed anew"
            raise refusal(MAKE, "columns", name, rule, "Choose another name")
        exprs[name] = expression_argument("columns", expr)
        new[name] = exprs[name].domain(tables.declared)
    output_domain = tables.with_columns(new)

    def function(arg: Data) -> Any:
        frame = arg.engine.with_columns(arg, exprs)
        return Table(arg.engine, frame, output_domain.series)

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
    )


# === _public_columns with refusal, MAKE, Any, _PUBLIC_FIX, _ON_FIX,
#    opendp_lite.tables.terms.MAKE
def _public_columns(public: Any, on: Any) -> tuple[dict[str, list[Any]], list[str]]:
    names = (on,) if type(on) is str else on
    if type(names) is not tuple or not names or any(type(n) is not str for n in names):
        rule = "must be the name of a column, or a list of names"
        raise refusal(MAKE, "on", on, rule, _ON_FIX)
    if type(public) is not dict or any(type(name) is not str for name in public):
        rule = "must be a dict of lists by the names of columns"
        raise refusal(MAKE, "public", public, rule, _PUBLIC_FIX)
    if len(set(names)) < len(names) or not set(names) <= public.keys():
        rule = "must be different columns of the public table"
        raise refusal(MAKE, "on", on, rule, _ON_FIX)
    columns = {name: _public_values(name, each) for name, each in public.items()}
    if len(set(map(len, columns.values()))) > 1:
        rule = "has columns of different lengths"
        raise refusal(MAKE, "public", public, rule, _PUBLIC_FIX)
    return columns, list(names)


# === _public_values with OpenDPException, refusal, MAKE, plain, Any, _PUBLIC_FIX,
#    opendp_lite.tables.terms.MAKE
def _public_values(name: str, values: Any) -> list[Any]:
    if type(values) is not tuple:
        rule = f"the column {name!r} must be a list"
        raise refusal(MAKE, "public", values, rule, _PUBLIC_FIX)
    try:
        own = [None if _is_missing(each) else plain(each) for each in values]
    except OpenDPException:
        rule = f"the column {name!r} must have ints within 2^63 - 1, finite floats, "
        rule += "bools or text"
        raise refusal(MAKE, "public", values, rule, _PUBLIC_FIX) from None
    if len({type(each) for each in own if each is not None}) != 1:
        rule = f"the column {name!r} must have values of one type, one at least"
        raise refusal(MAKE, "public", values, rule, _PUBLIC_FIX)
    return own


# === _is_missing with Data, native, scalar_kind, opendp_lite.base.aliases.Data
def _is_missing(value: Data) -> bool:
    if scalar_kind(value) == "f":
        value = native(value)
    return value is None or (type(value) is float and value != value)


# === _public_domain with Sequence, AtomDomain, Domain, OptionDomain, Any
def _public_domain(values: Sequence[Any], optional: bool) -> Domain:
    there = [each for each in values if each is not None]
    T = type(there[0])
    numbers = T is int or T is float
    atom = AtomDomain((min(there), max(there)) if numbers else None, T=T)
    missing = optional or len(there) < len(values)
    return OptionDomain(atom) if missing else atom


# === make_table_join with Mapping, Sequence, Data, ExactDistance, refusal, Domain,
#    Metric, Transformation, Table, MAKE, atom_of, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _ON_FIX,
#    opendp_lite.tables.terms.MAKE
def make_table_join(
    input_domain: Domain,
    input_metric: Metric,
    public: Mapping[str, Sequence[Any]],
    on: str | Sequence[str],
    how: str = "left",
) -> Transformation:
    tables = check_table(input_domain, input_metric)
    if type(how) is not str or how not in ("left", "inner"):
        rule = "must be 'left' or 'inner'"
        raise refusal(MAKE, "how", how, rule, "Pass how='left'")
    own, keys = _public_columns(public, on)
    declared = tables.declared
    for name in own:
        if (name in keys) != (name in declared):
            rule = "keys are columns of both tables, and others of the public one only"
            raise refusal(MAKE, "public", name, rule, "Rename the column before")
    for name in keys:
        T = atom_of(declared[name]).T
        if T is float or None in own[name] or type(own[name][0]) is not T:
            rule = "keys are int, bool or text, of the column's type, and not missing"
            raise refusal(MAKE, "on", name, rule, _ON_FIX)
    entries = list(zip(*(own[name] for name in keys), strict=True))
    if len(set(entries)) < len(entries):
        raise refusal(MAKE, "on", on, "has a key twice", "Keep one row of each key")
    inner = how == "inner"
    brought = [name for name in own if name not in keys]
    new = {name: _public_domain(own[name], not inner) for name in brought}
    output_domain = tables.with_columns(new)
    output_metric, times = _filtered(input_metric) if inner else (input_metric, 1)

    def function(arg: Data) -> Any:
        frame = arg.engine.join_public(arg, keys, own, how)
        return Table(arg.engine, frame, output_domain.series)

    def stability_map(d_in: ExactDistance) -> Any:
        return times * d_in

    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        output_metric,
        stability_map,
    )
