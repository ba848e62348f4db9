"""The noise of a query is chosen by its accuracies, and budgets invert previews."""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.solving.budgets import least_budget
from opendp_lite.tables.questions import choosing
from opendp_lite.testing import state_flakiness
from tests.rows import for_each

N = 900
SPEND = dp.col("spend").clip(0.0, 64.0)
AGE = dp.col("age").clip(0, 90)
KEYS = {"city": ["A", "B", "C"]}
APPROXIMATE: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-7}
LOSSES: list[dict[str, Any]] = [
    {"epsilon": 1.0},
    {"rho": 0.1},
    APPROXIMATE,
    {"rho": 0.1, "delta": 1e-7},
]


@pytest.fixture(autouse=True)
def _drafts() -> Iterator[None]:
    dp.enable_features("contrib")
    logger = logging.getLogger("opendp_lite.context")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)
    dp.disable_features("contrib")


def opened(n: int = N, **loss: Any) -> Any:
    evenly = loss.pop("evenly", None)
    return dp.Context.compositor(
        data={
            "id": [i // 3 for i in range(n)],
            "city": [("A", "B", "A")[i % 3] for i in range(n)],
            "spend": [10.0 + i % 7 for i in range(n)],
            "age": [20 + i % 50 for i in range(n)],
        },
        domain=dp.table_domain(
            {
                "id": dp.atom_domain(T="i64"),
                "city": dp.atom_domain(T=str),
                "spend": dp.atom_domain(T=float, nan=False),
                "age": dp.atom_domain(T="i64"),
            }
        ),
        privacy_unit=dp.unit_of(contributions=1, identifier="id"),
        privacy_loss=dp.loss_of(**loss),
        split_evenly_over=evenly,
    )


def grouped(loss: dict[str, Any], keys: Any = KEYS, groups: int = 1, n: int = N) -> Any:
    table = opened(n, **loss).table(**loss)
    return table.group_by("city", keys=keys, rows=2, groups=groups)


def many(query: Any, sums: int) -> Any:
    """Ask for so many sums, each of another expression."""
    return query.agg(
        people=dp.people(),
        **{f"s{i}": dp.col("age").clip(0, 30 + i).sum() for i in range(sums)},
    )


def laws(query: Any) -> set[str]:
    return {row.distribution for row in query.preview().rows}


# --- which noise ----------------------------------------------------------------------


def test_the_noise_is_that_with_the_smaller_largest_relative_accuracy() -> None:
    """Told from the previews of both, for few and many numbers, groups and deltas."""
    taken = set()
    for groups, sums, delta, keys in itertools.product(
        (1, 3), (1, 5, 14), (1e-3, 1e-9), (KEYS, None)
    ):
        loss = {"epsilon": 1.0, "delta": delta}
        query = many(grouped(loss, keys, groups), sums)
        one = [row.accuracy for row in query.laplace().preview().rows]
        other = [row.accuracy for row in query.gaussian().preview().rows]
        ratios = [b / a for a, b in zip(one, other, strict=True)]
        gaussian = max(ratios) < max(1 / each for each in ratios)
        assert laws(query) == {f"Integer {'Gaussian' if gaussian else 'Laplace'}"}
        told = str(query.preview().chosen)
        assert told.startswith(f"{'Gaussian' if gaussian else 'Laplace'} noise was")
        shown = ratios if gaussian else [1 / each for each in ratios]
        assert f"{min(shown):.3g} to {max(shown):.3g} times" in told or (
            f"are {min(shown):.3g} times" in told
        )
        assert told in repr(query.preview())
        taken.add(gaussian)
    assert taken == {True, False}


def test_weights_count_in_the_choice() -> None:
    """One number with nearly all of the loss is best served by Laplace noise."""
    query = grouped(APPROXIMATE)
    sums: dict[str, Any] = {
        f"s{i}": dp.col("age").clip(0, 30 + i).sum() for i in range(14)
    }
    assert laws(query.agg(**sums)) == {"Integer Gaussian"}
    weights = {"s0": 10_000}
    lonely = query.agg(weights=weights, **sums)
    one = [row.accuracy for row in lonely.laplace().preview().rows]
    other = [row.accuracy for row in lonely.gaussian().preview().rows]
    assert one[0] < other[0]
    ratios = [b / a for a, b in zip(one, other, strict=True)]
    assert (max(ratios) < max(1 / r for r in ratios)) == (
        laws(lonely) == {"Integer Gaussian"}
    )


def test_accuracies_of_0_and_without_a_limit_are_compared() -> None:
    ratio = choosing._ratio
    assert (ratio(0, 0), ratio(3, 0), ratio(0, 3)) == (1, math.inf, 0)
    assert (ratio(math.inf, 3), ratio(3, math.inf)) == (math.inf, 0)
    assert (ratio(math.inf, math.inf), ratio(3, 2)) == (1, mpq(3, 2))
    sharp = opened(epsilon=1e7, delta=1e-9).table(epsilon=1e7, delta=1e-9, rows=1)
    assert sharp.agg(n=dp.count()).preview().rows[0].accuracy == 0


def test_the_choice_reads_no_data() -> None:
    for sums in (1, 14):
        query = many(grouped(APPROXIMATE), sums)
        query._query._context.queryable._data = object()  # whoever read it would fail
        other = many(grouped(APPROXIMATE, n=6), sums)
        assert repr(query.preview()) == repr(other.preview())


@for_each("loss", LOSSES)
def test_the_choice_is_told_only_where_there_is_one(loss: dict[str, Any]) -> None:
    query = many(grouped(loss), 2)
    assert (query.preview().chosen is None) == (loss != APPROXIMATE)
    assert query.laplace().preview().chosen is None
    without = opened(epsilon=1.0, delta=0).table(epsilon=1.0, delta=0, rows=1)
    assert without.agg(n=dp.count()).preview().chosen is None


# --- what it costs --------------------------------------------------------------------


@for_each("keys", [KEYS, None])
@for_each(("epsilon", "delta"), itertools.product((0.01, 1.0, 7.5), (1e-4, 1e-15)))
def test_the_chosen_noise_loses_no_more_than_it_may(
    keys: Any, epsilon: float, delta: float
) -> None:
    loss = {"epsilon": epsilon, "delta": delta}
    for query in (many(grouped(loss, keys, 3), 9), many(grouped(loss, keys), 1)):
        for each in (query, query.gaussian(), query.laplace()):
            spent = each.resolve().map(1, exact=True)
            assert spent[0] <= Fraction(str(epsilon))
            assert spent[1] <= Fraction(str(delta))
            assert spent[0] > Fraction(9, 10) * Fraction(str(epsilon))
            told = each.preview()
            assert told.answered
            assert told.loss == each.resolve().map(1)


def test_gaussian_noise_is_composed_as_rho_and_converted_once() -> None:
    """Ten numbers cost one conversion; ten conversions would cost far more."""
    query = many(grouped(APPROXIMATE, KEYS, 3), 9).gaussian()
    explained = str(query.explain())
    assert explained.count("combinators/make_zCDP_to_approxDP.tex") == 1
    rows = query.preview().rows
    assert len(rows) == 10
    rho = sum((row.sensitivity / row.scale) ** 2 / 2 for row in rows)
    number = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    noisy = number >> dp.m.then_gaussian(math.sqrt(1 / (2 * rho)))
    one = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(noisy), delta=1e-7)
    assert one.map(1)[0] == pytest.approx(1.0, 1e-6)


@for_each("keys", [KEYS, None])
@for_each("sums", [1, 14])
def test_the_preview_and_the_release_agree(keys: Any, sums: int) -> None:
    query = many(grouped(APPROXIMATE, keys), sums)
    told = query.preview(alpha=0.1)
    answer = query.release(alpha=0.1)
    for row in told.rows:
        for end in (answer[f"{row.column}_low"], answer[f"{row.column}_high"]):
            for value, bound in zip(answer[row.column], end, strict=True):
                assert abs(value - bound) == row.accuracy
    context = query._query._context
    assert context.journal()[0].query.map(1) == told.loss
    assert context.remaining_privacy_loss() == told.left


def test_gaussian_intervals_of_releases_are_covered() -> None:
    """Each misses with probability 1/2 at most: of 200 at most 160, but for e^-36.

    Intervals of no width would miss nearly always.
    """
    state_flakiness("1e-15")
    missed = 0
    for _ in range(40):
        query = many(grouped(APPROXIMATE, KEYS, 3, n=9), 4).gaussian()
        answer = query.release(alpha=0.5)
        for name, truth in [("people", 3), *((f"s{i}", 0) for i in range(4))]:
            if name != "people":
                # All rows of A count, two of each person, and lie below the clip.
                truth = sum(20 + i for i in range(9) if i % 3 != 1)
            low, high = answer[f"{name}_low"][0], answer[f"{name}_high"][0]
            missed += not low <= truth <= high
    assert missed <= 160


# --- asking for one -------------------------------------------------------------------


@for_each("keys", [KEYS, None])
@for_each("loss", LOSSES)
def test_each_noise_can_be_asked_for_where_it_fits(
    keys: Any, loss: dict[str, Any]
) -> None:
    if keys is None and "delta" not in loss:
        return  # keys need a delta, see test_tables.py
    query = grouped(loss, keys)
    for before, law in itertools.product((False, True), ("gaussian", "laplace")):
        if law == "gaussian" and loss == {"epsilon": 1.0}:
            for each in (query, many(query, 2)):
                with pytest.raises(dp.OpenDPException, match="no finite epsilon"):
                    each.gaussian()
            continue
        asked = getattr(query, law)() if before else query
        asked = many(asked, 2) if before else getattr(many(asked, 2), law)()
        assert laws(asked) == {f"Integer {law.title()}"}
        assert f".{law}()" in repr(asked)
        assert asked.preview().answered
        asked.release()
        assert f".{law}()" in asked._query._context.journal()[0].text
        query = grouped(loss, keys)


def test_gaussian_noise_needs_a_delta_above_0_and_nothing_is_spent() -> None:
    context = opened(epsilon=1.0, delta=1e-7)
    for loss in ({"epsilon": 1.0}, {"epsilon": 1.0, "delta": 0}):
        with pytest.raises(dp.OpenDPException, match="Give the Context and the query"):
            context.table(**loss, rows=1).agg(n=dp.count()).gaussian()
    assert context.journal() == []


def test_shares_of_a_budget_choose_too() -> None:
    context = opened(**APPROXIMATE, evenly=2)
    query = context.table().group_by("city", keys=KEYS, rows=2, groups=3)
    query = many(query, 9)
    assert laws(query) == {"Integer Gaussian"}
    query.release()
    many(context.table().group_by("city", groups=1, rows=1), 1).release()
    assert context.remaining_privacy_loss() == []


# --- means ----------------------------------------------------------------------------


def test_a_preview_tells_how_near_means_are() -> None:
    query = grouped({"epsilon": 1.0}).agg(spend=SPEND.mean(), age=AGE.mean())
    told = query.preview()
    assert [(row.column, row.about) for row in told.means] == [
        (name, n) for name in ("spend", "age") for n in (100, 1000, 10000)
    ]
    (near, _) = (row.accuracy for row in query.preview(about=340).means)
    # Half of alpha for the rows and half for the sum, each with a third of epsilon.
    ratio = math.exp(-1 / 6)
    rows = next(w for w in range(99) if 2 * ratio ** (w + 1) / (1 + ratio) <= 0.025)
    total = 192 * math.log(1 / 0.025)
    assert near == pytest.approx((total + 32 * rows) / (340 - rows), rel=1e-6)
    assert "spend is within" in repr(told)
    assert "if there are about 100 rows" in repr(told)
    assert f"spend is within {near:.6g} if there are about 340 rows" in repr(
        query.preview(about=340)
    )


def test_the_accuracy_of_a_mean_is_not_read_from_the_data() -> None:
    asked = [
        grouped({"epsilon": 1.0}, n=n).agg(m=SPEND.mean()).preview().means
        for n in (3, 900)
    ]
    assert asked[0] == asked[1]


def test_the_means_of_a_release_are_as_near_as_the_preview_says() -> None:
    """Each is off by more with probability 1/1000 at most.

    Of 40 no more than 6 are, but for C(40, 7) 1e-21 < 2e-14.
    """
    state_flakiness("2e-14")
    off, bounded = 0, [10.0 + i % 7 for i in range(N) if i % 3 != 1]
    truth = sum(bounded) / len(bounded)
    for _ in range(40):
        query = grouped({"epsilon": 2.0}, KEYS, 2).agg(m=SPEND.mean())
        (row,) = query.preview(alpha=0.001, about=len(bounded)).means
        off += abs(query.release()["m"][0] - truth) > row.accuracy + 1e-9
    assert off <= 6


@for_each("about", [0, -1, 2.5, "many"])
def test_about_is_a_number_of_rows(about: Any) -> None:
    query = grouped({"epsilon": 1.0}).agg(m=SPEND.mean())
    for ask in (query.preview, lambda about: query.budget(1, about=about)):
        with pytest.raises(dp.OpenDPException, match="about"):
            ask(about=about)


# --- budgets --------------------------------------------------------------------------


def nearness(query: Any, about: int) -> dict[str, float]:
    """Return the accuracies that a preview shows, by the names of aggregates."""
    told = query.preview(about=about)
    found = {row.column: row.accuracy for row in told.rows}
    return {**found, **{row.column: row.accuracy for row in told.means}}


GOALS: list[Any] = [40, {"people": 30, "mean": 2.0}]


@for_each("goal", GOALS)
@for_each("loss", LOSSES)
@for_each("keys", [KEYS, None])
def test_a_budget_is_enough_and_the_next_smaller_is_not(
    goal: Any, loss: dict[str, Any], keys: Any
) -> None:
    if keys is None and "delta" not in loss:
        return
    name = "rho" if "rho" in loss else "epsilon"
    large = {**loss, name: 1e6}

    def asked(number: float) -> Any:
        query = opened(**large).table(**{**loss, name: number})
        query = query.group_by("city", keys=keys, rows=2, groups=2)
        others = {} if keys is None else {"bins": SPEND.histogram([20.0, 40.0])}
        return query.agg(people=dp.people(), mean=SPEND.mean(), **others)

    names = ["people", "mean", *(["bins"] if keys else [])]
    goals = goal if type(goal) is dict else dict.fromkeys(names, goal)
    found = asked(1.0).budget(goal, about=700)

    def reached(number: float) -> bool:
        near = nearness(asked(number), 700)
        return all(near[each] <= most for each, most in goals.items())

    assert reached(found)
    assert found == float(f"{found:.6g}")
    assert not reached(found * (1 - 2e-5))


def test_a_query_that_says_no_loss_has_a_budget_too() -> None:
    def asked(**loss: Any) -> Any:
        return opened(epsilon=5.0).table(**loss, rows=1).agg(people=dp.people())

    found = asked().budget(accuracy=10)
    assert asked(epsilon=2.0).budget(accuracy=10) == found
    assert asked(epsilon=found).preview().rows[0].accuracy == 10
    unknown = opened(**APPROXIMATE).table(rows=1).agg(people=dp.people())
    with pytest.raises(dp.OpenDPException, match="delta of the query is not known"):
        unknown.budget(accuracy=10)


def test_a_budget_spends_nothing_and_reads_no_data() -> None:
    query = many(grouped(APPROXIMATE), 3)
    context = query._query._context
    context.queryable._data = object()
    assert query.budget(100) > 0
    assert context.journal() == []


@for_each(
    ("accuracy", "told"),
    [
        ({"nobody": 3}, "is none of the aggregates"),
        ({}, "names no aggregate"),
        (-1, "at least 0"),
        ("near", "accuracy"),
        ({"people": None}, "people"),
        ({"spread": 3}, "whose accuracy depends on the data"),
        (10, "whose accuracy depends on the data"),
        ({"mean": 3}, "the accuracy of a mean depends on the number of rows"),
        ({"people": 1e12}, "is reached with every loss"),
    ],
)
def test_unclear_accuracies_are_refused(accuracy: Any, told: str) -> None:
    query = grouped({"epsilon": 1.0}).agg(
        people=dp.people(), mean=SPEND.mean(), spread=AGE.variance()
    )
    with pytest.raises(dp.OpenDPException, match=told):
        query.budget(accuracy, about=None if "number of rows" in told else 100)


def test_a_budget_that_nothing_reaches_is_refused() -> None:
    with pytest.raises(dp.OpenDPException, match="is not reached with any loss"):
        least_budget(lambda _: False)
