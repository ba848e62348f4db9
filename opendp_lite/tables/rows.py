"""Row by row: tables filtered, given new columns, and joined with public tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import native, scalar_kind
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.core.domains import AtomDomain, Domain, OptionDomain
from opendp_lite.core.metrics import ChangeOneDistance, Metric, SymmetricDistance
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.tables.distance import IdentifierDistance
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.expressions import (
    Expr,
    atom_of,
    expression_argument,
    may_be_missing,
)
from opendp_lite.tables.terms import MAKE, plain

_METRICS = (SymmetricDistance, ChangeOneDistance, IdentifierDistance)
_NAMES_FIX = "Pass for example {'adult': dp.col('age').fill_null(0) >= 18}"
_PUBLIC_FIX = "Pass a dict of lists, such as {'city': ['A', 'B'], 'region': [1, 2]}"
_ON_FIX = "Pass the names of the columns to join on, such as ['city']"


def check_table(input_domain: Domain, input_metric: Metric) -> TableDomain:
    """Return the domain, which must be of tables, measured by rows or by people."""
    fix = "Pass for example table_domain({'age': atom_domain(T=int)})"
    check_type(MAKE, "input_domain", input_domain, TableDomain, fix)  # proof: tables
    fix = "Pass symmetric_distance(), or symmetric_id_distance('id') for people"
    check_type(MAKE, "input_metric", input_metric, _METRICS, fix)  # proof: metric
    objection = input_metric.objection(input_domain)
    if objection is not None:  # proof: objection
        raise refusal(MAKE, "input_metric", input_metric, objection, fix)
    assert isinstance(input_domain, TableDomain)
    return input_domain


def _is_identifier(metric: Metric, name: str) -> bool:
    """Return whether people are told by this column."""
    return isinstance(metric, IdentifierDistance) and metric.identifier == name


def _filtered(metric: Metric) -> tuple[Metric, int]:
    """Return the metric after a filter, and how many times as far tables are apart."""
    if isinstance(metric, ChangeOneDistance):  # proof: changes
        return SymmetricDistance(), 2
    return metric, 1


@constructor(proof="tables/make_table_filter", status="vetted")
def make_table_filter(
    input_domain: Domain, input_metric: Metric, predicate: Expr
) -> Transformation:
    """Return the transformation that keeps the rows in which an expression is true.

    Guarantee: d(x, x') <= d_in implies d'(f(x), f(x')) <= c d_in, where d is
    `input_metric`. If it is the change-one distance, d' is the symmetric distance and
    c = 2, since a row that changes may come or go; else d' is d and c = 1.

    :param input_domain: table_domain
    :param input_metric: symmetric_distance, change_one_distance or
        symmetric_id_distance
    :param predicate: an expression that is true or false in each row

    >>> import opendp_lite.prelude as dp
    >>> tables = dp.table_domain({"age": dp.option_domain(dp.atom_domain(T=int))})
    >>> adults = dp.t.make_table_filter(
    ...     tables, dp.symmetric_distance(), dp.col("age").fill_null(0) >= 18)
    >>> adults({"age": [17, None, 30]}).rows(), adults.map(1)
    ([{'age': 30}], 1)

    Raises `MakeTransformation` for another domain or metric, and for an expression that
    is no bool, may be missing, names no column, or does not fit the columns.

    Proof: proofs/tables/make_table_filter.tex
    """
    tables = check_table(input_domain, input_metric)  # proof: space
    predicate = expression_argument("predicate", predicate)  # proof: expression
    kept = predicate.domain(tables.declared)  # proof: fits
    if may_be_missing(kept) or atom_of(kept).T is not bool:  # proof: truth
        rule = "must be true or false in each row"
        raise refusal(MAKE, "predicate", predicate, rule, "Compare, as in x >= 18")
    if predicate.constant:  # proof: column
        rule = "names no column, and is the same in every row"
        raise refusal(MAKE, "predicate", predicate, rule, "Leave the filter out")
    output_metric, times = _filtered(input_metric)  # proof: times

    def function(arg: Data) -> Any:
        frame = arg.engine.filter(arg, predicate)  # proof: function
        return Table(arg.engine, frame, tables.series)  # proof: table

    def stability_map(d_in: ExactDistance) -> Any:
        return times * d_in  # proof: map

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        output_metric,
        stability_map,
    )


then_table_filter = then(make_table_filter)


@constructor(proof="tables/make_table_with_columns", status="vetted")
def make_table_with_columns(
    input_domain: Domain, input_metric: Metric, columns: Mapping[str, Expr]
) -> Transformation:
    """Return the transformation that computes columns of each row's own columns.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, where d is
    `input_metric`.

    A column of a name that the table has takes its place, and others come after those
    that were there, in their order. All are computed from the columns that the table
    had before. The identifier of people cannot be put in place of.

    :param input_domain: table_domain
    :param input_metric: symmetric_distance, change_one_distance or
        symmetric_id_distance
    :param columns: expressions by the names of the columns

    >>> import opendp_lite.prelude as dp
    >>> tables = dp.table_domain({"age": dp.option_domain(dp.atom_domain(T=int))})
    >>> decades = dp.t.make_table_with_columns(tables, dp.symmetric_distance(), {
    ...     "decade": dp.col("age").fill_null(0).cut([30, 40, 50])})
    >>> decades({"age": [17, 42]}).rows(), decades.map(1)
    ([{'age': 17, 'decade': 0}, {'age': 42, 'decade': 2}], 1)

    Raises `MakeTransformation` for another domain or metric, for names that are no
    text, for the identifier, and for an expression that does not fit the columns.

    Proof: proofs/tables/make_table_with_columns.tex
    """
    tables = check_table(input_domain, input_metric)  # proof: space
    if type(columns) is not dict or not columns:  # proof: some
        rule = "must be a dict from names to expressions, one at least"
        raise refusal(MAKE, "columns", columns, rule, _NAMES_FIX)
    new: dict[str, Domain] = {}
    exprs: dict[str, Expr] = {}
    for name, expr in columns.items():
        if type(name) is not str:  # proof: names
            raise refusal(MAKE, "columns", type(name), "names are text", _NAMES_FIX)
        if _is_identifier(input_metric, name):  # proof: identifier
            rule = "tells people apart, and cannot be computed anew"
            raise refusal(MAKE, "columns", name, rule, "Choose another name")
        exprs[name] = expression_argument("columns", expr)  # proof: expression
        new[name] = exprs[name].domain(tables.declared)  # proof: fits
    output_domain = tables.with_columns(new)  # proof: output

    def function(arg: Data) -> Any:
        frame = arg.engine.with_columns(arg, exprs)  # proof: function
        return Table(arg.engine, frame, output_domain.series)  # proof: table

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_table_with_columns = then(make_table_with_columns)


def _public_columns(public: Any, on: Any) -> tuple[dict[str, list[Any]], list[str]]:
    """Return the public table as lists of plain values, and the names of its keys."""
    names = (on,) if type(on) is str else on
    if type(names) is not tuple or not names or any(type(n) is not str for n in names):
        rule = "must be the name of a column, or a list of names"  # proof: on
        raise refusal(MAKE, "on", on, rule, _ON_FIX)
    if type(public) is not dict or any(type(name) is not str for name in public):
        rule = "must be a dict of lists by the names of columns"  # proof: public
        raise refusal(MAKE, "public", public, rule, _PUBLIC_FIX)
    if len(set(names)) < len(names) or not set(names) <= public.keys():
        rule = "must be different columns of the public table"  # proof: keys
        raise refusal(MAKE, "on", on, rule, _ON_FIX)
    columns = {name: _public_values(name, each) for name, each in public.items()}
    if len(set(map(len, columns.values()))) > 1:  # proof: lengths
        rule = "has columns of different lengths"
        raise refusal(MAKE, "public", public, rule, _PUBLIC_FIX)
    return columns, list(names)


def _public_values(name: str, values: Any) -> list[Any]:
    """Return a public column: plain values of one type; None for what is missing."""
    if type(values) is not tuple:  # proof: list
        rule = f"the column {name!r} must be a list"
        raise refusal(MAKE, "public", values, rule, _PUBLIC_FIX)
    try:
        own = [None if _is_missing(each) else plain(each) for each in values]
    except OpenDPException:
        rule = f"the column {name!r} must have ints within 2^63 - 1, finite floats, "
        rule += "bools or text"  # proof: plain
        raise refusal(MAKE, "public", values, rule, _PUBLIC_FIX) from None
    if len({type(each) for each in own if each is not None}) != 1:  # proof: type
        rule = f"the column {name!r} must have values of one type, one at least"
        raise refusal(MAKE, "public", values, rule, _PUBLIC_FIX)
    return own


def _is_missing(value: Data) -> bool:
    """Return whether a public value is missing: None, or a float that is NaN."""
    if scalar_kind(value) == "f":  # of fewer than 64 bits
        value = native(value)  # proof: single
    return value is None or (type(value) is float and value != value)


def _public_domain(values: Sequence[Any], optional: bool) -> Domain:
    """Return the domain of a column that is brought: its values are public."""
    there = [each for each in values if each is not None]
    T = type(there[0])
    numbers = T is int or T is float
    atom = AtomDomain((min(there), max(there)) if numbers else None, T=T)
    missing = optional or len(there) < len(values)
    return OptionDomain(atom) if missing else atom  # proof: missing


@constructor(proof="tables/make_table_join", status="vetted")
def make_table_join(
    input_domain: Domain,
    input_metric: Metric,
    public: Mapping[str, Sequence[Any]],
    on: str | Sequence[str],
    how: str = "left",
) -> Transformation:
    """Return the transformation that brings columns of a public table, by its keys.

    Guarantee: d(x, x') <= d_in implies d'(f(x), f(x')) <= c d_in, where d is
    `input_metric`. If `how` is "inner" and d is the change-one distance, d' is the
    symmetric distance and c = 2; else d' is d and c = 1.

    The keys of the public table are present and different, so that a row finds one row
    of it at most. Where it finds none, the columns are missing ("left"), or the row is
    left out ("inner"). A key that is missing finds none.

    :param input_domain: table_domain
    :param input_metric: symmetric_distance, change_one_distance or
        symmetric_id_distance
    :param public: lists of one length by the names of columns; None is missing
    :param on: the columns to join on, of int, bool or text, in both tables
    :param how: "left" or "inner"

    >>> import opendp_lite.prelude as dp
    >>> tables = dp.table_domain({"city": dp.option_domain(dp.atom_domain(T=str))})
    >>> regions = dp.t.make_table_join(tables, dp.symmetric_distance(), {
    ...     "city": ["A", "B"], "region": [1, 2]}, on="city")
    >>> regions({"city": ["B", None]}).rows(), regions.map(1)
    ([{'city': 'B', 'region': 2}, {'city': None, 'region': None}], 1)

    Raises `MakeTransformation` for another domain or metric, for a public table of
    another form, with keys of another type, missing or twice, or with a column of a
    name that the table has.

    Proof: proofs/tables/make_table_join.tex
    """
    tables = check_table(input_domain, input_metric)  # proof: space
    if type(how) is not str or how not in ("left", "inner"):  # proof: how
        rule = "must be 'left' or 'inner'"
        raise refusal(MAKE, "how", how, rule, "Pass how='left'")
    own, keys = _public_columns(public, on)  # proof: public
    declared = tables.declared
    for name in own:
        if (name in keys) != (name in declared):  # proof: names
            rule = "keys are columns of both tables, and others of the public one only"
            raise refusal(MAKE, "public", name, rule, "Rename the column before")
    for name in keys:
        T = atom_of(declared[name]).T
        if T is float or None in own[name] or type(own[name][0]) is not T:
            rule = "keys are int, bool or text, of the column's type, and not missing"
            raise refusal(MAKE, "on", name, rule, _ON_FIX)  # proof: present
    entries = list(zip(*(own[name] for name in keys), strict=True))
    if len(set(entries)) < len(entries):  # proof: unique
        raise refusal(MAKE, "on", on, "has a key twice", "Keep one row of each key")
    inner = how == "inner"
    brought = [name for name in own if name not in keys]
    new = {name: _public_domain(own[name], not inner) for name in brought}
    output_domain = tables.with_columns(new)  # proof: output
    output_metric, times = _filtered(input_metric) if inner else (input_metric, 1)

    def function(arg: Data) -> Any:
        frame = arg.engine.join_public(arg, keys, own, how)  # proof: function
        return Table(arg.engine, frame, output_domain.series)  # proof: table

    def stability_map(d_in: ExactDistance) -> Any:
        return times * d_in  # proof: map

    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        output_metric,
        stability_map,
    )


then_table_join = then(make_table_join)
