"""Units and budgets that promise nothing are refused, whoever wrote the pair."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.metrics import symmetric_id_distance
from tests.context.opened import (
    BOTH,
    CONCENTRATED,
    INTEGERS,
    ONE_ROW,
    PAIR,
    PURE,
    ROWS,
    opened,
)
from tests.rows import for_each

COUNTED = dp.symmetric_distance()
MAPS = dp.l01inf_distance(dp.absolute_distance(T=int))
TWO = dp.product_distance([COUNTED, COUNTED])
NOBODY, NO_NOISE = "nobody is protected", "no noise is enough"


@for_each(
    ("metric", "d_in", "said"),
    [
        (COUNTED, 0, NOBODY),
        (COUNTED, 0.0, NOBODY),
        (COUNTED, "0", NOBODY),
        (COUNTED, math.inf, NO_NOISE),
        (dp.insert_delete_distance(), 0, NOBODY),
        (dp.change_one_distance(), Fraction(0), NOBODY),
        (dp.hamming_distance(), np.float64(math.inf), NO_NOISE),
        (dp.discrete_distance(), 0, NOBODY),
        (symmetric_id_distance("id"), 0, NOBODY),
        (dp.absolute_distance(T=float), -0.0, NOBODY),
        (dp.l1_distance(T=int), math.inf, NO_NOISE),
        (dp.l2_distance(T=float), "inf", NO_NOISE),
        (dp.linf_distance(T=int), 0, NOBODY),
        (MAPS, (0, 1, 1), NOBODY),
        (MAPS, (1, math.inf, 1), NO_NOISE),
        (TWO, (0, 0), NOBODY),
        (TWO, (1, 0), NOBODY),
        (TWO, (math.inf, 1), NO_NOISE),
        (dp.product_distance([COUNTED, TWO]), (1, (1, 0)), NOBODY),
    ],
    ids=str,
)
def test_a_unit_that_protects_nobody_is_refused(
    metric: Any, d_in: Any, said: str
) -> None:
    with pytest.raises(dp.OpenDPException, match=r"privacy_unit\[1\]=") as caught:
        dp.Context.compositor(ROWS, (metric, d_in), dp.loss_of(1.0), domain=INTEGERS)
    assert said in caught.value.message


@for_each(
    ("metric", "d_in"),
    [(COUNTED, 1), (COUNTED, 10**5000), (MAPS, (1, 2, 2)), (TWO, (1, 3))],
)
def test_other_units_protect_somebody(metric: Any, d_in: Any) -> None:
    assert metric.no_promise(metric.parse(d_in)) is None


def test_numbers_of_metrics_and_measures_of_ones_own_are_judged_too() -> None:
    distance, divergence = dp.user_distance("mine"), dp.user_divergence("mine")
    for d_in, said in ((0, NOBODY), (math.inf, NO_NOISE), ("a word", None), (2, None)):
        found = distance.no_promise(distance.parse(d_in))
        assert said in found if said else found is None  # type: ignore[operator]
    pairs = dp.approximate(divergence)
    for measure, loss, refused in (
        *((divergence, math.inf, True), (divergence, "word", False)),
        *((divergence, 0, False), (pairs, ("word", 1), True)),
        *((pairs, ("word", 0.5), False), (pairs, (math.inf, 0), True)),
    ):
        assert (measure.no_promise(measure.parse(loss)) is not None) == refused


EMPTY_LOSSES: list[tuple[Any, Any]] = [
    *((PURE, math.inf), (PURE, "inf"), (CONCENTRATED, float("inf"))),
    *((PAIR, (1.0, 1.0)), (PAIR, (1.0, "1")), (PAIR, (0, 1)), (PAIR, [math.inf, 0])),
    *((PAIR, (math.inf, 1.0)), (BOTH, (0.1, 1)), (BOTH, (math.inf, 1e-9))),
]


@for_each(("measure", "loss"), EMPTY_LOSSES, ids=str)
def test_a_budget_that_promises_nothing_is_refused(measure: Any, loss: Any) -> None:
    pair = measure, loss
    for parts in ({}, {"split_evenly_over": 2}, {"split_by_weights": [1, 2]}):
        with pytest.raises(dp.OpenDPException, match="allows every release") as caught:
            dp.Context.compositor(ROWS, ONE_ROW, pair, domain=INTEGERS, **parts)
        assert caught.value.message.startswith("privacy_loss[1]=")
    with pytest.raises(dp.OpenDPException, match=r"d_out=.* allows every release"):
        dp.Query((INTEGERS, COUNTED), measure, 1, loss)


def test_queries_that_promise_nothing_are_refused() -> None:
    pairs, rho = opened(epsilon=1.0, delta=1e-6), opened(rho=1.0)
    for call in (
        lambda: opened(epsilon=1.0).query(epsilon=math.inf),
        lambda: pairs.query(epsilon=0.1, delta=1),
        lambda: pairs.table(epsilon=0.1, delta=1),
        lambda: rho.query(rho=math.inf),
        lambda: pairs.query(0.1, 0).compositor(d_out=(0.1, 1)),
        lambda: rho.query().compositor(d_out=math.inf),
    ):
        with pytest.raises(dp.OpenDPException, match="allows every release"):
            call()
    alone = dp.Query((INTEGERS, COUNTED), PURE, 0, 1).count()
    nested = pairs.query(0.1, 0).clamp((0, 0)).sum()  # always 0
    for call in (
        alone.laplace().param,
        lambda: alone.laplace(0.0).release(ROWS),
        nested.compositor,
    ):
        with pytest.raises(dp.OpenDPException, match="d_in=0: data at distance 0"):
            call()
    assert pairs.journal() == rho.journal() == []


def test_a_context_made_by_hand_has_a_limit() -> None:
    odometer = dp.c.make_fully_adaptive_composition(INTEGERS, COUNTED, PURE)
    with pytest.raises(TypeError, match=r"Use Context\.compositor"):
        dp.Context(odometer, odometer(ROWS), 1)  # type: ignore[arg-type]
    limited = dp.c.make_privacy_filter(odometer, 1, 1.0)
    assert dp.Context(limited, limited(ROWS), 1).remaining_privacy_loss() == 1.0
    for session, d_in, said in (
        (odometer(ROWS), 1, "must have a finite limit"),
        (limited(ROWS), 0, NOBODY),
        (limited(ROWS), math.inf, NO_NOISE),
        (limited(ROWS), 2, "limited for distances up to 1"),
    ):
        with pytest.raises(dp.OpenDPException, match=said):
            dp.Context(limited, session, d_in)
    free = dp.c.make_privacy_filter(odometer, 1, math.inf)
    with pytest.raises(dp.OpenDPException, match="must have a finite limit"):
        dp.Context(free, free(ROWS), 1)


@for_each("budget", [{"epsilon": 0}, {"rho": 0}, {"epsilon": 0, "delta": 0}], ids=str)
def test_a_budget_of_0_is_the_strictest(budget: dict[str, Any]) -> None:
    """It promises that nothing is learned, and answers what is the same for all."""
    context = opened(**budget)
    with pytest.raises(dp.OpenDPException, match="Nothing was spent"):
        context.query().count().laplace(1.0).release()
    space, measure = context.query_space, context.output_measure
    loss = (0, 0) if "delta" in budget else 0
    said = dp.m.make_user_measurement(*space, measure, lambda x: "hi", lambda d: loss)
    assert context(said) == "hi"
