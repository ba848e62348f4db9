"""All small data sets, and the farthest that a transformation takes neighbours apart.

The supremum of the distances of the images is the least map that is sound; it is
computed from the definition, so that a map can be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

__all__ = ["data_sets", "distances_of_all", "suprema"]

_KNOWN: dict[Any, list[list[Any]]] = {}


def data_sets(rows: Sequence[Any], sizes: Iterable[int]) -> list[list[Any]]:
    """Every list of these rows, of every size."""
    return [list(each) for size in sizes for each in product(rows, repeat=size)]


def distances_of_all(metric: Any, left: list[Any], right: list[Any]) -> list[list[Any]]:
    """The distance of each pair; many tests ask for those of the same data sets."""
    name = metric, repr(left), repr(right)
    if name not in _KNOWN and left is right:
        half = [
            [metric.distance(x, y) for y in left[: i + 1]] for i, x in enumerate(left)
        ]
        places = range(len(left))
        whole = [[half[max(i, j)][min(i, j)] for j in places] for i in places]
        _KNOWN[name] = whole
    elif name not in _KNOWN:
        _KNOWN[name] = [[metric.distance(x, y) for y in right] for x in left]
    return _KNOWN[name]


def suprema(made: Any, data: list[list[Any]], distances: Sequence[int]) -> list[Any]:
    """For each d, the greatest distance of the images of members within d.

    Distances are the same in both directions, so that each pair is asked for once.
    """
    images = [made(x) for x in data]
    before = distances_of_all(made.input_metric, data, data)
    apart = [
        (before[i][j], made.output_metric.distance(fx, fy))
        for i, fx in enumerate(images)
        for j, fy in enumerate(images[: i + 1])
    ]
    return [max(out for before, out in apart if before <= d) for d in distances]
