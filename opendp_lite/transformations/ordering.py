"""Other metrics for the same rows: without their order or with one, or changed rows."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics import (
    ChangeOneDistance,
    HammingDistance,
    InsertDeleteDistance,
    Metric,
    SymmetricDistance,
)
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.randomness.draws import sample_places
from opendp_lite.transformations.datasets import (
    changed_rows,
    changes_rows,
    check_dataset,
)


def shuffled(data: Data, count: int) -> Any:
    """Return `count` of the rows, each choice and each order of them equally likely.

    Of a list a new list, and of an array a new array.
    """
    if not is_array(data):
        return [data[i] for i in sample_places(len(data), count)]  # proof: list
    import numpy

    from opendp_lite.randomness.bulk_draws import sample_place_array

    places = sample_place_array(len(data), count)  # proof: places
    return numpy.asarray(data)[places]  # proof: array


_MAKE = "MakeTransformation"
_ORDERED = (InsertDeleteDistance, HammingDistance)
_UNORDERED = (SymmetricDistance, ChangeOneDistance)
_UNBOUNDED = (SymmetricDistance, InsertDeleteDistance)
_BOUNDED = (ChangeOneDistance, HammingDistance)


@constructor(proof="transformations/make_unordered", status="vetted")
def make_unordered(input_domain: Domain, input_metric: Metric) -> Transformation:
    """Return the transformation that forgets that the order of the rows counts.

    Guarantee: d'(x, x') <= d(x, x') for all data sets x, x', so d(x, x') <= d_in
    implies d'(x, x') <= d_in, where d is the insert-delete distance and d' the
    symmetric one, or d is the Hamming distance and d' the change-one distance.

    The data come out as they are.

    :param input_domain: vector_domain of anything
    :param input_metric: insert_delete_distance() or hamming_distance()

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.hamming_distance()
    >>> unordered = space >> dp.t.then_unordered()
    >>> unordered([1, 2, 3]), unordered.map(2), unordered.output_metric
    ([1, 2, 3], 2, ChangeOneDistance())

    Raises `MakeTransformation` for another space.

    Proof: proofs/transformations/make_unordered.tex
    """
    check_dataset(input_domain, input_metric)  # proof: space
    fix = "Pass insert_delete_distance() or hamming_distance(), or leave this step out"
    check_type(_MAKE, "input_metric", input_metric, _ORDERED, fix)  # proof: ordered
    changed = changes_rows(input_metric)
    unordered = ChangeOneDistance() if changed else SymmetricDistance()  # proof: metric

    def function(arg: Data) -> Any:
        return arg  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        unordered,
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_unordered = then(make_unordered)


@constructor(proof="transformations/make_ordered_random", status="vetted")
def make_ordered_random(input_domain: Domain, input_metric: Metric) -> Transformation:
    """Return the transformation that puts the rows into a random order.

    Guarantee: for data sets x, x' with d(x, x') <= d_in the shuffled rows y, y' have a
    coupling under which always d'(y, y') <= d_in, where d is the symmetric distance and
    d' the insert-delete distance, or d is the change-one distance and d' the Hamming
    distance.

    All orders are equally likely, exactly. Lists come out as lists, arrays as arrays of
    their dtype.

    :param input_domain: vector_domain of anything
    :param input_metric: symmetric_distance() or change_one_distance()

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.change_one_distance()
    >>> ordered = space >> dp.t.then_ordered_random()
    >>> sorted(ordered([1, 2, 3])), ordered.map(2), ordered.output_metric
    ([1, 2, 3], 2, HammingDistance())

    Raises `MakeTransformation` for another space.

    Proof: proofs/transformations/make_ordered_random.tex
    """
    check_dataset(input_domain, input_metric)  # proof: space
    fix = "Pass symmetric_distance() or change_one_distance(), or leave this step out"
    check_type(_MAKE, "input_metric", input_metric, _UNORDERED, fix)  # proof: unordered
    changed = changes_rows(input_metric)
    ordered = HammingDistance() if changed else InsertDeleteDistance()  # proof: metric

    def function(arg: Data) -> Any:
        return shuffled(arg, len(arg))  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        ordered,
        stability_map,
        random=True,  # proof: random
    )


then_ordered_random = then(make_ordered_random)


@constructor(proof="transformations/make_metric_bounded", status="vetted")
def make_metric_bounded(input_domain: Domain, input_metric: Metric) -> Transformation:
    """Return the transformation that counts changed rows, where the size is public.

    Guarantee: with n the size of `input_domain`, for data sets x, x' of n rows
    d(x, x') <= d_in implies d'(x, x') <= min(floor(d_in / 2), n), where d is the
    symmetric or the insert-delete distance and d' the change-one distance.

    The data come out as they are. It is never the Hamming distance that comes out: one
    row that moves to the other end changes all places, and its insert-delete distance
    is 2.

    :param input_domain: vector_domain of anything, of public size
    :param input_metric: symmetric_distance() or insert_delete_distance()

    >>> import opendp_lite.prelude as dp
    >>> domain = dp.vector_domain(dp.atom_domain(T=int), size=3)
    >>> bounded = dp.t.make_metric_bounded(domain, dp.symmetric_distance())
    >>> bounded([1, 2, 3]), bounded.map(2), bounded.map(3), bounded.output_metric
    ([1, 2, 3], 1, 1, ChangeOneDistance())

    Raises `MakeTransformation` for another space.

    Proof: proofs/transformations/make_metric_bounded.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    fix = "Pass symmetric_distance() or insert_delete_distance()"
    check_type(_MAKE, "input_metric", input_metric, _UNBOUNDED, fix)  # proof: unbounded
    n = domain.size
    if n is None:  # proof: size
        rule = "the size must be public, or sizes of neighbours differ"
        fix = "Pass vector_domain(..., size=n)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)

    def function(arg: Data) -> Any:
        return arg  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return changed_rows(input_metric, n, d_in)  # proof: map

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        ChangeOneDistance(),
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_metric_bounded = then(make_metric_bounded)


@constructor(proof="transformations/make_metric_unbounded", status="vetted")
def make_metric_unbounded(input_domain: Domain, input_metric: Metric) -> Transformation:
    """Return the transformation that counts a changed row as one out and one in.

    Guarantee: d(x, x') <= d_in implies d'(x, x') <= 2 d_in, where d is the change-one
    distance and d' the symmetric one, or d is the Hamming distance and d' the
    insert-delete distance. It is 2 min(d_in, n) where the size n is public.

    The data come out as they are.

    :param input_domain: vector_domain of anything
    :param input_metric: change_one_distance() or hamming_distance()

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.change_one_distance()
    >>> unbounded = space >> dp.t.then_metric_unbounded()
    >>> unbounded([1, 2, 3]), unbounded.map(1), unbounded.output_metric
    ([1, 2, 3], 2, SymmetricDistance())

    Raises `MakeTransformation` for another space.

    Proof: proofs/transformations/make_metric_unbounded.tex
    """
    n = check_dataset(input_domain, input_metric).size  # proof: space
    fix = "Pass change_one_distance() or hamming_distance()"
    check_type(_MAKE, "input_metric", input_metric, _BOUNDED, fix)  # proof: bounded
    ordered = isinstance(input_metric, HammingDistance)
    unbounded = InsertDeleteDistance() if ordered else SymmetricDistance()

    def function(arg: Data) -> Any:
        return arg  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return 2 * changed_rows(input_metric, n, d_in)  # proof: map

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        unbounded,  # proof: metric
        stability_map,
        by_rows=True,  # proof: by-rows
    )


then_metric_unbounded = then(make_metric_unbounded)
