"""The Context: one budget, held by a session, whatever the Context itself does."""

from __future__ import annotations

import copy
import math
import os
import pickle
import time
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import polars
import pytest

import opendp_lite.prelude as dp
from opendp_lite.context import queries
from opendp_lite.solving import parameters as solving
from tests.context.opened import (
    INTEGERS,
    LOSSES,
    ONE_ROW,
    PAIR,
    PURE,
    ROWS,
    SECRET,
    opened,
)
from tests.longer import shortened
from tests.rows import for_each


def test_ten_tenths_fit() -> None:
    """OpenDP refuses the tenth (its issue 2131)."""
    context = opened(epsilon=1.0)
    for _ in range(10):
        assert isinstance(context.query(epsilon=0.1).count().laplace().release(), int)
    assert context.remaining_privacy_loss() == 0
    assert context.current_privacy_loss() == 1.0
    with pytest.raises(dp.OpenDPException, match="Nothing was spent"):
        context.query(epsilon=1e-9).count().laplace().release()


@for_each("budget", [0.3, 0.7, 1.1, 1e-3, 17.0])
@for_each("parts", [3, 7, 10, 49])
def test_even_shares_are_exact(budget: float, parts: int) -> None:
    context = opened(epsilon=budget, evenly=parts)
    shares = context.queryable.remaining(exact=True)
    assert shares == [shares[0]] * parts
    whole = Fraction(str(budget))
    assert sum(shares) in (whole, Fraction(budget))
    assert sum(shares) >= whole


def test_weighted_shares_are_exact() -> None:
    context = opened(epsilon=1.0, weights=[0.1, 0.2, 0.7])
    tenth = Fraction(1, 10)
    assert context.queryable.remaining(exact=True) == [tenth, 2 * tenth, 7 * tenth]
    pairs = opened(epsilon=1.0, delta="1e-6", weights=[1, 3])
    exact = pairs.queryable.remaining(exact=True)
    assert exact[0] == (Fraction(1, 4), Fraction(1, 4 * 10**6))
    assert pairs.remaining_privacy_loss() == [(0.25, 2.5e-7), (0.75, 7.5e-7)]


def test_planned_queries_take_their_shares_in_order() -> None:
    context = opened(epsilon=1.0, weights=[1, 3])
    assert context.query().count().laplace().param() == 4.0
    context.query().count().laplace().release()
    assert context.query().count().laplace().param() == pytest.approx(4 / 3)
    assert context.current_privacy_loss() == [0.25]
    assert context.remaining_privacy_loss() == [0.75]
    context.query().count().laplace(100.0).release()  # less noise would have done
    assert context.current_privacy_loss() == [0.25, 0.75]
    with pytest.raises(ValueError, match="Privacy allowance has been exhausted"):
        context.query()


def test_a_refusal_changes_nothing() -> None:
    context = opened(epsilon=1.0)
    context.query(epsilon=0.5).count().laplace().release()
    with pytest.raises(dp.OpenDPException, match=r"0\.5 of the limit is left"):
        context.query(epsilon=0.6).count().laplace().release()
    assert (context.remaining_privacy_loss(), len(context.journal())) == (0.5, 1)
    context.query(epsilon=0.5).count().laplace().release()  # a smaller one is answered
    assert context.remaining_privacy_loss() == 0


def test_what_does_not_fit_never_runs_and_what_raises_is_charged() -> None:
    """OpenDP releases epsilon 1000 under a budget of 1, and charges nothing."""
    context, seen = opened(epsilon=1.0), []

    def leak(release: int) -> int:
        seen.append(release)
        raise ValueError("after the release")

    with pytest.raises(dp.OpenDPException, match="Nothing was spent"):
        (context.query(epsilon=1000).count().laplace() >> leak).release()
    assert seen == []
    with pytest.raises(ValueError, match="after the release"):
        (context.query(epsilon=0.25).count().laplace() >> leak).release()
    assert len(seen) == 1
    assert context.remaining_privacy_loss() == 0.75
    entry = context.journal()[0]
    assert (entry.state, entry.loss) == ("failed", Fraction(1, 4))


def test_a_solver_that_lies_cannot_spend_more(monkeypatch: Any) -> None:
    """Nothing in the Context decides privacy: the session does, by the map."""
    context = opened(epsilon=1.0)

    def lying(chain: Any, *_: Any) -> solving.Solution:
        noisy = chain(1e-6)
        return solving.Solution(1e6, noisy, noisy, loss=0)

    monkeypatch.setattr(queries, "solved", lying)
    query = context.query(epsilon=0.1).count().laplace()
    assert query.param() == 1e6  # so it says
    assert query.preview().loss >= 1e6  # as the map says
    assert not query.preview().answered
    with pytest.raises(dp.OpenDPException, match="loses 1000000"):
        query.release()
    assert context.remaining_privacy_loss() == 1.0
    assert context.journal() == []


def test_a_context_that_forgets_cannot_spend_more(monkeypatch: Any) -> None:
    context = opened(epsilon=1.0)
    monkeypatch.setattr(dp.Context, "current_privacy_loss", lambda *_: 0)
    monkeypatch.setattr(dp.Context, "_entry", lambda *_: None)
    monkeypatch.setattr(dp.Query, "_checked", lambda self, found: found)
    answers = 0
    for _ in range(20):
        try:
            context.query(epsilon=0.1).count().laplace(5.0).release()
        except dp.OpenDPException:
            continue
        answers += 1
    assert answers == 5  # at 1/5 each, whatever was asked for


def test_a_query_loses_no_more_than_it_says() -> None:
    """OpenDP would charge 1 for what was asked for as 0.1."""
    context = opened(epsilon=10.0)
    with pytest.raises(ValueError, match=r"would lose 1\.0, and it may lose 0\.1"):
        context.query(epsilon=0.1).count().laplace(1.0).release()
    assert context.remaining_privacy_loss() == 10.0
    context.query().count().laplace(1.0).release()  # nothing was said
    assert context.remaining_privacy_loss() == 9.0


def test_queries_take_linear_time() -> None:
    """Each query of OpenDP costs more than the last (its issue 2909)."""

    def seconds(context: Any, n: int) -> float:
        query = context.query(epsilon=1e-6).count().laplace()
        start = time.process_time()
        for _ in range(n):
            query.release()
            context.remaining_privacy_loss()
        return time.process_time() - start

    for _ in range(10):  # what others do on the machine costs CPU time too
        context = opened(epsilon=1.0)
        first, _, last = (seconds(context, 2000) for _ in range(3))
        if last < 2 * first:
            break
    else:
        raise AssertionError("later queries take more time")


@pytest.mark.parametrize("plan", shortened([20_000, 10**5], 10**5))
def test_planned_queries_take_linear_time(plan: int) -> None:
    def seconds(context: Any, n: int) -> float:
        start = time.process_time()
        for _ in range(n):
            context.query().count().laplace(1e9).release()
        return time.process_time() - start

    for _ in range(10):
        context = opened(epsilon=1.0, evenly=plan)
        short = opened(epsilon=1.0, evenly=10**2)
        if seconds(context, 100) < 3 * seconds(short, 100):
            break
    else:
        raise AssertionError("a long plan takes more time a query")


def test_it_is_not_copied_and_not_used_after_a_fork() -> None:
    context = opened(epsilon=1.0)
    for copied in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="pickle"):
            copied(context)
    again = copy.copy(context)  # the same session
    again.query(epsilon=0.5).count().laplace().release()
    assert context.remaining_privacy_loss() == 0.5
    read, write = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # of forks beside other threads
        child = os.fork()
    if child == 0:
        try:
            context.query(epsilon=0.1).count().laplace().release()
            said = b"answered"
        except dp.OpenDPException as error:
            same = "another process" in str(error) and "another" in repr(context)
            said = b"refused" if same else b"otherwise"
        os.write(write, said)
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 20) == b"refused"


# --- data and domains -----------------------------------------------------------------


@for_each(
    "data",
    [
        ROWS,
        tuple(ROWS),
        np.array(ROWS),
        pandas.Series(ROWS),
        polars.Series(ROWS),
    ],
    ids=lambda data: type(data).__module__,
)
@for_each("domain", [None, INTEGERS])
def test_columns_come_in_as_they_are(data: Any, domain: Any) -> None:
    context = opened(data=data, domain=domain, epsilon=1e6)
    assert context.query(epsilon=1e6).count().laplace().release() == len(ROWS)
    assert context.queryable.input_space == (INTEGERS, dp.symmetric_distance())
    assert ("inferred" in repr(context)) == (domain is None)


def test_a_frame_comes_in_by_its_domain() -> None:
    table = pandas.DataFrame({"age": ROWS})
    domain = dp.frame_domain({"age": dp.atom_domain(T=int)})
    context = opened(data=table, domain=domain, epsilon=1e6)
    query = context.query(epsilon=1e6).frame_column("age").count().laplace()
    assert query.release() == len(ROWS)
    for each in (table, polars.LazyFrame({"age": ROWS})):
        with pytest.raises(ValueError, match="are declared, and not inferred"):
            opened(data=each, domain=None, epsilon=1.0)


@for_each(
    ("data", "unit", "domain"),
    [
        (0, {"absolute": 1}, dp.atom_domain(T=int)),
        (0.5, {"absolute": 1.0}, dp.atom_domain(T=float, nan=False)),
        ([0.5], {"contributions": 1}, dp.vector_domain(dp.atom_domain(T=float))),
        ([1, 2], {"l1": 1}, INTEGERS),
        (True, {"local": True}, dp.atom_domain(T=bool)),
        (["a"], {"changes": 1}, dp.vector_domain(dp.atom_domain(T=str))),
    ],
    ids=str,
)
def test_a_domain_is_inferred_from_types(data: Any, unit: Any, domain: Any) -> None:
    context = opened(data=data, unit=dp.unit_of(**unit), domain=None, epsilon=1)
    assert context.queryable.input_space[0] == domain


@for_each("data", [[], None, [None, SECRET], polars.Series([None, SECRET])], ids=str)
def test_a_domain_that_types_do_not_tell_is_asked_for(data: Any) -> None:
    with pytest.raises(ValueError, match="whose types do not tell the dom") as caught:
        opened(data=data, domain=None, epsilon=1.0)
    assert str(SECRET) not in str(caught.value)


def test_data_that_are_no_members_are_not_shown() -> None:
    with pytest.raises(TypeError, match="wrap domain by vector_domain") as caught:
        opened(domain=dp.atom_domain(T=int), unit=dp.unit_of(absolute=1), epsilon=1.0)
    assert str(SECRET) not in str(caught.value)
    with pytest.raises(TypeError) as caught:
        opened(domain=dp.vector_domain(dp.atom_domain(T=str)), epsilon=1.0)
    assert str(SECRET) not in str(caught.value)


# --- bad input ------------------------------------------------------------------------

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"evenly": 2, "weights": [1]}, "exclude each other"),
    ({"evenly": 0}, "split_evenly_over=0: must be at least 1"),
    ({"evenly": -1}, "split_evenly_over=-1"),
    ({"evenly": 1.5}, "split_evenly_over=1.5: must be an integer"),
    ({"evenly": True}, "split_evenly_over=True"),
    ({"weights": []}, "at least one weight greater than 0"),
    ({"weights": [0, 0.0]}, "at least one weight greater than 0"),
    ({"weights": [1, -1]}, "split_by_weights[1]=-1: must be at least 0"),
    ({"weights": [math.nan]}, "split_by_weights[0]=nan"),
    ({"weights": [math.inf]}, "split_by_weights[0]=inf"),
    ({"weights": [True]}, "split_by_weights[0]=True"),
    ({"weights": 3}, "split_by_weights=3: must be a list"),
    ({"weights": {1: 2}}, "split_by_weights=<dict>: must be a list"),
    ({"domain": ROWS}, "domain=<sequence>: must be a Domain"),
    ({"unit": 1}, "privacy_unit=1: must be a pair"),
    ({"unit": (1, 1)}, "privacy_unit[0]=<class 'int'>: must be a Metric"),
    ({"unit": ROWS[:2]}, "privacy_unit[0]=<class 'int'>: must be a Metric"),
    ({"unit": (dp.symmetric_distance(), -1)}, "privacy_unit[1]=-1"),
    ({"unit": dp.unit_of(absolute=1)}, "is not a metric space"),
]


@for_each(("given", "said"), WRONG, ids=str)
def test_bad_input_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        opened(**given, epsilon=1.0)
    assert said in str(caught.value)
    assert str(SECRET) not in str(caught.value)


def test_other_bad_input_is_refused() -> None:
    with pytest.raises(
        dp.OpenDPException, match=r"privacy_loss\[0\]=<class 'int'>: mus"
    ):
        dp.Context.compositor(ROWS, ONE_ROW, (1, 1))  # type: ignore[arg-type]
    with pytest.raises(dp.OpenDPException, match="losses add up under"):
        curve = dp.smoothed_max_divergence(), lambda epsilon: 1
        dp.Context.compositor(ROWS, ONE_ROW, curve, domain=INTEGERS)
    with pytest.raises(ValueError, match="pass public keys to group_by"):
        dp.Context.compositor(ROWS, ONE_ROW, dp.loss_of(1.0), margins=["a"])
    with pytest.raises(ValueError, match="pass public keys to group_by"):
        frame = pandas.DataFrame({"a": ROWS})
        dp.Context.compositor(ROWS, ONE_ROW, dp.loss_of(1.0), margins=frame)
    with pytest.raises(ValueError, match="Write it anew by"):
        opened(epsilon=1.0).deserialize_polars_plan(b"")
    with pytest.raises(TypeError, match=r"Use Context\.compositor"):
        dp.Context(opened(epsilon=1).accountant, ROWS, 1)  # type: ignore[arg-type]


def test_losses_of_queries_fit_the_context() -> None:
    with pytest.raises(ValueError, match="parted when it was made"):
        opened(epsilon=1.0, evenly=2).query(epsilon=0.5)
    with pytest.raises(ValueError, match="Say the loss as loss_of"):
        opened(epsilon=1.0).query(rho=0.1)
    with pytest.raises(ValueError, match="Say epsilon and delta"):
        opened(epsilon=1.0, delta=1e-6).query(rho=0.1)
    with pytest.raises(dp.OpenDPException, match="epsilon=-1"):
        opened(epsilon=1.0).query(epsilon=-1)


def test_a_query_may_count_by_a_stronger_measure() -> None:
    pairs = opened(epsilon=1.0, delta=1e-6)
    assert pairs.query(epsilon=0.1).count().laplace().param() == 10.0
    pairs.query(epsilon=0.1).count().laplace().release()
    assert pairs.current_privacy_loss() == (0.1, 0.0)
    rho = opened(rho=0.1)
    rho.query(epsilon=0.1).count().laplace().release()
    tenth = dp.c.make_pureDP_to_zCDP(
        dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), 10.0)
    )
    assert rho.current_privacy_loss() == tenth.map(1)


@for_each(("measure", "budget", "part"), LOSSES, ids=str)
def test_a_measurement_is_asked_as_it_is(measure: Any, budget: Any, part: Any) -> None:
    context = opened(**budget)
    query = context.query(**part).count().laplace().resolve()
    assert query.output_measure == measure == context.output_measure
    assert isinstance(context(query), int)
    other = PURE if measure == PAIR else PAIR
    wrong = dp.m.make_user_measurement(
        *context.queryable.input_space, other, lambda x: 0, lambda d: 0
    )
    with pytest.raises(dp.OpenDPException, match="MeasureMismatch"):
        context(wrong)
    assert len(context.journal()) == 1


@for_each(("measure", "budget", "part"), LOSSES)
def test_names_of_opendp_for_budgets(
    measure: Any, budget: dict[str, Any], part: dict[str, Any]
) -> None:
    """d_out is the budget of a filter, d_mids are the shares that are left."""
    filtered, planned = opened(**budget), opened(**budget, evenly=2)
    whole = dp.loss_of(**budget)[1]
    assert filtered.query_space == planned.query_space == (INTEGERS, ONE_ROW[0])
    assert filtered.d_out == whole
    assert filtered.d_mids is planned.d_out is None
    shares = planned.d_mids
    assert len(shares) == 2
    assert planned.d_mids_consumed == filtered.d_mids_consumed == []
    planned.query().count().laplace().release()
    filtered.query(**part).count().laplace().release()
    assert planned.d_mids == shares[1:]
    assert planned.d_mids_consumed == planned.current_privacy_loss()  # rounded up
    assert planned.d_mids_consumed == [
        pytest.approx(each, rel=1e-15) for each in shares[:1]
    ]
    assert len(filtered.d_mids_consumed) == 1
    shares.append(0.0)  # a list of one's own
    assert len(planned.d_mids) == 1
