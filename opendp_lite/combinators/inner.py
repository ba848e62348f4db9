"""What combinators ask of the measurement that they are given."""

from __future__ import annotations

from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure, approximate

__all__ = ["check_measure"]


def check_measure(measurement: Measurement, base: Measure, *, fix: str) -> bool:
    """Return whether losses are pairs (loss, delta), or refuse the output measure.

    It must be `base`, whose losses are alone, or approximate of it.
    """
    measure, kind = measurement.output_measure, type(base)
    if measure == approximate(base):  # proof: pairs
        return True
    if not isinstance(measure, kind):  # proof: measure
        rule = f"measures loss by {measure!r}; it must be {kind.__name__}, or "
        rule += "Approximate of it"
        raise refusal("MeasureMismatch", "measurement", measurement, rule, fix)
    return False
