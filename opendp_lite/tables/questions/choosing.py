"""Which noise a query about a table gets: Laplace or Gaussian, for the whole query.

Under (epsilon, delta) both kinds of noise are possible. Laplace noise loses an epsilon
for each vector, and these epsilons add up. Gaussian noise loses a rho for each vector;
the rhos add up, and their sum is converted to (epsilon, delta) once.

The choice reads what is public: the query, the declared columns, the unit of privacy,
the loss and the weights. It never reads the data, so it tells nothing about them. The
choice does not decide what is charged, either: the map of the measurement decides that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.core.measures import Measure
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.solving.casts import BOTH, CONCENTRATED, PAIR, PURE, translated
from opendp_lite.solving.refused import ContextError
from opendp_lite.tables.questions.noise import Noisy, law_of

_LEVEL = mpq(1, 20)  # the level of the accuracies that are compared
_PART = mpq(1, 2)  # the part of delta that a threshold may use


@attrs.frozen
class Way:
    """One way to add noise: its law, and the loss that it has by its own measure."""

    law: Law
    measure: Measure
    loss: ExactLoss


def ways(
    measure: Measure, loss: ExactLoss, hidden: bool, law: Law | None = None
) -> list[Way]:
    """Return the ways to add noise within a loss; the usual way for its measure first.

    :param measure: how the query counts its loss
    :param loss: the exact loss that the query may have
    :param hidden: whether the keys are not public, so that a threshold needs a delta
    :param law: the law that the user asks for; None if the user asks for none
    """
    usual = law_of(measure)
    if law is not None and law != usual:
        check_law(law, measure, loss)
        return [_translated(law, measure, loss, hidden)]
    found = [Way(usual, measure, loss)]
    if law is None and _has_delta(measure, loss) and usual == LAPLACE:
        other = _translated(GAUSSIAN, measure, loss, hidden)
        # No rho above 0 is within a very small loss.
        found += [other] if 0 < _first(other.loss) < math.inf else []
    return found


def check_law(law: Law, measure: Measure, loss: ExactLoss | None) -> None:
    """Refuse Gaussian noise where its loss cannot be converted to that of the query.

    :param law: the law that the user asks for
    :param measure: how the query counts its loss
    :param loss: the exact loss that the query may have; None if it is not known yet
    """
    if law != GAUSSIAN or law_of(measure) == GAUSSIAN:
        return
    if measure == PURE or (loss is not None and not _has_delta(measure, loss)):
        raise ContextError(
            "Context",
            "gaussian: Gaussian noise has no finite epsilon without a delta. Give the "
            "Context and the query a delta, such as table(epsilon=1.0, delta=1e-9), or "
            "use laplace().",
        )


def _has_delta(measure: Measure, loss: ExactLoss) -> bool:
    return measure in (PAIR, BOTH) and type(loss) is tuple and loss[1] > 0


def _first(loss: ExactLoss) -> mpq:
    first: mpq = loss[0] if type(loss) is tuple else loss
    return first


def _translated(law: Law, measure: Measure, loss: ExactLoss, hidden: bool) -> Way:
    """Return the way to add noise whose loss is counted by another measure."""
    if law == GAUSSIAN:
        if hidden:
            return Way(law, BOTH, translated(loss, measure, BOTH, _PART))
        return Way(law, CONCENTRATED, translated(loss, measure, CONCENTRATED))
    epsilon = translated(loss, measure, PURE)
    if hidden and type(loss) is tuple:
        return Way(law, PAIR, (epsilon, loss[1]))
    return Way(law, PURE, epsilon)


def choose_way(
    found: Sequence[Way], vectors: Callable[[Way], list[Noisy]]
) -> tuple[Way, str | None]:
    """Return the way to take, and a sentence that tells why it was chosen.

    Where there are two ways, each number has an accuracy with either noise. The way is
    taken whose largest accuracy relative to that of the other way is smaller. The
    choice depends on public things alone: `vectors` reads no data.

    :param found: the ways, as `ways` returns them
    :param vectors: returns the vectors of the query with the noise of a way
    """
    if len(found) == 1:
        return found[0], None
    laplace, gaussian = found
    pairs = zip(vectors(laplace), vectors(gaussian), strict=True)
    widths = [
        (_width(one), _width(other)) for one, other in pairs if one.noise.scale > 0
    ]
    if not widths:
        return laplace, None
    by_gaussian = [_ratio(other, one) for one, other in widths]
    by_laplace = [_ratio(one, other) for one, other in widths]
    if max(by_gaussian) < max(by_laplace):
        rho = f"{float(_first(gaussian.loss)):.6g}"
        told = f"Gaussian noise was chosen: {_compared(by_gaussian)} those with Laplace"
        return gaussian, f"{told} noise; each loss is a part of rho {rho}"
    told = f"Laplace noise was chosen: {_compared(by_laplace)} those with Gaussian"
    return laplace, f"{told} noise"


def _compared(ratios: Sequence[mpq | float]) -> str:
    """Return how large the accuracies are beside those of the other way."""
    low, high = (f"{float(end):.3g}" for end in (min(ratios), max(ratios)))
    return f"its accuracies are {low if low == high else f'{low} to {high}'} times"


def _width(noisy: Noisy) -> float:
    width = noisy.noise.width(_LEVEL)
    return math.inf if width is None else width


def _ratio(one: float, other: float) -> mpq | float:
    """Return how large one accuracy is beside another, of which both may be 0."""
    if one == other:
        return mpq(1)
    if other == 0 or math.inf in (one, other):
        return math.inf if one > other else mpq(0)
    return mpq(one) / mpq(other)
