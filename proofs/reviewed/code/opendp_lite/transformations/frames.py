# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.frames; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from itertools import compress
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.frame import FrameDomain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.counting import InsertDeleteDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.data.type_arguments import parse_atom
from opendp_lite.transformations.datasets import check_rows
from opendp_lite.transformations.rows.casting import make_cast_default
from opendp_lite.transformations.rows.matching import make_is_equal
from typing import Any

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_MAKE = "MakeTransformation"
_NAME_RULE = "the frames on the left need not have such a column"
_NAME_FIX = "Pass a name that the frame_domain on the left has"
_FRAME_FIX = "Pass for example frame_domain({'age': atom_domain(T=int)})"


# === make_create_dataframe with Data, ExactDistance, rows, AtomDomain, FrameDomain,
#    VectorDomain, SymmetricDistance, Transformation, TypeArgument, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data,
#    opendp_lite.data.type_arguments.TypeArgument
def make_create_dataframe(
    col_names: Any, K: TypeArgument | None = None
) -> Transformation:
    names = _names("col_names", col_names, "K", K)
    text = AtomDomain(T=str)
    blank, width = [""] * len(names), len(names)

    def function(arg: Data) -> Any:
        records = [(rows(record) + blank)[:width] for record in arg]
        return {name: [record[j] for record in records] for j, name in enumerate(names)}

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        VectorDomain(VectorDomain(text)),
        FrameDomain(dict.fromkeys(names, text)),
        function,
        SymmetricDistance(),
        SymmetricDistance(),
        stability_map,
    )


# === make_df_cast_default with Domain, VectorDomain, Metric, Transformation,
#    TypeArgument, make_cast_default, opendp_lite.data.type_arguments.TypeArgument
def make_df_cast_default(
    input_domain: Domain,
    input_metric: Metric,
    column_name: object,
    TIA: TypeArgument,
    TOA: TypeArgument,
) -> Transformation:
    domain = _check_frame(input_domain, input_metric)
    entry = _entry(domain, "column_name", column_name, "TIA", TIA)
    cast = make_cast_default(VectorDomain(entry), input_metric, TOA)
    return _replacing(domain, input_metric, column_name, cast)


# === make_df_is_equal with Domain, VectorDomain, Metric, Transformation, TypeArgument,
#    make_is_equal, opendp_lite.data.type_arguments.TypeArgument
def make_df_is_equal(
    input_domain: Domain,
    input_metric: Metric,
    column_name: object,
    value: object,
    TIA: TypeArgument | None = None,
) -> Transformation:
    domain = _check_frame(input_domain, input_metric)
    entry = _entry(domain, "column_name", column_name, "TIA", TIA)
    equal = make_is_equal(VectorDomain(entry), input_metric, value)
    return _replacing(domain, input_metric, column_name, equal)


# === make_frame_column with Data, ExactDistance, rows, Domain, VectorDomain, Metric,
#    Transformation, TypeArgument, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.data.type_arguments.TypeArgument
def make_frame_column(
    input_domain: Domain,
    input_metric: Metric,
    key: object,
    TOA: TypeArgument | None = None,
) -> Transformation:
    domain = _check_frame(input_domain, input_metric)
    entry = _entry(domain, "key", key, "TOA", TOA)

    def function(arg: Data) -> Any:
        return rows(arg[key])

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(entry),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


# === make_frame_subset with compress, Data, ExactDistance, check_type, rows, refusal,
#    AtomDomain, Domain, FrameDomain, InsertDeleteDistance, SymmetricDistance, Metric,
#    Transformation, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _MAKE, _NAME_RULE, _NAME_FIX
def make_frame_subset(
    input_domain: Domain,
    input_metric: Metric,
    indicator_column: object,
    keep_columns: Any,
) -> Transformation:
    domain = _check_frame(input_domain, input_metric)
    fix = "Pass symmetric_distance() or insert_delete_distance()"
    kinds = (SymmetricDistance, InsertDeleteDistance)
    check_type(_MAKE, "input_metric", input_metric, kinds, fix)
    mark = _entry(domain, "indicator_column", indicator_column, "", None)
    if not isinstance(mark, AtomDomain) or mark.T is not bool:
        rule, fix = "must be a column of bool", "Use then_df_is_equal(...) first"
        raise refusal(_MAKE, "indicator_column", indicator_column, rule, fix)
    names = _names("keep_columns", keep_columns, "", None)
    kept = {name: domain.column(name) for name in names}
    if any(entry is None for entry in kept.values()):
        raise refusal(_MAKE, "keep_columns", keep_columns, _NAME_RULE, _NAME_FIX)

    def function(arg: Data) -> Any:
        marks = rows(arg[indicator_column])
        return {
            name: list(compress(rows(arg[name]), marks))
            for name in names
        }

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        FrameDomain(kept),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


# === _check_frame with check_type, Domain, FrameDomain, Metric, check_rows, _MAKE,
#    _FRAME_FIX
def _check_frame(input_domain: Domain, input_metric: Metric) -> FrameDomain:
    check_type(
        _MAKE, "input_domain", input_domain, FrameDomain, _FRAME_FIX
    )
    check_rows(input_metric)
    assert isinstance(input_domain, FrameDomain)
    return input_domain


# === _names with refusal, TypeArgument, parse_atom, Any,
#    opendp_lite.data.type_arguments.TypeArgument, _MAKE
def _names(
    argument: str, names: Any, name: str, K: TypeArgument | None
) -> tuple[Any, ...]:
    fix = "Pass a list of names, such as ['name', 'age']"
    if not issubclass(type(names), list | tuple) or not names:
        rule = "must be a list of one name or more"
        raise refusal(_MAKE, argument, names, rule, fix)
    kinds = {str, int} if K is None else {parse_atom(K, name).T}
    for each in names:
        if type(each) not in (str, int) or type(each) not in kinds:
            rule = "names of columns are text or int, of the type that is given"
            raise refusal(_MAKE, argument, names, rule, fix)
    if len(set(names)) < len(names):
        raise refusal(_MAKE, argument, names, "names must be different", fix)
    return tuple(names)


# === _entry with refusal, Domain, FrameDomain, OptionDomain, parse_atom, Any, _MAKE,
#    _NAME_RULE, _NAME_FIX
def _entry(
    domain: FrameDomain, argument: str, name: object, wanted: str, T: Any
) -> Domain:
    entry = domain.column(name)
    if entry is None:
        raise refusal(_MAKE, argument, name, _NAME_RULE, _NAME_FIX)
    atom = entry.element_domain if isinstance(entry, OptionDomain) else entry
    if T is not None and parse_atom(T, wanted).T is not atom.atom_type:
        rule = "the column is of another type"
        raise refusal(_MAKE, wanted, T, rule, "Use then_df_cast_default(...) first")
    return entry


# === _replacing with Data, ExactDistance, rows, FrameDomain, Metric, Transformation,
#    Any, opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def _replacing(
    domain: FrameDomain, metric: Metric, name: object, step: Transformation
) -> Transformation:
    column = step.output_domain.row_domain
    assert column is not None

    def function(arg: Data) -> Any:
        return {**arg, name: step.function(rows(arg[name]))}

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        domain,
        domain.with_column(name, column),
        function,
        metric,
        metric,
        stability_map,
    )
