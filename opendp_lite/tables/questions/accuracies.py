"""How near the answers of a query are, before it is asked; and the inverse of that.

All of it is computed from the laws of the noise and from what is public of the query.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from gmpy2 import mpq

from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.solving.budgets import goal_argument
from opendp_lite.solving.refused import refused
from opendp_lite.tables.answers.previews import MeanRow, PreviewRow
from opendp_lite.tables.questions.noise import Noisy, noises_of
from opendp_lite.tables.questions.results import Asked, accuracy_about

_NAMES_FIX = "Pass a number for all aggregates, or a dict such as {'people': 10}"


def preview_rows(vectors: Iterable[Noisy], level: mpq) -> tuple[PreviewRow, ...]:
    """Return what is known of each vector.

    :param vectors: with their noise
    :param level: how rarely noise may be larger than the accuracy
    """
    rows = []
    for each in vectors:
        noise, unit = each.noise, each.vector.unit
        width = noise.width(level)
        law = "Laplace" if noise.law == LAPLACE else "Gaussian"
        row = PreviewRow(
            each.vector.name,
            each.vector.words,
            "exact" if noise.scale == 0 else f"Integer {law}",
            round_up(each.share),
            each.sensitivity(),
            round_up(noise.scale * unit),
            math.inf if width is None else round_up(width * unit),
        )
        rows.append(row)
    return tuple(rows)


def mean_rows(
    asked: Iterable[Asked], vectors: Iterable[Noisy], level: mpq, about: Iterable[int]
) -> tuple[MeanRow, ...]:
    """Return how near each mean is, for some numbers of rows.

    :param asked: the aggregates
    :param vectors: with their noise
    :param level: how rarely a mean may be farther away
    :param about: the numbers of rows
    """
    noises, sizes = noises_of(vectors), tuple(about)
    rows = []
    for each in asked:
        for n in sizes if each.aggregate.kind == "mean" else ():
            accuracy = accuracy_about(each, noises, level, n)
            assert accuracy is not None
            rows.append(MeanRow(each.name, n, accuracy))
    return tuple(rows)


def goals_argument(
    accuracy: object, asked: Sequence[Asked], about: object
) -> dict[str, mpq]:
    """Return how far aggregates may be off, by their names, or refuse what is unclear.

    :param accuracy: a number for all aggregates, or a dict of names and numbers
    :param asked: the aggregates
    :param about: of how many rows a mean is, or None
    """
    kinds = {each.name: each.aggregate.kind for each in asked}
    given = dict.fromkeys(kinds, accuracy)
    if isinstance(accuracy, Mapping):
        assert isinstance(accuracy, Mapping)
        given = dict(accuracy)
        if not given:
            raise refused("accuracy", {}, "names no aggregate", _NAMES_FIX)
    goals = {}
    for name, value in given.items():
        if name not in kinds:
            rule = f"is none of the aggregates {', '.join(kinds)}"
            raise refused("accuracy", name, rule, _NAMES_FIX)
        if kinds[name] in ("variance", "quantiles"):
            rule = f"names a {kinds[name]}, whose accuracy depends on the data"
            fix = "Pass a dict without it, such as accuracy={'people': 10}"
            raise refused("accuracy", name, rule, fix)
        if kinds[name] == "mean" and about is None:
            rule = "is needed: the accuracy of a mean depends on the number of rows"
            fix = "Pass about how many rows a group has, such as about=1000"
            raise refused("about", None, rule, fix)
        goals[name] = goal_argument(f"accuracy[{name!r}]", value)
    return goals


def are_reached(
    goals: Mapping[str, mpq],
    asked: Iterable[Asked],
    vectors: Iterable[Noisy],
    level: mpq,
    rows: int | None,
) -> bool:
    """Return whether each aggregate is as near as it is to be.

    :param goals: how far aggregates may be off, by their names
    :param asked: the aggregates
    :param vectors: with their noise
    :param level: how rarely an aggregate may be farther off
    :param rows: of how many rows a mean is
    """
    noises = noises_of(vectors)
    for each in asked:
        if each.name in goals:
            accuracy = accuracy_about(each, noises, level, rows)
            if accuracy is None or accuracy > goals[each.name]:
                return False
    return True
