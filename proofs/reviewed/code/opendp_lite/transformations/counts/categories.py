# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.counts.categories; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.transformations.counts.tallies import category_counts
from opendp_lite.transformations.counts.tallies import check_norm
from opendp_lite.transformations.counts.tallies import count_type
from opendp_lite.transformations.counts.tallies import cut_counts
from opendp_lite.transformations.counts.tallies import merger
from opendp_lite.transformations.counts.tallies import norm_map
from opendp_lite.transformations.counts.tallies import stopped
from opendp_lite.transformations.datasets import atom_of
from opendp_lite.transformations.datasets import check_categories
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.rows.binning import check_edges
from typing import Any

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.core.metrics.metric.MetricArgument: typing.TypeAlias = opendp_lite.core.metrics.metric.Metric | type[opendp_lite.core.metrics.metric.Metric] | str
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_MAKE = "MakeTransformation"
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber


# === make_count_by_categories with Iterable, Data, check_type, Domain, VectorDomain,
#    Metric, MetricArgument, Transformation, TypeArgument, category_counts, check_norm,
#    count_type, merger, norm_map, stopped, atom_of, check_categories, check_dataset,
#    Any, opendp_lite.base.aliases.Data, opendp_lite.core.metrics.metric.MetricArgument,
#    opendp_lite.data.type_arguments.TypeArgument, _MAKE
def make_count_by_categories(
    input_domain: Domain,
    input_metric: Metric,
    categories: Iterable[Any],
    null_category: bool = True,
    MO: MetricArgument = "L1Distance<int>",
    TOA: TypeArgument = int,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    T = atom_of(domain).T
    values = check_categories(categories, T)
    fix = "Pass null_category=True, or False"
    check_type(_MAKE, "null_category", null_category, bool, fix)
    metric, p = check_norm(MO)
    output, top = count_type("TOA", TOA)
    bins = len(values) + null_category

    def function(arg: Data) -> list[Any]:
        counts = category_counts(arg, values, T)
        if null_category:
            counts.append(len(arg) - sum(counts))
        return stopped(counts, output.T, top)

    return Transformation(
        input_domain,
        VectorDomain(output, bins),
        function,
        input_metric,
        metric,
        norm_map(p, bins, null_category, input_metric, domain.size),
        merge=merger(output.T, top),
    )


# === make_histogram with Iterable, Data, ExactNumber, refusal, AtomDomain, Domain,
#    VectorDomain, Metric, MetricArgument, Transformation, TypeArgument, check_norm,
#    count_type, cut_counts, merger, norm_map, stopped, check_dataset, check_edges, Any,
#    ?, opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Data,
#    opendp_lite.core.metrics.metric.MetricArgument,
#    opendp_lite.data.type_arguments.TypeArgument, _MAKE
def make_histogram(
    input_domain: Domain,
    input_metric: Metric,
    edges: Iterable[ExactNumber],
    MO: MetricArgument = "L1Distance<int>",
    TOA: TypeArgument = int,
) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    element = domain.element_domain
    if not isinstance(element, AtomDomain) or not element.numeric:
        rule = "rows must be numbers of type int, float or Fraction"
        fix = "Pass for example vector_domain(atom_domain(T=float))"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    cuts = check_edges(edges, element.T)
    metric, p = check_norm(MO)
    output, top = count_type("TOA", TOA)
    bins = len(cuts) + 1

    def function(arg: Data) -> list[Any]:
        counts = cut_counts(arg, cuts, element.T)
        return stopped(counts, output.T, top)

    return Transformation(
        input_domain,
        VectorDomain(output, bins),
        function,
        input_metric,
        metric,
        norm_map(p, bins, True, input_metric, domain.size),
        merge=merger(output.T, top),
        reads_floats=element.T is float,
    )
