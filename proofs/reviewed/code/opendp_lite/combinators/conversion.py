# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.conversion; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.arguments import check_type
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import approximate
from opendp_lite.core.measures.concentrated import ZeroConcentratedDivergence
from opendp_lite.core.measures.concentrated import zero_concentrated_divergence
from opendp_lite.core.measures.max_divergence import MaxDivergence
from typing import Any
import math

_MAKE = "MakeMeasurement"
_FIX = "Pass a measurement, such as space >> then_laplace(scale=1.0)"
opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any


# === make_approximate with ExactDistance, check_type, refusal, Measurement,
#    approximate, ZeroConcentratedDivergence, MaxDivergence, Any, _MAKE, _FIX,
#    opendp_lite.core.aliases.ExactDistance
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

    def privacy_map(d_in: ExactDistance) -> Any:
        return measurement.privacy_map(d_in), 0

    return Measurement(
        measurement.input_domain,
        measurement.function,
        measurement.input_metric,
        approximate(measure),
        privacy_map,
        covers_rationals=measurement.covers_rationals,
    )


# === make_pureDP_to_zCDP with mpq, ExactDistance, check_type, refusal, Measurement,
#    zero_concentrated_divergence, MaxDivergence, Any, math, _MAKE, _FIX,
#    opendp_lite.core.aliases.ExactDistance
def make_pureDP_to_zCDP(measurement: Measurement) -> Measurement:
    check_type(_MAKE, "measurement", measurement, Measurement, _FIX)
    if not isinstance(measurement.output_measure, MaxDivergence):
        rule = f"measures loss by {measurement.output_measure!r}, not MaxDivergence"
        fix = "Convert a pure measurement first, and use make_approximate afterwards"
        raise refusal(
            "MeasureMismatch", "measurement", measurement, rule, fix
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        epsilon = measurement.privacy_map(d_in)
        if epsilon == math.inf:
            return math.inf
        return mpq(epsilon) ** 2 / 2

    return Measurement(
        measurement.input_domain,
        measurement.function,
        measurement.input_metric,
        zero_concentrated_divergence(),
        privacy_map,
        covers_rationals=measurement.covers_rationals,
    )
