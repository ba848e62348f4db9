# ruff: noqa
# fmt: off
# What was read of opendp_lite.sessions.queryable; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException
from opendp_lite.sessions.trees import OPENED
from opendp_lite.sessions.trees import check_alone
from opendp_lite.sessions.trees import check_process
from opendp_lite.sessions.trees import check_turn
from opendp_lite.sessions.trees import current_process
from opendp_lite.sessions.trees import take_turn
from typing import Any
import threading

opendp_lite.sessions.trees.OPENED: contextvars.ContextVar[opendp_lite.sessions.trees.Link | None] = contextvars.ContextVar('OPENED', default=None)
opendp_lite.sessions.queryable.Queryable.__deepcopy__, __copy__, __reduce_ex__ = _refuse_copy
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any


# === StatefulQueryable.__init__ with Callable, OPENED, current_process, Any, threading,
#    opendp_lite.sessions.trees.OPENED,
#    opendp_lite.sessions.queryable.Queryable.__deepcopy__
class StatefulQueryable(Queryable):
    def __init__(self, transition: Callable[[Any, bool], Any]) -> None:
        self._transition = transition
        self._link = OPENED.get()
        self._lock = threading.RLock()
        self._process = current_process()
        self._busy = False


# === StatefulQueryable.ask with Value, OpenDPException, OPENED, check_alone,
#    check_process, Any, opendp_lite.base.aliases.Value,
#    opendp_lite.sessions.trees.OPENED
class StatefulQueryable(Queryable):
    def ask(self, query: Value) -> Any:
        check_process(self._process)
        if self._link is not None:
            check_alone(self._link.tree)
        with self._lock:
            if self._busy:
                raise OpenDPException(
                    "FailedFunction",
                    "this queryable was asked while it answers: its own function must "
                    "not ask it.",
                )
            self._take_turn()
            before = OPENED.get()
            try:
                self._busy = True
                OPENED.set(self._link)
                return self._transition(query, False)
            finally:
                self._busy = False
                OPENED.set(before)


# === StatefulQueryable._take_turn with check_turn, take_turn
class StatefulQueryable(Queryable):
    def _take_turn(self) -> None:
        if self._link is not None:
            with self._link.tree.lock:
                check_turn(self._link)
                take_turn(self._link)
