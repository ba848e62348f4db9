"""Threads that ask one Context at the same time, and what the journal says of them.

Eight threads on one Context of OpenDP hang (its issues 1849, 1854).
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import opendp_lite.prelude as dp
from tests.context.opened import PURE, opened
from tests.longer import shortened

_THREADS, _PLACES = 8, 50


@pytest.fixture(autouse=True)
def _threads_change_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[], None]) -> None:
    """Have eight threads do the same; none may hang."""
    threads = [threading.Thread(target=work, daemon=True) for _ in range(_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)  # a thousand rounds take a minute or two
    assert not any(thread.is_alive() for thread in threads)


def raced(opens: Callable[[], Any], ask: Callable[[Any], Any], rounds: int) -> None:
    """Let eight threads ask until they are refused; exactly fifty are answered."""
    contexts = [opens() for _ in range(rounds)]
    answers: list[list[int]] = [[] for _ in contexts]
    start = threading.Barrier(_THREADS, timeout=60)

    def work() -> None:
        for context, heard in zip(contexts, answers, strict=True):
            start.wait()
            while True:
                try:
                    heard.append(ask(context))
                except dp.OpenDPException:
                    break

    together(work)
    for context, heard in zip(contexts, answers, strict=True):
        journal = context.journal()
        assert len(heard) == len(journal) == _PLACES
        assert {entry.state for entry in journal} == {"released"}
        assert sorted(entry.answer for entry in journal) == sorted(heard)
        assert context.queryable.remaining(exact=True) in (0, [])


def of_a_limit() -> Any:
    context: Any = opened(epsilon=5, keep=True)
    context.shared = context.query(epsilon=0.1).count().laplace()
    return context


def of_shares() -> Any:
    return opened(epsilon=5, evenly=_PLACES, keep=True)


ASKED = {
    "each its own query": (
        of_a_limit,
        lambda context: context.query(epsilon=0.1).count().laplace().release(),
    ),
    "all the same query": (of_a_limit, lambda context: context.shared.release()),
    "planned": (of_shares, lambda context: context.query().count().laplace().release()),
}


@pytest.mark.parametrize("how", ["each its own query", "planned"])
@pytest.mark.parametrize("rounds", [12, pytest.param(1000, marks=pytest.mark.audit)])
def test_eight_threads_race_for_fifty_places(how: str, rounds: int) -> None:
    raced(*ASKED[how], rounds)


@pytest.mark.parametrize("rounds", [50, pytest.param(1000, marks=pytest.mark.audit)])
def test_eight_threads_race_with_one_query(rounds: int) -> None:
    raced(*ASKED["all the same query"], rounds)


def test_answers_stand_where_they_belong() -> None:
    """Two threads ask the same query, and the first answer comes last."""
    context = opened(epsilon=1.0, weights=[1, 3], keep=True)
    both = threading.Barrier(2, timeout=60)
    first, second = threading.Event(), threading.Event()
    turns, places = iter("ab"), threading.Lock()

    def loss(_: int) -> float:
        # Neither has been charged yet. One of the two waits until the other runs, so
        # that who is charged first is who runs first.
        if both.wait() == 1:
            assert first.wait(60)
        return 0.25

    def function(_: object) -> str:
        with places:
            turn = next(turns)
        if turn == "a":
            first.set()
            assert second.wait(60)
        return turn

    space = context.queryable.input_space
    query = dp.m.make_user_measurement(*space, dp.max_divergence(), function, loss)
    heard: list[str] = []

    def work() -> None:
        heard.append(context(query))
        second.set()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert heard == ["b", "a"]
    entries = context.journal()
    assert {entry.answer for entry in entries} == {"a", "b"}
    assert [entry.answer for entry in entries] == ["a", "b"]
    assert all(entry.time is not None for entry in entries)


def test_a_refused_query_takes_no_note_of_another() -> None:
    """One thread is answered, slowly; another asks the same, and is refused."""
    context = opened(epsilon=1.0, keep=True)
    both, refused = threading.Barrier(2, timeout=60), threading.Event()

    def loss(_: int) -> float:
        both.wait()
        return 1.0

    def function(_: object) -> int:
        assert refused.wait(60)
        return 7

    space = context.queryable.input_space
    query = dp.m.make_user_measurement(*space, dp.max_divergence(), function, loss)
    heard: list[int] = []

    def work() -> None:
        try:
            heard.append(context(query))
        except dp.OpenDPException:
            refused.set()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert heard == [7] == [entry.answer for entry in context.journal()]


def test_after_a_fork_it_refuses_whatever_other_threads_did() -> None:
    """A lock that another thread held would be held for ever in the new process."""
    context = opened(epsilon=1.0)
    inside, done = threading.Event(), threading.Event()

    def function(_: object) -> int:
        inside.set()
        assert done.wait(60)
        return 0

    space = context.queryable.input_space
    query = dp.m.make_user_measurement(
        *space, dp.max_divergence(), function, lambda _: 0.5
    )
    thread = threading.Thread(target=context, args=(query,), daemon=True)
    thread.start()
    assert inside.wait(60)
    read, write = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # of forks beside other threads
        child = os.fork()
    if child == 0:
        said = b"answered"
        try:
            context.query(epsilon=0.1).count().laplace().release()
        except dp.OpenDPException as error:
            alone = error.__context__ is None
            said = b"refused" if "another process" in str(error) and alone else b"odd"
        os.write(write, said)
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 20) == b"refused"
    done.set()
    thread.join(60)
    assert context.remaining_privacy_loss() == 0.5


@pytest.mark.parametrize("threads", [1, _THREADS])
@pytest.mark.parametrize("seed", shortened(range(10), *range(5, 10)))
def test_whatever_is_asked_no_more_runs_than_the_budget_holds(
    seed: int, threads: int
) -> None:
    """Contexts nest, close, fail and are refused, at random, in any order."""
    dice = Random(seed)
    loss: dict[str, Any] = {"epsilon": Fraction(dice.randint(1, 40), 10)}
    loss |= dice.choice([{}, {"delta": "1e-6"}])
    context = opened(**loss)
    nodes, ran = [context], list[Fraction]()

    def step(dice: Random) -> None:
        here, part = dice.choice(nodes), Fraction(dice.randint(1, 12), 20)
        what = dice.random()
        planned = here.queryable.planned is not None
        query = here.query() if planned else here.query(epsilon=part)

        def function(_: object) -> None:
            ran.append(part)
            if part > Fraction(1, 2):
                raise ArithmeticError

        if what < 0.6:
            query.user_measurement(PURE, function, lambda d: part * d).release()
        elif what < 0.9:
            nodes.append(query.compositor(dice.choice([None, None, 2])).release())
        elif here is not context:
            here.close()

    def work() -> None:
        own = Random(dice.random())
        for _ in range(240 // threads):
            with suppress(dp.OpenDPException, ArithmeticError):
                step(own)

    if threads == 1:
        work()
    else:
        together(work)
    assert ran
    spent = context.queryable.privacy_loss(1, exact=True)
    epsilon = spent[0] if "delta" in loss else spent
    assert sum(ran) <= epsilon <= loss["epsilon"]
