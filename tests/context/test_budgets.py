"""The loss that is enough for an accuracy, and counts in bins for either noise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import opendp_lite.prelude as dp
from tests.context.opened import LOSSES, opened
from tests.rows import for_each


@pytest.fixture(autouse=True)
def _drafts() -> Iterator[None]:
    dp.enable_features("contrib")
    yield
    dp.disable_features("contrib")


def count(query: Any) -> Any:
    return query.count().laplace()


def bins(query: Any) -> Any:
    return query.histogram([30, 50]).gaussian()


def mean(query: Any) -> Any:
    return query.clamp((0, 100)).private_mean()


# --- budgets --------------------------------------------------------------------------


@for_each(("measure", "budget", "part"), LOSSES)
@for_each(("ask", "goal"), [(count, 12), (bins, 9.5), (mean, 0.25)])
def test_a_budget_is_enough_and_the_next_smaller_is_not(
    measure: Any, budget: Any, part: Any, ask: Any, goal: Any
) -> None:
    if ask is bins and part == {"epsilon": 0.1}:
        return  # Gaussian noise has no pure epsilon
    name = next(iter(part))
    large = {**budget, name: 5.0}
    found = ask(opened(**large).query(**part)).budget(goal, about=500)

    def near(number: float) -> Any:
        query = ask(opened(**large).query(**{**part, name: number}))
        return query.preview(about=500).accuracy

    assert near(found) <= goal < near(found * (1 - 2e-5))
    assert found == float(f"{found:.6g}")


def test_a_budget_spends_nothing_and_reads_no_data() -> None:
    context = opened(epsilon=1.0)
    context.queryable._data = object()  # whoever looked at it would fail
    assert count(context.query()).budget(12) == count(context.query(epsilon=1)).budget(
        12
    )
    assert context.journal() == []
    assert context.remaining_privacy_loss() == 1.0


def test_a_standing_query_has_a_budget() -> None:
    query = dp.Query(dp.space_of(list[int]), dp.max_divergence(), 1)
    assert 0.99 < query.count().laplace().budget(2.9) < 1.3


def test_several_answers_take_a_list_or_one_number() -> None:
    def product(scale: Any) -> Any:
        space = dp.space_of(list[int])
        noisy = [
            space >> dp.t.then_count() >> dp.m.then_laplace(scale),
            space >> dp.t.then_count() >> dp.m.then_laplace(3 * scale),
        ]
        return dp.c.make_composition(noisy)

    chain = dp.PartialChain(product)
    query = dp.Query(chain, dp.max_divergence(), 1)
    query._metric = dp.symmetric_distance()
    one = query.budget([12, 60])
    assert query.budget(60) < one
    assert query.budget([12, 36]) >= one
    with pytest.raises(dp.OpenDPException, match="is not 2 long"):
        query.budget([12, 36, 1])


@for_each(
    ("query", "accuracy", "told"),
    [
        (lambda q: q.count(), 3, "has all its numbers, or no noise"),
        (lambda q: q.count().laplace(2.0), 3, "has all its numbers, or no noise"),
        (mean, 0.1, "about=None: is needed"),
        (count, "near", "accuracy"),
        (count, -1, "at least 0"),
        (count, 1e12, "reached with every loss"),
        (
            lambda q: q.private_quantile(dp.max_divergence(), [0, 50, 100], 0.5),
            3,
            "tells no accuracy",
        ),
    ],
)
def test_what_has_no_budget_is_refused(query: Any, accuracy: Any, told: str) -> None:
    with pytest.raises(dp.OpenDPException, match=told):
        query(opened(epsilon=1.0).query(epsilon=0.1)).budget(accuracy)


def test_delta_has_to_be_known() -> None:
    context = opened(epsilon=1.0, delta=1e-6)
    with pytest.raises(dp.OpenDPException, match="delta of the query is not known"):
        count(context.query()).budget(12)


# --- the mean -------------------------------------------------------------------------


@for_each(("measure", "budget", "part"), LOSSES)
def test_a_private_mean_tells_its_accuracy(
    measure: Any, budget: Any, part: Any
) -> None:
    query = mean(opened(**budget).query(**part))
    told = query.preview(alpha=0.1).accuracy
    assert list(told) == [100, 1000, 10000]
    assert told[100] > told[1000] > told[10000] > 0
    assert query.preview(alpha=0.1, about=1000).accuracy == told[1000]
    assert query.preview(alpha=0.1, about=250).accuracy == pytest.approx(
        min(4 * told[1000], 100)
    )
    for about in (0, 1.5):
        with pytest.raises(dp.OpenDPException, match="about"):
            query.preview(about=about)


# --- counts in bins -------------------------------------------------------------------


EDGES: list[Any] = [
    ("histogram", ([30, 50],), {}),
    ("histogram", ([30, 50],), {"TOA": float}),
    ("count_by_categories", ([25, 31],), {}),
]


@for_each(("name", "args", "given"), EDGES)
@for_each(("measure", "budget", "part"), LOSSES)
def test_counts_in_bins_take_gaussian_noise_as_they_are(
    name: str, args: Any, given: Any, measure: Any, budget: Any, part: Any
) -> None:
    """They lose what they lose with MO, and Laplace noise still has L1."""
    counts = getattr(opened(**budget).query(**part), name)(*args, **given)
    metric = f"L2Distance<{'float' if given else 'int'}>"
    written = getattr(opened(**budget).query(**part), name)(*args, MO=metric, **given)
    if part == {"epsilon": 0.1}:
        with pytest.raises(dp.OpenDPException, match="no pure epsilon"):
            counts.gaussian().preview()
    else:
        assert counts.gaussian().preview() == written.gaussian().preview()
        assert len(counts.gaussian().release()) == 3
        if "rho" in part:
            assert counts.gaussian(8.0).resolve().map(1) == (
                written.gaussian(8.0).resolve().map(1)
            )
    assert "L2Distance" not in repr(counts.laplace())
    assert "L2Distance" in repr(counts.gaussian())


def test_links_after_bins_stay_between_them_and_the_noise() -> None:
    """What does not fit in L2 either is refused with the message of the query."""
    query = opened(rho=1.0).query(rho=0.5).clamp((0, 90)).histogram([30, 50])
    shown = repr(query.gaussian().resolve())
    assert shown.index("clamp") < shown.index("histogram") < shown.index("gaussian")
    for noise, measure in itertools.product(("gaussian", "laplace"), ("L1", "L2")):
        made = opened(rho=1.0).query(rho=0.5)
        chain = made.histogram([30, 50], MO=f"{measure}Distance<int>")
        if (noise, measure) == ("laplace", "L2"):
            with pytest.raises(dp.OpenDPException, match="input_metric"):
                chain.laplace().resolve()
        else:
            assert getattr(chain, noise)().preview().answered
