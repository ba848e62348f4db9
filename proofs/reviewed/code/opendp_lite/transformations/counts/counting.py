# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.counts.counting; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.transformations.counts.tallies import count_type
from opendp_lite.transformations.counts.tallies import distinct_values
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from typing import Any
import math

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType


# === make_count with Iterable, Data, ExactDistance, Domain, Metric, AbsoluteDistance,
#    Transformation, TypeArgument, count_type, changes_rows, check_dataset, Any, math,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data,
#    opendp_lite.data.type_arguments.TypeArgument
def make_count(
    input_domain: Domain, input_metric: Metric, TO: TypeArgument = int
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    output, top = count_type("TO", TO)
    T, one_size = output.T, domain.size is not None

    def function(arg: Data) -> Any:
        return T(min(len(arg), top))

    def merge(counts: Iterable[Any]) -> Any:
        return T(min(sum(map(int, counts)), top))

    def stability_map(d_in: ExactDistance) -> Any:
        if one_size or (changes_rows(input_metric) and d_in != math.inf):
            return 0
        return d_in

    return Transformation(
        input_domain,
        output,
        function,
        input_metric,
        AbsoluteDistance(T),
        stability_map,
        merge=merge,
    )


# === make_count_distinct with Data, ExactDistance, Domain, Metric, AbsoluteDistance,
#    Transformation, TypeArgument, count_type, distinct_values, atom_of, changed_rows,
#    check_dataset, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.data.type_arguments.TypeArgument
def make_count_distinct(
    input_domain: Domain, input_metric: Metric, TO: TypeArgument = int
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    kind = atom_of(domain).T
    output, top = count_type("TO", TO)
    T, n = output.T, domain.size

    def function(arg: Data) -> Any:
        return T(min(distinct_values(arg, kind), top))

    def stability_map(d_in: ExactDistance) -> Any:
        if n is None:
            return d_in
        return min(changed_rows(input_metric, n, d_in), max(n - 1, 0))

    return Transformation(
        input_domain,
        output,
        function,
        input_metric,
        AbsoluteDistance(T),
        stability_map,
    )
