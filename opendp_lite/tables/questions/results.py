"""The answer of a query about a table: columns with intervals, made of its releases.

It is post-processing: what is here sees noisy integers, the law of the noise and what
is public of the query. Intervals are those of the bounded data;
`tables/answers/estimates.py` computes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.base.arguments import rational_argument
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.solving.refused import refused
from opendp_lite.tables.aggregates import Aggregate, Centred
from opendp_lite.tables.answers.estimates import (
    Ends,
    Noise,
    bins,
    mean,
    mean_accuracy,
    real,
    variance,
    whole,
)
from opendp_lite.tables.answers.outputs import Column
from opendp_lite.tables.answers.quantiles import quantiles
from opendp_lite.transformations.quantiles import quantile_level

Wanted: TypeAlias = tuple[Any, ...]
"""What is asked for as a vector: ("people",), ("rows",), ("sum", text, k), ..."""

Maker: TypeAlias = Callable[..., Ends]
"""What makes the numbers of an aggregate, and their ends, of those of its vectors."""

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


def level_argument(alpha: object) -> mpq | None:
    """Return how rarely an interval may miss, exact; None for no intervals.

    :param alpha: above 0 and below 1, or None
    """
    if alpha is None:
        return None
    level: mpq = rational_argument("Context", "alpha", alpha, fix=_LEVEL_FIX)
    if not 0 < level < 1:
        raise refused("alpha", alpha, "must be above 0 and below 1", _LEVEL_FIX)
    return level


def needed_level(alpha: object) -> mpq:
    """Return how rarely noise may be larger than the accuracy, or refuse None."""
    level = level_argument(alpha)
    if level is None:
        rule = "says how rarely noise may be larger than the accuracy"
        raise refused("alpha", None, rule, "Pass a number such as 0.05")
    return level


def column_names(asked: Asked) -> list[str]:
    """Return the columns that an aggregate makes, without their intervals."""
    kind, name = asked.aggregate, asked.name
    if kind.kind == "quantiles":
        levels = map(quantile_level, kind.option("alphas"))
        return [f"{name}_{float(each):g}" for each in levels]
    if kind.kind == "histogram":
        return [f"{name}_{each}" for each in range(len(kind.option("edges")) + 1)]
    return [name]


def makers(
    asked: Iterable[Asked], noises: Mapping[Wanted, Noise], alpha: mpq | None
) -> list[Maker]:
    """Return for each aggregate what makes its numbers, before anything is released.

    What could be wrong with levels and noise is found here, where nothing is spent yet.

    :param asked: the aggregates
    :param noises: of the vectors
    :param alpha: how rarely an interval may miss its number; None for no intervals
    """
    level = mpq(1, 2) if alpha is None else alpha
    return [
        _MAKERS[each.aggregate.kind](each, [noises[w] for w in each.wanted], level)
        for each in asked
    ]


def accuracy_about(
    asked: Asked, noises: Mapping[Wanted, Noise], alpha: mpq, rows: int | None
) -> float | None:
    """Return how near an aggregate is to that of the bounded data, rounded up.

    Its numbers are farther off with probability at most alpha, each by itself.
    Variances and quantiles tell no accuracy, as it depends on the data.

    :param asked: the aggregate
    :param noises: of the vectors
    :param alpha: above 0 and below 1
    :param rows: of how many rows a mean is; None makes the accuracy of a mean None
    """
    made_of, kind = [noises[w] for w in asked.wanted], asked.aggregate.kind
    if kind in ("variance", "quantiles") or (kind == "mean" and rows is None):
        return None
    if kind == "mean":
        middle = asked.middle
        assert middle is not None
        assert rows is not None
        size = middle.bounds, rows
        widths = _widths(made_of, alpha)
        unit = made_of[1].unit
        return round_up(mean_accuracy(widths, unit, to_mpq(middle.size), *size))
    (noise,) = made_of
    width = noise.width(alpha)
    return math.inf if width is None else round_up(width * noise.unit)


def answered(
    keys: Sequence[tuple[str, type]],
    order: Sequence[tuple[Any, ...]],
    asked: Iterable[tuple[Asked, Maker]],
    released: Mapping[Wanted, Sequence[Any]],
    intervals: bool,
) -> list[Column]:
    """Return the columns of the answer: keys, then each aggregate with its interval.

    :param keys: the key columns and their types
    :param order: the keys, row by row
    :param asked: the aggregates, and what makes their numbers
    :param released: the vectors, each as long as there are keys
    :param intervals: whether they are asked for
    """
    columns: list[Column] = [
        (name, T, [key[place] for key in order]) for place, (name, T) in enumerate(keys)
    ]
    suffixes = ("", "_low", "_high")
    for each, make in asked:
        names = [f"{name}{end}" for name in column_names(each) for end in suffixes]
        rows = zip(*(released[wanted] for wanted in each.wanted), strict=True)
        made = list(zip(*starmap(make, rows), strict=True)) or [()] * len(names)
        kind = each.aggregate.kind
        floats = each.real or kind in ("mean", "variance", "quantiles")
        for place, (name, values) in enumerate(zip(names, made, strict=True)):
            if intervals or place % len(suffixes) == 0:
                columns.append((name, float if floats else int, values))
    return columns


def _single(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """People, rows, sums and numbers of different values."""
    (noise,) = noises
    width = noise.width(alpha)
    return real(width, noise.unit) if asked.real else whole(width)


def _widths(noises: Sequence[Noise], alpha: mpq) -> Any:
    """Return the widths of vectors: each has its part of alpha, if it has noise."""
    parts = max(1, sum(noise.scale > 0 for noise in noises))
    return tuple(noise.width(alpha / parts) for noise in noises)


def _ratio(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """Means and variances."""
    widths = _widths(noises, alpha)
    unit, *others = (noise.unit for noise in noises[1:])
    middle, kind = asked.middle, asked.aggregate
    assert middle is not None
    if kind.kind == "mean":
        return mean(widths, unit, to_mpq(middle.centre), middle.bounds)
    assert asked.most is not None
    return variance(widths, (unit, others[0]), kind.option("ddof"), asked.most)


def _bins(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """Histograms: the bins one by one."""
    return bins(noises[0].width(alpha))


def _quantiles(asked: Asked, noises: list[Noise], alpha: mpq) -> Maker:
    """Quantiles: each between two edges."""
    given = asked.aggregate.option("alphas")
    levels = [to_mpq(quantile_level(each)) for each in given]
    return quantiles(levels, asked.edges, noises[0], alpha)


_MAKERS: dict[str, Callable[[Asked, list[Noise], mpq], Maker]] = {
    **dict.fromkeys(("people", "count", "sum", "n_unique", "misfits"), _single),
    **dict.fromkeys(("mean", "variance"), _ratio),
    "histogram": _bins,
    "quantiles": _quantiles,
}
