"""The covariance of two columns of bounded numbers, exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from operator import mul
from typing import Any

from opendp_lite.base.aliases import Bounds, Data, ExactDistance, ExactNumber
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import AbsoluteDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.transformations.datasets import (
    changed_rows,
    check_dataset,
    check_numbers,
)
from opendp_lite.transformations.sums.summands import (
    free_rows,
    grid_exponent,
    interval,
    known_size,
)
from opendp_lite.transformations.sums.totals import clipped, grid_steps, tree_sum


@constructor(proof="transformations/make_covariance", status="vetted")
def make_covariance(
    input_domain: Domain,
    input_metric: Metric,
    bounds_0: Bounds,
    bounds_1: Bounds,
    ddof: ExactNumber = 1,
) -> Transformation:
    """Return the transformation of pairs of numbers, of public size, into a covariance.

    Guarantee: with W and V the widths of `bounds_0` and `bounds_1`, the covariances of
    data sets of n rows at distance at most d_in differ by at most
    W V (j (n - j) + floor(m^2 / 4)) / (n (n - c)). Here c is `ddof`,
    j = min(m, floor(n / 2)), and m, the number of rows that differ, is
    min(floor(d_in / 2), n) under the symmetric and the insert-delete distance, and
    min(d_in, n) under the change-one and the Hamming distance.

    The entries of each pair are first brought into the bounds. The covariance is an
    exact Fraction (float(x) rounds it). Floats are rounded to a grid for each column,
    as by default in `make_sum_of_squared_deviations`, which never makes W or V greater.

    :param input_domain: vector_domain, of public size n, of vector_domain(..., size=2)
        of int, float (no NaN) or Fraction; a matrix of two columns is a member
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param bounds_0: lower and upper bound of the first entries, numbers of their type
    :param bounds_1: lower and upper bound of the second entries, numbers of their type
    :param ddof: c, from 0 to n - 1: with 1 the covariance is the estimate from a
        sample, with 0 that of the rows themselves

    >>> import opendp_lite.prelude as dp
    >>> pairs = dp.vector_domain(dp.atom_domain(T=int), size=2)
    >>> space = dp.vector_domain(pairs, size=4), dp.symmetric_distance()
    >>> covariance = dp.t.make_covariance(*space, (0, 5), (0, 5))
    >>> covariance([[0, 0], [2, 1], [4, 5], [9, 2]]), covariance.map(2)
    (Fraction(10, 3), 6.25)

    In a Context it is the domain that says that rows are pairs, and how many:

    >>> context = dp.Context.compositor(
    ...     data=[[0, 0], [2, 1], [4, 5], [9, 2]],
    ...     privacy_unit=dp.unit_of(changes=1),
    ...     privacy_loss=dp.loss_of(epsilon=1.0),
    ...     domain=dp.vector_domain(pairs, size=4))
    >>> context.query(epsilon=0.5).covariance((0, 5), (0, 5)).laplace().param()
    12.5

    Raises `MakeTransformation` for another space, bounds or `ddof`.

    Proof: proofs/transformations/make_covariance.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    T = _type_of_pairs(domain)  # proof: pairs
    n = known_size(domain)  # proof: size
    free = free_rows(ddof, n)  # proof: free
    first, unit_0, width_0 = _column("bounds_0", bounds_0, T)  # proof: first
    second, unit_1, width_1 = _column("bounds_1", bounds_1, T)  # proof: second

    def function(arg: Data) -> Fraction:
        u = list(first(_entries(arg, 0)))  # proof: first-entries
        v = list(second(_entries(arg, 1)))  # proof: second-entries
        joint = n * tree_sum(list(map(mul, u, v))) - tree_sum(u) * tree_sum(v)
        return to_fraction(unit_0 * unit_1 * joint / (n * free))  # proof: quotient

    def stability_map(d_in: ExactDistance) -> Any:
        m = changed_rows(input_metric, n, d_in)  # proof: rows
        j = min(m, n // 2)
        return width_0 * width_1 * (j * (n - j) + m * m // 4) / (n * free)  # proof: map

    return Transformation(
        input_domain,
        AtomDomain(T=Fraction),  # proof: output
        function,
        input_metric,
        AbsoluteDistance(Fraction),
        stability_map,
    )


then_covariance = then(make_covariance)


def _type_of_pairs(domain: VectorDomain) -> type:
    """Return the type of the entries of the rows, which are pairs of numbers."""
    row = domain.element_domain
    if not isinstance(row, VectorDomain) or row.size != 2:  # proof: two
        rule = "each row must be a pair of numbers"
        fix = (
            "Pass vector_domain(vector_domain(atom_domain(T=float), size=2), size=n), "
            "in a Context as its domain=..."
        )
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    return check_numbers(row).T  # proof: numbers


def _entries(rows: Data, i: int) -> list[Any]:
    """Return the entry at the place `i` of every row of a list or a matrix."""
    if is_array(rows):
        return list(rows[:, i].tolist())  # proof: matrix
    return [row[i] for row in rows]  # proof: list


def _column(name: str, bounds: Bounds, T: type) -> tuple[Callable[..., Any], Any, Any]:
    """Return what makes exact numbers of entries, their unit, and their width in it."""
    L, U = interval(name, bounds, T)  # proof: interval

    def rationals(entries: Iterable[Data]) -> Any:
        return (min(max(to_mpq(x), L), U) for x in entries)  # proof: rationals

    if T is Fraction:
        return rationals, power_of_two(0), U - L
    k = grid_exponent(L, U, True, None) if T is float else 0  # proof: grid
    a, b = ceil_multiple(L, k), floor_multiple(U, k)  # proof: steps

    def steps(entries: Iterable[Data]) -> Any:
        if T is int:
            return clipped(entries, a, b)  # proof: integers
        return grid_steps(entries, a, b, k)  # proof: floats

    return steps, power_of_two(k), (b - a) * power_of_two(k)  # proof: width
