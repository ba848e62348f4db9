"""Clamping: rows and coordinates outside an interval move to its nearer end."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Array, Bounds, Data, ExactDistance
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import check_coordinates, check_numbers

_INT64 = (-(2**63), 2**63 - 1)
_UINT64 = (0, 2**64 - 1)


@constructor(proof="transformations/make_clamp", status="vetted")
def make_clamp(
    input_domain: Domain, input_metric: Metric, bounds: Bounds
) -> Transformation:
    """Return the transformation that brings every row into `bounds`.

    Guarantee: with f(x)_i = min(max(x_i, L), U), where (L, U) is `bounds`,
    d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, and L <= f(x)_i <= U. The distance
    may count rows, or be that of aggregates, vectors of numbers, in L1, L2 or LInf.

    Where the input domain has bounds of its own, those of the output domain are the
    images of its ends. A zero among floats comes out as 0.0, never -0.0.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction
    :param input_metric: a metric that counts rows, such as symmetric_distance(), or
        l1_distance, l2_distance or linf_distance
    :param bounds: the lower and the upper end, which belong to the interval

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> clamp = space >> dp.t.then_clamp((0, 10))
    >>> clamp([-5, 3, 99]), clamp.map(1), clamp.output_domain
    ([0, 3, 10], 1, VectorDomain(AtomDomain(bounds=(0, 10), T=int)))

    Lists come out as lists and arrays as arrays: of float64, of int64, or of uint64
    where dtype and bounds allow rows above int64. Bounds that lie wholly beyond both
    leave one value only, which no array holds: then arrays come out as lists.

    Raises `MakeTransformation` for another space, `MakeDomain` for bad bounds.

    Proof: proofs/transformations/make_clamp.tex
    """
    domain = check_coordinates(input_domain, input_metric)  # proof: space
    element = check_numbers(domain)  # proof: numbers
    T = element.T
    carrier = "f32" if element.single else T
    wanted = AtomDomain(bounds, False, carrier).bounds  # proof: bounds
    if wanted is None:  # proof: pair
        rule, fix = "must be a pair", "Pass (lower, upper), such as (0, 10)"
        raise refusal("MakeTransformation", "bounds", bounds, rule, fix)
    lower, upper = wanted
    zero = T(0)
    if element.bounds is not None:  # proof: image
        lower, upper = (min(max(end, lower), upper) for end in element.bounds)

    def function(arg: Data) -> Any:
        if is_array(arg):
            return _clamp_array(arg, lower, upper)  # proof: array
        # -0.0 equals 0.0 but is another row: adding 0 leaves one of them.
        rows = map(T, arg)  # proof: list
        return [lower if x < lower else upper if x > upper else x + zero for x in rows]

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        return d_in

    # Whether an array holds what the bounds leave of one, see _clamp_array.
    fits = T is not int or (lower <= _UINT64[1] and upper >= _INT64[0])  # proof: fits
    output_domain = VectorDomain(  # proof: output
        AtomDomain((lower, upper), False, carrier), domain.size
    )
    return Transformation(
        input_domain,
        output_domain,
        function,
        input_metric,
        input_metric,
        stability_map,
        by_rows=fits,  # proof: by-rows
        clamps=T in (int, float),  # proof: clamps
    )


then_clamp = then(make_clamp)


def _clamp_array(array: Array, lower: Any, upper: Any) -> Any:
    """Return a new array, of float64, int64 or uint64, with the rows clamped.

    It is a list if the bounds lie beyond int64 and uint64, and all rows end at one.
    """
    import numpy

    if array.dtype.kind == "f":  # proof: floats
        clamped = numpy.clip(array.astype(numpy.float64, copy=False), lower, upper)
        clamped += 0.0  # proof: zero
        return clamped
    least, greatest = numpy.iinfo(array.dtype).min, numpy.iinfo(array.dtype).max
    low, high = (min(max(end, lower), upper) for end in (least, greatest))
    if low < _INT64[0] or high > _UINT64[1]:
        return [low] * len(array)  # proof: beyond
    kind = numpy.int64 if high <= _INT64[1] else numpy.uint64  # proof: kind
    if high <= _INT64[1] < greatest:  # a row above int64, and so above high, ends there
        array = numpy.minimum(array, _INT64[1])  # proof: unsigned
    rows = array.astype(kind, copy=False)  # proof: convert
    # A copy is overwritten, but never the array that was given.
    out = None if array.dtype == kind else rows  # proof: out
    return numpy.clip(rows, low, high, out=out)  # proof: clip
