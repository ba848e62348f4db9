"""The metric that tells equal values from different ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.core.aliases import Data
from opendp_lite.core.domains import Domain
from opendp_lite.core.values.identity import key

if TYPE_CHECKING:
    pass
from opendp_lite.core.metrics.counting import CountingMetric

__all__ = [
    "DiscreteDistance",
    "discrete_distance",
]


@attrs.frozen(repr=False)
class DiscreteDistance(CountingMetric):
    """0 between equal values and 1 between different ones."""

    def distance(self, x: Data, y: Data) -> int:
        """Return whether the values differ, as 0 or 1."""
        return int(key(x) != key(y))

    def objection(self, domain: Domain) -> str | None:
        """Any domain will do."""
        return None

    def distances(self) -> list[Any]:
        """Return all distances that there are."""
        return [0, 1]


def discrete_distance() -> DiscreteDistance:
    """Return the discrete distance.

    >>> discrete_distance().distance("a", "b")
    1
    """
    return DiscreteDistance()
