# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.chaining; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import DataFunction
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import Value
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import parts
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.base.ownership import is_own_constructor
from opendp_lite.base.ownership import is_own_function
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Function
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.registry import OpenChain
from opendp_lite.core.registry import Partial
from opendp_lite.core.transformation import Transformation
from types import FunctionType
from typing import Any

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.DataFunction: typing.TypeAlias = collections.abc.Callable[[typing.Any], typing.Any]
_NUMBERS = (bool, int, type(mpq()))
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any


# === make_chain_tt with Data, ExactDistance, is_array, parts, Transformation, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
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

    merge = transformation1.merge if transformation0.by_rows else None

    absorbed = (
        transformation0.clamps
        and transformation1.absorbs_clamp
        and transformation0.output_domain == transformation1.input_domain
    )

    first = transformation1 if absorbed else transformation0
    random = transformation0.random or transformation1.random
    clamped = transformation1.clamps and transformation0.lower_is_better

    def function(arg: Data) -> Any:
        if absorbed:
            return transformation1.function(arg)
        if merge is not None and is_array(arg):
            return merge(map(apply, parts(arg)))
        return apply(arg)

    def apply(arg: Data) -> Any:
        return transformation1.function(transformation0.function(arg))

    def stability_map(d_in: ExactDistance) -> Any:
        return transformation1.stability_map(transformation0.stability_map(d_in))

    return Transformation(
        transformation0.input_domain,
        transformation1.output_domain,
        function,
        transformation0.input_metric,
        transformation1.output_metric,
        stability_map,
        by_rows=transformation0.by_rows and transformation1.by_rows,
        merge=merge,
        random=random,
        reads_floats=first.reads_floats and not random,
        lower_is_better=transformation1.lower_is_better or clamped,
    )


# === make_chain_mt with Data, ExactDistance, refusal, Measurement, Transformation, Any,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_chain_mt(
    measurement1: Measurement, transformation0: Transformation
) -> Measurement:
    _check_operand("measurement1", measurement1, Measurement)
    _check_operand("transformation0", transformation0, Transformation)
    if measurement1.exclusive:
        rule = "takes a sample as it was drawn, and its distances are of populations"
        fix = "Chain first, and amplify the whole"
        raise refusal("MakeMeasurement", "measurement1", measurement1, rule, fix)
    rationals = measurement1.covers_rationals
    check_domains(
        transformation0.output_domain, measurement1.input_domain, rationals
    )
    check_metrics(
        transformation0.output_metric, measurement1.input_metric
    )
    _check_selections(transformation0, measurement1)
    measure = measurement1.output_measure
    if transformation0.random and not measure.processed:
        rule = "what it says of a mixture of laws, as random rows give, is not known"
        fix = "Use a measure of the library, such as max_divergence()"
        raise refusal("MeasureMismatch", "output_measure", measure, rule, fix)

    def function(arg: Data) -> Any:
        return measurement1.function(transformation0.function(arg))

    def privacy_map(d_in: ExactDistance) -> Any:
        return measurement1.privacy_map(transformation0.stability_map(d_in))

    return Measurement(
        transformation0.input_domain,
        function,
        transformation0.input_metric,
        measure,
        privacy_map,
        interactive=measurement1.interactive,
        opens_session=measurement1.opens_session
        and not transformation0.random,
        reads_floats=transformation0.reads_floats,
    )


# === make_chain_pm with Data, DataFunction, refusal, Function, Measurement, Any,
#    opendp_lite.base.aliases.Data, opendp_lite.base.aliases.DataFunction
def make_chain_pm(
    postprocess1: Function | DataFunction, measurement0: Measurement
) -> Measurement:
    _check_operand("measurement0", measurement0, Measurement)
    if not callable(postprocess1) or isinstance(postprocess1, Measurement):
        rule, fix = "must be a function of the release", "Pass a plain function"
        raise refusal(
            "MakeMeasurement", "postprocess1", postprocess1, rule, fix
        )

    def function(arg: Data) -> Any:
        return postprocess1(measurement0.function(arg))

    return Measurement(
        measurement0.input_domain,
        function,
        measurement0.input_metric,
        measurement0.output_measure,
        measurement0.privacy_map,
        covers_rationals=measurement0.covers_rationals,
        interactive=measurement0.interactive,
        exclusive=measurement0.exclusive,
    )


# === make_chain_proved with Data, refusal, Function, Measurement, Any,
#    opendp_lite.base.aliases.Data
def make_chain_proved(postprocess1: Function, measurement0: Measurement) -> Measurement:
    _check_operand("measurement0", measurement0, Measurement)
    if not _is_proved(postprocess1):
        rule = "must be a function of the release that the library made, and proved"
        fix = "Pass for example make_cdf(), or use make_chain_pm"
        raise refusal("MakeMeasurement", "postprocess1", postprocess1, rule, fix)
    if not measurement0.output_measure.processed:
        rule = "nothing is known of post-processing under its output measure"
        fix = "Use make_chain_pm, where you answer for it"
        raise refusal("MakeMeasurement", "measurement0", measurement0, rule, fix)

    def function(arg: Data) -> Any:
        return postprocess1.function(measurement0.function(arg))

    return Measurement(
        measurement0.input_domain,
        function,
        measurement0.input_metric,
        measurement0.output_measure,
        measurement0.privacy_map,
        covers_rationals=measurement0.covers_rationals,
        interactive=measurement0.interactive,
        exclusive=measurement0.exclusive,
    )


# === _is_proved with partial, Function
def _is_proved(function: object) -> bool:
    if type(function) is not Function or function.proof is None:
        return False
    inner = function.function
    return (
        type(inner) is partial
        and _is_fixed(inner.func)
        and not inner.keywords
        and all(map(_is_fixed, inner.args))
    )


# === _is_fixed with mpq, is_own_constructor, is_own_function, FunctionType, _NUMBERS
def _is_fixed(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_fixed, value))
    if type(value) is FunctionType:
        return is_own_function(value) and is_own_constructor(value)
    return any(type(value) is kind for kind in _NUMBERS)


# === check_domains with OpenDPException, Domain
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


# === check_metrics with OpenDPException, Metric
def check_metrics(output: Metric, expected: Metric) -> None:
    if expected.matches(output):
        return
    raise OpenDPException(
        "MetricMismatch",
        f"the left side of >> measures by {output!r}, the right side by {expected!r}. "
        "Build the right side with then_...(), which takes the space from the left.",
    )


# === _check_selections with refusal, Measurement, Transformation
def _check_selections(scores: Transformation, measurement: Measurement) -> None:
    if not scores.lower_is_better:
        return
    for each in _selections(measurement):
        if each.selects == "highest":
            name = _constructor_name(each)
            rule = f"{name} selects the highest scores, but the lowest scores of "
            rule += f"{_constructor_name(scores)} are the best"
            fix = f"Pass negate=True to {name}, which then selects the lowest"
            raise refusal("MakeMeasurement", "measurement1", measurement, rule, fix)


# === _selections with Iterator, Value, Measurement, opendp_lite.base.aliases.Value
def _selections(value: Value) -> Iterator[Measurement]:
    if issubclass(type(value), tuple):
        for each in value:
            yield from _selections(each)
    if not issubclass(type(value), Measurement):
        return
    record = value.record
    if value.selects is not None:
        yield value
    elif record is not None:
        arguments = dict(record.arguments)
        chained = record.constructor is make_chain_mt
        if not chained or arguments["transformation0"].clamps:
            for each in arguments.values():
                yield from _selections(each)


# === _accepts_rationals with Fraction, AtomDomain, Domain, VectorDomain
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


# === _check_operand with refusal
def _check_operand(name: str, value: object, kind: type) -> None:
    if not issubclass(type(value), kind):
        rule = f"must be a {kind.__name__}"
        raise refusal("Unsupported", name, value, rule, "Check the order of the chain")


# === chain_after_transformation with OpenDPException, Measurement, OpenChain, Partial,
#    Transformation, Any
def chain_after_transformation(left: Transformation, right: object) -> Any:
    if isinstance(right, OpenChain):
        return NotImplemented
    if isinstance(right, Partial):
        return left >> right(left.output_domain, left.output_metric)
    if isinstance(right, Measurement):
        return make_chain_mt(right, left)
    if isinstance(right, Transformation):
        return make_chain_tt(right, left)
    raise OpenDPException(
        "Unsupported",
        f"a transformation cannot be followed by {_said(right)}. Only "
        "transformations and measurements may touch data that is not yet released; "
        "put functions after a measurement, or wrap one by make_user_transformation.",
    )


# === chain_after_measurement with OpenDPException, Measurement, OpenChain, Partial, Any
def chain_after_measurement(left: Measurement, right: object) -> Any:
    if isinstance(right, Measurement | Partial | OpenChain):
        raise OpenDPException(
            "Unsupported",
            f"a measurement cannot be followed by {_said(right)}: what it releases is "
            "already private, and has no domain or distance. Transformations come "
            "before it, a release is post-processed by a function, and two releases "
            "from the same data are composed.",
        )
    if _is_proved(right) and left.output_measure.processed:
        return make_chain_proved(right, left)
    if callable(right):
        return make_chain_pm(right, left)
    raise OpenDPException(
        "Unsupported",
        f"a measurement cannot be followed by {_said(right)}. "
        "Pass a function of the release.",
    )
