# ruff: noqa
# fmt: off
# What was read of opendp_lite.transformations.identity; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import Transformation
from typing import Any

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === make_identity with Data, ExactDistance, Domain, Metric, Transformation, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_identity(domain: Domain, metric: Metric) -> Transformation:
    def function(arg: Data) -> Any:
        return arg

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in

    return Transformation(
        domain, domain, function, metric, metric, stability_map
    )
