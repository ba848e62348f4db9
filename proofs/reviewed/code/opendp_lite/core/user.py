# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import DataFunction
from opendp_lite.core.aliases import DistanceMap
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.interactive.queryables import Queryable
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.core.values.type_arguments import TypeArgument
from typing import Any

opendp_lite.core.aliases.Distance: typing.TypeAlias = object
opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.DataFunction: typing.TypeAlias = collections.abc.Callable[[typing.Any], typing.Any]
opendp_lite.core.aliases.DistanceMap: typing.TypeAlias = collections.abc.Callable[[typing.Any], opendp_lite.core.aliases.Distance]
opendp_lite.core.values.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.core.values.type_arguments.AtomType


# === make_user_transformation with DataFunction, DistanceMap, ExactDistance, Domain,
#    Metric, Transformation, Any, opendp_lite.core.aliases.Distance,
#    opendp_lite.core.aliases.ExactDistance, opendp_lite.core.aliases.DataFunction,
#    opendp_lite.core.aliases.DistanceMap
def make_user_transformation(
    input_domain: Domain,
    input_metric: Metric,
    output_domain: Domain,
    output_metric: Metric,
    function: DataFunction,
    stability_map: DistanceMap,
) -> Transformation:
    _check_callable("MakeTransformation", "function", function)
    _check_callable("MakeTransformation", "stability_map", stability_map)

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = stability_map(input_metric.present(d_in, exact=True))
        return output_metric.parse(d_out, "stability_map(d_in)")

    return Transformation(
        input_domain, output_domain, function, input_metric, output_metric, exact_map
    )


# === make_user_measurement with DataFunction, DistanceMap, ExactDistance, Domain,
#    Measurement, Measure, Metric, TypeArgument, Any, opendp_lite.core.aliases.Distance,
#    opendp_lite.core.aliases.ExactDistance, opendp_lite.core.aliases.DataFunction,
#    opendp_lite.core.aliases.DistanceMap,
#    opendp_lite.core.values.type_arguments.TypeArgument
def make_user_measurement(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    function: DataFunction,
    privacy_map: DistanceMap,
    TO: TypeArgument = "ExtrinsicObject",
) -> Measurement:
    _check_callable("MakeMeasurement", "function", function)
    _check_callable("MakeMeasurement", "privacy_map", privacy_map)

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = privacy_map(input_metric.present(d_in, exact=True))
        return output_measure.parse(d_out, "privacy_map(d_in)")

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        exact_map,
        interactive=_goes_on(TO),
    )


# === _goes_on with Queryable, Any
def _goes_on(TO: Any) -> bool:
    if issubclass(type(TO), type):
        return issubclass(TO, Queryable)
    return issubclass(type(TO), str) and TO == "Queryable"


# === _check_callable with refusal
def _check_callable(variant: str, name: str, value: object) -> None:
    if not callable(value):
        raise refusal(variant, name, value, "must be callable", "Pass a function")
