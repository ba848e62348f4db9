# ruff: noqa
# fmt: off
# What was read of opendp_lite.combinators.adaptive; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.aliases import Loss
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.base.errors import write_number
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.transformation import check_space
from opendp_lite.sessions.losses import added
from opendp_lite.sessions.losses import check_adds
from opendp_lite.sessions.losses import no_loss
from opendp_lite.sessions.odometer import Odometer
from opendp_lite.sessions.session import Session

opendp_lite.base.aliases.Distance: typing.TypeAlias = object
opendp_lite.base.aliases.Loss: typing.TypeAlias = object
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass the loss of each query, in their order, such as [0.5, 0.5]"
_ODOMETER_FIX = "Pass what make_fully_adaptive_composition returns"
_MEASURE_FIX = "Pass for example max_divergence()"


# === make_adaptive_composition with Sequence, Data, Distance, ExactDistance, ExactLoss,
#    Loss, refusal, Domain, Measurement, Measure, Metric, added, no_loss, Session,
#    opendp_lite.base.aliases.Distance, opendp_lite.base.aliases.Loss,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.ExactLoss,
#    opendp_lite.base.aliases.Data, _MAKE, _LIST_FIX
def make_adaptive_composition(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    d_in: Distance,
    d_mids: Sequence[Loss],
) -> Measurement:
    measure = _checked(input_domain, input_metric, output_measure)
    if not issubclass(type(d_mids), list | tuple):
        raise refusal(_MAKE, "d_mids", d_mids, "must be a list", _LIST_FIX)
    if not d_mids:
        rule = "must hold the loss of at least one query"
        raise refusal(_MAKE, "d_mids", d_mids, rule, _LIST_FIX)
    distance = input_metric.parse(d_in)
    shares = tuple(
        measure.parse(each, f"d_mids[{index}]") for index, each in enumerate(d_mids)
    )
    limit = no_loss(measure)
    for share in shares:
        limit = added(limit, share)
    if type(limit) is tuple and limit[1] > 1:
        rule = "has deltas that add up to more than 1, where nothing is promised"
        raise refusal(_MAKE, "d_mids", d_mids, rule, "Pass smaller ones")
    space = input_domain, input_metric

    def function(arg: Data) -> Session:
        return Session(arg, space, measure, distance, limit, shares)

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        _check_distance(input_metric, d_in, distance)
        return limit

    return Measurement(
        input_domain,
        function,
        input_metric,
        measure,
        privacy_map,
        interactive=True,
        opens_session=True,
    )


# === make_fully_adaptive_composition with Domain, Measure, Metric, Odometer
def make_fully_adaptive_composition(
    input_domain: Domain, input_metric: Metric, output_measure: Measure
) -> Odometer:
    measure = _checked(input_domain, input_metric, output_measure)
    return Odometer(input_domain, input_metric, measure)


# === make_privacy_filter with Data, Distance, ExactDistance, ExactLoss, Loss,
#    check_type, Measurement, Odometer, Session, opendp_lite.base.aliases.Distance,
#    opendp_lite.base.aliases.Loss, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.ExactLoss, opendp_lite.base.aliases.Data, _MAKE,
#    _ODOMETER_FIX
def make_privacy_filter(odometer: Odometer, d_in: Distance, d_out: Loss) -> Measurement:
    check_type(_MAKE, "odometer", odometer, Odometer, _ODOMETER_FIX)
    space, measure = odometer.input_space, odometer.output_measure
    distance = odometer.input_metric.parse(d_in)
    limit = measure.parse(d_out)

    def function(arg: Data) -> Session:
        return Session(arg, space, measure, distance, limit)

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        _check_distance(odometer.input_metric, d_in, distance)
        return limit

    return Measurement(
        odometer.input_domain,
        function,
        odometer.input_metric,
        measure,
        privacy_map,
        interactive=True,
        opens_session=True,
    )


# === _checked with check_type, Domain, Measure, Metric, check_space, check_adds,
#    _MEASURE_FIX
def _checked(domain: Domain, metric: Metric, measure: Measure) -> Measure:
    check_type("MeasureMismatch", "output_measure", measure, Measure, _MEASURE_FIX)
    check_space(domain, metric, "input")
    check_adds(measure)
    return measure


# === _check_distance with ExactDistance, OpenDPException, write_number, Metric,
#    opendp_lite.base.aliases.ExactDistance
def _check_distance(metric: Metric, d_in: ExactDistance, most: ExactDistance) -> None:
    if not metric.at_most(d_in, most):
        raise OpenDPException(
            "FailedMap",
            f"d_in={write_number(metric.present(d_in))}: the losses are limited for "
            f"distances up to {write_number(metric.present(most))}. Make the "
            "compositor for the larger distance.",
        )
