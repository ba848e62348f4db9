"""Scores of candidates for a quantile: by definition, by form, and against OpenDP."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import opendp.prelude as theirs
import pytest

import opendp_lite.prelude as dp
from opendp_lite.transformations.quantiles import quantile_level
from tests.rows import for_each
from tests.transformations.small_data import pairs_of_images


def make(
    candidates: Any,
    alpha: Any = 0.5,
    T: Any = int,
    size: int | None = None,
    metric: Any = None,
) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    space = dp.vector_domain(atom, size), metric or dp.symmetric_distance()
    return dp.t.make_quantile_score_candidates(*space, candidates, alpha)


def by_definition(data: Any, candidates: Any, alpha: Fraction) -> list[int]:
    p, q = alpha.numerator, alpha.denominator
    return [
        abs((q - p) * sum(x < c for x in data) - p * sum(x > c for x in data))
        for c in candidates
    ]


INF = math.inf
DATA: list[tuple[Any, Any, Any]] = [
    (int, [3, 1, 1, 7, -2, 10**30], [-5, 1, 2, 7, 10**40]),
    (float, [0.1, 0.3, 0.1, -0.0, INF, -INF, 5], [-INF, 0, 0.1, 0.2, 5, INF]),
    (Fraction, [Fraction(1, 3), 0, Fraction(2, 3)], [0, Fraction(1, 3), 1]),
    (int, [], [0, 1]),
]


@for_each(("T", "data", "candidates"), DATA)
@for_each("alpha", [0, 1, 0.5, "1/3", 0.1])
def test_the_scores_are_those_of_the_definition(
    T: Any, data: Any, candidates: Any, alpha: Any
) -> None:
    scores = make(candidates, alpha, T)(data)
    assert scores == by_definition(data, candidates, quantile_level(alpha))
    assert {type(score) for score in scores} <= {int}


@for_each("dtype", ["i1", "i2", ">i4", "i8", "u1", "u8", "f2", "f4", ">f8", "f8"])
@for_each("candidates", [[1, 3, 100], [-1, 0, 5], [0, 2**63, 2**64]])
def test_arrays_are_compared_exactly(dtype: str, candidates: list[int]) -> None:
    data = np.array([0, 1, 1, 3, 4, 5, 100, 101, 99], dtype)[::-1]
    T = float if data.dtype.kind == "f" else int
    cuts = [float(c) for c in candidates] if T is float else candidates
    assert make(cuts, "1/3", T)(data) == by_definition(
        data.tolist(), cuts, Fraction(1, 3)
    )


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_words_near_the_ends_of_their_range(kind: Any) -> None:
    info = np.iinfo(kind)
    low, high = int(info.min), int(info.max)
    data = np.array([low, low + 1, high - 1, high, high], kind)
    candidates = [low, low + 1, high - 1, high]
    for cuts in (candidates, [low - 1, *candidates, high + 1]):
        assert make(cuts)(data) == by_definition(data.tolist(), cuts, Fraction(1, 2))


@for_each(
    ("alpha", "level"),
    [
        (0.1, Fraction(1, 10)),
        (1 / 3, Fraction(1, 3)),
        (0.99999, Fraction(99999, 100000)),
        (1e-9, Fraction(0)),
        ("1/7", Fraction(1, 7)),
        (1, Fraction(1)),
    ],
)
def test_the_level_is_the_near_simple_fraction(alpha: Any, level: Fraction) -> None:
    assert quantile_level(alpha) == level


METRICS = [
    (dp.symmetric_distance(), None),
    (dp.symmetric_distance(), 3),
    (dp.change_one_distance(), None),
]


@for_each(("metric", "size"), METRICS)
@for_each("alpha", ["0", "1/3", "1/2", "3/4", "1"])
def test_the_map_is_reached_and_not_passed(metric: Any, size: Any, alpha: str) -> None:
    """Over all data sets of at most three rows, of five values."""
    score = make([1, 3], alpha, metric=metric, size=size)
    sizes = [3] if size else range(4)
    data = [[*rows] for n in sizes for rows in product(range(5), repeat=n)]
    worst = {
        d: max(abs(a - b) for pair in pairs for a, b in zip(*pair, strict=True))
        for d, pairs in pairs_of_images(score, data, data).items()
        if d <= 2
    }
    assert worst
    for d, change in worst.items():
        assert change <= score.map(d)
    least = min(d for d in worst if d)
    assert worst[least] == score.map(least)


@for_each("size", [None, 7])
@for_each("metric", ["symmetric_distance", "insert_delete_distance"])
@for_each("alpha", [0.0, 0.25, 0.5, 1.0])
def test_scores_and_map_are_those_of_opendp(
    size: int | None, metric: str, alpha: float
) -> None:
    """Where OpenDP does not round alpha."""
    theirs.enable_features("contrib")
    other = theirs.t.make_quantile_score_candidates(
        theirs.vector_domain(theirs.atom_domain(T=int), size),
        getattr(theirs, metric)(),
        [0, 10, 20, 30],
        alpha,
    )
    mine = make([0, 10, 20, 30], alpha, size=size, metric=getattr(dp, metric)())
    for data in ([1, 2, 3, 10, 11, 12, 20], [0] * 7, [30, 31, 5, 4, 10, 10, 10]):
        assert mine(data) == other(data)
    for d_in in range(6):
        assert mine.map(d_in) == other.map(d_in)
