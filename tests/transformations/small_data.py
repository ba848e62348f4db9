"""All small data sets, and the farthest that a transformation takes neighbours apart.

The supremum of the distances of the images is the least map that is sound; it is
computed from the definition, so that a map can be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

__all__ = ["data_sets", "suprema"]


def data_sets(rows: Sequence[Any], sizes: Iterable[int]) -> list[list[Any]]:
    """Every list of these rows, of every size."""
    return [list(each) for size in sizes for each in product(rows, repeat=size)]


def suprema(made: Any, data: list[list[Any]], distances: Sequence[int]) -> list[Any]:
    """For each d, the greatest distance of the images of members within d."""
    images = [made(x) for x in data]
    apart = [
        (made.input_metric.distance(x, y), made.output_metric.distance(fx, fy))
        for x, fx in zip(data, images, strict=True)
        for y, fy in zip(data, images, strict=True)
    ]
    return [max(out for before, out in apart if before <= d) for d in distances]
