# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.composition; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from collections.abc import Sequence
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.errors import refusal
from opendp_lite.core.interactive.losses import check_adds
from opendp_lite.core.interactive.losses import total
from opendp_lite.core.measurement import Measurement
from typing import Any

opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass a list of measurements, such as [noisy_count, noisy_sum]"


# === make_composition with Sequence, Data, ExactDistance, check_adds, total,
#    Measurement, Any, opendp_lite.core.aliases.ExactDistance,
#    opendp_lite.core.aliases.Data
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
