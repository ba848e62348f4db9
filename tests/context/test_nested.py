"""Contexts within contexts: reserved whole, asked in turns, and given back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import opendp_lite.prelude as dp
from tests.context.opened import BOTH, CONCENTRATED, LOSSES, PAIR, PURE, opened
from tests.rows import for_each


def count(context: dp.Context, **loss: Any) -> int:
    answer = context.query(**loss).count().laplace().release()
    assert isinstance(answer, int)
    return answer


def test_a_part_of_the_budget_is_reserved_and_given_back() -> None:
    context = opened(epsilon=1.0)
    inner = context.query(epsilon=0.5).compositor().release()
    assert isinstance(inner, dp.Context)
    assert context.remaining_privacy_loss() == inner.remaining_privacy_loss() == 0.5
    count(inner, epsilon=0.2)
    count(context, epsilon=0.1)
    count(inner, epsilon=0.1)  # in turns
    with pytest.raises(dp.OpenDPException, match="Nothing was spent"):
        count(inner, epsilon=0.3)
    with inner:
        pass
    assert context.remaining_privacy_loss() == 0.6
    with pytest.raises(dp.OpenDPException, match="closed"):
        count(inner, epsilon=0.1)
    assert "closed" in repr(inner)


def test_shares_of_a_share() -> None:
    context = opened(epsilon=3.0, evenly=3)
    inner = context.query().compositor(split_by_weights=[1, 3]).release()
    assert inner.queryable.remaining(exact=True) == [Fraction(1, 4), Fraction(3, 4)]
    count(inner)
    count(inner)
    assert inner.remaining_privacy_loss() == []
    assert context.remaining_privacy_loss() == [1.0, 1.0]
    inner.close()
    assert context.current_privacy_loss() == [1.0]  # a share is not given back


def test_on_what_a_transformation_makes() -> None:
    context = opened(epsilon=1.0)
    sums = context.query(epsilon=0.5).clamp((0, 10)).sum().compositor().release()
    assert sums.d_in == 10
    query = sums.query(epsilon=0.25).laplace()
    assert query.param() == 40.0
    assert isinstance(query.release(), int)
    assert sums.current_privacy_loss() == 0.25
    rows = context.query(epsilon=0.5).clamp((0, 10)).compositor().release()
    assert rows.query(epsilon=0.5).sum().laplace().param() == 20.0


def test_an_irrational_distance_is_rounded_up_and_fits() -> None:
    metric = dp.l2_distance(T=float)
    tree = opened(rho=1.0).query(rho=0.5).count_by_categories([25, 31], MO=metric)
    inner = tree.b_ary_tree(3, 2).compositor().release()
    query = inner.query(rho=0.25).gaussian()
    assert isinstance(query.release()[0], int)
    assert inner.current_privacy_loss() <= 0.25


@for_each(
    ("budget", "part", "measure", "alpha", "asked"),
    [
        ({"epsilon": 1, "delta": 1e-6}, (0.5, 5e-7), CONCENTRATED, None, "gaussian"),
        ({"epsilon": 1, "delta": 1e-6}, (0.5, 5e-7), BOTH, 0.5, "gaussian"),
        ({"epsilon": 1, "delta": 1e-6}, (0.5, 5e-7), PURE, None, "laplace"),
        ({"rho": 0.1}, 0.05, PURE, None, "laplace"),
        ({"rho": 0.1, "delta": 1e-6}, (0.05, 0), CONCENTRATED, None, "gaussian"),
        ({"rho": 0.1, "delta": 1e-6}, (0.05, 0), PURE, None, "laplace"),
    ],
    ids=str,
)
@for_each("shares", [None, 4])
def test_a_context_that_counts_otherwise(
    budget: Any, part: Any, measure: Any, alpha: Any, asked: str, shares: Any
) -> None:
    context = opened(**budget)
    outer = context.output_measure
    query = context.query().compositor(
        shares, d_out=part, output_measure=measure, alpha=alpha
    )
    assert query.resolve().check(1, part)
    inner = query.release()
    assert inner.output_measure == measure
    spent = context.queryable.privacy_loss(1, exact=True)
    assert outer.at_most(spent, outer.parse(part))
    first = (spent[0], part[0]) if isinstance(part, tuple) else (spent, part)
    assert float(first[0]) == pytest.approx(first[1], rel=1e-12)  # nothing is wasted
    if shares is None:
        left = inner.remaining_privacy_loss()
        tenth = left[0] / 10 if isinstance(left, tuple) else left / 10
        name = "epsilon" if measure == PURE else "rho"
        more = {"delta": 0} if measure == BOTH else {}
        asking = inner.query(**{name: tenth}, **more)
    else:
        asking = inner.query()
    assert isinstance(getattr(asking.count(), asked)().release(), int)


def test_what_counts_by_a_weaker_measure_is_refused() -> None:
    context = opened(epsilon=1.0)
    for measure in (CONCENTRATED, PAIR, BOTH):
        with pytest.raises(ValueError, match="there is no conversion"):
            context.query(epsilon=0.1).compositor(output_measure=measure)
    pairs = opened(epsilon=1.0, delta=1e-6)
    with pytest.raises(ValueError, match="alpha=None"):
        pairs.query(epsilon=0.1, delta=1e-7).compositor(output_measure=BOTH)
    with pytest.raises(ValueError, match="alpha="):
        pairs.query(epsilon=0.1, delta=1e-7).compositor(alpha=0.5)
    with pytest.raises(ValueError, match="not said what the query may lose"):
        pairs.query().compositor()
    with pytest.raises(ValueError, match="exclude each other"):
        pairs.query(epsilon=0.1, delta=0).compositor(2, [1, 1])
    assert pairs.journal() == context.journal() == []


def test_a_nested_context_has_no_more_than_its_query_said() -> None:
    context = opened(epsilon=10.0)
    with pytest.raises(ValueError, match=r"would lose 5\.0, and it may lose 0\.5"):
        context.query(epsilon=0.5).compositor(d_out=5.0).release()
    assert context.journal() == []
    nested = context.query(epsilon=0.5).compositor(d_out=0.25).release()
    assert nested.remaining_privacy_loss() == 0.25
    nested = context.query().compositor(d_out=5.0).release()
    assert nested.remaining_privacy_loss() == 5
    assert context.remaining_privacy_loss() == 4.75


@for_each(("measure", "budget", "part"), LOSSES, ids=str)
def test_nested_twice(measure: Any, budget: Any, part: Any) -> None:
    """OpenDP cannot ask a compositor in an odometer, in approximate zCDP."""
    context = opened(**budget)
    inner = context.query(**part).compositor().release()
    innermost = inner.query(**part).compositor(split_evenly_over=2).release()
    count(innermost)
    assert inner.remaining_privacy_loss() in (0, (0, 0))
    for each in (innermost, inner):
        each.close()
    assert len(context.journal()[0].children or []) == 1


def test_a_nested_context_cannot_lie_about_its_budget(monkeypatch: Any) -> None:
    """A translation that is wrong is refused by the session above."""
    from opendp_lite.context import queries

    monkeypatch.setattr(queries, "translated", lambda *_: Fraction(5))
    context = opened(epsilon=1.0, delta=1e-6)
    query = context.query(epsilon=0.5, delta=1e-7)
    with pytest.raises(dp.OpenDPException, match="would lose"):
        query.compositor(output_measure=CONCENTRATED).release()
    monkeypatch.setattr(dp.Query, "_checked", lambda self, found: found)
    with pytest.raises(dp.OpenDPException, match="of the limit is left"):
        query.compositor(output_measure=CONCENTRATED).release()
    assert context.current_privacy_loss() == (0, 0)
