# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_noise_threshold; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.threshold:make_noise_threshold ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import Measure
from opendp_lite.core.measure import approximate
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measure import zero_concentrated_divergence
from opendp_lite.core.measurement import Measurement
from typing import Any

_MAKE = "MakeMeasurement"

def make_noise_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: Any,
    threshold: Any,
    k: int | None = None,
) -> Measurement:
    if output_measure == approximate(max_divergence()):
        return make_laplace_threshold(input_domain, input_metric, scale, threshold, k)
    if output_measure == approximate(zero_concentrated_divergence()):
        return make_gaussian_threshold(input_domain, input_metric, scale, threshold, k)
    rule = "releasing keys needs a measure with delta"
    fix = "Pass approximate(max_divergence()) or approximate(zero_concentrated_...)"
    raise refusal(_MAKE, "output_measure", output_measure, rule, fix)
