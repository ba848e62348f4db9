"""The L1 distance of two vectors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import attrs

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.exact.rationals import Extended

if TYPE_CHECKING:
    pass
from opendp_lite.core.metrics.numbers import NumberMetric, vector_gaps

__all__ = [
    "L1Distance",
    "l1_distance",
]


@attrs.frozen(repr=False)
class L1Distance(NumberMetric):
    """The sum of |x_i - y_i|."""

    def distance(self, x: Data, y: Data) -> Extended:
        """Return the sum of the absolute differences."""
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)


def l1_distance(T: TypeArgument) -> L1Distance:
    """Return the L1 distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction

    >>> l1_distance(T=int).distance([0, 1], [2, 0])
    3
    """
    return L1Distance(T)
