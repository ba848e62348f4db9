"""Adaptive composition: queries that are chosen one after the other, and their cost."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from opendp_lite.base.aliases import Data, Distance, ExactDistance, ExactLoss, Loss
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import OpenDPException, refusal, write_number
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement, at_same_distance
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import check_space
from opendp_lite.sessions.losses import added, check_adds, no_loss
from opendp_lite.sessions.odometer import Odometer
from opendp_lite.sessions.session import Session

_MAKE = "MakeMeasurement"
_LIST_FIX = "Pass the loss of each query, in their order, such as [0.5, 0.5]"
_MEASURE_FIX = "Pass for example max_divergence()"
_ODOMETER_FIX = "Pass what make_fully_adaptive_composition returns"


@constructor(proof="combinators/make_adaptive_composition", status="vetted")
def make_adaptive_composition(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    d_in: Distance,
    d_mids: Sequence[Loss],
) -> Measurement:
    """Return a measurement that opens a session for queries chosen one after the other.

    Its release is called with measurements, at most one for each of `d_mids`, and
    answers each; how the next one is made may depend on the answers so far. A query
    whose loss at d_in exceeds its share is refused, which costs nothing.

    Guarantee: whatever is asked, all answers together lose at most l1 + l2 + ... at
    distances up to `d_in`, exactly, where l1, l2, ... are `d_mids`.

    :param input_domain: domain of the data and of every query
    :param input_metric: metric of every query
    :param output_measure: max_divergence(), zero_concentrated_divergence(), or
        approximate(...) of one of them
    :param d_in: the distance for which the shares are meant
    :param d_mids: the greatest loss of each query at d_in; at least one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> planned = dp.c.make_adaptive_composition(
    ...     *space, dp.max_divergence(), d_in=1, d_mids=[0.5, 0.25])
    >>> planned.map(1)
    0.75
    >>> session = planned(100)
    >>> first = session(dp.m.make_laplace(*space, scale=2))
    >>> second = session(dp.m.make_laplace(*space, scale=4 if first > 0 else 8))
    >>> session.remaining()
    []

    Proof: proofs/combinators/make_adaptive_composition.tex
    """
    measure = _checked(input_domain, input_metric, output_measure)  # proof: measure
    if not isinstance(d_mids, list | tuple):  # proof: list
        raise refusal(_MAKE, "d_mids", d_mids, "must be a list", _LIST_FIX)
    if not d_mids:  # proof: empty
        rule = "must hold the loss of at least one query"
        raise refusal(_MAKE, "d_mids", d_mids, rule, _LIST_FIX)
    distance = input_metric.parse(d_in)  # proof: distance
    shares = tuple(  # proof: shares
        measure.parse(each, f"d_mids[{index}]") for index, each in enumerate(d_mids)
    )
    limit = no_loss(measure)
    for share in shares:
        limit = added(limit, share)  # proof: limit
    if type(limit) is tuple and limit[1] > 1:  # proof: delta
        rule = "has deltas that add up to more than 1, where nothing is promised"
        raise refusal(_MAKE, "d_mids", d_mids, rule, "Pass smaller ones")
    space = input_domain, input_metric

    def function(arg: Data) -> Session:
        return Session(arg, space, measure, distance, limit, shares)  # proof: function

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        _check_distance(input_metric, d_in, distance)  # proof: within
        return limit  # proof: map

    return Measurement(
        input_domain,
        function,
        input_metric,
        measure,
        privacy_map,
        interactive=True,
        opens_session=True,  # proof: session
    )


then_adaptive_composition = then(make_adaptive_composition)


@constructor(proof="combinators/make_fully_adaptive_composition", status="vetted")
def make_fully_adaptive_composition(
    input_domain: Domain, input_metric: Metric, output_measure: Measure
) -> Odometer:
    """Return an odometer: it opens sessions without a limit, which tell their loss.

    The session is called with measurements, as many as one likes, of any loss;
    `session.privacy_loss(d_in)` is the sum of their losses at any distance.

    Guarantee: who decides beforehand never to let privacy_loss(d_in) exceed l, and
    chooses queries, and when to stop, by the answers, loses at most l at d_in. Nothing
    is promised of the loss that happens to be read at a time that answers decide.

    :param input_domain: domain of the data and of every query
    :param input_metric: metric of every query
    :param output_measure: max_divergence(), zero_concentrated_divergence(), or
        approximate(...) of one of them

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> odometer = dp.c.make_fully_adaptive_composition(*space, dp.max_divergence())
    >>> session = odometer(100)
    >>> answers = [session(dp.m.make_laplace(*space, scale=b)) for b in (2, 4)]
    >>> session.privacy_loss(1), session.privacy_loss(3)
    (0.75, 2.25)

    Proof: proofs/combinators/make_fully_adaptive_composition.tex
    """
    measure = _checked(input_domain, input_metric, output_measure)  # proof: measure
    return Odometer(input_domain, input_metric, measure)  # proof: odometer


then_fully_adaptive_composition = then(make_fully_adaptive_composition)


@constructor(proof="combinators/make_privacy_filter", status="vetted")
def make_privacy_filter(odometer: Odometer, d_in: Distance, d_out: Loss) -> Measurement:
    """Return a measurement that opens a session with a limit on the sum of the losses.

    A query that would exceed the limit is refused, which costs nothing: a smaller one
    is answered afterwards.

    Guarantee: whatever is asked, all answers together lose at most `d_out` at distances
    up to `d_in`.

    :param odometer: what make_fully_adaptive_composition returns
    :param d_in: the distance for which the limit is meant
    :param d_out: the limit

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> odometer = dp.c.make_fully_adaptive_composition(*space, dp.max_divergence())
    >>> session = dp.c.make_privacy_filter(odometer, d_in=1, d_out=1.0)(100)
    >>> answers = [session(dp.m.make_laplace(*space, scale=10)) for _ in range(9)]
    >>> session.remaining(), session.preview(dp.m.make_laplace(*space, 5)).answered
    (0.1, False)

    Proof: proofs/combinators/make_privacy_filter.tex
    """
    check_type(_MAKE, "odometer", odometer, Odometer, _ODOMETER_FIX)  # proof: kind
    space, measure = odometer.input_space, odometer.output_measure
    distance = odometer.input_metric.parse(d_in)  # proof: distance
    limit = measure.parse(d_out)  # proof: limit

    def function(arg: Data) -> Session:
        return Session(arg, space, measure, distance, limit)  # proof: function

    def privacy_map(d_in: ExactDistance) -> ExactLoss:
        _check_distance(odometer.input_metric, d_in, distance)  # proof: within
        return limit  # proof: map

    return Measurement(
        odometer.input_domain,
        function,
        odometer.input_metric,
        measure,
        privacy_map,
        interactive=True,
        opens_session=True,  # proof: session
        parts=at_same_distance(odometer),
    )


def make_sequential_composition(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    d_in: Distance,
    d_mids: Sequence[Loss],
) -> Measurement:
    """Return what `make_adaptive_composition` does, by the name it had before.

    :param input_domain: as of make_adaptive_composition
    :param input_metric: as of make_adaptive_composition
    :param output_measure: as of make_adaptive_composition
    :param d_in: as of make_adaptive_composition
    :param d_mids: as of make_adaptive_composition

    >>> import warnings
    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> with warnings.catch_warnings(action="ignore"):
    ...     dp.c.make_sequential_composition(*space, dp.max_divergence(), 1, [1]).map(1)
    1.0
    """
    warnings.warn(
        "make_sequential_composition is now called make_adaptive_composition",
        DeprecationWarning,
        stacklevel=2,
    )
    return make_adaptive_composition(
        input_domain, input_metric, output_measure, d_in, d_mids
    )


then_sequential_composition = then(make_sequential_composition)


def _checked(domain: Domain, metric: Metric, measure: Measure) -> Measure:
    """Return the measure, or refuse what is no space, or adds no losses up."""
    check_type("MeasureMismatch", "output_measure", measure, Measure, _MEASURE_FIX)
    check_space(domain, metric, "input")
    check_adds(measure)
    return measure


def _check_distance(metric: Metric, d_in: ExactDistance, most: ExactDistance) -> None:
    """Refuse to state a loss for a distance beyond that of the limit."""
    if not metric.at_most(d_in, most):  # proof: beyond
        raise OpenDPException(
            "FailedMap",
            f"d_in={write_number(metric.present(d_in))}: the losses are limited for "
            f"distances up to {write_number(metric.present(most))}. Make the "
            "compositor for the larger distance.",
        )
