"""Sums of bounded numbers and vectors, exact."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.core.domains import AtomDomain, BallDomain, Domain, VectorDomain
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.transformations.datasets import (
    changed_rows,
    changes_rows,
    check_dataset,
    check_numbers,
)
from opendp_lite.transformations.sums.summands import (
    finite_bounds,
    grid_exponent,
    no_grid,
)
from opendp_lite.transformations.sums.totals import (
    grid_total,
    integer_total,
    rational_total,
)
from opendp_lite.transformations.sums.vector_sums import vector_sum


@constructor(proof="transformations/make_sum", status="vetted")
def make_sum(
    input_domain: Domain, input_metric: Metric, *, k: int | None = None
) -> Transformation:
    """Return the transformation of bounded numbers, or vectors, into their exact sum.

    Guarantee: with L and U the bounds of the rows and n their number, if it is public,
    the sums of data sets at distance at most d_in differ by at most

    * d_in max(|L|, |U|) under the symmetric and the insert-delete distance,
    * min(floor(d_in / 2), n) (U - L) under these where n is public,
    * min(d_in, n) (U - L) under the change-one and the Hamming distance.

    Integers and Fractions are summed as they are. Floats are first rounded to the
    multiples of g = 2^k: y = rint(clip(x / g, a, b)) with a = ceil(L / g) and
    b = floor(U / g), and in the guarantee a g and b g stand for L and U. The sum of
    the y g is an exact Fraction, so no order of rows and no rounding adds to the
    guarantee. Rounding moves the sum by at most n g / 2, and where a bound is no
    multiple of g, each row beyond the last multiple by less than g. A Fraction is
    rounded to a number of the usual kind, and formatted, by float(x); a release is a
    float already.

    Rows that are vectors, of a ball_domain of norm c in Lp, have a vector as their sum,
    and in Lp it moves by at most

    * c d_in under the symmetric and the insert-delete distance,
    * 2 c min(floor(d_in / 2), n) under these where n is public,
    * 2 c min(d_in, n) under the change-one and the Hamming distance.

    Floats in them are first rounded toward 0 to the multiples of 2^k, which makes no
    vector longer; what `make_clip_rows` puts out on its default grid is summed as it
    is.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction with finite
        bounds, or of a ball_domain of these
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param k: exponent of the grid, for floats only. By default 2^k is 2^-40 of the
        least power of two that is at least U - L where neighbours have one size (n is
        public, or rows are changed), and at least max(|L|, |U|) otherwise; or finer if
        no multiple of it lies within the bounds. It is no finer than the floats there.
        For vectors it is 2^-40 of the least power of two that is at least c

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.atom_domain(bounds=(0.0, 10.0))
    >>> total = dp.t.make_sum(dp.vector_domain(rows), dp.symmetric_distance())
    >>> total([0.5, 2.0, 10.0]), total.map(1)
    (Fraction(25, 2), 10.0)
    >>> f"{float(total([0.5, 2.0, 10.0])):.2f}"
    '12.50'
    >>> sized = dp.vector_domain(dp.atom_domain(bounds=(2, 10)), size=3)
    >>> dp.t.make_sum(sized, dp.symmetric_distance()).map(2)
    8
    >>> points = dp.ball_domain(dp.atom_domain(T=int), size=2, norm=5)
    >>> both = dp.t.make_sum(dp.vector_domain(points), dp.symmetric_distance())
    >>> both([[3, 4], [0, -5]]), both.map(1), both.output_metric
    ([3, -1], 5, L2Distance(T=int))

    Raises `MakeTransformation` for another space or grid.

    Proof: proofs/transformations/make_sum.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    if isinstance(domain.element_domain, VectorDomain | BallDomain):
        return vector_sum(domain, input_metric, k)  # proof: vectors
    element = check_numbers(domain)  # proof: numbers
    T, n = element.T, domain.size
    L, U = finite_bounds(domain, element)  # proof: bounds
    changed = changes_rows(input_metric)
    one_size = n is not None or changed
    k = grid_exponent(L, U, one_size, k) if T is float else no_grid(k)  # proof: grid
    g = power_of_two(k)
    a, b = ceil_multiple(L, k), floor_multiple(U, k)  # proof: steps
    if T is int:
        L, U = a, b
    elif T is float:
        L, U = a * g, b * g  # proof: rounded-bounds
    largest, width = max(abs(L), abs(U)), U - L  # proof: widths

    def function(arg: Data) -> Any:
        if T is int:
            return integer_total(arg, L, U)  # proof: integers
        if T is Fraction:
            return rational_total(arg)  # proof: rationals
        steps = grid_total(arg, a, b, k)  # proof: floats
        return Fraction(steps << k) if k >= 0 else Fraction(steps, 1 << -k)

    def stability_map(d_in: ExactDistance) -> Any:
        if n is not None:  # proof: sized
            return changed_rows(input_metric, n, d_in) * width
        if d_in == math.inf:  # proof: infinite
            return math.inf if largest != 0 else 0
        return d_in * (width if changed else largest)  # proof: unsized

    output_type = int if T is int else Fraction  # proof: output
    return Transformation(
        input_domain,
        AtomDomain(T=output_type),
        function,
        input_metric,
        AbsoluteDistance(output_type),
        stability_map,
        merge=sum,  # proof: merge
        absorbs_clamp=T in (int, float),  # proof: absorbs
        reads_floats=T is float,  # proof: reads
    )


then_sum = then(make_sum)
