"""The number of rows, and of different rows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.transformations.counts.tallies import count_type, distinct_values
from opendp_lite.transformations.datasets import (
    atom_of,
    changed_rows,
    changes_rows,
    check_dataset,
)


@constructor(proof="transformations/make_count", status="vetted")
def make_count(
    input_domain: Domain, input_metric: Metric, TO: TypeArgument = int
) -> Transformation:
    """Return the transformation of a data set into its number of rows.

    Guarantee: for data sets x, x' at distance at most d_in,
    | |x| - |x'| | <= d_in under the symmetric and the insert-delete distance. It is 0
    where the size is public, and under the change-one and the Hamming distance, which
    are finite between data sets of one size only.

    :param input_domain: vector_domain of anything
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param TO: type of the count: int, a sized type such as "i32", at whose greatest
        value the count stops, or float, which stops at 2^53

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> count = space >> dp.t.then_count()
    >>> count(["a", "b", "b"]), count.map(1)
    (3, 1)

    Raises `MakeTransformation` for another space and where `TO` is no type of counts.

    Proof: proofs/transformations/make_count.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    output, top = count_type("TO", TO)  # proof: type
    T, one_size = output.T, domain.size is not None  # proof: size

    def function(arg: Data) -> Any:  # proof: function
        return T(min(len(arg), top))

    def merge(counts: Iterable[Any]) -> Any:
        return T(min(sum(map(int, counts)), top))  # proof: merged

    def stability_map(d_in: ExactDistance) -> Any:
        if one_size or (changes_rows(input_metric) and d_in != math.inf):
            return 0  # proof: equal-sizes
        return d_in  # proof: map

    return Transformation(
        input_domain,
        output,
        function,
        input_metric,
        AbsoluteDistance(T),
        stability_map,
        merge=merge,  # proof: merge
    )


then_count = then(make_count)


@constructor(proof="transformations/make_count_distinct", status="vetted")
def make_count_distinct(
    input_domain: Domain, input_metric: Metric, TO: TypeArgument = int
) -> Transformation:
    """Return the transformation of a data set into its number of different values.

    Guarantee: with n the number of rows, if it is public, the counts of data sets at
    distance at most d_in differ by at most

    * d_in where n is not public,
    * min(floor(d_in / 2), n - 1), or 0 for n = 0, under the symmetric and the
      insert-delete distance where n is public,
    * min(d_in, n - 1), or 0 for n = 0, under the change-one and the Hamming distance
      where n is public.

    Rows are compared by value: 0.0 and -0.0 are one value, as are 1 and 1.0 in rows of
    floats; all NaNs are one, and None is one.

    :param input_domain: vector_domain of an atom_domain, or of an option_domain of one
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param TO: type of the count: int, a sized type such as "i32", at whose greatest
        value the count stops, or float, which stops at 2^53

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> count = space >> dp.t.then_count_distinct()
    >>> count(["a", "b", "b"]), count.map(1)
    (2, 1)

    Raises `MakeTransformation` for another space and where `TO` is no type of counts.

    Proof: proofs/transformations/make_count_distinct.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    kind = atom_of(domain).T  # proof: atoms
    output, top = count_type("TO", TO)  # proof: type
    T, n = output.T, domain.size

    def function(arg: Data) -> Any:
        return T(min(distinct_values(arg, kind), top))  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        if n is None:
            return d_in  # proof: unsized
        return min(changed_rows(input_metric, n, d_in), max(n - 1, 0))  # proof: sized

    return Transformation(
        input_domain,
        output,
        function,
        input_metric,
        AbsoluteDistance(T),
        stability_map,
    )


then_count_distinct = then(make_count_distinct)
