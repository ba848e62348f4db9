# ruff: noqa
# fmt: off
# The code that was reviewed with the proof combinators/make_approximate; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.combinators.conversion:make_approximate ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import MaxDivergence
from opendp_lite.core.measure import ZeroConcentratedDivergence
from opendp_lite.core.measure import approximate
from opendp_lite.core.measurement import Measurement
from typing import Any

_MAKE = "MakeMeasurement"
_FIX = "Pass a measurement, such as space >> then_laplace(scale=1.0)"

def make_approximate(measurement: Measurement) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    measure = measurement.output_measure
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = (
            f"measures loss by {measure!r}; it must be MaxDivergence or "
            "ZeroConcentratedDivergence"
        )
        fix = "Leave make_approximate out if the loss is a pair already"
        raise refusal(
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: Any) -> Any:
        return measurement.privacy_map(d_in), 0

    return Measurement(
        measurement.input_domain,
        measurement.function,
        measurement.input_metric,
        approximate(measure),
        privacy_map,
        covers_rationals=measurement.covers_rationals,
    )
