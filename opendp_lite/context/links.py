"""Links that know what the query has: canonical noise, a budget within the budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendp_lite.context.errors import ContextError
from opendp_lite.context.shares import accountant_of, plain_distance
from opendp_lite.context.units import parse_unit
from opendp_lite.core.aliases import ExactDistance, ExactLoss
from opendp_lite.core.arguments import check_type
from opendp_lite.core.domains import Domain
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.transformation import Transformation

__all__ = ["canonical_link", "check_context", "compositor_link", "middle"]

Space = tuple[Domain, Metric]
Wrap = Callable[[Any], Any]


def middle(chain: object, d_in: ExactDistance) -> tuple[Space, ExactDistance]:
    """Return the space that a chain leads to, and how far neighbours are apart there.

    :param chain: a space or a transformation; all else is refused
    :param d_in: how far neighbours are apart at its beginning
    """
    if isinstance(chain, tuple):
        return chain, d_in
    if isinstance(chain, Transformation):
        return chain.output_space, chain.stability_map(d_in)
    raise ContextError(
        "Context",
        "canonical noise and compositors follow a space or a transformation, whose "
        "parameters are all given, and come before noise is added.",
    )


def canonical_link(
    space: Space, d_in: ExactDistance, loss: Any, size: int | None
) -> tuple[Any, Wrap | None]:
    """Return canonical noise for a loss, and what is made of its release.

    :param space: where noise is added
    :param d_in: how far neighbours are apart there
    :param loss: (epsilon, delta), or epsilon
    :param size: of how many trials the number is a count, or None
    """
    from opendp_lite.measurements.noise.canonical_noise import then_canonical_noise

    sensitivity: Any = plain_distance(space[1], d_in)
    pair = loss if type(loss) is tuple else (loss, 0)
    noise: Any = then_canonical_noise(sensitivity, pair)
    if size is None:
        return noise, None
    from opendp_lite.extras.numpy.canonical import BinomialCND

    return noise, lambda release: BinomialCND(release, sensitivity, pair, size)


def compositor_link(
    space: Space,
    d_in: ExactDistance,
    measure: Measure,
    loss: ExactLoss,
    split_evenly_over: object,
    split_by_weights: object,
) -> tuple[Any, Wrap]:
    """Return a compositor for a budget, and how its session becomes a Context.

    :param space: of what the new Context is asked
    :param d_in: how far neighbours are apart there
    :param measure: how the new Context counts
    :param loss: its exact budget
    :param split_evenly_over: how many queries share the budget alike
    :param split_by_weights: a weight for each query
    """
    from opendp_lite.context.contexts import Context

    distance = plain_distance(space[1], d_in)
    parse_unit(space[1], distance, "d_in")
    shares = split_evenly_over, split_by_weights
    made = accountant_of(space, distance, measure, loss, *shares)
    return made, lambda session: Context(made, session, distance)


def check_context(context: object) -> None:
    """Refuse what is no Context; None stands for a query that stands alone.

    :param context: where a query is to be asked
    """
    from opendp_lite.context.contexts import Context

    if context is not None:
        fix = "Pass the Context itself, or use its method query()"
        check_type("Context", "context", context, Context, fix)
