"""Exact sums of numbers and of vectors, and multiples of a number."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from math import ldexp
from typing import Any

from opendp_lite.base.aliases import Bounds, Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import check_type, integer_argument, rational_argument
from opendp_lite.base.containers import is_array, parts
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, BallDomain, Domain, VectorDomain
from opendp_lite.core.metrics import AbsoluteDistance, L1Distance, L2Distance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import (
    ceil_multiple,
    exponent_at_least,
    floor_multiple,
    power_of_two,
)
from opendp_lite.exact.rationals import to_extended, to_fraction, to_mpq
from opendp_lite.transformations.datasets import (
    changed_rows,
    changes_rows,
    check_dataset,
    check_numbers,
)
from opendp_lite.transformations.sums.summands import (
    finite_bounds,
    grid_exponent,
    interval,
    no_grid,
)
from opendp_lite.transformations.sums.totals import (
    grid_total,
    integer_total,
    rational_total,
)

_MAKE = "MakeTransformation"


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


def vector_sum(domain: VectorDomain, metric: Metric, k: object) -> Transformation:
    """Return the transformation of vectors of bounded norm into their exact sum.

    `domain` and `metric` passed `check_dataset`; `k` is as in `make_sum`.
    """
    ball = domain.element_domain
    if not isinstance(ball, BallDomain):  # proof: ball
        rule = "rows that are vectors must have a bounded norm"
        fix = "Use then_clip_rows(norm=...) first, or rows of ball_domain(...)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    T, n, columns = ball.element_domain.T, domain.size, ball.size or 0
    norm = to_mpq(ball.norm)
    exponent = _grid(norm, k) if T is float else no_grid(k)  # proof: grid
    unit = to_fraction(power_of_two(exponent))
    most = floor_multiple(norm, 0)  # proof: most

    def total(column: Data) -> Any:
        if T is int:
            return integer_total(column, -most, most)  # proof: integers
        if T is Fraction:
            return rational_total(column)  # proof: rationals
        return truncated_total(column, exponent) * unit  # proof: floats

    def function(arg: Data) -> Any:
        if is_array(arg):
            return [total(arg[:, j]) for j in range(columns)]  # proof: matrix
        return [total([row[j] for row in arg]) for j in range(columns)]  # proof: list

    def merge(sums: Iterable[list[Any]]) -> Any:
        return list(map(sum, zip(*sums, strict=True)))  # proof: merged

    def stability_map(d_in: ExactDistance) -> Any:
        if n is not None:
            return changed_rows(metric, n, d_in) * 2 * norm  # proof: sized
        if d_in == math.inf:
            return math.inf if norm else 0  # proof: infinite
        return d_in * (2 * norm if changes_rows(metric) else norm)  # proof: unsized

    output_type = int if T is int else Fraction
    distance = L1Distance if ball.p == 1 else L2Distance  # proof: metric
    return Transformation(
        domain,
        VectorDomain(AtomDomain(T=output_type), columns),  # proof: output
        function,
        metric,
        distance(output_type),
        stability_map,
        merge=merge,  # proof: merge
    )


def _grid(norm: Any, k: object) -> int:
    """Return the exponent of the grid: `k` itself, checked, or the default."""
    e = min(exponent_at_least(norm), 1024) if norm else 0  # proof: exponent
    if k is None:
        return max(e - 40, -1074)  # proof: default
    fix = "Pass a k with 2^k of 2^-45 of the norm at least, or leave k out"
    lowest = max(e - 45, -1074)  # proof: lowest
    return integer_argument(  # proof: given
        _MAKE, "k", k, fix=fix, at_least=lowest, at_most=1023
    )


def truncated_total(data: Data, k: int) -> int:
    """Return the sum of trunc(x / 2^k) over floats x of at most 2^45 steps each."""
    if not is_array(data):
        return sum(int(ldexp(float(x), -k)) for x in data)  # proof: list
    import numpy

    total = 0
    with numpy.errstate(all="ignore"):
        for part in parts(data):
            steps = numpy.ldexp(part.astype("float64"), -k)  # proof: scale
            total += int(steps.astype("int64").sum())  # proof: sum
    return total


@constructor(proof="transformations/make_lipschitz_float_mul", status="vetted")
def make_lipschitz_float_mul(
    input_domain: Domain, input_metric: Metric, constant: ExactNumber, bounds: Bounds
) -> Transformation:
    """Return the transformation of a number into its product with a constant.

    Guarantee: with f(x) = c min(max(x, L), U), where c is `constant` and (L, U) is
    `bounds`, |x - x'| <= d_in implies |f(x) - f(x')| <= |c| min(d_in, U - L).

    The product is an exact Fraction (float(x) rounds it), so nothing is added for
    rounding.

    :param input_domain: atom_domain of int, float (no NaN) or Fraction
    :param input_metric: absolute_distance
    :param constant: c, exact: int, float, Fraction, Decimal or text
    :param bounds: L and U, finite numbers of the type of the domain

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    >>> tenth = dp.t.make_lipschitz_float_mul(*space, "0.1", (0.0, 4.0))
    >>> tenth(2.5), tenth.map(1), tenth.map(100)
    (Fraction(1, 4), 0.1, 0.4)

    Raises `MakeTransformation` for another space, constant or bounds.

    Proof: proofs/transformations/make_lipschitz_float_mul.tex
    """
    fix = "Pass for example atom_domain(T=float, nan=False)"
    check_type(_MAKE, "input_domain", input_domain, AtomDomain, fix)  # proof: atom
    assert isinstance(input_domain, AtomDomain)
    if not input_domain.numeric or input_domain.nan:  # proof: numbers
        rule = "must hold numbers of type int, float or Fraction, and no NaN"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    fix = "Pass absolute_distance(T=float), with the type of the domain"
    check_type(  # proof: metric
        _MAKE, "input_metric", input_metric, AbsoluteDistance, fix
    )
    fix = "Pass a finite number, such as 0.5"
    c = rational_argument(_MAKE, "constant", constant, fix=fix)  # proof: constant
    L, U = interval("bounds", bounds, input_domain.T)  # proof: bounds

    def function(arg: Data) -> Fraction:
        return to_fraction(c * min(max(to_extended(arg), L), U))  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return abs(c) * min(d_in, U - L)  # proof: map

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),  # proof: output
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
    )


then_lipschitz_float_mul = then(make_lipschitz_float_mul)
