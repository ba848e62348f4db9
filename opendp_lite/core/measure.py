"""Measures: how privacy loss is counted.

A loss is an exact number (`MaxDivergence`, `ZeroConcentratedDivergence`), a pair
(loss, delta) (`Approximate`), or a curve (`RenyiDivergence`: alpha to epsilon,
`SmoothedMaxDivergence`: epsilon to delta). A loss given as a float means the larger of
its binary value and the decimal it prints as, so a budget of 0.3 is 3/10.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.core.aliases import ExactLoss, Loss, Value
from opendp_lite.core.arguments import (
    check_type,
    check_user_part,
    rational_argument,
    user_at_most,
    user_distance_argument,
)
from opendp_lite.core.distance import present_number
from opendp_lite.core.errors import OpenDPException, printed, refusal
from opendp_lite.core.own import Described
from opendp_lite.exact.enclosures import ln, upper_bound
from opendp_lite.exact.rationals import Extended, to_loss

__all__ = [
    "ApproximateDivergence",
    "MaxDivergence",
    "Measure",
    "RenyiDivergence",
    "SmoothedMaxDivergence",
    "UserDivergence",
    "ZeroConcentratedDivergence",
    "approximate",
    "fixed_smoothed_max_divergence",
    "max_divergence",
    "renyi_divergence",
    "smoothed_max_divergence",
    "user_divergence",
    "zero_concentrated_divergence",
]

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
_MEASURE_FIX = "Pass for example max_divergence()"


class Measure(Described):
    """A divergence between output distributions, and the rules for losses."""

    def parse(self, loss: Loss, name: str = "d_out") -> Any:
        """Return the loss as exact numbers, or refuse it."""
        return rational_argument(
            "InvalidDistance", name, loss, fix=_LOSS_FIX, convert=to_loss, at_least=0
        )

    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        """Return whether the exact `loss` is at most the exact `limit`."""
        return bool(loss <= limit)

    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        """Return an exact loss as a person reads it: never below `loss`."""
        return present_number(loss if loss == math.inf else mpq(loss), exact)

    @property
    def inner_measure(self) -> Measure:
        """The measure of the loss, when delta is left aside."""
        return self

    def claim(self, loss: ExactLoss, point: Extended) -> tuple[Any, Any]:
        """Return the exact loss as a pair (loss, delta); of a curve, that at `point`.

        The pair is one of `inner_measure`.
        """
        return loss, 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


MeasureArgument: TypeAlias = Measure | type[Measure] | str
"""A measure, its class, or the name of its class."""


@attrs.frozen(repr=False)
class MaxDivergence(Measure):
    """Pure differential privacy: P(S) <= e^epsilon P'(S) for every event S."""

    def divergence(self, p: Mapping[Any, mpq], q: Mapping[Any, mpq]) -> Extended:
        """Return a certified upper bound on max ln(p(y)/q(y)) for finite laws.

        >>> from gmpy2 import mpq
        >>> MaxDivergence().divergence({0: mpq(1)}, {0: mpq(1)})
        0
        """
        worst = mpq(0)
        for outcome, mass in p.items():
            if mass > 0:
                other = q.get(outcome, mpq(0))
                if other <= 0:
                    return math.inf
                worst = max(worst, mass / other)
        if worst <= 1:
            return 0
        return upper_bound(lambda precision: ln(worst, precision))


@attrs.frozen(repr=False)
class ZeroConcentratedDivergence(Measure):
    """Zero-concentrated DP: D_alpha(P || P') <= rho alpha for every alpha > 1."""


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
                fix=_LOSS_FIX,
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
                fix=_LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return super(_CurveMeasure, self).present(loss(at), exact)

        return curve


@attrs.frozen(repr=False)
class RenyiDivergence(_CurveMeasure):
    """Renyi DP: D_alpha(P || P') <= epsilon(alpha) for every alpha > 1."""


@attrs.frozen(repr=False)
class SmoothedMaxDivergence(_CurveMeasure):
    """Approximate DP as a profile: delta(epsilon) for every epsilon >= 0."""

    @property
    def inner_measure(self) -> Measure:
        """The losses are epsilons."""
        return MaxDivergence()

    def claim(self, loss: ExactLoss, point: Extended) -> tuple[Any, Any]:
        """Return the epsilon at which the profile is asked, and its delta."""
        return point, loss(point)


@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    """The `inner` measure after removing events of probability delta."""

    inner: Measure

    def __attrs_post_init__(self) -> None:
        check_type("MeasureMismatch", "inner", self.inner, Measure, _MEASURE_FIX)

    def parse(self, loss: Value, name: str = "d_out") -> tuple[Any, Any]:
        """Return the pair (loss, delta) as exact numbers."""
        if not issubclass(type(loss), tuple | list) or len(loss) != 2:
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


@attrs.frozen(repr=False)
class UserDivergence(Measure):
    """A measure of the user's own; equal to another by identifier and descriptor."""

    identifier: str
    descriptor: Any = None

    def __attrs_post_init__(self) -> None:
        fix = "Pass a name that no other user measure has"
        check_user_part("MeasureMismatch", self, fix)

    def parse(self, loss: Loss, name: str = "d_out") -> Any:
        """Return numbers as exact numbers and leave everything else alone."""
        return user_distance_argument(name, loss, to_loss)

    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        """Compare numbers, and what is none as its class says."""
        return user_at_most(loss, limit)

    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        """Return numbers as a person reads them, everything else as it is."""
        numeric = any(type(loss) is each for each in (int, float, mpq))
        return super().present(loss, exact) if numeric else loss

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDivergence({self.identifier!r}{tail})"


def max_divergence() -> MaxDivergence:
    """Return the measure of pure differential privacy.

    >>> max_divergence()
    MaxDivergence()
    """
    return MaxDivergence()


def zero_concentrated_divergence() -> ZeroConcentratedDivergence:
    """Return the measure of zero-concentrated differential privacy.

    >>> zero_concentrated_divergence()
    ZeroConcentratedDivergence()
    """
    return ZeroConcentratedDivergence()


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


def approximate(measure: Measure) -> ApproximateDivergence:
    """Return the approximate (loss, delta) version of `measure`.

    :param measure: max_divergence() or zero_concentrated_divergence(), for example

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


def user_divergence(identifier: str, descriptor: object = None) -> UserDivergence:
    """Return a measure of the user's own.

    What its losses mean cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other measure of the user has
    :param descriptor: what else tells such measures apart

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_divergence("tv")
    UserDivergence('tv')
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDivergence(identifier, descriptor)
