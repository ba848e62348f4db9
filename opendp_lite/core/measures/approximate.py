"""Approximate differential privacy: a loss and a delta."""

from __future__ import annotations

from typing import Any

import attrs

from opendp_lite.base.aliases import ExactLoss, Value
from opendp_lite.base.arguments import check_type, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.exact.rationals import Extended, to_loss

_MEASURE_FIX = "Pass for example max_divergence()"


@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    """The `inner` measure after removing events of probability delta."""

    inner: Measure

    def __attrs_post_init__(self) -> None:
        check_type("MeasureMismatch", "inner", self.inner, Measure, _MEASURE_FIX)

    def parse(self, loss: Value, name: str = "d_out") -> tuple[Any, Any]:
        """Return the pair (loss, delta) as exact numbers."""
        if not isinstance(loss, tuple | list) or len(loss) != 2:
            rule, fix = "must be a pair (loss, delta)", "Pass for example (1.0, 1e-9)"
            raise refusal("InvalidDistance", name, loss, rule, fix)
        delta = rational_argument(
            "InvalidDistance",
            f"{name}[1]",
            loss[1],
            fix="Pass a probability such as 1e-9",
            convert=to_loss,
            at_least=0,
            at_most=1,
        )
        return self.inner.parse(loss[0], f"{name}[0]"), delta

    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        """Compare part by part."""
        return self.inner.at_most(loss[0], limit[0]) and bool(loss[1] <= limit[1])

    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        """Return the pair with each part as a person reads it."""
        return self.inner.present(loss[0], exact), super().present(loss[1], exact)

    def no_promise(self, loss: ExactLoss) -> str | None:
        """Return why one of the pair makes the other worth nothing, or None."""
        if loss[1] >= 1:
            return "a delta of 1 allows every release"
        return self.inner.no_promise(loss[0])

    @property
    def distance_type(self) -> str:
        """The type of the pairs, as text."""
        return f"({self.inner.distance_type}, float)"

    @property
    def processed(self) -> bool:
        """As the inner measure."""
        return self.inner.processed

    @property
    def inner_measure(self) -> Measure:
        """The measure of the first of the pair."""
        return self.inner

    def claim(self, loss: ExactLoss, point: Extended) -> tuple[Any, Any]:
        """Return the pair that the loss is."""
        first, delta = loss
        return first, delta

    def __repr__(self) -> str:
        return f"Approximate({self.inner!r})"


def approximate(measure: Measure) -> ApproximateDivergence:
    """Return the approximate (loss, delta) version of `measure`.

    :param measure: max_divergence() or zero_concentrated_divergence(), for example

    >>> from opendp_lite.core.measures.plain import max_divergence
    >>> approximate(max_divergence())
    Approximate(MaxDivergence())
    """
    check_type("MeasureMismatch", "measure", measure, Measure, _MEASURE_FIX)
    return ApproximateDivergence(measure)


def fixed_smoothed_max_divergence() -> ApproximateDivergence:
    """Return `approximate(max_divergence())`, by the name OpenDP once gave it.

    >>> fixed_smoothed_max_divergence()
    Approximate(MaxDivergence())
    """
    return approximate(max_divergence())
