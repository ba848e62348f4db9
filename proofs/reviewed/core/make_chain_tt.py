# ruff: noqa
# fmt: off
# The code that was reviewed with the proof core/make_chain_tt; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.core.chaining:make_chain_tt ===

from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import parts
from opendp_lite.core.transformation import Transformation
from typing import Any

def make_chain_tt(
    transformation1: Transformation, transformation0: Transformation
) -> Transformation:
    _check_operand("transformation1", transformation1, Transformation)
    _check_operand("transformation0", transformation0, Transformation)
    check_domains(
        transformation0.output_domain, transformation1.input_domain
    )
    check_metrics(
        transformation0.output_metric, transformation1.input_metric
    )

    by_parts = transformation0.by_rows and transformation1.additive

    absorbed = (
        transformation0.clamps
        and transformation1.absorbs_clamp
        and transformation0.output_domain == transformation1.input_domain
    )

    def function(arg: Any) -> Any:
        if absorbed and is_array(arg):
            return transformation1.function(arg)
        if by_parts and is_array(arg):
            return sum(map(apply, parts(arg)))
        return apply(arg)

    def apply(arg: Any) -> Any:
        return transformation1.function(transformation0.function(arg))

    def stability_map(d_in: Any) -> Any:
        return transformation1.stability_map(transformation0.stability_map(d_in))

    return Transformation(
        transformation0.input_domain,
        transformation1.output_domain,
        function,
        transformation0.input_metric,
        transformation1.output_metric,
        stability_map,
        by_rows=transformation0.by_rows and transformation1.by_rows,
        additive=by_parts,
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


# === opendp_lite.core.containers:parts ===

from collections.abc import Iterator
from typing import Any

_PART = 2**17

def parts(array: Any) -> Iterator[Any]:
    for start in range(0, max(len(array), 1), _PART):
        yield array[start : start + _PART]
