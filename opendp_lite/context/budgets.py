"""How near the answer of a query would be, and which loss is enough for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.measurement import Measurement
from opendp_lite.solving.budgets import (
    about_argument,
    goal_argument,
    least_budget,
    loss_with,
)
from opendp_lite.solving.parameters import PartialChain
from opendp_lite.solving.refused import ContextError, refused

if TYPE_CHECKING:
    from opendp_lite.context.queries import Query

_LIST_FIX = "Pass a number for all answers, or a list with one number for each answer"


def find_accuracy(measurement: Any, alpha: ExactNumber, about: object) -> Any:
    """Return how near the release of a measurement is; None if it tells no accuracy.

    For `private_mean` this is a dict from numbers of rows to accuracies, or one
    accuracy if the number of rows is passed.

    :param measurement: a measurement, or an odometer
    :param alpha: how rarely the release may be farther away
    :param about: about how many rows there are, or None
    """
    from opendp_lite.measurements.estimates.private_mean import mean_accuracy

    sizes = about_argument(about)
    means = {n: mean_accuracy(measurement, alpha, n) for n in sizes}
    if None not in means.values():
        return means if about is None else means[sizes[0]]
    if not isinstance(measurement, Measurement):
        return None
    try:
        return measurement.accuracy(alpha)
    except OpenDPException as error:
        if error.variant != "Unsupported":
            raise
        return None


def budget_of(query: Query, accuracy: Any, alpha: ExactNumber, about: object) -> float:
    """Return the least epsilon or rho of six digits that reaches an accuracy.

    :param query: misses a number, which is solved for
    :param accuracy: how far the answer may be off; a list for several answers
    :param alpha: how rarely it may be farther off
    :param about: about how many rows there are, or None
    """
    if not isinstance(query._chain, PartialChain):
        raise ContextError(
            "Context",
            "budget: the query has all its numbers, or no noise, so its accuracy does "
            "not depend on the loss. Leave out the scale, such as .laplace().",
        )
    several = isinstance(accuracy, list | tuple)
    goals = [
        goal_argument("accuracy", each)
        for each in (accuracy if several else [accuracy])
    ]

    def is_reached(number: float) -> bool:
        loss = loss_with(query._output_measure, number, query._d_out)
        asked = query.new_with(chain=query._chain)
        asked._d_out = loss
        found = find_accuracy(asked._solve().plain, alpha, about)
        if type(found) is dict:
            rule = "is needed: the accuracy of a mean depends on the number of rows"
            raise refused("about", None, rule, "Pass for example about=1000")
        told = found if type(found) is list else [found]
        if told in ([], [None]):
            rule = "cannot be asked for, as the query tells no accuracy"
            raise refused("accuracy", accuracy, rule, "Use noise such as .laplace()")
        if several and len(goals) != len(told):
            raise refused("accuracy", accuracy, f"is not {len(told)} long", _LIST_FIX)
        limits = goals if several else goals * len(told)
        return all(
            each is None or each <= limit
            for each, limit in zip(told, limits, strict=True)
        )

    return least_budget(is_reached)
