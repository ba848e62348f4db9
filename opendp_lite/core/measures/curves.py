"""Measures whose losses are curves.

`RenyiDivergence` leads from alpha to epsilon, `SmoothedMaxDivergence` from epsilon to
delta.
"""

from __future__ import annotations

from typing import Any

import attrs

from opendp_lite.base.aliases import ExactLoss, Value
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.core.measures.measure import LOSS_FIX, Measure
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.measures.profiles import PrivacyProfile
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.rationals import Extended, to_loss


@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    """Losses are functions; they can be evaluated, not ordered."""

    def parse(self, loss: Value, name: str = "d_out") -> Any:
        """Return the curve as a function between exact numbers.

        `loss` is given a Fraction (or inf) and may return any kind of number.
        """
        if not callable(loss):
            rule = "must be a function, as the losses of this measure are curves"
            raise refusal("InvalidDistance", name, loss, rule, "Pass a function")

        def curve(point: Extended) -> Extended:
            value: Extended = rational_argument(
                "InvalidDistance",
                f"{name}(point)",
                loss(present_number(point, exact=True)),
                fix=LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return value

        return curve

    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        """Refuse: two functions cannot be compared at every point."""
        raise OpenDPException(
            "Unsupported",
            f"losses under {self!r} are curves, and curves cannot be compared at every "
            "point. Evaluate .map(d_in) at the point you need, or convert the "
            "measurement to another measure.",
        )

    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        """Return a curve whose values are as a person reads them."""

        def curve(point: object) -> Any:
            at = rational_argument(
                "InvalidDistance",
                "point",
                point,
                fix=LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return super(_CurveMeasure, self).present(loss(at), exact)

        return curve


@attrs.frozen(repr=False)
class RenyiDivergence(_CurveMeasure):
    """Renyi DP: D_alpha(P || P') <= epsilon(alpha) for every alpha > 1."""

    @property
    def distance_type(self) -> str:
        """The type of the losses, as text."""
        return "Function<float, float>"

    @property
    def processed(self) -> bool:
        """It obeys the data processing inequality."""
        return True


@attrs.frozen(repr=False)
class SmoothedMaxDivergence(_CurveMeasure):
    """Approximate DP as a profile: delta(epsilon) for every epsilon >= 0."""

    def present(self, loss: ExactLoss, exact: bool = False) -> PrivacyProfile:
        """Return the profile, which also says which epsilon goes with a delta."""
        return PrivacyProfile(loss, exact)  # proof: profile

    @property
    def distance_type(self) -> str:
        """The type of the losses, as text."""
        return "PrivacyProfile"

    @property
    def processed(self) -> bool:
        """It obeys the data processing inequality."""
        return True

    @property
    def inner_measure(self) -> Measure:
        """The losses are epsilons."""
        return MaxDivergence()

    def claim(self, loss: ExactLoss, point: Extended) -> tuple[Any, Any]:
        """Return the epsilon at which the profile is asked, and its delta."""
        return point, loss(point)


def renyi_divergence() -> RenyiDivergence:
    """Return the measure of Renyi differential privacy.

    >>> renyi_divergence()
    RenyiDivergence()
    """
    return RenyiDivergence()


def smoothed_max_divergence() -> SmoothedMaxDivergence:
    """Return the measure whose losses are profiles delta(epsilon).

    >>> smoothed_max_divergence()
    SmoothedMaxDivergence()
    """
    return SmoothedMaxDivergence()
