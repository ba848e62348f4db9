# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from typing import Any


# === make_user_transformation with Callable, Domain, Metric, Transformation, Any
def make_user_transformation(
    input_domain: Domain,
    input_metric: Metric,
    output_domain: Domain,
    output_metric: Metric,
    function: Callable[[Any], Any],
    stability_map: Callable[[Any], Any],
) -> Transformation:
    _check_callable("MakeTransformation", "function", function)
    _check_callable("MakeTransformation", "stability_map", stability_map)

    def exact_map(d_in: Any) -> Any:
        d_out = stability_map(input_metric.present(d_in, exact=True))
        return output_metric.parse(d_out, "stability_map(d_in)")

    return Transformation(
        input_domain, output_domain, function, input_metric, output_metric, exact_map
    )


# === make_user_measurement
from collections.abc import Callable
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measurement import Measurement
from typing import Any

def make_user_measurement(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    function: Callable[[Any], Any],
    privacy_map: Callable[[Any], Any],
    TO: Any = "ExtrinsicObject",
) -> Measurement:
    _check_callable("MakeMeasurement", "function", function)
    _check_callable("MakeMeasurement", "privacy_map", privacy_map)

    def exact_map(d_in: Any) -> Any:
        d_out = privacy_map(input_metric.present(d_in, exact=True))
        return output_measure.parse(d_out, "privacy_map(d_in)")

    return Measurement(
        input_domain, function, input_metric, output_measure, exact_map
    )


# === _check_callable with refusal, Any
def _check_callable(variant: str, name: str, value: Any) -> None:
    if not callable(value):
        raise refusal(variant, name, value, "must be callable", "Pass a function")
