"""Means, variances and sums of squared deviations of bounded numbers, exact."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.transformations.datasets import (
    changed_rows,
    check_dataset,
    check_numbers,
)
from opendp_lite.transformations.sums.summands import (
    check_summation,
    finite_bounds,
    free_rows,
    grid_exponent,
    known_size,
    no_grid,
)
from opendp_lite.transformations.sums.summing import make_sum
from opendp_lite.transformations.sums.totals import (
    grid_spread,
    integer_spread,
    rational_total,
)


@constructor(proof="transformations/make_mean", status="vetted")
def make_mean(
    input_domain: Domain, input_metric: Metric, *, k: int | None = None
) -> Transformation:
    """Return the transformation of bounded numbers, of public size, into their mean.

    Guarantee: with [L, U] the bounds of the rows and n their number, the means of data
    sets at distance at most d_in differ by at most m (U - L) / n, where m, the number
    of rows that differ, is

    * min(floor(d_in / 2), n) under the symmetric and the insert-delete distance,
    * min(d_in, n) under the change-one and the Hamming distance.

    The mean is an exact Fraction (float(x) rounds it): what `make_sum` returns, divided
    by n. So floats are first rounded to the multiples of 2^k, and the bounds with them,
    as it says.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction with finite
        bounds, of public size
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param k: exponent of the grid, for floats only. By default 2^k is 2^-40 of the
        least power of two that is at least U - L, but no finer than the floats there

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)), size=4)
    >>> mean = dp.t.make_mean(rows, dp.symmetric_distance())
    >>> mean([0.5, 2.0, 10.0, 5.0]), mean.map(2)
    (Fraction(35, 8), 2.5)

    Raises `MakeTransformation` for another space or grid.

    Proof: proofs/transformations/make_mean.tex
    """
    n = known_size(check_dataset(input_domain, input_metric))  # proof: size
    total = make_sum(input_domain, input_metric, k=k)  # proof: total

    def function(arg: Data) -> Fraction:
        return Fraction(total.function(arg), n)  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return mpq(total.stability_map(d_in)) / n  # proof: map

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),  # proof: output
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
        merge=total.merge,  # proof: merge
        absorbs_clamp=total.absorbs_clamp,  # proof: absorbs
        reads_floats=total.reads_floats,  # proof: reads
    )


then_mean = then(make_mean)


@constructor(proof="transformations/make_sum_of_squared_deviations", status="vetted")
def make_sum_of_squared_deviations(
    input_domain: Domain,
    input_metric: Metric,
    S: str | None = None,
    *,
    k: int | None = None,
) -> Transformation:
    """Return the transformation into the sum of squared deviations from the mean.

    Guarantee: with W = U - L, where [L, U] are the bounds of the rows, the sums of data
    sets at distance at most d_in differ by at most

    * W^2 j (n - j) / n, where the number n of rows is public, j = min(m, floor(n / 2)),
      and m, the number of rows that differ, is min(floor(d_in / 2), n) under the
      symmetric and the insert-delete distance, and min(d_in, n) under the others,
    * d_in W^2, where n is not public.

    Nothing smaller holds for all sizes. The sum is an exact Fraction (float(x) rounds
    it), 0 for no rows. Floats are first rounded to the multiples of g = 2^k, as in
    `make_sum`, and in the guarantee the least and the greatest multiple within the
    bounds stand for L and U.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction with finite
        bounds
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param S: how OpenDP sums floats, such as "Pairwise<f64>"; it makes no difference
    :param k: exponent of the grid, for floats only. By default 2^k is 2^-40 of the
        least power of two that is at least U - L, but no finer than the floats there

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.vector_domain(dp.atom_domain(bounds=(0, 10)), size=4)
    >>> squares = dp.t.make_sum_of_squared_deviations(rows, dp.symmetric_distance())
    >>> squares([1, 2, 3, 6]), squares.map(2)
    (Fraction(14, 1), 75.0)

    Raises `MakeTransformation` for another space or grid.

    Proof: proofs/transformations/make_sum_of_squared_deviations.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    element = check_numbers(domain)  # proof: numbers
    check_summation(S)  # proof: summation
    T, n = element.T, domain.size
    L, U = finite_bounds(domain, element)  # proof: bounds
    k = grid_exponent(L, U, True, k) if T is float else no_grid(k)  # proof: grid
    a, b = ceil_multiple(L, k), floor_multiple(U, k)  # proof: steps
    width = U - L if T is Fraction else (b - a) * power_of_two(k)  # proof: width
    square = to_fraction(power_of_two(2 * k))  # proof: square

    def function(arg: Data) -> Fraction:
        count = len(arg)
        if count == 0:
            return Fraction(0)  # proof: empty
        if T is Fraction:
            total = rational_total(arg)  # proof: rationals
            return rational_total([x * x for x in arg]) - total * total / count
        if T is int:
            return Fraction(integer_spread(arg, a, b), count)  # proof: integers
        return Fraction(grid_spread(arg, a, b, k), count) * square  # proof: floats

    def stability_map(d_in: ExactDistance) -> Any:
        if n == 0 or width == 0:  # proof: constant
            return 0
        if n is None:  # proof: unsized
            return d_in if d_in == math.inf else d_in * width * width
        m = changed_rows(input_metric, n, d_in)  # proof: rows
        j = min(m, n // 2)
        return width * width * j * (n - j) / n  # proof: map

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),  # proof: output
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
        absorbs_clamp=T in (int, float),  # proof: absorbs
        reads_floats=T is float,  # proof: reads
    )


then_sum_of_squared_deviations = then(make_sum_of_squared_deviations)


@constructor(proof="transformations/make_variance", status="vetted")
def make_variance(
    input_domain: Domain,
    input_metric: Metric,
    ddof: ExactNumber = 1,
    S: str | None = None,
    *,
    k: int | None = None,
) -> Transformation:
    """Return the transformation of bounded numbers, of public size, into the variance.

    Guarantee: with W = U - L, where [L, U] are the bounds of the n rows, the variances
    of data sets at distance at most d_in differ by at most W^2 j (n - j) / (n (n - c)).
    Here c is `ddof`, j = min(m, floor(n / 2)), and m, the number of rows that differ,
    is min(floor(d_in / 2), n) under the symmetric and the insert-delete distance, and
    min(d_in, n) under the change-one and the Hamming distance.

    The variance is an exact Fraction (float(x) rounds it): what
    `make_sum_of_squared_deviations` returns, which says how floats are rounded, divided
    by n - c.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction with finite
        bounds, of public size
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param ddof: c, from 0 to n - 1: with 1 the variance is the estimate from a sample,
        with 0 that of the rows themselves
    :param S: how OpenDP sums floats, such as "Pairwise<f64>"; it makes no difference
    :param k: exponent of the grid, for floats only, as in
        `make_sum_of_squared_deviations`

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.vector_domain(dp.atom_domain(bounds=(0, 10)), size=4)
    >>> variance = dp.t.make_variance(rows, dp.symmetric_distance())
    >>> variance([1, 2, 3, 6]), variance.map(2)
    (Fraction(14, 3), 25.0)

    Raises `MakeTransformation` for another space, grid or `ddof`.

    Proof: proofs/transformations/make_variance.tex
    """
    n = known_size(check_dataset(input_domain, input_metric))  # proof: size
    free = free_rows(ddof, n)  # proof: free
    deviations = make_sum_of_squared_deviations(  # proof: deviations
        input_domain, input_metric, S, k=k
    )

    def function(arg: Data) -> Fraction:
        return Fraction(deviations.function(arg), free)  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return mpq(deviations.stability_map(d_in)) / free  # proof: map

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),  # proof: output
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
        absorbs_clamp=deviations.absorbs_clamp,  # proof: absorbs
        reads_floats=deviations.reads_floats,  # proof: reads
    )


then_variance = then(make_variance)
