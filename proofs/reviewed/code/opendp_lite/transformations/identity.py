# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.identity; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from typing import Any


# === make_identity with Domain, Metric, Transformation, Any
def make_identity(domain: Domain, metric: Metric) -> Transformation:
    def function(arg: Any) -> Any:
        return arg

    def stability_map(d_in: Any) -> Any:
        return d_in

    return Transformation(
        domain, domain, function, metric, metric, stability_map
    )
