"""A query about a table makes each value once, and hands it on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from benchmarks.house import table_query, walk
from opendp_lite.base.errors import OpenDPException

SPEND = dp.col("spend").fill_null(0.0).clip(0.0, 64.0)


def calls(run: Callable[[], object]) -> Counter[str]:
    """Return how often the functions of each name are entered."""
    entered, _ = walk(run)
    found: Counter[str] = Counter()
    for code, count in entered.items():
        found[code.co_qualname] += count
    return found


def opened() -> Any:
    """Return a table whose budget is enough for two queries."""
    return dp.Context.compositor(
        data={"id": [1, 1, 2], "city": ["A", "B", "A"], "spend": [9.5, None, 20.0]},
        domain=dp.table_domain(
            {
                "id": dp.atom_domain(T="i64"),
                "city": dp.atom_domain(T=str),
                "spend": dp.option_domain(dp.atom_domain(T=float)),
            }
        ),
        privacy_unit=dp.unit_of(contributions=1, identifier="id"),
        privacy_loss=dp.loss_of(epsilon=2.0, delta=1e-6),
    )


def test_the_query_of_the_readme_makes_each_object_once() -> None:
    named = calls(table_query())
    for name in (
        "make_table_with_columns",
        "make_table_group_by",
        "make_product",
        "make_chain_tt",
        "make_chain_mt",
        "as_steps",
        "planned",
    ):
        assert named[name] == 1, name
    assert named["make_laplace"] == 3  # people, rows and the sum of the mean
    # One for the column, two for the bounds of the mean, four for what is summed, one
    # for the counts; and two to see that what is averaged is no bool.
    assert named["AtomDomain.__attrs_post_init__"] == 10


def test_a_preview_and_the_release_share_the_noise_and_the_solution() -> None:
    context = opened()

    def run() -> object:
        query = context.table(epsilon=0.5, rows=1, groups=1)
        query = query.group_by(keys={"city": ["A", "B"]}).agg(total=SPEND.sum())
        query.explain()
        query.preview()
        return query.release()

    named = calls(run)
    assert named["planned"] == named["make_product"] == 1
    assert named["Query._checked"] == 1


def test_keys_that_are_not_public_have_one_plan_and_one_for_each_threshold() -> None:
    context = opened()

    def run() -> object:
        query = context.table(epsilon=0.5, delta=1e-7, rows=1, groups=1)
        query = query.group_by("city").agg(n=dp.people(), total=SPEND.sum())
        return query.release()

    named = calls(run)
    assert named["hidden_plan"] == named["make_table_threshold"] + 1


@pytest.mark.parametrize("k", [None, -3])
def test_numbers_are_told_in_the_steps_in_which_the_table_adds_them_up(
    k: int | None,
) -> None:
    """The units of sums are found before the plan is made, and have to be its own."""
    query = opened().table(epsilon=0.5, delta=1e-7, rows=1, groups=1).group_by("city")
    asked = {"total": SPEND.sum(k=k), "mean": SPEND.mean(k=k)}
    squares = dp.col("id").clip(-5, 8).variance()
    made = query.agg(**asked, variance=SPEND.variance(k=k), whole=squares)
    (part,) = made._complete().question().parts
    assert part.hidden is not None
    units = {vector.name: vector.unit for vector in part.vectors[2:]}
    steps = {each.name: mpq(2) ** each.k for each in part.hidden.plan.sums}
    assert units == steps
    assert list(units) == [
        "total",
        "mean",
        "variance_squares",
        "whole",
        "whole_squares",
    ]


def test_queries_that_begin_alike_do_not_share_what_they_make() -> None:
    grouped = opened().table(epsilon=0.5, rows=1, groups=1)
    grouped = grouped.group_by(keys={"city": ["A", "B"]})
    one, other = grouped.agg(total=SPEND.sum()), grouped.agg(n=dp.people())
    assert [row.column for row in one.preview().rows] == ["total"]
    assert [row.column for row in other.preview().rows] == ["n"]


@pytest.mark.parametrize("keys", [None, {"city": ["A", "B"]}])
def test_group_by_refuses_its_bounds_at_once(keys: Any) -> None:
    query = opened().table(epsilon=0.5, delta=1e-7)
    with pytest.raises(OpenDPException, match="rows=2199023255552: must be at most"):
        query.group_by("city", keys=keys, rows=2**41, groups=1)


def test_keys_of_numpy_come_out_as_those_of_python() -> None:
    query = opened().table(epsilon=0.5, rows=1, groups=1)
    query = query.group_by(keys={("id", "city"): [(np.int64(1), np.str_("A"))]})
    answer = query.agg(n=dp.people()).release()
    assert [type(answer[name][0]) for name in ("id", "city")] == [int, str]
