"""Measures of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.aliases import ExactLoss, Loss
from opendp_lite.core.arguments import (
    check_user_part,
    user_at_most,
    user_distance_argument,
)
from opendp_lite.core.errors import printed
from opendp_lite.core.measures.measure import Measure
from opendp_lite.exact.rationals import to_loss

__all__ = [
    "UserDivergence",
    "user_divergence",
]


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

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return that the user says what its losses mean."""
        return f"{self!r} is a measure of your own: its losses mean what you say", None

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDivergence({self.identifier!r}{tail})"


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
