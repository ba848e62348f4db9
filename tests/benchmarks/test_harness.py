"""The harness on contenders that are not libraries, and on a clock that is no clock."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from statistics import median

import pytest

from benchmarks.harness import (
    OURS,
    Absent,
    Call,
    Contender,
    Goal,
    Margin,
    Outcome,
    Row,
    Settings,
    measure,
    select,
    turns,
)
from tests.rows import for_each


class World:
    """A clock that moves only when a call says how long it took."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[str] = []

    def clock(self) -> float:
        return self.now

    def contender(self, name: str, *durations: float, units: int = 1) -> Contender:
        """Calls that take these times, one after the other, then the last for ever."""

        def build() -> Call:
            left = list(durations)

            def call() -> None:
                self.calls.append(name)
                self.now += left.pop(0) if len(left) > 1 else left[0]

            return call

        return Contender(name, build, units)


def absent() -> Call:
    raise Absent("Ghost is not installed")


def failing() -> Call:
    raise OSError("no such file: somewhere/private")


def fails_when_called() -> Call:
    def call() -> None:
        raise ZeroDivisionError

    return call


def row(*contenders: Contender, goals: tuple[Goal | Margin, ...] = ()) -> Row:
    return Row("key", "title", "call", contenders, goals)


def test_each_round_begins_with_the_next_contender() -> None:
    assert turns(3, 4) == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]
    assert turns(1, 2) == [[0], [0]]


def test_every_contender_runs_once_in_every_round_and_first_equally_often() -> None:
    order = turns(4, 8)
    assert all(sorted(one) == [0, 1, 2, 3] for one in order)
    assert set(Counter(one[0] for one in order).values()) == {2}


def test_batches_are_interleaved() -> None:
    world = World()
    contenders = [world.contender(name, 1.0) for name in (OURS, "A", "B")]
    measure(row(*contenders), Settings(rounds=3, batch=1.0), world.clock)
    # Before the rounds: a call that is free and one that counts the repeats.
    assert world.calls[:6] == [OURS, OURS, "A", "A", "B", "B"]
    assert world.calls[6:] == [OURS, "A", "B", "A", "B", OURS, "B", OURS, "A"]


def test_garbage_is_not_collected_while_batches_run() -> None:
    states = []

    def build() -> Call:
        return lambda: states.append(gc.isenabled())

    settings = Settings(rounds=3, batch=1e-9)
    measure(row(Contender(OURS, build)), settings)
    assert states[-3:] == [False, False, False]
    assert gc.isenabled()


def test_the_median_is_of_the_rounds_and_the_first_calls_do_not_count() -> None:
    world = World()
    mine = world.contender(OURS, 90.0, 80.0, 2.0, 50.0, 3.0)
    outcome = measure(row(mine), Settings(rounds=3, batch=1.0), world.clock)
    assert outcome.measured[0].times == (2.0, 50.0, 3.0)
    assert outcome.seconds == {OURS: median((2.0, 50.0, 3.0))}


def test_short_calls_are_repeated_until_they_fill_a_batch() -> None:
    world = World()
    quick = world.contender(OURS, 2.0**-10)
    outcome = measure(row(quick), Settings(rounds=2, batch=1.0), world.clock)
    assert outcome.seconds == {OURS: 2.0**-10}
    # One free, 1 + 2 + ... + 256 to count, two batches of 1024.
    assert len(world.calls) == 1 + 511 + 2 * 1024


def test_times_are_for_one_unit() -> None:
    world = World()
    contenders = [
        world.contender(OURS, 1.0, units=1000),
        world.contender("A", 1.0, units=10),
    ]
    outcome = measure(row(*contenders), Settings(rounds=3, batch=1.0), world.clock)
    assert outcome.seconds == pytest.approx({OURS: 0.001, "A": 0.1})
    assert outcome.ratio("A") == pytest.approx(100)
    assert outcome.ratio(OURS) == 1


def test_a_call_may_time_itself() -> None:
    world = World()
    contender = Contender(OURS, lambda: lambda: 0.25, self_timed=True)
    outcome = measure(row(contender), Settings(rounds=2, batch=0.1), world.clock)
    assert outcome.measured[0].times == (0.25, 0.25)


def test_an_absent_contender_is_reported_and_the_others_run() -> None:
    world = World()
    contenders = world.contender(OURS, 1.0), Contender("Ghost", absent)
    goals = (Goal(("Ghost",), 2),)
    outcome = measure(row(*contenders, goals=goals), Settings(2, 1.0), world.clock)
    ours, ghost = outcome.measured
    assert (ours.status, ghost.status) == ("measured", "absent")
    assert ghost.reason == "Ghost is not installed"
    assert ghost.seconds is None
    assert outcome.ratio("Ghost") is None
    assert outcome.verdicts[0].met is None


@pytest.mark.parametrize(
    ("build", "kind"), [(failing, "OSError"), (fails_when_called, "ZeroDivisionError")]
)
def test_a_contender_that_fails_is_reported_by_its_kind_only(
    build: Callable[[], Call], kind: str
) -> None:
    world = World()
    contenders = world.contender(OURS, 1.0), Contender("A", build)
    outcome = measure(row(*contenders), Settings(2, 1.0), world.clock)
    assert outcome.measured[1].status == "failed"
    assert outcome.measured[1].reason == kind
    assert outcome.seconds == {OURS: 1.0}


def test_where_ours_fails_no_goal_is_met() -> None:
    world = World()
    contenders = Contender(OURS, failing), world.contender("A", 1.0)
    goals = Goal(("A",), 2), Margin(("A",), 0.1)
    outcome = measure(row(*contenders, goals=goals), Settings(2, 1.0), world.clock)
    assert [verdict.met for verdict in outcome.verdicts] == [False, False]


def test_where_all_fail_there_are_no_times() -> None:
    outcome = measure(row(Contender(OURS, failing)), Settings(2, 1.0))
    assert outcome.seconds == {}


def test_a_goal_is_met_from_its_ratio_on() -> None:
    goal = Goal(("A",), 20)
    assert goal.judge({OURS: 1.0, "A": 20.0}).met is True
    assert goal.judge({OURS: 1.0, "A": 19.9}).met is False
    assert goal.judge({OURS: 1.0, "A": 19.9}).value == pytest.approx(19.9)
    assert goal.text == ">= 20x A"


def test_a_goal_against_several_is_against_the_fastest_of_those_present() -> None:
    goal = Goal(("A", "B"), 1)
    assert goal.judge({OURS: 2.0, "A": 3.0, "B": 1.0}).value == 0.5
    assert goal.judge({OURS: 2.0, "A": 3.0}).met is True
    assert goal.judge({OURS: 2.0, "C": 3.0}).met is None
    assert goal.text == "no slower than A and B"


def test_a_margin_is_a_difference_in_seconds() -> None:
    margin = Margin(("A",), 0.06)
    assert margin.judge({OURS: 0.15, "A": 0.1}).met is True
    assert margin.judge({OURS: 0.17, "A": 0.1}).met is False
    assert margin.judge({OURS: 0.17}).met is None
    assert margin.text == "<= 60 ms above A"


@for_each(
    ("names", "goals"),
    [
        (["A", OURS], ()),
        ([], ()),
        ([OURS, "A", "A"], ()),
        ([OURS, "A"], (Goal(("B",), 2),)),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(
    names: list[str], goals: tuple[Goal, ...]
) -> None:
    with pytest.raises(ValueError, match="key"):
        row(*(Contender(name, absent) for name in names), goals=goals)


def test_rows_are_selected_by_key_beginning_and_pattern() -> None:
    keys = ["scalar-a", "scalar-b", "vector-a", "import"]
    rows = [Row(key, key, "call", (Contender(OURS, absent),)) for key in keys]

    def selected(*patterns: str) -> list[str]:
        return [one.key for one in select(rows, patterns)]

    assert selected() == keys
    assert selected("scalar") == ["scalar-a", "scalar-b"]
    assert selected("*-a") == ["scalar-a", "vector-a"]
    # In the order of the rows, and each once.
    assert selected("import", "scalar-b", "scalar") == [
        "scalar-a",
        "scalar-b",
        "import",
    ]
    with pytest.raises(ValueError, match="tensor"):
        selected("scalar", "tensor")


def test_outcomes_are_judged_when_they_are_made() -> None:
    world = World()
    contenders = world.contender(OURS, 1.0), world.contender("A", 4.0)
    goals = Goal(("A",), 3), Goal(("A",), 5)
    outcome = measure(row(*contenders, goals=goals), Settings(3, 1.0), world.clock)
    assert isinstance(outcome, Outcome)
    assert [verdict.met for verdict in outcome.verdicts] == [True, False]
