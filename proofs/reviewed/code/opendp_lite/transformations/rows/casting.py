# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.rows.casting; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.containers import is_array
from opendp_lite.core.values.containers import native
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.core.values.type_arguments import parse_atom
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.rows.conversions import cast_array
from opendp_lite.transformations.rows.conversions import row_cast
from typing import Any

opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.core.values.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.core.values.type_arguments.AtomType


# === make_cast_default with Data, ExactDistance, AtomDomain, Domain, VectorDomain,
#    Metric, Transformation, is_array, native, TypeArgument, parse_atom, atom_of,
#    check_dataset, cast_array, row_cast, Any, opendp_lite.core.aliases.ExactDistance,
#    opendp_lite.core.aliases.Data, opendp_lite.core.values.type_arguments.TypeArgument
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
