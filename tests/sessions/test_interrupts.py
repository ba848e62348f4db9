"""Signals: what a handler asks in the middle of another question, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from types import CodeType, FrameType
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.sessions import queryable as queryables
from opendp_lite.sessions import session as sessions
from opendp_lite.sessions.losses import added
from opendp_lite.sessions.session import Session
from opendp_lite.sessions.trees import OPENED
from tests.rows import for_each
from tests.sessions.opened import (
    BOTH,
    INTEGERS,
    PURE,
    counter,
    filtered,
    filtering,
    odometer,
    planning,
    user,
)

MIDDLE = "in the middle of another question"


@contextmanager
def handling(act: Callable[[], Any], refused: list[str]) -> Iterator[None]:
    """Call `act` whenever the signal comes, and keep what it raises."""

    def handler(*_: object) -> None:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        try:
            act()
        except dp.OpenDPException as error:
            refused.append(str(error))

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


def interrupted_sum(loss: Any, other: Any) -> Any:
    """The signal comes after the sum is known, and before it is kept."""
    result = added(loss, other)
    signal.raise_signal(signal.SIGUSR1)
    return result


def check_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a handler asks is refused, or is counted."""
    ran: list[int] = []
    query = user(1, lambda x: ran.append(1))
    session, refused = filtered(3), list[str]()
    with monkeypatch.context() as patch, handling(lambda: session(query), refused):
        patch.setattr(sessions, "added", interrupted_sum)
        session(query)
    assert session.privacy_loss(1) == len(ran), "what a handler spent was forgotten"
    assert len(refused) == 1
    assert MIDDLE in refused[0]
    session(query)


def test_a_handler_that_asks_while_a_question_is_counted_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_handlers(monkeypatch)


def test_a_handler_that_is_let_in_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "check_alone", lambda tree: None)
    with pytest.raises(AssertionError, match="was forgotten"):
        check_handlers(monkeypatch)


def test_a_handler_that_asks_while_a_session_is_closed_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, refused = filtered(3), list[str]()
    child = session(filtering(1))
    child(user(0.5))
    asking = handling(lambda: session(user(1)), refused)
    with monkeypatch.context() as patch, asking:
        patch.setattr(sessions, "added", interrupted_sum)
        child.close()
    assert len(refused) == 1
    assert MIDDLE in refused[0]
    assert session.privacy_loss(1) == 0.5
    session(user(2.5))


@pytest.mark.parametrize("what", ["close", "ask", "behind a conversion"])
def test_nor_does_a_handler_close_or_ask_what_hangs_together(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    session, refused = filtered(3), list[str]()
    behind = session(filtering(1) >> (lambda release: release))
    queryable = session(counter(0.5))
    act = {
        "close": session.close,
        "ask": lambda: queryable("more"),
        "behind a conversion": lambda: behind(user(0.25)),
    }[what]
    with monkeypatch.context() as patch, handling(act, refused):
        patch.setattr(sessions, "added", interrupted_sum)
        session(user(1))
    assert len(refused) == 1
    assert MIDDLE in refused[0]
    assert not session.closed
    assert behind.privacy_loss(1) == 0
    act()


def test_a_handler_may_ask_while_a_query_runs() -> None:
    session, refused = filtered(3), list[str]()

    def slow(x: object) -> None:
        signal.raise_signal(signal.SIGUSR1)

    with handling(lambda: session(user(1)), refused):
        session(user(1, slow))
    assert not refused
    assert session.privacy_loss(1) == 2


def test_what_is_refused_waits_for_nothing() -> None:
    session = filtered(3)
    queryable = session(counter(1))
    refused: list[str] = []

    def holds() -> None:
        """Ask while the lock is held, as a finaliser would, and another waits."""
        with session._tree.lock:
            other.start()
            while queryable._lock.acquire(blocking=False):
                queryable._lock.release()
            try:
                queryable("in between")
            except dp.OpenDPException as error:
                refused.append(str(error))

    other = threading.Thread(target=queryable, args=("first",), daemon=True)
    holder = threading.Thread(target=holds, daemon=True)
    holder.start()
    holder.join(60)
    assert not holder.is_alive(), "a thread hangs"
    other.join(60)
    assert MIDDLE in refused[0]
    assert queryable("second") == 2


class Interrupted:
    """The variable, where Ctrl-C is noticed as its n-th change returns."""

    def __init__(self, n: int) -> None:
        self.left = n

    def get(self) -> Any:
        return OPENED.get()

    def set(self, link: Any) -> Any:
        token = OPENED.set(link)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return token


@pytest.mark.parametrize("n", [1, 2])
def test_an_interrupted_query_stays_charged_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    session: Session = filtered(3)
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "OPENED", Interrupted(n))
        with pytest.raises(KeyboardInterrupt):
            session(user(1))
    assert OPENED.get() is None
    assert session.privacy_loss(1) == 1
    assert session.journal()[0].state == ("failed" if n == 1 else "released")
    session(user(2))


@pytest.mark.parametrize("n", [1, 2])
def test_an_interrupted_queryable_answers_again(
    monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    queryable = filtered(3)(counter(1))
    with monkeypatch.context() as patch:
        patch.setattr(queryables, "OPENED", Interrupted(n))
        with pytest.raises(KeyboardInterrupt):
            queryable("first")
    assert OPENED.get() is None
    assert queryable("again") == n


class Appended(list[Session]):
    """A list, where Ctrl-C is noticed as something was added, or before."""

    def __init__(self, before: bool) -> None:
        super().__init__()
        self.before = before

    def append(self, node: Session) -> None:
        if not self.before:
            super().append(node)
        raise KeyboardInterrupt


@for_each("before", [True, False])
@for_each("closed", [True, False])
def test_nobody_has_a_session_whose_joining_was_interrupted(
    before: bool, closed: bool
) -> None:
    root = filtered(3)
    child = root(filtering(2))
    child._children = Appended(before)
    closes = dp.t.make_user_transformation(
        *INTEGERS, *INTEGERS, lambda x: (closed and child.close()) or x, lambda d: d
    )
    with pytest.raises(KeyboardInterrupt):
        child(closes >> filtering(1))
    assert child.journal()[0].session is None, "an open session is below a closed one"
    child.close()
    assert all(node.closed for node in child._children)
    # What was charged for it goes back with the other nodes below, or not at all.
    assert root.remaining() == (3 if not before and not closed else 2)


def is_interrupted(code: CodeType, step: int, act: Callable[[], Any]) -> bool:
    """Call `act`, and raise KeyboardInterrupt at one of the steps within a function.

    Return whether the function has so many steps. Those of the library's functions that
    it calls are steps of it.

    :param code: of the function
    :param step: which bytecode of it is interrupted, from 0 on
    """
    left, inside = step, False

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left, inside
        if frame.f_code is code:
            inside = event != "return"
        if not inside or "opendp_lite" not in frame.f_code.co_filename:
            return trace
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def losses_agree(session: Session) -> bool:
    """Return whether what is spent is the sum of the losses that the journal has."""
    losses = [entry.loss for entry in session.journal()]
    return bool(session._account.spent == reduce(added, losses))


@for_each(
    ("opening", "measure"),
    [
        (filtering(3), PURE),
        (filtering((3, 0.5), measure=BOTH), BOTH),
        (planning([1] * 3), PURE),
    ],
)
def test_an_interrupted_charge_is_in_the_journal_and_in_the_loss_or_in_neither(
    opening: dp.Measurement, measure: Any
) -> None:
    loss = 1 if measure is PURE else (1, 0.125)
    step, charged = 0, list[int]()
    while True:
        ran: list[int] = []
        session: Session = opening(0)
        query = user(loss, lambda x, ran=ran: ran.append(1), measure)
        session(query)
        code = Session._charge.__code__
        if not is_interrupted(code, step, lambda s=session, q=query: s(q)):
            break
        assert len(ran) == 1, "what was interrupted before it was charged is answered"
        assert len(session.journal()) == session.asked
        assert losses_agree(session), f"step {step}: the journal parted from the loss"
        charged.append(session.asked)
        session(query)  # it goes on, with what is left
        assert len(ran) == 2
        assert losses_agree(session)
        assert [entry.number for entry in session.journal()] == [*range(session.asked)]
        assert session.journal()[-1].state == "released", "it noted another one"
        step += 1
    assert len(ran) == 2
    # First in neither, then in both; steps of either kind were interrupted.
    assert charged == sorted(charged)
    assert {1, 2} == set(charged)


def test_an_odometer_counts_no_query_whose_charge_was_interrupted_early() -> None:
    step, charged = 0, list[int]()
    while True:
        ran: list[int] = []
        session: Session = odometer()(0)
        query = user(1, lambda x, ran=ran: ran.append(1))
        code = Session._charge.__code__
        if not is_interrupted(code, step, lambda s=session, q=query: s(q)):
            break
        assert not ran
        assert session.privacy_loss(1) == len(session.journal()) == session.asked
        charged.append(session.asked)
        session(query)
        assert session.privacy_loss(1) == session.asked
        step += 1
    assert {0, 1} == set(charged)


def test_what_an_interrupted_closing_gives_back_is_in_the_journal_too() -> None:
    step, spent = 0, list[Any]()
    while True:
        session = filtered(3)
        child = session(filtering(2))
        child(user(0.5))
        if not is_interrupted(Session._take_back.__code__, step, child.close):
            break
        assert child.closed
        assert losses_agree(session), f"step {step}: the journal parted from the loss"
        spent.append(session.privacy_loss(1))
        session(user(1))
        assert losses_agree(session)
        step += 1
    assert session.privacy_loss(1) == 0.5
    assert spent == sorted(spent, reverse=True)
    assert {2.0, 0.5} == set(spent)
