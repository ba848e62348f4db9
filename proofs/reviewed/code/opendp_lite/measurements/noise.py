# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import Measure
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measure import zero_concentrated_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.gaussian import make_gaussian
from opendp_lite.measurements.laplace import make_laplace
from typing import Any


# === make_noise with Domain, Metric, refusal, Measure, max_divergence,
#    zero_concentrated_divergence, Measurement, make_gaussian, make_laplace, Any
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
