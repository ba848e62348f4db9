"""What Contexts and queries tell of what was asked: charges, proofs, never data."""

from __future__ import annotations

import json
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.show.explaining.steps import Distance
from tests.context.opened import INTEGERS, PURE, ROWS, SECRET, opened

TABLE = {"id": [1, 1, 2], "age": [31, SECRET, None]}
DOMAIN = dp.table_domain(
    {
        "id": dp.atom_domain(T="i64"),
        "age": dp.option_domain(dp.atom_domain(T="i64")),
    }
)
AGE = dp.col("age").fill_null(0).clip(0, 100)


def said(told: Any) -> str:
    """All forms of an explanation."""
    return str(told) + str(told.to_json()) + str(told._repr_html_())


def test_a_context_tells_each_query_with_its_charge() -> None:
    context = opened(epsilon=1)
    context.query(epsilon="1/3").count().laplace().release()
    context.query(epsilon="1/4").clamp((0, 99)).sum().laplace().release()
    told = context.explain()
    assert told.d_in == Distance("1", 1)
    assert told.d_out == Distance("7/12", context.current_privacy_loss())
    accountant, first, second = told.whole.parts
    assert accountant.link.startswith("make_privacy_filter(")
    assert accountant.d_out == Distance("1", 1.0)
    assert [str(each.charged).partition(" ")[0] for each in (first, second)] == [
        "1/3",
        "1/4",
    ]
    assert first.link.startswith("query 0: count().laplace(")
    assert [link.link for link in second.parts[0].parts][:2] == [
        "then_clamp(bounds=(0, 99))",
        "then_sum()",
    ]
    assert second.parts[0].d_out == second.charged
    assert told.assumptions == ()
    assert dict(told.whole.arguments)["left"] == "5/12"
    assert str(SECRET) not in said(told)
    assert json.loads(told.to_json())["kind"] == "Context"


def test_contexts_are_told_below_the_query_that_opened_them() -> None:
    context = opened(epsilon=1, delta=1e-6)
    inner = context.query(epsilon=0.5, delta=0).compositor(output_measure=PURE)
    below = inner.release()
    deeper = below.query(epsilon="1/4").compositor(split_evenly_over=2).release()
    deeper.query().count().laplace().release()
    told = context.explain()
    (entry,) = told.whole.parts[1:]
    assert str(entry.charged) == "(1/2, 0) <= (0.5, 0.0)"
    child = entry.parts[-1]
    assert (child.link, child.output_measure) == ("Context", PURE)
    assert child.d_out == Distance("1/4", 0.25)
    grandchild = child.parts[0].parts[-1]
    assert dict(grandchild.arguments)["shares"] == "1/8 = 0.125, 1/8 = 0.125"
    assert grandchild.parts[0].charged == Distance("1/8", 0.125)
    assert grandchild.parts[0].link == "query 0: count().laplace(scale=8.0)"
    assert str(SECRET) not in said(told)


def test_a_context_is_told_at_its_distance_or_another() -> None:
    context = opened(epsilon=1.0)
    context.query(epsilon="1/3").count().laplace().release()
    assert context.explain().d_out == Distance("1/3", 1 / 3 + 2**-54)
    told = context.explain(3)
    assert (told.d_in, told.d_out) == (Distance("3", 3), Distance("1", 1.0))
    with pytest.raises(dp.OpenDPException, match="InvalidDistance"):
        context.explain("far")


def test_types_that_were_inferred_are_an_assumption() -> None:
    inferred = opened(domain=None, epsilon=1)
    (told,) = inferred.explain().assumptions
    assert "inferred from the types of the data" in told.text


def test_a_query_is_told_with_what_it_was_solved_for() -> None:
    context = opened(epsilon=1)
    query = context.query(epsilon="1/8").count().laplace()
    told = query.explain()
    assert told.d_out == Distance("1/8", 0.125)
    assert told.steps[1].arguments == (("scale", "8.0"),)
    assert query.explain(2).d_out == Distance("1/4", 0.25)
    assert context.current_privacy_loss() == 0
    alone = dp.Query((INTEGERS, dp.symmetric_distance()), PURE).count().laplace(2)
    assert alone.explain().d_out is None
    assert str(alone.explain()).startswith("then_count()")
    counted = context.query(epsilon="1/8").count().explain()
    assert counted.d_out == Distance("1", 1)


def test_a_query_about_a_table_is_told_with_its_expressions() -> None:
    context = opened(
        data=TABLE,
        domain=DOMAIN,
        unit=dp.unit_of(contributions=1, identifier="id"),
        epsilon=1,
    )
    query = (
        context.table(epsilon="1/2", rows=1)
        .filter(dp.col("id") > 0)
        .agg(people=dp.people(), years=AGE.sum())
    )
    told = query.explain()
    assert told.d_out == Distance("1/2", query.resolve().map(1))
    assert told.kind == repr(query)
    keep, group, noise = told.steps
    assert keep.link == "then_table_filter(predicate=(col('id') > 0))"
    assert dict(group.arguments)["sums"] == f"{{'years': {AGE!r}}}"
    assert str(group.d_out) == "(1, 1, 100)"
    assert [str(each.d_out) for each in noise.parts] == ["1/4 = 0.25"] * 2
    assert [str(each.d_in) for each in noise.parts] == ["1", "100"]
    query.release()
    whole = context.explain()
    entry = whole.whole.parts[1]
    assert entry.link == f"query 0: {query!r}"
    assert entry.parts[0].parts == told.steps
    assert str(SECRET) not in said(whole) + said(told)


def test_what_a_failed_query_was_charged_is_told() -> None:
    dp.enable_features("honest-but-curious")
    context = opened(epsilon=1)

    def fails(_: Any) -> Any:
        raise ValueError(str(ROWS))

    with pytest.raises(ValueError, match="987"):
        (context.query(epsilon="1/2").count().laplace() >> fails).release()
    told = context.explain()
    assert (told.whole.parts[1].state, str(told.d_out)) == ("failed", "1/2 = 0.5")
    (assumed,) = told.assumptions
    assert assumed.place is not None
    assert assumed.place.startswith("tests/show/explaining/test_contexts.py:")
    assert str(SECRET) not in said(told)
