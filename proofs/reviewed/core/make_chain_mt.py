# ruff: noqa
# fmt: off
# The code that was reviewed with the proof core/make_chain_mt; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.chaining:make_chain_mt ===

from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from typing import Any

def make_chain_mt(
    measurement1: Measurement, transformation0: Transformation
) -> Measurement:
    _check_operand("measurement1", measurement1, Measurement)
    _check_operand("transformation0", transformation0, Transformation)
    rationals = measurement1.covers_rationals
    check_domains(
        transformation0.output_domain, measurement1.input_domain, rationals
    )
    check_metrics(
        transformation0.output_metric, measurement1.input_metric
    )

    def function(arg: Any) -> Any:
        return measurement1.function(transformation0.function(arg))

    def privacy_map(d_in: Any) -> Any:
        return measurement1.privacy_map(transformation0.stability_map(d_in))

    return Measurement(
        transformation0.input_domain,
        function,
        transformation0.input_metric,
        measurement1.output_measure,
        privacy_map,
    )


# === opendp_lite.core.chaining:_check_operand ===

from opendp_lite.core.errors import refusal
from typing import Any

def _check_operand(name: str, value: Any, kind: type) -> None:
    if not issubclass(type(value), kind):
        rule = f"must be a {kind.__name__}"
        raise refusal("Unsupported", name, value, rule, "Check the order of the chain")


# === opendp_lite.core.chaining:check_domains ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.errors import OpenDPException

def check_domains(output: Domain, expected: Domain, rationals: bool = False) -> None:
    if expected.contains(output) or (
        rationals and _accepts_rationals(expected, output)
    ):
        return
    raise OpenDPException(
        "DomainMismatch",
        f"the left side of >> puts out {output!r}, the right side takes {expected!r}. "
        f"{_suggest(output, expected)}",
    )


# === opendp_lite.core.chaining:_accepts_rationals ===

from fractions import Fraction
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.domain import VectorDomain

def _accepts_rationals(expected: Domain, output: Domain) -> bool:
    if isinstance(expected, VectorDomain) and isinstance(output, VectorDomain):
        return expected.size in (None, output.size) and _accepts_rationals(
            expected.element_domain, output.element_domain
        )
    return (
        isinstance(expected, AtomDomain)
        and isinstance(output, AtomDomain)
        and (float, Fraction) == (expected.T, output.T)
        and expected.bounds is None
        and not expected.single
    )


# === opendp_lite.core.chaining:check_metrics ===

from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import OpenDPException

def check_metrics(output: Metric, expected: Metric) -> None:
    if expected.matches(output):
        return
    raise OpenDPException(
        "MetricMismatch",
        f"the left side of >> measures by {output!r}, the right side by {expected!r}. "
        "Build the right side with then_...(), which takes the space from the left.",
    )
