"""Composition: several releases from the same data, and the sum of what they cost."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from opendp_lite.core.aliases import Data, ExactDistance
from opendp_lite.core.errors import refusal
from opendp_lite.core.interactive.losses import check_adds, total
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import constructor

__all__ = ["make_basic_composition", "make_composition"]

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
    if not issubclass(type(measurements), list | tuple):  # proof: list
        raise refusal(_MAKE, "measurements", measurements, "must be a list", _LIST_FIX)
    components = tuple(measurements)  # proof: copy
    if not components:  # proof: empty
        rule = "must hold at least one measurement"
        raise refusal(_MAKE, "measurements", measurements, rule, _LIST_FIX)
    for index, each in enumerate(components):
        name = f"measurements[{index}]"
        if not issubclass(type(each), Measurement):  # proof: kind
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
