# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.product; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.arguments import check_type
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.product import ProductDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.interactive.losses import check_adds
from opendp_lite.core.interactive.losses import total
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.product import ProductDistance
from opendp_lite.core.registry import Partial
from typing import Any

opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass a list with a measurement, or then_...(), for each part of the domain"


# === make_product with Sequence, Data, ExactDistance, Domain, check_adds, total,
#    Measurement, Metric, Partial, Any, opendp_lite.core.aliases.ExactDistance,
#    opendp_lite.core.aliases.Data
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


# === _check_places with Domain, ProductDomain, refusal, Metric, ProductDistance, Any,
#    _MAKE, _LIST_FIX
def _check_places(
    domain: Any, metric: Any, parts: object
) -> list[tuple[Domain, Metric]]:
    fix = "Pass product_domain([...]), or chain after what puts out tuples"
    if not issubclass(type(domain), ProductDomain):
        rule = "must be a product_domain"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    fix = "Pass product_distance([...]), with a metric for each part of the domain"
    if not issubclass(type(metric), ProductDistance):
        rule = "must be a product_distance"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    domains, metrics = domain.parts, metric.parts
    if len(metrics) != len(domains):
        rule = f"has {len(metrics)} parts, and the domain {len(domains)}"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    if type(parts) is not tuple or len(parts) != len(domains):
        rule = f"must be a list of {len(domains)}, one for each part of the domain"
        raise refusal(_MAKE, "parts", parts, rule, _LIST_FIX)
    return list(zip(domains, metrics, strict=True))


# === _check_parts with Sequence, check_type, Domain, refusal, Measurement, Metric, Any,
#    _MAKE, _LIST_FIX
def _check_parts(
    parts: Sequence[Any], places: list[tuple[Domain, Metric]]
) -> tuple[Measurement | None, ...]:
    first = None
    for index, (each, (domain, metric)) in enumerate(zip(parts, places, strict=True)):
        if each is None:
            continue
        name = f"parts[{index}]"
        check_type(_MAKE, name, each, Measurement, _LIST_FIX)
        if each.interactive:
            rule = "goes on answering, and cannot be part of a list of releases"
            fix = "Ask for it in a session, see make_adaptive_composition"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.exclusive:
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE, name, each, rule, fix)
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
        raise refusal(_MAKE, "parts", parts, rule, _LIST_FIX)
    return tuple(parts)
