# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.inner; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import approximate
from opendp_lite.core.measures.measure import Measure


# === check_measure with refusal, Measurement, approximate, Measure
def check_measure(measurement: Measurement, base: Measure, *, fix: str) -> bool:
    measure, kind = measurement.output_measure, type(base)
    if measure == approximate(base):
        return True
    if not isinstance(measure, kind):
        rule = f"measures loss by {measure!r}; it must be {kind.__name__}, or "
        rule += "Approximate of it"
        raise refusal("MeasureMismatch", "measurement", measurement, rule, fix)
    return False
