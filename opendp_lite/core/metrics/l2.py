"""The L2 distance of two vectors."""

from __future__ import annotations

import math

import attrs

from opendp_lite.core.aliases import Data, Distance
from opendp_lite.core.metrics.numbers import NumberMetric, sum_of_squares, vector_gaps
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import Rooted, root

__all__ = [
    "L2Distance",
    "l2_distance",
]


@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    """The square root of the sum of (x_i - y_i)^2."""

    def squared(self, x: Data, y: Data) -> Extended:
        """Return the sum of the squared differences, exactly."""
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum_of_squares(gaps)

    def distance(self, x: Data, y: Data) -> Rooted:
        """Return the distance, exactly: a `Root` where it is irrational."""
        return root(self.squared(x, y))

    def within(self, x: Data, y: Data, d: Distance) -> bool:
        """Compare squares, so that nothing is rounded."""
        limit = self.parse(d, "d")
        return bool(self.squared(x, y) <= limit * limit)


def l2_distance(T: TypeArgument) -> L2Distance:
    """Return the L2 distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction

    >>> l2_distance(T=int).within([0, 0], [3, 4], 5)
    True
    """
    return L2Distance(T)
