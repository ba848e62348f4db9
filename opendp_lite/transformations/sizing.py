"""Data sets of any size brought to a public one."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Array, Data, ExactDistance
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.containers import is_array, native, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain, VectorDomain
from opendp_lite.core.metrics import (
    HammingDistance,
    InsertDeleteDistance,
    Metric,
    SymmetricDistance,
)
from opendp_lite.core.metrics.metric import MetricArgument
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.spaces import metric_of
from opendp_lite.core.transformation import Transformation
from opendp_lite.transformations.datasets import (
    atom_of,
    changed_rows,
    changes_rows,
    check_dataset,
)
from opendp_lite.transformations.ordering import shuffled

_MAKE = "MakeTransformation"
_LARGEST = 2**62  # lists and arrays that are longer cannot be asked for
_ORDERED = (InsertDeleteDistance, HammingDistance)
_UNBOUNDED = (SymmetricDistance, InsertDeleteDistance)


@constructor(proof="transformations/make_resize", status="vetted")
def make_resize(
    input_domain: Domain,
    input_metric: Metric,
    size: int,
    constant: object,
    MO: MetricArgument | None = None,
) -> Transformation:
    """Return the transformation of data sets into data sets of `size` rows.

    Where there are more rows, some are left out: where the order of rows counts, all
    but the first; where it does not, which ones is random, each choice being equally
    likely. Where there are fewer, `constant` fills up the rest.

    Guarantee: let s be `size`, and m the most rows in which data sets of one size
    differ at the distance d_in: min(d_in, n) under the change-one and the Hamming
    distance, min(floor(d_in / 2), n) under the symmetric and the insert-delete
    distance, n being the number of rows where it is public and infinite otherwise. What
    comes of data sets at distance at most d_in is, under some coupling, at distance at
    most

    * min(m, s) under the change-one and the Hamming distance,
    * 2 min(m, s) under the symmetric and the insert-delete distance, if n is public,
    * 2 min(d_in, s) under these otherwise.

    :param input_domain: vector_domain of an atom_domain, or of an option_domain of one
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param size: how many rows come out, at least 1 and at most 2^62
    :param constant: a member of the domain of the rows
    :param MO: the metric of what comes out: if rows are added and removed,
        SymmetricDistance, which is the default, or InsertDeleteDistance, for which rows
        without an order are shuffled; else that of `input_metric`

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> resize = space >> dp.t.then_resize(3, constant=0)
    >>> sorted(resize([7, 8])), len(resize([1, 2, 3, 4])), resize.map(1)
    ([0, 7, 8], 3, 2)

    Lists come out as lists, and arrays as arrays of float64, int64, bool or text; but
    of uint64 where int64 does not hold the rows and the constant, and as lists where no
    array holds them.

    Raises `MakeTransformation` for another space, size, constant or metric.

    Proof: proofs/transformations/make_resize.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    T, n = atom_of(domain).T, domain.size  # proof: atoms
    fix = "Pass the number of rows that is to come out, such as 1000"
    s = integer_argument(  # proof: size
        _MAKE, "size", size, fix=fix, at_least=1, at_most=_LARGEST
    )
    row = domain.element_domain
    if not row.member(constant):  # proof: constant
        rule = f"must be {row.rule()}"
        fix = "Pass a row that may stand for one that is not there, such as 0"
        raise refusal(_MAKE, "constant", constant, rule, fix)
    c = None if constant is None else T(native(constant))  # proof: value
    changed = changes_rows(input_metric)  # proof: changed
    output_metric = _output_metric(input_metric, MO)  # proof: metric
    random = not isinstance(input_metric, _ORDERED)  # proof: random

    def function(arg: Data) -> Any:
        count = min(len(arg), s)  # proof: count
        kept = shuffled(arg, count) if random else arg[:count]  # proof: kept
        if is_array(arg):
            return _filled_array(kept, s, c)  # proof: array
        return kept + [c] * (s - count)  # proof: list

    def stability_map(d_in: ExactDistance) -> Any:
        if changed:
            return min(changed_rows(input_metric, n, d_in), s)  # proof: replaced
        if n is None:
            return 2 * min(d_in, s)  # proof: unsized
        return 2 * min(changed_rows(input_metric, n, d_in), s)  # proof: sized

    return Transformation(
        input_domain,
        VectorDomain(row, s),  # proof: output
        function,
        input_metric,
        output_metric,
        stability_map,
        random=random,  # proof: is-random
    )


then_resize = then(make_resize)


def _output_metric(input_metric: Metric, MO: MetricArgument | None) -> Metric:
    """Return the metric of what comes out, if it fits what goes in."""
    unbounded = isinstance(input_metric, _UNBOUNDED)
    if MO is None:  # proof: default
        return SymmetricDistance() if unbounded else input_metric
    metric = metric_of(MO, "MO")  # proof: named
    fits = type(metric) in _UNBOUNDED if unbounded else metric == input_metric
    if not fits:  # proof: fits
        rule = f"does not fit the input metric {input_metric!r}"
        fix = "Leave it out, or see then_metric_bounded and then_metric_unbounded"
        raise refusal(_MAKE, "MO", MO, rule, fix)
    return metric


def _filled_array(array: Array, size: int, constant: Any) -> Any:
    """Return a new array of `size` rows: these, and then the constant; or a list."""
    import numpy

    kind = _wide_dtype(array.dtype, constant)  # proof: dtype
    if kind is None:
        return rows(array) + [constant] * (size - len(array))  # proof: beyond
    filled = numpy.full(size, constant, dtype=kind)  # proof: full
    with numpy.errstate(all="ignore"):  # a signaling NaN would be reported
        filled[: len(array)] = array  # proof: rows
    return filled


def _wide_dtype(dtype: Any, constant: Any) -> Any:
    """Return a dtype that holds rows of this one and the constant, or None."""
    import numpy

    if dtype.kind == "U":  # numpy takes a null character at the end for no character
        width = max(dtype.itemsize // 4, len(constant), 1)  # proof: width
        return None if constant.endswith("\0") else f"U{width}"  # proof: text
    if dtype.kind in "bf":
        return numpy.dtype(bool if dtype.kind == "b" else float)  # proof: plain
    least = min(numpy.iinfo(dtype).min, constant)  # proof: range
    greatest = max(numpy.iinfo(dtype).max, constant)
    for kind in (numpy.iinfo("int64"), numpy.iinfo("uint64")):
        if kind.min <= least and greatest <= kind.max:  # proof: holds
            return kind.dtype
    return None
