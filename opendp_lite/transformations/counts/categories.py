"""Counts of rows by bins that are known beforehand: categories, and intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from opendp_lite.base.aliases import Data, ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.transformations.counts.tallies import (
    category_counts,
    check_norm,
    count_type,
    cut_counts,
    merger,
    norm_map,
    stopped,
)
from opendp_lite.transformations.datasets import (
    atom_of,
    check_categories,
    check_dataset,
)
from opendp_lite.transformations.rows.binning import check_edges

_MAKE = "MakeTransformation"


@constructor(proof="transformations/make_count_by_categories", status="vetted")
def make_count_by_categories(
    input_domain: Domain,
    input_metric: Metric,
    categories: Iterable[Any],
    null_category: bool = True,
    MO: MetricArgument = "L1Distance<int>",
    TOA: TypeArgument = int,
) -> Transformation:
    """Return the transformation of a data set into the counts of some of its values.

    The counts are in the order of the categories; with `null_category` the number of
    all other rows follows.

    Guarantee: let m be min(d_in, n) under the change-one and the Hamming distance, and
    min(floor(d_in / 2), n) under the symmetric and the insert-delete distance, n being
    the number of rows where it is public and infinite otherwise. The counts of data
    sets at distance at most d_in are, in the Lp distance `MO`, at distance at most

    * 2 m for L1, sqrt(2) m for L2, exactly, and m for LInf, where data sets have one
      size (n is public, or rows are changed and d_in is finite),
    * d_in otherwise.

    A single category without the others counts m, and the others alone count 0, where
    data sets have one size.

    :param input_domain: vector_domain of an atom_domain, or of an option_domain of one
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param categories: different values of the type of the rows, in a list, a tuple or
        an array; no NaN
    :param null_category: whether all other rows are counted, too
    :param MO: the metric of the counts: L1Distance, L2Distance or LInfDistance, which
        must not be monotonic, as a row that moves to another bin moves two counts in
        opposite directions
    :param TOA: type of the counts: int, a sized type such as "i32", at whose greatest
        value counts stop, or float, which stops at 2^53

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> counts = space >> dp.t.then_count_by_categories(["a", "b"])
    >>> counts(["b", "a", "z", "b"]), counts.map(1)
    ([1, 2, 1], 1)

    Raises `MakeTransformation` for another space, metric or type, and for categories
    that are not of the type of the rows, or not different.

    Proof: proofs/transformations/make_count_by_categories.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    T = atom_of(domain).T  # proof: atoms
    values = check_categories(categories, T)  # proof: categories
    fix = "Pass null_category=True, or False"
    check_type(_MAKE, "null_category", null_category, bool, fix)  # proof: others
    metric, p = check_norm(MO)  # proof: metric
    output, top = count_type("TOA", TOA)  # proof: type
    bins = len(values) + null_category

    def function(arg: Data) -> list[Any]:
        counts = category_counts(arg, values, T)  # proof: counts
        if null_category:
            counts.append(len(arg) - sum(counts))  # proof: rest
        return stopped(counts, output.T, top)  # proof: stopped

    return Transformation(
        input_domain,
        VectorDomain(output, bins),
        function,
        input_metric,
        metric,
        norm_map(p, bins, null_category, input_metric, domain.size),  # proof: map
        merge=merger(output.T, top),  # proof: merge
    )


then_count_by_categories = then(make_count_by_categories)


@constructor(proof="transformations/make_histogram", status="vetted")
def make_histogram(
    input_domain: Domain,
    input_metric: Metric,
    edges: Iterable[ExactNumber],
    MO: MetricArgument = "L1Distance<int>",
    TOA: TypeArgument = int,
) -> Transformation:
    """Return the transformation of numbers into how many lie between edges.

    With edges e_0 < ... < e_k there are k + 2 counts: of the rows below e_0, of those
    in [e_0, e_1) and so on, and of those from e_k on, NaN among them. Edges are
    compared with rows by their exact values.

    Guarantee: let m be min(d_in, n) under the change-one and the Hamming distance, and
    min(floor(d_in / 2), n) under the symmetric and the insert-delete distance, n being
    the number of rows where it is public and infinite otherwise. The counts of data
    sets at distance at most d_in are, in the Lp distance `MO`, at distance at most

    * 2 m for L1, sqrt(2) m for L2, exactly, and m for LInf, where data sets have one
      size (n is public, or rows are changed and d_in is finite),
    * d_in otherwise.

    :param input_domain: vector_domain of int, float or Fraction
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param edges: numbers, exact: int, float, Fraction, Decimal or text; strictly
        increasing, in a list, a tuple or an array
    :param MO: the metric of the counts: L1Distance, L2Distance or LInfDistance, which
        must not be monotonic
    :param TOA: type of the counts: int, a sized type such as "i32", at whose greatest
        value counts stop, or float, which stops at 2^53

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=float)), dp.change_one_distance()
    >>> histogram = space >> dp.t.then_histogram([0, 1], MO="L2Distance<float>")
    >>> histogram([-1.0, 0.0, 0.5, 1.0]), histogram.map(1)
    ([1, 2, 1], 1.4142135623730951)
    >>> (histogram >> dp.m.then_gaussian(scale=1)).map(1)
    1.0

    Raises `MakeTransformation` for another space, metric or type, and for edges that
    are no numbers, or do not increase.

    Proof: proofs/transformations/make_histogram.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    element = domain.element_domain
    if not isinstance(element, AtomDomain) or not element.numeric:  # proof: numbers
        rule = "rows must be numbers of type int, float or Fraction"
        fix = "Pass for example vector_domain(atom_domain(T=float))"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    cuts = check_edges(edges, element.T)  # proof: edges
    metric, p = check_norm(MO)  # proof: metric
    output, top = count_type("TOA", TOA)  # proof: type
    bins = len(cuts) + 1

    def function(arg: Data) -> list[Any]:
        counts = cut_counts(arg, cuts, element.T)  # proof: function
        return stopped(counts, output.T, top)  # proof: stopped

    return Transformation(
        input_domain,
        VectorDomain(output, bins),
        function,
        input_metric,
        metric,
        norm_map(p, bins, True, input_metric, domain.size),  # proof: map
        merge=merger(output.T, top),  # proof: merge
        reads_floats=element.T is float,  # proof: reads
    )


then_histogram = then(make_histogram)
