# ruff: noqa
# fmt: off
# The code that was reviewed with the proof core/make_user_transformation; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.user:make_user_transformation ===

from collections.abc import Callable
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.transformation import Transformation
from typing import Any

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


# === opendp_lite.core.user:_check_callable ===

from opendp_lite.core.errors import refusal
from typing import Any

def _check_callable(variant: str, name: str, value: Any) -> None:
    if not callable(value):
        raise refusal(variant, name, value, "must be callable", "Pass a function")


# === opendp_lite.core.transformation:Transformation.__attrs_post_init__ ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.made import Made
import attrs

@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_domain: Domain
    output_domain: Domain
    input_metric: Metric
    output_metric: Metric
    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        check_space(self.output_domain, self.output_metric, "output")


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
