# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.composition; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import ApproximateDivergence
from opendp_lite.core.measures.concentrated import ZeroConcentratedDivergence
from opendp_lite.core.measures.max_divergence import MaxDivergence
from opendp_lite.core.measures.measure import Measure
from opendp_lite.exact.rationals import Extended
from typing import Any
import math

opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass a list of measurements, such as [noisy_count, noisy_sum]"


# === make_composition with Sequence, Data, ExactDistance, Measurement, Any,
#    opendp_lite.core.aliases.ExactDistance, opendp_lite.core.aliases.Data
def make_composition(measurements: Sequence[Measurement]) -> Measurement:
    measurements = _check_components(measurements)
    first = measurements[0]
    approximate = _check_measure(first.output_measure)

    def function(arg: Data) -> list[Any]:
        return [each.function(arg) for each in measurements]

    def privacy_map(d_in: ExactDistance) -> Any:
        losses = [each.privacy_map(d_in) for each in measurements]
        if not approximate:
            return _total(losses)
        delta = _total(delta for _, delta in losses)
        return _total(loss for loss, _ in losses), min(delta, 1)

    return Measurement(
        first.input_domain,
        function,
        first.input_metric,
        first.output_measure,
        privacy_map,
        covers_rationals=all(m.covers_rationals for m in measurements),
    )


# === _total with Iterable, mpq, Extended, math, opendp_lite.exact.rationals.Extended
def _total(losses: Iterable[Extended]) -> Extended:
    total = mpq(0)
    for loss in losses:
        if loss == math.inf:
            return math.inf
        total += mpq(loss)
    return total


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


# === _check_measure with refusal, ApproximateDivergence, ZeroConcentratedDivergence,
#    MaxDivergence, Measure
def _check_measure(measure: Measure) -> bool:
    approximate = isinstance(measure, ApproximateDivergence)
    inner = measure.inner if isinstance(measure, ApproximateDivergence) else measure
    if isinstance(inner, MaxDivergence | ZeroConcentratedDivergence):
        return approximate
    rule = (
        "losses add up under max_divergence(), zero_concentrated_divergence() and "
        "approximate(...) of these"
    )
    fix = "Convert the measurements to one of these before they are composed"
    raise refusal("MeasureMismatch", "output_measure", measure, rule, fix)
