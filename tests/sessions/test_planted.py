"""Faults that are planted in the session: each is seen by the check that is for it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from opendp_lite.sessions import session as sessions
from opendp_lite.sessions import trees
from opendp_lite.sessions.losses import added
from opendp_lite.sessions.session import Session
from tests.longer import shortened
from tests.sessions.opened import check_deltas, check_order, check_race


@pytest.fixture
def _hurried() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_hurried")
@pytest.mark.parametrize("times", shortened([200, 1000], 1000))
def test_eight_threads_race_for_fifty_places(times: int) -> None:
    check_race(times)


def slow_sum(loss: Any, other: Any) -> Any:
    result = added(loss, other)
    time.sleep(0.0002)
    return result


class NoLock(nullcontext[None]):
    """Lets everybody in, and is held by nobody."""

    def _is_owned(self) -> bool:
        return False


def test_a_lock_that_is_removed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "added", slow_sum)
    check_race(2, places=20)  # with the lock, slowly
    monkeypatch.setattr(threading, "RLock", NoLock)
    assert trees.Tree().lock is not None
    with pytest.raises(AssertionError, match="places were taken"):
        check_race(2, places=20)


def test_a_charge_after_the_run_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(self: Session, query: Any) -> Any:
        loss = self._admit(query)
        answer = query.function(self._data)
        with self._tree.lock:
            due, spent = self._due(loss)
            self._charge(query, loss, due, spent)
        return answer

    check_order()
    monkeypatch.setattr(Session, "ask", ask)
    with pytest.raises(AssertionError, match="an exception was free"):
        check_order()


def test_a_query_that_is_run_before_it_is_refused_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ask(self: Session, query: Any) -> Any:
        loss = self._admit(query)
        spent = added(self._account.spent, loss)
        self._account = sessions._Account(spent)
        answer = query.function(self._data)
        assert self.output_measure.at_most(spent, self.limit)
        return answer

    monkeypatch.setattr(Session, "ask", ask)
    with pytest.raises((AssertionError, ValueError)):
        check_order()


def test_a_delta_that_is_dropped_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    check_deltas()
    monkeypatch.setattr(
        sessions, "added", lambda loss, other: (added(loss[0], other[0]), other[1])
    )
    with pytest.raises(AssertionError, match="REFUTED"):
        check_deltas()
