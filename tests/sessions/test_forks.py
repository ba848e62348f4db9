"""Forked processes: the system gives the number of a process that has ended to others.

Children here pretend to have the number of the process that opened what they use. So
the number alone would let them in, as it did before forks were counted.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite.randomness.entropy import bulk
from opendp_lite.sessions.trees import current_process
from opendp_lite.tables.engines.duckdb import own_session
from tests.rows import for_each
from tests.sessions.opened import filtered, in_child, laplace, user


def with_number(number: int, act: Callable[[], Any]) -> Callable[[], Any]:
    """Return `act` in a process that has this number, as far as Python sees."""

    def pretend() -> Any:
        os.getpid = lambda: number  # the child ends by os._exit
        assert current_process()[0] == number
        return act()

    return pretend


@for_each(
    "act",
    [
        lambda session: session(laplace(10)),
        lambda session: session.privacy_loss(1),
        lambda session: session.remaining(),
        lambda session: session.journal(),
        lambda session: session.close(),
    ],
)
def test_a_child_with_the_number_of_the_opener_is_refused(act: Any) -> None:
    session = filtered(1)
    child = with_number(os.getpid(), lambda: act(session))
    assert b"another process" in in_child(child)
    assert not session.closed
    session(laplace(1))  # the opener goes on, with its whole limit
    assert session.remaining() == 0


def test_a_descendant_of_an_early_worker_is_refused() -> None:
    """The worker is forked before anything is asked; the opener's number is free later.

    This spent a limit of 1 twice.
    """
    session, opener, ran = filtered(1), os.getpid(), list[int]()
    query = user(1, lambda x: ran.append(1))
    descendant = with_number(opener, lambda: session(query))

    def worker() -> None:
        assert b"another process" in in_child(descendant)
        descendant()  # and here, in the worker itself

    assert b"another process" in in_child(worker)
    session(query)
    assert ran == [1]


def test_a_queryable_with_the_number_of_its_process_is_refused_too() -> None:
    queryable = dp.new_queryable(lambda query, _: query)
    child = with_number(os.getpid(), lambda: queryable(1))
    assert b"another process" in in_child(child)
    assert queryable(1) == 1


def test_a_stream_of_random_bits_serves_no_child() -> None:
    with bulk() as stream:
        stream.bytes(16)
        child = with_number(os.getpid(), lambda: stream.bytes(16))
        assert in_child(child) == b"RuntimeError"
        assert len(stream.bytes(16)) == 16


def test_a_child_has_a_database_of_its_own() -> None:
    engine, _ = own_session()

    def own() -> None:
        assert own_session()[0].tested is not engine.tested

    assert own_session()[0].tested is engine.tested
    assert in_child(with_number(os.getpid(), own)) == b"done"


def _ask(session: Any, number: int, said: Any) -> None:
    os.getpid = lambda: number
    try:
        said.put(str(session(laplace(1))))
    except dp.OpenDPException as error:
        said.put(error.message)


def test_a_child_of_multiprocessing_is_refused() -> None:
    session, context = filtered(1), multiprocessing.get_context("fork")
    said = context.SimpleQueue()
    child = context.Process(target=_ask, args=(session, os.getpid(), said))
    with warnings.catch_warnings(action="ignore"):  # of forks beside other threads
        child.start()
    assert "another process" in said.get()
    child.join()
    assert session.remaining() == 1


def test_forks_are_counted_along_the_line_of_descent() -> None:
    _, before = current_process()

    def grandchild() -> None:
        assert current_process()[1] == before + 2

    def child() -> None:
        assert current_process()[1] == before + 1
        assert in_child(grandchild) == b"done"
        assert current_process()[1] == before + 1

    assert in_child(child) == b"done"
    assert current_process() == (os.getpid(), before)
