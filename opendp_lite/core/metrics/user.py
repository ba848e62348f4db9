"""Metrics of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.aliases import Data, Distance, ExactDistance
from opendp_lite.core.arguments import (
    check_user_part,
    user_at_most,
    user_distance_argument,
)
from opendp_lite.core.errors import OpenDPException, printed
from opendp_lite.core.metrics.metric import Metric, present_number

if TYPE_CHECKING:
    pass

__all__ = [
    "UserDistance",
    "user_distance",
]


@attrs.frozen(repr=False)
class UserDistance(Metric):
    """A metric of the user's own; equal to another by identifier and descriptor."""

    identifier: str
    descriptor: Any = None
    measure: Callable[[Any, Any], Any] | None = attrs.field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        fix = "Pass a name that no other user metric has"
        check_user_part("MetricSpace", self, fix)

    def distance(self, x: Data, y: Data) -> Any:
        """Return what the user's function says."""
        if self.measure is None:
            raise OpenDPException(
                "MetricSpace",
                f"{self!r} was made without a function to measure with. "
                "Pass user_distance(identifier, distance=...).",
            )
        return self.parse(self.measure(x, y), "distance")

    @property
    def measures(self) -> bool:
        """Whether the user gave a function to measure with."""
        return self.measure is not None

    def no_distances(self) -> list[Any]:
        """Return nothing: what is a distance is for the user to say."""
        return []

    def parse(self, d: Distance, name: str = "d_in") -> Any:
        """Return numbers as exact numbers and leave everything else alone."""
        return user_distance_argument(name, d)

    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        """Compare numbers, and what is none as its class says."""
        return user_at_most(d, limit)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return numbers as a person reads them, everything else as it is."""
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return that the user says what its distances mean."""
        text = f"{self!r} is a metric of your own: its distances mean what you say"
        return text, self.measure

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDistance({self.identifier!r}{tail})"


def user_distance(
    identifier: str,
    descriptor: object = None,
    *,
    distance: Callable[[Any, Any], Any] | None = None,
) -> UserDistance:
    """Return a metric of the user's own.

    What it measures cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other metric of the user has
    :param descriptor: what else tells such metrics apart
    :param distance: the function that measures, where the library shall check pairs

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_distance("edits", distance=lambda x, y: abs(x - y)).distance(3, 5)
    2
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDistance(identifier, descriptor, distance)
