# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.



# === make_noise
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.max_divergence import max_divergence
from opendp_lite.core.measures.concentrated import zero_concentrated_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.noise.gaussian import make_gaussian
from opendp_lite.measurements.noise.laplace import make_laplace
from typing import Any

def make_noise(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: Any,
    k: int | None = None,
) -> Measurement:
    if output_measure == max_divergence():
        return make_laplace(input_domain, input_metric, scale, k)
    if output_measure == zero_concentrated_divergence():
        return make_gaussian(input_domain, input_metric, scale, k)
    rule = "must be MaxDivergence or ZeroConcentratedDivergence"
    fix = "Pass max_divergence() or zero_concentrated_divergence()"
    raise refusal(
        "MakeMeasurement", "output_measure", output_measure, rule, fix
    )
