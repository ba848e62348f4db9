"""A kind of domain that the library does not have: the hours of a clock."""

from __future__ import annotations

from typing import Any

import attrs
from hypothesis import strategies as st

import opendp_lite.prelude as dp


@attrs.frozen(repr=False)
class ClockDomain(dp.Domain):
    """The integers from 0 up to, and without, `hours`."""

    hours: int

    def member(self, value: Any) -> bool:
        """Return whether the value is an hour."""
        return type(value) is int and 0 <= value < self.hours

    def rule(self) -> str:
        """Return the rule as constant text."""
        return f"an int from 0 to {self.hours - 1}"

    def members(self) -> st.SearchStrategy[int]:
        """All hours."""
        return st.integers(0, self.hours - 1)

    def extremes(self) -> list[int]:
        """The hours before and after midnight."""
        return [0, self.hours - 1]

    def outside(self) -> list[int]:
        """The hours that are none."""
        return [-1, self.hours]

    def moved(self, x: int) -> st.SearchStrategy[int]:
        """An hour earlier or later."""
        steps = [(x + step) % self.hours for step in (-1, 0, 1)]
        return st.sampled_from(steps)

    @property
    def usual_metric(self) -> Any:
        """Hours are as far apart as the hand has to go."""
        from tests.kinds.clock_distance import ClockDistance

        return ClockDistance

    @property
    def atom_type(self) -> type:
        """Hours are integers."""
        return int

    def __repr__(self) -> str:
        return f"ClockDomain({self.hours})"
