"""Binning: numbers become the numbers of their bins, between exact edges."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Array, Data, ExactDistance, ExactNumber
from opendp_lite.base.containers import is_array, parts, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import to_extended, to_fraction
from opendp_lite.exact.rounding import round_up
from opendp_lite.transformations.datasets import check_dataset

_MAKE = "MakeTransformation"


def check_edges(edges: Iterable[ExactNumber], T: type) -> list[Any]:
    """Return for each edge its cut: the least value of the type that is not below it.

    A row is below the edge exactly if it is below the cut. For rows of integers, and of
    Fractions, an infinity stands for itself. What is refused is shown as one value,
    or not at all: one of the edges may be a row of data.
    """
    fix = "Pass numbers that increase strictly, such as edges=[0, 10, 20]"
    listed = isinstance(edges, list | tuple)
    values = list(edges) if listed else []
    if not values:  # proof: some
        rule = "must be a list, a tuple or an array, of at least one number"
        raise refusal(_MAKE, "edges", edges, rule, fix)
    try:
        exact = list(map(to_extended, values))  # proof: exact
    except (TypeError, ValueError):
        rule = "each must be a number, and not NaN"
        raise refusal(_MAKE, "edges", edges, rule, fix) from None
    if any(a >= b for a, b in pairwise(exact)):  # proof: increasing
        raise refusal(_MAKE, "edges", edges, "must be strictly increasing", fix)
    return [_least_value(each, T) for each in exact]  # proof: least


def _least_value(edge: mpq | float, T: type) -> Any:
    """Return the least value of the type, or an infinity, that is not below an edge."""
    if T is float or isinstance(edge, float):  # an infinite edge stays what it is
        return round_up(edge)  # proof: floats
    if T is Fraction:
        return to_fraction(edge)  # proof: fractions
    return ceil_multiple(edge, 0)  # proof: integers


_FEW = 96  # edges, with each of which rows are compared faster than by bisection


@constructor(proof="transformations/make_find_bin", status="vetted")
def make_find_bin(
    input_domain: Domain, input_metric: Metric, edges: Sequence[ExactNumber]
) -> Transformation:
    """Return the transformation of every row into the number of its bin.

    Guarantee: with f(x)_i = #{j : e_j <= x_i}, where (e_1, ..., e_k) are the `edges`,
    d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, and 0 <= f(x)_i <= k.

    So bin 0 is below all edges, bin j is [e_j, e_j+1), and bin k, to which NaN belongs,
    begins at the last edge. Rows and edges are compared by their exact values: no edge
    is rounded to the type of the rows. Lists come out as lists, arrays as int64.

    :param input_domain: vector_domain of int, float or Fraction
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param edges: numbers, strictly increasing, in a list, a tuple or an array; exact,
        of any type, also infinite

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    >>> find_bin = space >> dp.t.then_find_bin([0, 10, 20])
    >>> find_bin([-1.0, 0.0, 9.5, 20.0]), find_bin.map(1)
    ([0, 1, 1, 3], 1)

    Raises `MakeTransformation` for another space or other edges.

    Proof: proofs/transformations/make_find_bin.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    element = domain.element_domain
    if not isinstance(element, AtomDomain) or not element.numeric:  # proof: numbers
        rule = "rows must be numbers of type int, float or Fraction, and never None"
        fix = "Use then_cast_default(TOA=float) or then_impute_constant(...) first"
        raise refusal("MakeTransformation", "input_domain", domain, rule, fix)
    cuts = check_edges(edges, element.T)  # proof: cuts
    top = len(cuts)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _bin_array(arg, cuts)  # proof: array
        found = (top if x != x else bisect_right(cuts, x) for x in rows(arg))
        return list(found)  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    bins = AtomDomain((0, top), T=int)  # proof: output
    return Transformation(
        input_domain,
        VectorDomain(bins, domain.size),
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_find_bin = then(make_find_bin)


def _bin_array(array: Array, cuts: list[Any]) -> Any:
    """Return an array of int64: for each entry, how many cuts are not above it."""
    import numpy

    kind, below, ends = numpy.dtype(numpy.float64), 0, cuts
    if array.dtype.kind != "f":
        kind = array.dtype.newbyteorder("=")
        info = numpy.iinfo(kind)
        below = bisect_right(cuts, int(info.min))  # proof: below
        ends = cuts[below : bisect_right(cuts, int(info.max))]  # proof: inside
    inside = numpy.array(ends, dtype=kind)  # proof: ends
    bins, start = numpy.empty(len(array), dtype=numpy.int64), 0
    with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
        for part in parts(array):
            own = part.astype(kind, copy=False)  # proof: own
            place = bins[start : start + len(part)]
            if len(ends) > _FEW:
                place[:] = inside.searchsorted(own, "right")  # proof: search
            else:
                count = numpy.zeros(len(part), dtype=numpy.uint8)
                for c in inside:
                    count += ~(own < c)  # proof: compare
                place[:] = count
            place += below  # proof: place
            start += len(part)
    return bins
