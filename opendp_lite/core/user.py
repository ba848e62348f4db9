"""Constructors for code and claims of the user's own, taken on trust."""

from __future__ import annotations

from typing import Any

from opendp_lite.core.aliases import DataFunction, DistanceMap, ExactDistance
from opendp_lite.core.domains import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.interactive.queryables import Queryable
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.type_arguments import TypeArgument

__all__ = [
    "make_user_measurement",
    "make_user_transformation",
    "then_user_measurement",
    "then_user_transformation",
]


@constructor(
    proof="core/make_user_transformation",
    status="vetted",
    human_verified=(
        "function never fails on a member and maps it into output_domain",
        "inputs within d_in give outputs within stability_map(d_in)",
    ),
)
def make_user_transformation(
    input_domain: Domain,
    input_metric: Metric,
    output_domain: Domain,
    output_metric: Metric,
    function: DataFunction,
    stability_map: DistanceMap,
) -> Transformation:
    """Return a transformation made of the user's own function and map.

    Guarantee: if what the user says of `function` and `stability_map` is true, the
    images of x, x' at distance at most d_in are within stability_map(d_in).

    The library cannot check the claim, so the feature `honest-but-curious` is needed.
    The map is given ints for integer metrics and Fractions for others; a float that it
    returns is taken at its binary value.

    :param input_domain: domain of the arguments
    :param input_metric: metric of the arguments
    :param output_domain: domain of the results
    :param output_metric: metric of the results
    :param function: the user's own, which never fails on a member
    :param stability_map: from d_in to a bound on the distance of the results

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> double = space >> dp.t.then_user_transformation(
    ...     *space, lambda data: [2 * x for x in data], lambda d_in: d_in)
    >>> double([1, 2]), double.map(3)
    ([2, 4], 3)
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/core/make_user_transformation.tex
    """
    _check_callable("MakeTransformation", "function", function)  # proof: function
    _check_callable("MakeTransformation", "stability_map", stability_map)  # proof: map

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = stability_map(input_metric.present(d_in, exact=True))  # proof: present
        return output_metric.parse(d_out, "stability_map(d_in)")  # proof: parse

    return Transformation(  # proof: space
        input_domain, output_domain, function, input_metric, output_metric, exact_map
    )


@constructor(
    proof="core/make_user_measurement",
    status="vetted",
    human_verified=(
        "function never fails on a member",
        "inputs within d_in give releases within privacy_map(d_in)",
    ),
)
def make_user_measurement(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    function: DataFunction,
    privacy_map: DistanceMap,
    TO: TypeArgument = "ExtrinsicObject",
) -> Measurement:
    """Return a measurement made of the user's own function and map.

    Guarantee: if what the user says of `function` and `privacy_map` is true, the laws
    of the releases of x, x' at distance at most d_in are within privacy_map(d_in).

    The library cannot check the claim, so the feature `honest-but-curious` is needed.
    The map is given ints for integer metrics and Fractions for others; a float that it
    returns is a privacy loss.

    :param input_domain: domain of the arguments
    :param input_metric: metric of the arguments
    :param output_measure: how the loss is counted
    :param function: the user's own, which never fails on a member
    :param privacy_map: from d_in to a bound on the loss
    :param TO: "Queryable", or the class, if the release goes on answering, see
        new_queryable; else not needed

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> constant = dp.m.make_user_measurement(
    ...     dp.atom_domain(T=int), dp.absolute_distance(T=int), dp.max_divergence(),
    ...     lambda x: 23, lambda d_in: 0.0)
    >>> constant(1), constant.map(1)
    (23, 0.0)
    >>> dp.disable_features("honest-but-curious")

    Proof: proofs/core/make_user_measurement.tex
    """
    _check_callable("MakeMeasurement", "function", function)  # proof: function
    _check_callable("MakeMeasurement", "privacy_map", privacy_map)  # proof: map

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = privacy_map(input_metric.present(d_in, exact=True))  # proof: present
        return output_measure.parse(d_out, "privacy_map(d_in)")  # proof: parse

    return Measurement(  # proof: space
        input_domain,
        function,
        input_metric,
        output_measure,
        exact_map,
        interactive=_goes_on(TO),  # proof: interactive
    )


then_user_transformation = then(make_user_transformation)
then_user_measurement = then(make_user_measurement)


def _goes_on(TO: Any) -> bool:
    """Return whether this is the text "Queryable", or the class, or one of its own."""
    if issubclass(type(TO), type):  # proof: class
        return issubclass(TO, Queryable)  # proof: queryable
    return issubclass(type(TO), str) and TO == "Queryable"  # proof: text


def _check_callable(variant: str, name: str, value: object) -> None:
    if not callable(value):
        raise refusal(variant, name, value, "must be callable", "Pass a function")
