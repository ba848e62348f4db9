"""All small data sets, and the farthest that a transformation takes neighbours apart.

The supremum of the distances of the images is the least map that is sound; it is
computed from the definition, so that a map can be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any

from opendp_lite.base.containers import rows as rows_of
from opendp_lite.core.metrics.counting import CountingMetric
from opendp_lite.data.identity import key

__all__ = ["data_sets", "distances_of_all", "pairs_of_images", "suprema"]

_KNOWN: dict[Any, list[list[Any]]] = {}


def data_sets(rows: Sequence[Any], sizes: Iterable[int]) -> list[list[Any]]:
    """Every list of these rows, of every size."""
    return [list(each) for size in sizes for each in product(rows, repeat=size)]


@cache
def _of_pattern(metric: Any, x: tuple[int, ...], y: tuple[int, ...]) -> Any:
    return metric.distance(list(x), list(y))


def _by_pattern(metric: Any, x: tuple[int, ...], y: tuple[int, ...]) -> Any:
    """The distance of rows that are numbered: numbers are given anew to each pair.

    Which rows are the same decides how many differ, and the rows themselves do not.
    """
    names: dict[int, int] = {}
    first = tuple([names.setdefault(row, len(names)) for row in x])
    return _of_pattern(
        metric, first, tuple([names.setdefault(row, len(names)) for row in y])
    )


def distances_of_all(metric: Any, left: list[Any], right: list[Any]) -> list[list[Any]]:
    """The distance of each pair; many tests ask for those of the same data sets."""
    name = metric, repr(left), repr(right)
    if name in _KNOWN:
        return _KNOWN[name]
    distance, first, second = metric.distance, left, right
    if isinstance(metric, CountingMetric):
        numbers: dict[Any, int] = {}

        def numbered(data: Any) -> Any:
            rows = map(key, rows_of(data))
            return tuple([numbers.setdefault(row, len(numbers)) for row in rows])

        def distance(x: Any, y: Any) -> Any:
            return _by_pattern(metric, x, y)

        first = [numbered(x) for x in left]
        second = first if left is right else [numbered(y) for y in right]
    if left is right:
        half = [[distance(x, y) for y in first[: i + 1]] for i, x in enumerate(first)]
        places = range(len(left))
        whole = [[half[max(i, j)][min(i, j)] for j in places] for i in places]
    else:
        whole = [[distance(x, y) for y in second] for x in first]
    _KNOWN[name] = whole
    return whole


def _images(
    made: Any, left: list[Any], right: list[Any]
) -> tuple[list[Any], dict[Any, set[tuple[int, int]]]]:
    """The different images, and the places of each pair of them, by distance of data.

    Distances are the same in both directions, so that each pair is there in one order.
    """
    images: list[Any] = []
    numbers: dict[Any, int] = {}

    def place(x: Any) -> int:
        image = made(x)
        number = numbers.setdefault(key(image), len(images))
        if number == len(images):
            images.append(image)
        return number

    first = [place(x) for x in left]
    second = first if left is right else [place(y) for y in right]
    found: dict[Any, set[tuple[int, int]]] = {}
    before = distances_of_all(made.input_metric, left, right)
    for a, distances in zip(first, before, strict=True):
        for b, d in zip(second, distances, strict=True):
            found.setdefault(d, set()).add((a, b) if a > b else (b, a))
    return images, found


def pairs_of_images(
    made: Any, left: list[Any], right: list[Any]
) -> dict[Any, list[tuple[Any, Any]]]:
    """For each distance of data sets, what two that are so far apart are taken to.

    Data sets that are taken to the same stand for each other: each pair is there once.
    """
    images, found = _images(made, left, right)
    return {d: [(images[a], images[b]) for a, b in pairs] for d, pairs in found.items()}


def suprema(made: Any, data: list[Any], distances: Sequence[int]) -> list[Any]:
    """For each d, the greatest distance of the images of members within d."""
    images, found = _images(made, data, data)
    after = distances_of_all(made.output_metric, images, images)
    greatest = {d: max(after[a][b] for a, b in pairs) for d, pairs in found.items()}
    return [max(out for d, out in greatest.items() if d <= e) for e in distances]
