"""The LInf distance of two vectors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import attrs

from opendp_lite.core.aliases import Data
from opendp_lite.core.arguments import (
    check_type,
)
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.values.containers import rows
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.exact.rationals import Extended

if TYPE_CHECKING:
    pass
from opendp_lite.core.metrics.numbers import NumberMetric, vector_gaps

__all__ = [
    "LInfDistance",
    "linf_distance",
]


@attrs.frozen(repr=False)
class LInfDistance(NumberMetric):
    """The greatest |x_i - y_i|; if `monotonic`, finite only when all signs agree."""

    monotonic: bool = False

    def __attrs_post_init__(self) -> None:
        fix = "Pass True or False"
        check_type("MetricSpace", "monotonic", self.monotonic, bool, fix)

    def distance(self, x: Data, y: Data) -> Extended:
        """Return the greatest absolute difference."""
        gaps = vector_gaps(x, y)
        if gaps is None:
            return math.inf
        if self.monotonic:
            pairs = list(zip(rows(x), rows(y), strict=True))
            if any(a < b for a, b in pairs) and any(a > b for a, b in pairs):
                return math.inf
        return max(gaps, default=0)

    def matches(self, other: Metric) -> bool:
        """Match when both or neither are monotonic."""
        return super().matches(other) and (
            isinstance(other, LInfDistance) and self.monotonic is other.monotonic
        )

    def __repr__(self) -> str:
        monotonic = ", monotonic=True" if self.monotonic else ""
        return f"LInfDistance(T={self.T.__name__}{monotonic})"


def linf_distance(T: TypeArgument, monotonic: bool = False) -> LInfDistance:
    """Return the LInf distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction
    :param monotonic: whether neighbours may only differ in one direction

    >>> linf_distance(T=int, monotonic=True).distance([0, 0], [1, -1])
    inf
    """
    return LInfDistance(T, monotonic)
