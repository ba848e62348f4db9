"""Products: each part of a tuple is released by a measurement of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opendp_lite.core.aliases import Data, ExactDistance
from opendp_lite.core.arguments import check_type
from opendp_lite.core.domains import Domain, ProductDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.interactive.losses import check_adds, total
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics import Metric, ProductDistance
from opendp_lite.core.registry import Partial, constructor, then

__all__ = ["make_product", "then_product"]

_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass a list with a measurement, or then_...(), for each part of the domain"


@constructor(proof="combinators/make_product", status="vetted")
def make_product(
    input_domain: Domain,
    input_metric: Metric,
    parts: Sequence[Measurement | Partial[Measurement] | None],
) -> Measurement:
    """Return the measurement that releases each part of a tuple by one of its own.

    The release is the list [M1(x1), M2(x2), ...], where x1, x2, ... are the parts of
    the tuple x; each reads random bits of its own.

    Guarantee: if M1, M2, ... lose at most l1, l2, ... at the distances d1, d2, ...
    under their common measure, the list loses at most l1 + l2 + ... at d_in =
    (d1, d2, ...), exactly: epsilons add up under max_divergence, rhos under
    zero_concentrated_divergence, and under approximate(...) of these the deltas as well
    (to at most 1, where nothing is promised any more).

    :param input_domain: product_domain
    :param input_metric: product_distance, with as many parts
    :param parts: for each part of the domain, in order, a measurement on it, or a
        partial constructor such as then_laplace(scale=1.0), which takes the space of
        the part; or None, and then nothing is released of this part, in whose place the
        list has None. All have one output measure, and none goes on answering.

    >>> import opendp_lite.prelude as dp
    >>> count = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> space = dp.product_domain([count[0]] * 2), dp.product_distance([count[1]] * 2)
    >>> both = space >> dp.c.then_product([dp.m.then_laplace(2), dp.m.then_laplace(8)])
    >>> both.map((1, 2)), both.scale, len(both((100, 200)))
    (0.75, [2, 8], 2)

    Proof: proofs/combinators/make_product.tex
    """
    places = _check_places(input_domain, input_metric, parts)  # proof: places
    if any(type(part) is Partial for part in parts):
        made = [
            part(*space) if type(part) is Partial else part  # proof: partial
            for part, space in zip(parts, places, strict=True)
        ]
        return make_product(input_domain, input_metric, made)  # proof: again
    components = _check_parts(parts, places)  # proof: parts
    measure = next(each for each in components if each is not None).output_measure
    approximate = check_adds(measure)  # proof: measure

    def function(arg: Data) -> list[Any]:
        return [  # proof: function
            None if each is None else each.function(part)
            for each, part in zip(components, arg, strict=True)
        ]

    def privacy_map(d_in: ExactDistance) -> Any:
        losses = [  # proof: losses
            each.privacy_map(d)
            for each, d in zip(components, d_in, strict=True)
            if each is not None
        ]
        if not approximate:
            return total(losses)  # proof: sum
        delta = total(delta for _, delta in losses)  # proof: delta
        return total(loss for loss, _ in losses), min(delta, 1)  # proof: pair

    return Measurement(input_domain, function, input_metric, measure, privacy_map)


then_product = then(make_product)


def _check_places(
    domain: Any, metric: Any, parts: object
) -> list[tuple[Domain, Metric]]:
    """Return the space of each part, or refuse what has more or fewer parts."""
    fix = "Pass product_domain([...]), or chain after what puts out tuples"
    if not issubclass(type(domain), ProductDomain):  # proof: domain
        rule = "must be a product_domain"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    fix = "Pass product_distance([...]), with a metric for each part of the domain"
    if not issubclass(type(metric), ProductDistance):  # proof: metric
        rule = "must be a product_distance"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    domains, metrics = domain.parts, metric.parts
    if len(metrics) != len(domains):  # proof: metrics
        rule = f"has {len(metrics)} parts, and the domain {len(domains)}"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    if type(parts) is not tuple or len(parts) != len(domains):  # proof: list
        rule = f"must be a list of {len(domains)}, one for each part of the domain"
        raise refusal(_MAKE, "parts", parts, rule, _LIST_FIX)
    return list(zip(domains, metrics, strict=True))


def _check_parts(
    parts: Sequence[Any], places: list[tuple[Domain, Metric]]
) -> tuple[Measurement | None, ...]:
    """Return measurements on these spaces, under one measure, or refuse them."""
    first = None
    for index, (each, (domain, metric)) in enumerate(zip(parts, places, strict=True)):
        if each is None:  # proof: none
            continue
        name = f"parts[{index}]"
        check_type(_MAKE, name, each, Measurement, _LIST_FIX)  # proof: kind
        if each.interactive:  # proof: value
            rule = "goes on answering, and cannot be part of a list of releases"
            fix = "Ask for it in a session, see make_adaptive_composition"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.exclusive:  # proof: exclusive
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE, name, each, rule, fix)
        fix = "Pass then_...(), which takes the space of the part"
        if not each.input_domain.contains(domain):  # proof: contains
            rule = f"takes {each.input_domain!r}, and part {index} is of {domain!r}"
            raise refusal("DomainMismatch", name, each, rule, fix)
        if not metric.matches(each.input_metric):  # proof: matches
            rule = f"measures by {each.input_metric!r}, and part {index} by {metric!r}"
            raise refusal("MetricMismatch", name, each, rule, fix)
        first = each if first is None else first  # proof: first
        if each.output_measure != first.output_measure:  # proof: same-measure
            rule = "measures loss by another measure than the parts before"
            fix = "Convert by make_pureDP_to_zCDP or make_approximate"
            raise refusal("MeasureMismatch", name, each, rule, fix)
    if first is None:  # proof: some
        rule = "must release at least one part"
        raise refusal(_MAKE, "parts", parts, rule, _LIST_FIX)
    return tuple(parts)
