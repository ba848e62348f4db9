"""Sums of bounded numbers, exact."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from opendp_lite.core.aliases import Data, ExactDistance
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import (
    ceil_multiple,
    exponent_at_least,
    floor_multiple,
    power_of_two,
)
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.transformations.datasets import (
    changes_rows,
    check_dataset,
    check_numbers,
)
from opendp_lite.transformations.totals import (
    grid_total,
    integer_total,
    rational_total,
)

__all__ = ["make_sum", "then_sum"]


@constructor(proof="transformations/make_sum", status="vetted")
def make_sum(
    input_domain: Domain, input_metric: Metric, *, k: int | None = None
) -> Transformation:
    """Return the transformation of bounded numbers into their exact sum.

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
    multiple of g, each row beyond the last multiple by less than g.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction with finite
        bounds
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param k: exponent of the grid, for floats only. By default 2^k is 2^-40 of the
        least power of two that is at least U - L where neighbours have one size (n is
        public, or rows are changed), and at least max(|L|, |U|) otherwise; or finer if
        no multiple of it lies within the bounds. It is no finer than the floats there

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.atom_domain(bounds=(0.0, 10.0))
    >>> total = dp.t.make_sum(dp.vector_domain(rows), dp.symmetric_distance())
    >>> total([0.5, 2.0, 10.0]), total.map(1)
    (Fraction(25, 2), 10.0)
    >>> sized = dp.vector_domain(dp.atom_domain(bounds=(2, 10)), size=3)
    >>> dp.t.make_sum(sized, dp.symmetric_distance()).map(2)
    8

    Raises `MakeTransformation` for another space or grid.

    Proof: proofs/transformations/make_sum.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    element = check_numbers(domain)  # proof: numbers
    T, n = element.T, domain.size
    L, U = _finite_bounds(domain, element)
    changed = changes_rows(input_metric)
    k = _grid_exponent(L, U, n is not None or changed, k) if T is float else _no_grid(k)
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
            return (min(d_in, n) if changed else min(d_in, 2 * n) // 2) * width
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
    )


then_sum = then(make_sum)


def _finite_bounds(domain: Domain, element: AtomDomain) -> tuple[Any, Any]:
    """Return the bounds of the rows as rationals, or refuse infinite or absent ones."""
    if element.bounds is None or math.inf in map(abs, element.bounds):  # proof: ends
        rule = "rows must have finite bounds"
        fix = "Use then_clamp(bounds=...) first, or atom_domain(bounds=...)"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    lower, upper = element.bounds
    return to_mpq(lower), to_mpq(upper)


def _no_grid(k: object) -> int:
    """Return 0 for rows that are not rounded, and refuse a `k` for them."""
    if k is not None:  # proof: none
        rule, fix = "only floats are rounded to a grid", "Leave k out"
        raise refusal("MakeTransformation", "k", k, rule, fix)
    return 0


def _grid_exponent(L: Any, U: Any, one_size: bool, k: object) -> int:
    """Return the exponent of the grid: `k` itself, checked, or the default.

    `one_size` says that neighbours have one size: then rows are compared with rows,
    never with nothing, and what counts is how far they can lie apart.
    """
    largest = max(abs(L), abs(U))
    e = exponent_at_least(largest) if largest else 0
    if k is None:
        span = U - L if one_size else largest  # proof: span
        k = finest = max(e - 54, -1074)  # proof: finest
        if span:
            k = max(exponent_at_least(span) - 40, finest)  # proof: default
        while ceil_multiple(L, k) > floor_multiple(U, k):  # proof: refine
            k -= 1
        return k
    fix = "Pass a greater k, or leave k out"
    lowest = max(-1074, e - 1022)  # no row divided by 2^k overflows  # proof: lowest
    k = integer_argument("MakeTransformation", "k", k, fix=fix, at_least=lowest)
    if k > 1023 or ceil_multiple(L, k) > floor_multiple(U, k):  # proof: within
        rule = "a multiple of 2^k must lie within the bounds, and k be at most 1023"
        raise refusal("MakeTransformation", "k", k, rule, "Pass a smaller k")
    return k
