# ruff: noqa
# fmt: off
# The code that was reviewed with the proof core/make_chain_pm; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.chaining:make_chain_pm ===

from collections.abc import Callable
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Function
from opendp_lite.core.measurement import Measurement
from typing import Any

def make_chain_pm(
    postprocess1: Function | Callable[[Any], Any], measurement0: Measurement
) -> Measurement:
    _check_operand("measurement0", measurement0, Measurement)
    if not callable(postprocess1) or isinstance(postprocess1, Measurement):
        rule, fix = "must be a function of the release", "Pass a plain function"
        raise refusal(
            "MakeMeasurement", "postprocess1", postprocess1, rule, fix
        )

    def function(arg: Any) -> Any:
        return postprocess1(measurement0.function(arg))

    return Measurement(
        measurement0.input_domain,
        function,
        measurement0.input_metric,
        measurement0.output_measure,
        measurement0.privacy_map,
        covers_rationals=measurement0.covers_rationals,
    )


# === opendp_lite.core.chaining:_check_operand ===

from opendp_lite.core.errors import refusal
from typing import Any

def _check_operand(name: str, value: Any, kind: type) -> None:
    if not issubclass(type(value), kind):
        rule = f"must be a {kind.__name__}"
        raise refusal("Unsupported", name, value, rule, "Check the order of the chain")
