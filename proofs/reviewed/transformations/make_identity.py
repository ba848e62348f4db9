# ruff: noqa
# fmt: off
# The code that was reviewed with the proof transformations/make_identity; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.transformations.identity:make_identity ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.transformation import Transformation
from typing import Any

def make_identity(domain: Domain, metric: Metric) -> Transformation:
    def function(arg: Any) -> Any:
        return arg

    def stability_map(d_in: Any) -> Any:
        return d_in

    return Transformation(
        domain, domain, function, metric, metric, stability_map
    )


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
