"""The distance of two numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import attrs

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.type_arguments import TypeArgument
from opendp_lite.exact.rationals import Extended

if TYPE_CHECKING:
    pass
from opendp_lite.core.metrics.numbers import NumberMetric, gap

__all__ = [
    "AbsoluteDistance",
    "absolute_distance",
]


@attrs.frozen(repr=False)
class AbsoluteDistance(NumberMetric):
    """|x - y| of two numbers."""

    vector: ClassVar[bool] = False

    def distance(self, x: Data, y: Data) -> Extended:
        """Return |x - y| exactly."""
        return gap(x, y)


def absolute_distance(T: TypeArgument) -> AbsoluteDistance:
    """Return the absolute distance between numbers, with distances of type `T`.

    :param T: type of the distances: int, float or Fraction

    >>> absolute_distance(T=int).distance(3, -4)
    7
    """
    return AbsoluteDistance(T)
