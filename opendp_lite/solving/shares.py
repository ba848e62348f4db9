"""Budgets as exact numbers: how a loss is read, parted, and made a compositor of."""

from __future__ import annotations

import math
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Distance, ExactDistance, ExactLoss, Loss
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.errors import OpenDPException
from opendp_lite.combinators.adaptive import (
    make_adaptive_composition,
    make_fully_adaptive_composition,
    make_privacy_filter,
)
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.exact.rationals import to_fraction, to_mpq, to_target
from opendp_lite.solving.refused import refused
from opendp_lite.solving.units import parse_budget

_EVENLY_FIX = "Pass the number of queries, such as split_evenly_over=4"
_MOST_QUERIES = 10**6  # that a budget is parted among beforehand
_WEIGHTS_FIX = "Pass one number for each query, such as split_by_weights=[1, 1, 2]"


def asked_loss(measure: Measure, loss: Loss, name: str = "d_out") -> ExactLoss:
    """Return the exact loss that noise is to be made for.

    A float means the lesser of its binary value and the decimal it prints as, so that
    ten queries that were asked for with 0.1 fit into a budget of 1.

    :param measure: how the loss is counted
    :param loss: a number, or a pair where the measure is approximate
    :param name: what the argument is called
    """
    exact = parse_budget(measure, loss, name)
    if type(exact) is tuple:
        assert isinstance(loss, tuple | list)
        return tuple(map(_lesser, loss, exact))
    return _lesser(loss, exact)


def _lesser(number: Any, exact: Any) -> Any:
    return exact if isinstance(exact, float) else to_target(number)


def exact_loss(loss: ExactLoss) -> Any:
    """Return an exact loss as Fractions, which every measure reads."""
    if type(loss) is tuple:
        return tuple(map(exact_loss, loss))
    return loss if isinstance(loss, float) else to_fraction(mpq(loss))


def plain_distance(metric: Metric, d_in: ExactDistance) -> Distance:
    """Return a distance that the metric reads: this one, or a root rounded up."""
    exact = metric.present(d_in, exact=True)
    try:
        metric.parse(exact)
    except OpenDPException:
        return metric.present(d_in)
    return exact


def accountant_of(
    space: tuple[Domain, Metric],
    d_in: Distance,
    measure: Measure,
    loss: ExactLoss,
    split_evenly_over: object = None,
    split_by_weights: object = None,
) -> Measurement:
    """Return the compositor for a budget: planned shares, or a filter.

    :param space: of the data
    :param d_in: how far neighbours are apart
    :param measure: how loss is counted
    :param loss: the exact budget, which is finite
    :param split_evenly_over: how many queries share it alike
    :param split_by_weights: a weight for each query
    """
    weights = _weights(split_evenly_over, split_by_weights)
    if weights is None:
        odometer = make_fully_adaptive_composition(*space, measure)
        return make_privacy_filter(odometer, d_in, exact_loss(loss))
    d_mids = [exact_loss(_part(loss, weight)) for weight in weights]
    return make_adaptive_composition(*space, measure, d_in, d_mids)


def _part(loss: ExactLoss, weight: mpq) -> ExactLoss:
    if type(loss) is tuple:
        return tuple(each * weight for each in loss)
    return loss * weight


def _weights(evenly: object, weights: object) -> list[mpq] | None:
    """Return the exact parts, which add up to 1, or None if nothing is parted."""
    if evenly is not None and weights is not None:
        rule = "and split_by_weights exclude each other"
        raise refused("split_evenly_over", evenly, rule, "Pass one of them")
    if evenly is not None:
        name = "split_evenly_over"
        n = integer_argument(
            "Context", name, evenly, fix=_EVENLY_FIX, at_least=1, at_most=_MOST_QUERIES
        )
        return [mpq(1, n)] * n
    if weights is None:
        return None
    if not isinstance(weights, list | tuple):
        raise refused("split_by_weights", weights, "must be a list", _WEIGHTS_FIX)
    exact = [
        rational_argument(
            "Context",
            f"split_by_weights[{index}]",
            weight,
            fix=_WEIGHTS_FIX,
            convert=_as_printed,
            at_least=0,
        )
        for index, weight in enumerate(weights)
    ]
    total = sum(exact, mpq(0))
    if total == 0:
        rule = "must hold at least one weight greater than 0"
        raise refused("split_by_weights", weights, rule, _WEIGHTS_FIX)
    return [weight / total for weight in exact]


def _as_printed(weight: object) -> mpq:
    """Return a weight: a float means the decimal it prints as, as it is no loss."""
    if type(weight) is float and math.isfinite(weight):
        return to_mpq(repr(weight))
    return to_mpq(weight)
