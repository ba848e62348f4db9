"""A kind of metric that the library does not have: how far the hand of a clock goes."""

from __future__ import annotations

import math
from typing import Any

import attrs
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.arguments import distance_argument


@attrs.frozen
class ClockDistance(dp.Metric):
    """Hours between two hours of a clock of 12, the short way round."""

    def distance(self, x: int, y: int) -> int:
        """Return the hours of the short way."""
        forth = (x - y) % 12
        return min(forth, 12 - forth)

    def parse(self, d: Any, name: str = "d_in") -> Any:
        """Return the hours as an int, or infinity."""
        return distance_argument(name, d, "Pass a number of hours", whole=True)

    def objection(self, domain: dp.Domain) -> str | None:
        """Only what says that its values are integers has hours."""
        return None if domain.atom_type is int else "it compares hours"

    @classmethod
    def of_type(cls, T: Any) -> ClockDistance | None:
        """Return the metric: hours are integers."""
        return cls() if T in (None, int) else None

    def distances(self) -> list[Any]:
        """No hours are further apart than 6."""
        return [0, 1, 2, 6, math.inf]

    def near(self, domain: dp.Domain, x: Any) -> st.SearchStrategy[Any]:
        """An hour earlier or later."""
        return domain.moved(x)
