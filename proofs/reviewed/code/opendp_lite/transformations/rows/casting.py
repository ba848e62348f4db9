# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.casting; written by `opendp-lite proofs
# accept`, never by hand, and never run.

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
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.rows.conversions import cast_array
from opendp_lite.transformations.rows.conversions import partial_cast
from opendp_lite.transformations.rows.conversions import row_cast
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)


# === make_cast_default with Data, ExactDistance, is_array, native, AtomDomain, Domain,
#    VectorDomain, Metric, Transformation, TypeArgument, parse_atom, atom_of,
#    check_dataset, cast_array, row_cast, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.data.type_arguments.TypeArgument
def make_cast_default(
    input_domain: Domain, input_metric: Metric, TOA: TypeArgument
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    atom = atom_of(domain)
    target = parse_atom(TOA, "TOA")
    read = float if atom.T is float else native
    cast = row_cast(target)
    may_be_nan = target.T is float and (atom.T is str or atom.nan)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return cast_array(arg, target)
        return [cast(x if x is None else read(x)) for x in arg]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    rows = AtomDomain(None, may_be_nan, target)
    output_domain = VectorDomain(rows, domain.size)
    return Transformation(
        input_domain, output_domain, function, input_metric, input_metric, stability_map
    )


# === make_cast with Data, ExactDistance, rows, AtomDomain, Domain, OptionDomain,
#    VectorDomain, Metric, Transformation, TypeArgument, parse_atom, atom_of,
#    check_dataset, partial_cast, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.data.type_arguments.TypeArgument
def make_cast(
    input_domain: Domain, input_metric: Metric, TOA: TypeArgument
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    read = atom_of(domain).T
    target = parse_atom(TOA, "TOA")
    cast = partial_cast(target)

    def function(arg: Data) -> Any:
        present = (x if x is None else read(x) for x in rows(arg))
        return list(map(cast, present))

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    row = OptionDomain(AtomDomain(None, False, target))
    return Transformation(
        input_domain,
        VectorDomain(row, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
    )


# === make_cast_inherent with Data, ExactDistance, is_array, rows, refusal, AtomDomain,
#    Domain, VectorDomain, Metric, Transformation, TypeArgument, parse_atom, atom_of,
#    check_dataset, partial_cast, Any, math, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.data.type_arguments.TypeArgument
def make_cast_inherent(
    input_domain: Domain, input_metric: Metric, TOA: TypeArgument
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    read = atom_of(domain).T
    target = parse_atom(TOA, "TOA")
    if target.T is not float:
        rule, fix = "only floats hold NaN", "Pass TOA=float, or use make_cast"
        raise refusal("MakeTransformation", "TOA", TOA, rule, fix)
    cast = partial_cast(target)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _inherent_array(arg, target)
        present = (x if x is None else read(x) for x in rows(arg))
        return [math.nan if y is None else y for y in map(cast, present)]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    row = AtomDomain(None, True, target)
    return Transformation(
        input_domain,
        VectorDomain(row, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,
    )


# === _inherent_array with Array, AtomType, cast_array, partial_cast, Any, math, ?
def _inherent_array(array: Array, target: AtomType) -> Any:
    import numpy

    if array.dtype.kind == "U":
        found = map(partial_cast(target), array.tolist())
        return numpy.array([math.nan if y is None else y for y in found], dtype="f8")
    result = cast_array(array, target)
    with numpy.errstate(all="ignore"):
        small = numpy.abs(array.astype(numpy.float64)) < 1
        result[(result == 0) & ~small] = math.nan
    return result
