"""Links that know what the query has: canonical noise, a budget within the budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendp_lite.base.aliases import ExactDistance, ExactLoss
from opendp_lite.base.arguments import check_type, integer_argument
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Function, Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import L2Distance, Metric
from opendp_lite.core.transformation import Transformation
from opendp_lite.laws.noise import Noise
from opendp_lite.solving.parameters import joined
from opendp_lite.solving.refused import ContextError
from opendp_lite.solving.shares import accountant_of, plain_distance
from opendp_lite.solving.units import parse_unit

_BINOMIAL_FIX = "Pass how many trials were counted, such as binomial_size=1000"
_MOST_TRIALS = 2**63 - 1
_LONGEST = 2**20  # numbers in a release that is invented to try functions on

_EUCLIDEAN = L2Distance(int)  # of counts

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


def refitted(chain: object, link: Callable[[], Any]) -> Transformation | None:
    """Return a chain with L2 distances, if a link can follow that one only; else None.

    Counts in bins are measured in L1 if nothing else is said, as Laplace noise needs
    it. Gaussian noise needs the same counts measured in L2.

    :param chain: what the link is to follow
    :param link: makes the link, with 1 for a number that is to be solved for
    """
    if not isinstance(chain, Transformation):
        return None
    *before, last = chain.steps()
    given = {} if last.record is None else dict(last.record.arguments)
    if "MO" not in given:
        return None
    other: Any = (chain.input_domain, chain.input_metric)
    try:
        joined(chain, link())
        return None
    except OpenDPException:
        pass  # L1 does not fit
    try:
        for step in before:
            other = joined(other, step)
        assert last.record is not None
        last = last.record.constructor(**{**given, "MO": _EUCLIDEAN})
        other = joined(other, last)
        joined(other, link())
    except OpenDPException:
        return None  # L2 does not fit either; the query says what is wrong
    made: Transformation = other
    return made


def canonical_link(
    space: Space, d_in: ExactDistance, loss: Any, size: object
) -> tuple[Any, Wrap | None]:
    """Return canonical noise for a loss, and what is made of its release.

    :param space: where noise is added
    :param d_in: how far neighbours are apart there
    :param loss: (epsilon, delta), or epsilon
    :param size: of how many trials the number is a count, or None
    """
    from opendp_lite.measurements.canonical.canonical_noise import then_canonical_noise

    sensitivity: Any = plain_distance(space[1], d_in)
    pair = loss if type(loss) is tuple else (loss, 0)
    noise: Any = then_canonical_noise(sensitivity, pair)
    if size is None:
        return noise, None
    from opendp_lite.extras.numpy.arguments import law_argument
    from opendp_lite.extras.numpy.canonical import BinomialCND

    trials = integer_argument(
        "Context",
        "binomial_size",
        size,
        fix=_BINOMIAL_FIX,
        at_least=1,
        at_most=_MOST_TRIALS,
    )
    # All methods of BinomialCND read its fields by this, when it is too late.
    law_argument(sensitivity, pair, trials)
    return noise, lambda release: BinomialCND(release, sensitivity, pair, trials)


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


def check_functions(measurement: object) -> None:
    """Refuse functions of the library that cannot read what noise before them releases.

    They are tried on zeros, before anything is charged: whether quantiles of counts fit
    the number of counts, say, depends on no release.

    :param measurement: a measurement, after which functions may stand
    """
    _invented_release(measurement)


def _invented_release(measurement: object) -> Any:
    """Return what functions make of zeros in the place of noisy numbers.

    It is None where the form of a release is not known.
    """
    if not isinstance(measurement, Measurement):
        return None
    steps = measurement.steps()
    at = next((i for i, each in enumerate(steps) if isinstance(each, Measurement)), -1)
    release = _invented_numbers(steps[at])
    for step in steps[at + 1 :]:
        if release is None or not isinstance(step, Function) or step.proof is None:
            return None
        try:
            release = step(release)
        except OpenDPException as error:
            _, _, why = error.message.partition(": ")  # the zeros are not shown
            text = f"{step!r} cannot follow this query: it {why}"
            raise ContextError("Context", text) from None
    return release


def _invented_numbers(step: Any) -> Any:
    """Return zeros in the form of a release with noise; None where it is not known."""
    noise = step.noise
    if isinstance(noise, Noise) and noise.form != "map":
        if noise.form == "number":
            return 0
        size = noise.size
        return None if size is None or size > _LONGEST else [0] * size
    if noise is not None:  # a map, or a list of several releases
        return None
    parts = [part for part, _, _ in step.parts(None)] if step.parts else []
    return _invented_release(parts[0]) if len(parts) == 1 else None
