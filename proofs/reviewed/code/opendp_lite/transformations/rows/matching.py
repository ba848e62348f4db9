# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.matching; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from fractions import Fraction
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import native
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import AtomType
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.data.type_arguments import parse_atom
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import check_categories
from opendp_lite.transformations.datasets import check_dataset
from typing import Any

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_INT64 = (-(2**63), 2**63 - 1)


# === make_is_equal with Data, ExactDistance, is_array, native, rows, refusal,
#    AtomDomain, Domain, VectorDomain, Metric, Transformation, atom_of, check_dataset,
#    Any, opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE
def make_is_equal(
    input_domain: Domain, input_metric: Metric, value: object
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom = atom_of(domain)
    every = AtomDomain(T=atom.T)
    if not every.member(value):
        rule, fix = f"must be {every.rule()}", "Pass a value of the type of the rows"
        raise refusal(_MAKE, "value", value, rule, fix)
    v = native(value)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _equal_array(arg, v)
        return [x == v for x in rows(arg)]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    output_domain = VectorDomain(AtomDomain(T=bool), domain.size)
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,
    )


# === _equal_array with Array, Any, ?
def _equal_array(array: Array, value: Any) -> Any:
    import numpy

    kind = array.dtype.kind
    if kind == "f":
        with numpy.errstate(all="ignore"):
            return array.astype(numpy.float64, copy=False) == float(value)
    if kind in "iu":
        info = numpy.iinfo(array.dtype)
        if not int(info.min) <= value <= int(info.max):
            return numpy.zeros(len(array), dtype=bool)
        return array == array.dtype.type(value)
    if kind == "U" and value.endswith("\0"):
        return numpy.zeros(len(array), dtype=bool)
    return array == value


# === make_find with Sequence, Data, ExactDistance, rows, AtomDomain, Domain,
#    OptionDomain, VectorDomain, Metric, Transformation, atom_of, check_categories,
#    check_dataset, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data
def make_find(
    input_domain: Domain, input_metric: Metric, categories: Sequence[object]
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom = atom_of(domain)
    values = check_categories(categories, atom.T)
    places = {each: i for i, each in enumerate(values)}

    def function(arg: Data) -> Any:
        return [places.get(x) for x in rows(arg)]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    place = OptionDomain(AtomDomain(T="usize"))
    return Transformation(
        input_domain,
        VectorDomain(place, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


# === make_index with Sequence, Data, ExactDistance, is_array, rows, refusal,
#    AtomDomain, Domain, VectorDomain, Metric, Transformation, TypeArgument,
#    check_dataset, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.data.type_arguments.TypeArgument, _MAKE
def make_index(
    input_domain: Domain,
    input_metric: Metric,
    categories: Sequence[object],
    null: object,
    TOA: TypeArgument | None = None,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    element = domain.element_domain
    if not isinstance(element, AtomDomain) or element.T is not int:
        rule, fix = "rows must be of type int", "Use then_impute_constant(...) first"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    values, rest, output = _table(categories, null, TOA)
    top, fits = len(values), _fits_array([*values, rest])

    def function(arg: Data) -> Any:
        if fits and is_array(arg):
            return _index_array(arg, [*values, rest])
        found = (values[x] if 0 <= x < top else rest for x in rows(arg))
        return list(found)

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        VectorDomain(output, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=fits,
    )


# === _table with Sequence, native, refusal, AtomDomain, TypeArgument, parse_atom, Any,
#    opendp_lite.data.type_arguments.TypeArgument, _MAKE
def _table(
    categories: Sequence[object], null: object, TOA: TypeArgument | None
) -> tuple[list[Any], Any, AtomDomain]:
    fix = "Pass categories and null of one type, or say TOA"
    if not issubclass(type(categories), list | tuple):
        rule = "must be a list, a tuple or an array"
        raise refusal(_MAKE, "categories", categories, rule, fix)
    given = list(categories)
    if TOA is None:
        target = _kind([*given, null])
    else:
        target = parse_atom(TOA, "TOA")
    every = AtomDomain(T=target)
    for name, part, shown in ("categories", given, categories), ("null", [null], null):
        if not all(map(every.member, part)):
            rule = f"every value must be {every.rule()}"
            raise refusal(_MAKE, name, shown, rule, fix)
    *values, rest = (every.T(native(each)) for each in [*given, null])
    some_nan = any(each != each for each in [*values, rest])
    return values, rest, AtomDomain(None, some_nan, target)


# === _kind with Fraction, native, refusal, AtomType, Any, _MAKE
def _kind(values: list[Any]) -> AtomType:
    kinds = {type(native(each)) for each in values}
    for T in (bool, int, float, str, Fraction):
        if kinds <= {T} or (kinds <= {T, int} and T in (float, Fraction)):
            return AtomType(T)
    rule = "is needed where the categories and null do not tell it"
    fix = "Pass TOA=str, int, float, bool or Fraction"
    raise refusal(_MAKE, "TOA", None, rule, fix)


# === _fits_array with Fraction, Any, _INT64
def _fits_array(values: list[Any]) -> bool:
    kind = type(values[0])
    if kind is int:
        least, greatest = _INT64
        return all(least <= each <= greatest for each in values)
    if kind is str:
        return not any(each.endswith("\0") for each in values)
    return kind is not Fraction


# === _index_array with Array, Any, ?
def _index_array(array: Array, table: list[Any]) -> Any:
    import numpy

    kind = {bool: "?", int: "i8", float: "f8", str: "U"}[type(table[0])]
    last = len(table) - 1
    cap = min(last, int(numpy.iinfo(array.dtype).max))
    places = numpy.minimum(array, cap).astype(numpy.int64)
    places[places < 0] = last
    return numpy.array(table, dtype=kind)[places]
