# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.ordering; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.counting import ChangeOneDistance
from opendp_lite.core.metrics.counting import HammingDistance
from opendp_lite.core.metrics.counting import InsertDeleteDistance
from opendp_lite.core.metrics.counting import SymmetricDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.randomness.draws import sample_places
from opendp_lite.transformations.datasets import changed_rows
from opendp_lite.transformations.datasets import changes_rows
from opendp_lite.transformations.datasets import check_dataset
from typing import Any

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
_MAKE = "MakeTransformation"
_ORDERED = (InsertDeleteDistance, HammingDistance)
_UNORDERED = (SymmetricDistance, ChangeOneDistance)
_UNBOUNDED = (SymmetricDistance, InsertDeleteDistance)
_BOUNDED = (ChangeOneDistance, HammingDistance)


# === shuffled with Data, is_array, sample_places, Any, opendp_lite.base.aliases.Data
def shuffled(data: Data, count: int) -> Any:
    if not is_array(data):
        return [data[i] for i in sample_places(len(data), count)]
    import numpy

    from opendp_lite.randomness.bulk_draws import sample_place_array

    places = sample_place_array(len(data), count)
    return numpy.asarray(data)[places]


# === make_unordered with Data, ExactDistance, check_type, Domain, ChangeOneDistance,
#    HammingDistance, InsertDeleteDistance, SymmetricDistance, Metric, Transformation,
#    changes_rows, check_dataset, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _MAKE, _ORDERED
def make_unordered(input_domain: Domain, input_metric: Metric) -> Transformation:
    check_dataset(input_domain, input_metric)
    fix = "Pass insert_delete_distance() or hamming_distance(), or leave this step out"
    check_type(_MAKE, "input_metric", input_metric, _ORDERED, fix)
    changed = changes_rows(input_metric)
    unordered = ChangeOneDistance() if changed else SymmetricDistance()

    def function(arg: Data) -> Any:
        return arg

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        unordered,
        stability_map,
        by_rows=True,
    )


# === make_ordered_random with Data, ExactDistance, check_type, Domain,
#    ChangeOneDistance, HammingDistance, InsertDeleteDistance, SymmetricDistance,
#    Metric, Transformation, changes_rows, check_dataset, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE,
#    _UNORDERED
def make_ordered_random(input_domain: Domain, input_metric: Metric) -> Transformation:
    check_dataset(input_domain, input_metric)
    fix = "Pass symmetric_distance() or change_one_distance(), or leave this step out"
    check_type(_MAKE, "input_metric", input_metric, _UNORDERED, fix)
    changed = changes_rows(input_metric)
    ordered = HammingDistance() if changed else InsertDeleteDistance()

    def function(arg: Data) -> Any:
        return shuffled(arg, len(arg))

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        ordered,
        stability_map,
        random=True,
    )


# === make_metric_bounded with Data, ExactDistance, check_type, refusal, Domain,
#    ChangeOneDistance, InsertDeleteDistance, SymmetricDistance, Metric, Transformation,
#    changed_rows, check_dataset, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _MAKE, _UNBOUNDED
def make_metric_bounded(input_domain: Domain, input_metric: Metric) -> Transformation:
    domain = check_dataset(input_domain, input_metric)
    fix = "Pass symmetric_distance() or insert_delete_distance()"
    check_type(_MAKE, "input_metric", input_metric, _UNBOUNDED, fix)
    n = domain.size
    if n is None:
        rule = "the size must be public, or sizes of neighbours differ"
        fix = "Pass vector_domain(..., size=n)"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)

    def function(arg: Data) -> Any:
        return arg

    def stability_map(d_in: ExactDistance) -> Any:
        return changed_rows(input_metric, n, d_in)

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        ChangeOneDistance(),
        stability_map,
        by_rows=True,
    )


# === make_metric_unbounded with Data, ExactDistance, check_type, Domain,
#    ChangeOneDistance, HammingDistance, InsertDeleteDistance, SymmetricDistance,
#    Metric, Transformation, changed_rows, check_dataset, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE,
#    _BOUNDED
def make_metric_unbounded(input_domain: Domain, input_metric: Metric) -> Transformation:
    n = check_dataset(input_domain, input_metric).size
    fix = "Pass change_one_distance() or hamming_distance()"
    check_type(_MAKE, "input_metric", input_metric, _BOUNDED, fix)
    ordered = isinstance(input_metric, HammingDistance)
    unbounded = InsertDeleteDistance() if ordered else SymmetricDistance()

    def function(arg: Data) -> Any:
        return arg

    def stability_map(d_in: ExactDistance) -> Any:
        return 2 * changed_rows(input_metric, n, d_in)

    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        unbounded,
        stability_map,
        by_rows=True,
    )
