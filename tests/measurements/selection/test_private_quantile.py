"""make_private_quantile: what it selects, what it loses, and OpenDP's maps."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import opendp.prelude as theirs
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.measurements.selection import private_quantile
from opendp_lite.testing import state_flakiness
from tests.rows import for_each

PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()


def make(
    candidates: Any,
    alpha: Any = 0.5,
    scale: Any = 1,
    measure: Any = PURE,
    T: Any = int,
    size: int | None = None,
    metric: Any = None,
) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    space = dp.vector_domain(atom, size), metric or dp.symmetric_distance()
    return dp.m.make_private_quantile(*space, measure, candidates, alpha, scale)


@pytest.mark.parametrize("measure", [PURE, CONCENTRATED])
def test_quantiles_of_many_rows(measure: Any) -> None:
    """Finds a release that is off by more than 600 rows.

    A miss by 100 rows has a probability below 1e-15, and there are nine releases.
    """
    state_flakiness("1e-14")
    data = np.arange(100_001)
    candidates = list(range(-1000, 101_000, 500))
    for alpha in (0.1, 0.5, 0.9):
        found = make(candidates, alpha, 1, measure)(data)
        assert abs(found - alpha * 100_000) <= 600
        found = make(candidates, alpha, 1, measure)(data.tolist())
        assert abs(found - alpha * 100_000) <= 600
        floats = make([c + 0.5 for c in candidates], alpha, 1, measure, float)
        assert abs(floats(data.astype(float)) - alpha * 100_000) <= 600


@for_each(
    ("T", "candidates", "kind"),
    [
        (int, np.array([1, 5]), int),
        (float, [1, 5], float),
        (float, np.array([1, 5], np.float32), float),
        (Fraction, [1, Fraction(9, 2)], Fraction),
    ],
)
def test_the_release_has_the_type_of_the_rows(
    T: Any, candidates: Any, kind: type
) -> None:
    assert type(make(candidates, T=T)([T(3)])) is kind


def test_candidates_are_copied() -> None:
    candidates = [1, 2, 3]
    select = make(candidates, scale=0)
    candidates[1] = 99
    assert select([2]) == 2


@cache
def near(size: int | None) -> tuple[list[list[int]], list[tuple[int, int, int]]]:
    """All small data sets, and the pairs of them at the distances 1 and 2."""
    sizes = range(5) if size is None else [size]
    values = (0, 2, 4, 6, 8)
    data = [[*rows] for n in sizes for rows in product(values, repeat=n)]
    data = [x for x in data if x == sorted(x)]
    distance = dp.symmetric_distance().distance
    pairs = [
        (i, j, int(d))
        for (i, x), (j, y) in product(enumerate(data), repeat=2)
        if 0 < (d := distance(x, y)) <= 2
    ]
    return data, pairs


@for_each("measure", [PURE, CONCENTRATED])
@for_each("alpha", ["0", "1/3", "1/2", "1"])
@for_each("size", [None, 2])
def test_all_small_data_sets_keep_the_map(measure: Any, alpha: str, size: Any) -> None:
    """The exact range of the changes of scores, on which the loss rests.

    Both laws lose what the lemma on selection says for the range, so the map must
    not be below the range divided by the scale, and it is reached.
    """
    score = dp.t.make_quantile_score_candidates(
        dp.vector_domain(dp.atom_domain(T=int), size),
        dp.symmetric_distance(),
        [1, 3, 5, 7],
        alpha,
    )
    q = Fraction(alpha).denominator
    select = make([1, 3, 5, 7], alpha, 1, measure, size=size)
    data, pairs = near(size)
    scores = [score(x) for x in data]
    worst: dict[int, Fraction] = {}
    for i, j, d in pairs:
        change = np.subtract(scores[i], scores[j])
        width = Fraction(int(change.max() - change.min()), q)
        worst[d] = max(worst.get(d, Fraction(0)), width)
    for d, width in worst.items():
        loss = width if measure == PURE else width * width / 8
        assert mpq(loss) <= select.map(d, exact=True)
    if size is None:
        loss = worst[1] if measure == PURE else worst[1] ** 2 / 8
        assert mpq(loss) == select.map(1, exact=True)


def test_the_one_sided_loss_is_needed() -> None:
    """At alpha = 0 the scores of 0 and 1 are 0 and the number of zeros."""
    certificate = verify.privacy(make([0, 1], 0), [0] * 9, [0] * 10, depth=30)
    certificate.assert_holds()
    assert certificate.claimed_loss == 1
    assert certificate.claimed_loss - certificate.needs_epsilon < mpq(1, 100)


def test_a_scale_without_the_denominator_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair = ([0, 2, 2, 4, 4, 4], [0, 2, 2, 4, 4])
    assert verify.privacy(make([1, 3, 5], "1/2"), *pair, depth=24).holds
    real = private_quantile.make_noisy_max  # type: ignore[attr-defined]

    def wrong(domain: Any, metric: Any, measure: Any, scale: Any, negate: bool) -> Any:
        made = real(domain, metric, measure, scale, negate)
        quick = real(domain, metric, measure, scale / 4, negate)
        object.__setattr__(made, "function", quick.function)
        return made

    monkeypatch.setattr(private_quantile, "make_noisy_max", wrong)
    made = make([1, 3, 5], "1/2")
    assert verify.privacy(made, *pair, depth=24, runs=150).refuted


@for_each("size", [None, 7])
@for_each("metric", ["symmetric_distance", "insert_delete_distance"])
@for_each("measure", ["max_divergence", "zero_concentrated_divergence"])
@for_each("alpha", [0.0, 0.1, 0.25, 0.5, 1.0])
def test_the_map_is_not_above_that_of_opendp(
    size: int | None, metric: str, measure: str, alpha: float
) -> None:
    """It is half of it, or a quarter, for the least and the greatest row."""
    theirs.enable_features("contrib")
    share = 1.0 if 0 < alpha < 1 else 0.5 if measure == "max_divergence" else 0.25
    for scale in (0.1, 1.0, 3.0):
        other = theirs.m.make_private_quantile(
            theirs.vector_domain(theirs.atom_domain(T=int), size),
            getattr(theirs, metric)(),
            getattr(theirs, measure)(),
            [0, 10, 20],
            alpha,
            scale,
        )
        mine = make(
            [0, 10, 20],
            alpha,
            scale,
            getattr(dp, measure)(),
            size=size,
            metric=getattr(dp, metric)(),
        )
        for d_in in (0, 1, 2, 7):
            wanted = share * other.map(d_in)
            assert mine.map(d_in) <= other.map(d_in)
            assert mine.map(d_in) == pytest.approx(wanted, rel=1e-12)
