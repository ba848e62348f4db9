# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.composition; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from collections.abc import Sequence
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.product import ProductDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import approximate
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.product import ProductDistance
from opendp_lite.core.registry import Partial
from opendp_lite.sessions.losses import check_adds
from opendp_lite.sessions.losses import total
from typing import Any

opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass a list of measurements, such as [noisy_count, noisy_sum]"
_MAKE_PRODUCT = "MakeMeasurement"
_PARTS_FIX = (
    "Pass a list with a measurement, or then_...(), for each part of the domain"
)


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


# === make_composition with Sequence, Data, ExactDistance, Measurement, check_adds,
#    total, Any, opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data
def make_composition(measurements: Sequence[Measurement]) -> Measurement:
    measurements = _check_components(measurements)
    first = measurements[0]
    approximate = check_adds(first.output_measure)

    def function(arg: Data) -> list[Any]:
        return [each.function(arg) for each in measurements]

    def privacy_map(d_in: ExactDistance) -> Any:
        losses = [each.privacy_map(d_in) for each in measurements]
        if not approximate:
            return total(losses)
        delta = total(delta for _, delta in losses)
        return total(loss for loss, _ in losses), min(delta, 1)

    return Measurement(
        first.input_domain,
        function,
        first.input_metric,
        first.output_measure,
        privacy_map,
        covers_rationals=all(m.covers_rationals for m in measurements),
    )


# === _check_components with Iterable, refusal, Measurement, _MAKE, _LIST_FIX
def _check_components(measurements: Iterable[Measurement]) -> tuple[Measurement, ...]:
    if not issubclass(type(measurements), list | tuple):
        raise refusal(_MAKE, "measurements", measurements, "must be a list", _LIST_FIX)
    components = tuple(measurements)
    if not components:
        rule = "must hold at least one measurement"
        raise refusal(_MAKE, "measurements", measurements, rule, _LIST_FIX)
    for index, each in enumerate(components):
        name = f"measurements[{index}]"
        if not issubclass(type(each), Measurement):
            rule = f"must be a Measurement, not a {type(each).__name__}"
            fix = "Write space >> then_...() or make_...(domain, metric, ...)"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.interactive:
            rule = "goes on answering, and cannot be part of a list of releases"
            fix = "Ask for it in a session, see make_adaptive_composition"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.exclusive:
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE, name, each, rule, fix)
        _check_alike(name, each, components[0])
    return components


# === _check_alike with refusal, Measurement
def _check_alike(name: str, each: Measurement, first: Measurement) -> None:
    fix = "Build all of them on one space, and put what differs into the chains"
    if each.input_domain != first.input_domain:
        rule = f"takes {each.input_domain!r}, measurements[0] {first.input_domain!r}"
        raise refusal("DomainMismatch", name, each, rule, fix)
    if not first.input_metric.matches(each.input_metric):
        rule = (
            f"measures distance by {each.input_metric!r}, measurements[0] by "
            f"{first.input_metric!r}"
        )
        raise refusal("MetricMismatch", name, each, rule, fix)
    if each.output_measure != first.output_measure:
        rule = (
            f"measures loss by {each.output_measure!r}, measurements[0] by "
            f"{first.output_measure!r}"
        )
        fix = "Convert by make_pureDP_to_zCDP or make_approximate"
        raise refusal("MeasureMismatch", name, each, rule, fix)


# === make_product with Sequence, Data, ExactDistance, Domain, Measurement, Metric,
#    Partial, check_adds, total, Any, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data
def make_product(
    input_domain: Domain,
    input_metric: Metric,
    parts: Sequence[Measurement | Partial[Measurement] | None],
) -> Measurement:
    places = _check_places(input_domain, input_metric, parts)
    if any(type(part) is Partial for part in parts):
        made = [
            part(*space) if type(part) is Partial else part
            for part, space in zip(parts, places, strict=True)
        ]
        return make_product(input_domain, input_metric, made)
    components = _check_parts(parts, places)
    measure = next(each for each in components if each is not None).output_measure
    approximate = check_adds(measure)

    def function(arg: Data) -> list[Any]:
        return [
            None if each is None else each.function(part)
            for each, part in zip(components, arg, strict=True)
        ]

    def privacy_map(d_in: ExactDistance) -> Any:
        losses = [
            each.privacy_map(d)
            for each, d in zip(components, d_in, strict=True)
            if each is not None
        ]
        if not approximate:
            return total(losses)
        delta = total(delta for _, delta in losses)
        return total(loss for loss, _ in losses), min(delta, 1)

    return Measurement(input_domain, function, input_metric, measure, privacy_map)


# === _check_places with refusal, Domain, ProductDomain, Metric, ProductDistance, Any,
#    _MAKE_PRODUCT, _PARTS_FIX
def _check_places(
    domain: Any, metric: Any, parts: object
) -> list[tuple[Domain, Metric]]:
    fix = "Pass product_domain([...]), or chain after what puts out tuples"
    if not issubclass(type(domain), ProductDomain):
        rule = "must be a product_domain"
        raise refusal(_MAKE_PRODUCT, "input_domain", domain, rule, fix)
    fix = "Pass product_distance([...]), with a metric for each part of the domain"
    if not issubclass(type(metric), ProductDistance):
        rule = "must be a product_distance"
        raise refusal(_MAKE_PRODUCT, "input_metric", metric, rule, fix)
    domains, metrics = domain.parts, metric.parts
    if len(metrics) != len(domains):
        rule = f"has {len(metrics)} parts, and the domain {len(domains)}"
        raise refusal(_MAKE_PRODUCT, "input_metric", metric, rule, fix)
    if type(parts) is not tuple or len(parts) != len(domains):
        rule = f"must be a list of {len(domains)}, one for each part of the domain"
        raise refusal(_MAKE_PRODUCT, "parts", parts, rule, _PARTS_FIX)
    return list(zip(domains, metrics, strict=True))


# === _check_parts with Sequence, check_type, refusal, Domain, Measurement, Metric, Any,
#    _MAKE_PRODUCT, _PARTS_FIX
def _check_parts(
    parts: Sequence[Any], places: list[tuple[Domain, Metric]]
) -> tuple[Measurement | None, ...]:
    first = None
    for index, (each, (domain, metric)) in enumerate(zip(parts, places, strict=True)):
        if each is None:
            continue
        name = f"parts[{index}]"
        check_type(_MAKE_PRODUCT, name, each, Measurement, _PARTS_FIX)
        if each.interactive:
            rule = "goes on answering, and cannot be part of a list of releases"
            fix = "Ask for it in a session, see make_adaptive_composition"
            raise refusal(_MAKE_PRODUCT, name, each, rule, fix)
        if each.exclusive:
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE_PRODUCT, name, each, rule, fix)
        fix = "Pass then_...(), which takes the space of the part"
        if not each.input_domain.contains(domain):
            rule = f"takes {each.input_domain!r}, and part {index} is of {domain!r}"
            raise refusal("DomainMismatch", name, each, rule, fix)
        if not metric.matches(each.input_metric):
            rule = f"measures by {each.input_metric!r}, and part {index} by {metric!r}"
            raise refusal("MetricMismatch", name, each, rule, fix)
        first = each if first is None else first
        if each.output_measure != first.output_measure:
            rule = "measures loss by another measure than the parts before"
            fix = "Convert by make_pureDP_to_zCDP or make_approximate"
            raise refusal("MeasureMismatch", name, each, rule, fix)
    if first is None:
        rule = "must release at least one part"
        raise refusal(_MAKE_PRODUCT, "parts", parts, rule, _PARTS_FIX)
    return tuple(parts)
