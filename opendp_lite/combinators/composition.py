"""Composition and products: several releases, and the sum of what they cost.

In a composition all releases are from the same data; in a product each part of a tuple
is released by a measurement of its own. `explain` shows at which distances a combinator
asks the maps of its `parts`. The map of the combinator decides what is lost, and tests
compare the two.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain, ProductDomain
from opendp_lite.core.measurement import Measurement, Part, at_same_distance
from opendp_lite.core.measures import Measure, approximate
from opendp_lite.core.metrics import Metric, ProductDistance
from opendp_lite.core.registry import Partial, constructor, then
from opendp_lite.laws.noise import UNRELEASED
from opendp_lite.sessions.losses import check_adds, total


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


_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass a list of measurements, such as [noisy_count, noisy_sum]"


@constructor(proof="combinators/make_composition", status="vetted")
def make_composition(measurements: Sequence[Measurement]) -> Measurement:
    """Return the measurement that makes all releases of a list, in its order.

    The release is the list [M1(x), M2(x), ...]; every component reads random bits of
    its own, also where one measurement is listed more than once.

    Guarantee: if the components lose at most l1, l2, ... at d_in under their common
    measure, the list loses at most l1 + l2 + ..., exactly: epsilons add up under
    max_divergence, rhos under zero_concentrated_divergence, and under approximate(...)
    of these the deltas as well (to at most 1, where nothing is promised any more).

    :param measurements: at least one, all with the same input domain, input metric and
        output measure, and none whose release goes on answering. To bring them to one
        measure, use make_pureDP_to_zCDP and make_approximate.

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> tenth = dp.m.make_laplace(*space, scale=10)
    >>> ten = dp.c.make_composition([tenth] * 10)
    >>> ten.map(1), len(ten(100))
    (1.0, 10)

    Proof: proofs/combinators/make_composition.tex
    """
    measurements = _check_components(measurements)  # proof: components
    first = measurements[0]  # proof: first
    approximate = check_adds(first.output_measure)  # proof: measure

    def function(arg: Data) -> list[Any]:
        return [each.function(arg) for each in measurements]  # proof: function

    def privacy_map(d_in: ExactDistance) -> Any:
        losses = [each.privacy_map(d_in) for each in measurements]  # proof: losses
        if not approximate:
            return total(losses)  # proof: sum
        delta = total(delta for _, delta in losses)  # proof: delta
        return total(loss for loss, _ in losses), min(delta, 1)  # proof: pair

    return Measurement(
        first.input_domain,
        function,
        first.input_metric,
        first.output_measure,
        privacy_map,
        covers_rationals=all(m.covers_rationals for m in measurements),  # proof: all
        noise=tuple(each.noise for each in measurements),
        parts=at_same_distance(*measurements),
    )


def make_basic_composition(measurements: Sequence[Measurement]) -> Measurement:
    """Return `make_composition(measurements)`, by the name it had before OpenDP 0.14.

    :param measurements: as of make_composition

    >>> import warnings
    >>> import opendp_lite.prelude as dp
    >>> noisy = dp.m.make_randomized_response_bool(prob=0.75)
    >>> with warnings.catch_warnings(action="ignore"):
    ...     both = dp.c.make_basic_composition([noisy, noisy])
    >>> both == dp.c.make_composition([noisy, noisy])
    True
    """
    warnings.warn(
        "make_basic_composition is now called make_composition",
        DeprecationWarning,
        stacklevel=2,
    )
    return make_composition(measurements)


def _check_components(measurements: Iterable[Measurement]) -> tuple[Measurement, ...]:
    """Return a list of measurements on one space, under one measure, or refuse it."""
    if not isinstance(measurements, list | tuple):  # proof: list
        raise refusal(_MAKE, "measurements", measurements, "must be a list", _LIST_FIX)
    components = tuple(measurements)  # proof: copy
    if not components:  # proof: empty
        rule = "must hold at least one measurement"
        raise refusal(_MAKE, "measurements", measurements, rule, _LIST_FIX)
    for index, each in enumerate(components):
        name = f"measurements[{index}]"
        if not isinstance(each, Measurement):  # proof: kind
            rule = f"must be a Measurement, not a {type(each).__name__}"
            fix = "Write space >> then_...() or make_...(domain, metric, ...)"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.interactive:  # proof: value
            rule = "goes on answering, and cannot be part of a list of releases"
            fix = "Ask for it in a session, see make_adaptive_composition"
            raise refusal(_MAKE, name, each, rule, fix)
        if each.exclusive:  # proof: exclusive
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE, name, each, rule, fix)
        _check_alike(name, each, components[0])  # proof: alike
    return components


def _check_alike(name: str, each: Measurement, first: Measurement) -> None:
    """Refuse a component whose space or measure is not that of the first."""
    fix = "Build all of them on one space, and put what differs into the chains"
    if each.input_domain != first.input_domain:  # proof: domain
        rule = f"takes {each.input_domain!r}, measurements[0] {first.input_domain!r}"
        raise refusal("DomainMismatch", name, each, rule, fix)
    if not first.input_metric.matches(each.input_metric):  # proof: metric
        rule = (
            f"measures distance by {each.input_metric!r}, measurements[0] by "
            f"{first.input_metric!r}"
        )
        raise refusal("MetricMismatch", name, each, rule, fix)
    if each.output_measure != first.output_measure:  # proof: same-measure
        rule = (
            f"measures loss by {each.output_measure!r}, measurements[0] by "
            f"{first.output_measure!r}"
        )
        fix = "Convert by make_pureDP_to_zCDP or make_approximate"
        raise refusal("MeasureMismatch", name, each, rule, fix)


_MAKE_PRODUCT = "MakeMeasurement"
_PARTS_FIX = (
    "Pass a list with a measurement, or then_...(), for each part of the domain"
)


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

    def parts_at(d_in: ExactDistance | None) -> list[Part]:
        apart = (None,) * len(components) if d_in is None else d_in
        pairs = zip(components, apart, strict=True)
        return [(each, d, "") for each, d in pairs if each is not None]

    return Measurement(
        input_domain,
        function,
        input_metric,
        measure,
        privacy_map,
        noise=tuple(UNRELEASED if each is None else each.noise for each in components),
        parts=parts_at,
    )


then_product = then(make_product)


def _check_places(
    domain: Any, metric: Any, parts: object
) -> list[tuple[Domain, Metric]]:
    """Return the space of each part, or refuse what has more or fewer parts."""
    fix = "Pass product_domain([...]), or chain after what puts out tuples"
    if not isinstance(domain, ProductDomain):  # proof: domain
        rule = "must be a product_domain"
        raise refusal(_MAKE_PRODUCT, "input_domain", domain, rule, fix)
    fix = "Pass product_distance([...]), with a metric for each part of the domain"
    if not isinstance(metric, ProductDistance):  # proof: metric
        rule = "must be a product_distance"
        raise refusal(_MAKE_PRODUCT, "input_metric", metric, rule, fix)
    domains, metrics = domain.parts, metric.parts
    if len(metrics) != len(domains):  # proof: metrics
        rule = f"has {len(metrics)} parts, and the domain {len(domains)}"
        raise refusal(_MAKE_PRODUCT, "input_metric", metric, rule, fix)
    if type(parts) is not tuple or len(parts) != len(domains):  # proof: list
        rule = f"must be a list of {len(domains)}, one for each part of the domain"
        raise refusal(_MAKE_PRODUCT, "parts", parts, rule, _PARTS_FIX)
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
        check_type(_MAKE_PRODUCT, name, each, Measurement, _PARTS_FIX)  # proof: kind
        if each.interactive:  # proof: value
            rule = "goes on answering, and cannot be part of a list of releases"
            fix = "Ask for it in a session, see make_adaptive_composition"
            raise refusal(_MAKE_PRODUCT, name, each, rule, fix)
        if each.exclusive:  # proof: exclusive
            rule = "must be all that is released from its sample"
            fix = "Compose first, and amplify the whole"
            raise refusal(_MAKE_PRODUCT, name, each, rule, fix)
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
        raise refusal(_MAKE_PRODUCT, "parts", parts, rule, _PARTS_FIX)
    return tuple(parts)
