# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_above_threshold; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.above_threshold:make_above_threshold ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import Measure
from opendp_lite.core.measurement import Measurement
from typing import Any

def make_above_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    threshold: Any,
    scale: Any,
) -> Measurement:
    several = make_sparse_vector(
        input_domain, input_metric, output_measure, threshold, scale, 1
    )

    def function(arg: Any) -> int | None:
        found = several.function(arg)
        return found[0] if found else None

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        several.privacy_map,
        covers_rationals=several.covers_rationals,
    )
