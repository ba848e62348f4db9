"""The answer of a query about a table: columns with intervals, made of its releases.

It is post-processing: what is here sees noisy integers, the law of the noise and what
is public of the query. How intervals come about says `tables/answers/estimates.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.context.errors import ContextError
from opendp_lite.core.arguments import rational_argument
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.tables.aggregates import Aggregate, Centred
from opendp_lite.tables.answers.estimates import (
    Ends,
    Noise,
    mean,
    quantile_edges,
    real,
    variance,
    whole,
)
from opendp_lite.tables.answers.outputs import Column
from opendp_lite.transformations.quantiles import quantile_level
from opendp_lite.transformations.trees.shares import make_quantiles_from_counts

__all__ = ["Asked", "Released", "answered", "column_names", "level_argument"]

Wanted: TypeAlias = tuple[Any, ...]
"""What is asked for as a vector: ("people",), ("rows",), ("sum", text, k), ..."""

_LEVEL_FIX = "Pass how rarely an interval may miss, such as alpha=0.05, or None"


@attrs.frozen(eq=False)
class Asked:
    """An aggregate by its name, and the vectors that it is made of, in their order.

    `middle` is of means and variances, `edges` of quantiles: the bounds and what lies
    between them; and `most` the greatest square of a variance.
    """

    name: str
    aggregate: Aggregate
    wanted: tuple[Wanted, ...]
    real: bool = False
    middle: Centred | None = None
    edges: tuple[Any, ...] = ()
    most: mpq | None = None


@attrs.frozen(eq=False)
class Released:
    """A vector that was released, and its noise; of bins, one list for each key."""

    values: Sequence[Any]
    noise: Noise


def level_argument(alpha: object) -> mpq | None:
    """Return how rarely an interval may miss, exact; None for no intervals.

    :param alpha: above 0 and below 1, or None
    """
    if alpha is None:
        return None
    level: mpq = rational_argument("Context", "alpha", alpha, fix=_LEVEL_FIX)
    if not 0 < level < 1:
        raise ContextError(
            "Context", f"alpha={alpha}: must be above 0 and below 1. {_LEVEL_FIX}."
        )
    return level


def column_names(asked: Asked) -> list[str]:
    """Return the columns that an aggregate makes, without their intervals."""
    kind, name = asked.aggregate, asked.name
    if kind.kind == "quantiles":
        return [f"{name}_{float(each):g}" for each in kind.option("alphas")]
    if kind.kind == "histogram":
        return [f"{name}_{each}" for each in range(len(kind.option("edges")) + 1)]
    return [name]


def answered(
    keys: Sequence[tuple[str, type]],
    order: Sequence[tuple[Any, ...]],
    asked: Iterable[Asked],
    released: dict[Wanted, Released],
    alpha: mpq | None,
) -> list[Column]:
    """Return the columns of the answer: keys, then each aggregate with its interval.

    :param keys: the key columns and their types
    :param order: the keys, row by row
    :param asked: the aggregates
    :param released: the vectors, each as long as there are keys
    :param alpha: how rarely an interval may miss its number; None for no intervals
    """
    columns: list[Column] = [
        (name, T, [key[place] for key in order]) for place, (name, T) in enumerate(keys)
    ]
    for each in asked:
        vectors = [released[wanted] for wanted in each.wanted]
        level = mpq(1, 2) if alpha is None else alpha
        rows = [list(row) for row in zip(*(v.values for v in vectors), strict=True)]
        noises = [v.noise for v in vectors]
        make = _MAKERS[each.aggregate.kind](each, noises, level)
        made = [list(make(row)) for row in rows]
        for place, name in enumerate(column_names(each)):
            ends = [row[place] for row in made]
            suffixes = ("",) if alpha is None else ("", "_low", "_high")
            for end, suffix in enumerate(suffixes):
                values = [number[end] for number in ends]
                columns.append((f"{name}{suffix}", _type(each), values))
    return columns


def _type(asked: Asked) -> type:
    """Return the type of the numbers of an aggregate."""
    kind = asked.aggregate.kind
    return float if asked.real or kind in ("mean", "variance", "quantiles") else int


Maker: TypeAlias = Callable[[list[Any]], Iterator[Ends]]


def _single(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """People, rows, sums and numbers of different values."""
    (noise,) = noises
    width = noise.width(alpha)

    def make(row: list[Any]) -> Iterator[Ends]:
        if asked.real:
            yield real(row[0], width, noise.unit)
        else:
            yield whole(row[0], width)

    return make


def _ratio(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """Means and variances: each vector has its part of alpha, if it has noise."""
    parts = max(1, sum(noise.scale > 0 for noise in noises))
    widths = [noise.width(alpha / parts) for noise in noises]
    middle, kind = asked.middle, asked.aggregate
    assert middle is not None
    centre = to_mpq(middle.centre)

    def make(row: list[Any]) -> Iterator[Ends]:
        ends = [
            (value * noise.unit, (value - w) * noise.unit, (value + w) * noise.unit)
            for value, w, noise in zip(row, widths, noises, strict=True)
        ]
        if kind.kind == "mean":
            yield mean(ends[1], ends[0], centre, middle.bounds)
        else:
            assert asked.most is not None
            rows, total, squares = ends
            yield variance(squares, total, rows, kind.option("ddof"), asked.most)

    return make


def _bins(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """Histograms: the bins one by one."""
    width = noises[0].width(alpha)

    def make(row: list[Any]) -> Iterator[Ends]:
        for value in row[0]:
            yield whole(value, width)

    return make


def _quantiles(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """Quantiles: each between two edges."""
    given, edges = asked.aggregate.option("alphas"), asked.edges
    find = make_quantiles_from_counts(edges, given)
    levels = [to_mpq(quantile_level(each)) for each in given]

    def make(row: list[Any]) -> Iterator[Ends]:
        for value, level in zip(find(row[0]), levels, strict=True):
            low, high = quantile_edges(row[0], edges, level, noises[0], alpha)
            yield value, round_down(to_mpq(low)), round_up(to_mpq(high))

    return make


_MAKERS: dict[str, Callable[[Asked, list[Noise], mpq], Maker]] = {
    **dict.fromkeys(("people", "count", "sum", "n_unique"), _single),
    **dict.fromkeys(("mean", "variance"), _ratio),
    "histogram": _bins,
    "quantiles": _quantiles,
}
