# ruff: noqa
# fmt: off
# The code that was reviewed with the proof core/make_user_measurement; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.user:make_user_measurement ===

from collections.abc import Callable
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import Measure
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


# === opendp_lite.core.user:_check_callable ===

from opendp_lite.core.errors import refusal
from typing import Any

def _check_callable(variant: str, name: str, value: Any) -> None:
    if not callable(value):
        raise refusal(variant, name, value, "must be callable", "Pass a function")


# === opendp_lite.core.measurement:Measurement.__attrs_post_init__ ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.made import Made
from opendp_lite.core.measure import Measure
from opendp_lite.core.transformation import check_own
from opendp_lite.core.transformation import check_space
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    input_metric: Metric
    output_measure: Measure
    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        if not isinstance(self.output_measure, Measure):
            fix = "Pass for example max_divergence()"
            raise refusal(
                "MeasureMismatch",
                "output_measure",
                self.output_measure,
                "must be a Measure",
                fix,
            )
        check_own(self.output_measure)


# === opendp_lite.core.transformation:check_space ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import OpenDPException
from typing import Any

def check_space(domain: Any, metric: Any, name: str = "input") -> None:
    for part, value, kind in (("domain", domain, Domain), ("metric", metric, Metric)):
        if not isinstance(value, kind):
            raise OpenDPException(
                "MetricSpace",
                f"{name}_{part} is a {type(value).__name__}: must be a "
                f"{kind.__name__}. Pass for example "
                "(vector_domain(atom_domain(T=int)), symmetric_distance()).",
            )
        check_own(value)
    objection = metric.objection(domain)
    if objection is not None:
        raise OpenDPException(
            "MetricSpace",
            f"({domain!r}, {metric!r}) is not a metric space: {metric!r} cannot be "
            f"used here because {objection}. Change the {name} domain or the metric.",
        )
