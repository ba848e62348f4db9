"""Queryables: releases that go on answering.

A session answers measurements, see `sessions.py`. A queryable of the user's own keeps a
state that nobody sees, and is asked one question at a time.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.sessions.trees import (
    OPENED,
    check_alone,
    check_process,
    check_turn,
    current_process,
    take_turn,
)

if TYPE_CHECKING:
    from opendp_lite.show.explaining.steps import Explanation


class Queryable:
    """A release that goes on answering: call it with a query.

    It holds data, or what was drawn from them, and is neither pickled nor copied.
    """

    __slots__ = ()

    def ask(self, query: Value) -> Any:
        """Return the answer to a query."""
        raise NotImplementedError

    def __call__(self, query: Value) -> Any:
        """As `ask`."""
        return self.ask(query)

    def invoke(self, query: Value) -> Any:
        """As `ask`."""
        return self.ask(query)

    def explain(self) -> Explanation:
        """Return what a person answers for: the answers, whoever made the release."""
        from opendp_lite.show.explaining.asked import explain_queryable

        return explain_queryable(self)

    def _refuse_copy(self, *_: object) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} holds data and what may still be asked of them, "
            "which a copy would spend twice: it cannot be copied or pickled. Keep its "
            "answers instead"
        )

    __reduce_ex__ = __copy__ = __deepcopy__ = _refuse_copy


class StatefulQueryable(Queryable):
    """A queryable whose answers are made by a function with a state of its own."""

    __slots__ = ("_busy", "_link", "_lock", "_process", "_transition")

    def __init__(self, transition: Callable[[Any, bool], Any]) -> None:
        self._transition = transition
        self._link = OPENED.get()  # proof: link
        self._lock = threading.RLock()
        self._process = current_process()
        self._busy = False

    def ask(self, query: Value) -> Any:
        """Return the answer to a query; other threads wait until it is there."""
        check_process(self._process)  # proof: process
        if self._link is not None:
            check_alone(self._link.tree)  # proof: alone
        with self._lock:  # proof: one
            if self._busy:
                raise OpenDPException(
                    "FailedFunction",
                    "this queryable was asked while it answers: its own function must "
                    "not ask it.",
                )
            self._take_turn()  # proof: turn
            before = OPENED.get()
            try:
                self._busy = True
                OPENED.set(self._link)  # proof: inside
                return self._transition(query, False)  # proof: answer
            finally:
                self._busy = False
                OPENED.set(before)  # proof: outside

    def explain(self) -> Explanation:
        """Return what a person answers for, and where the function is defined."""
        from opendp_lite.show.explaining.asked import explain_queryable

        return explain_queryable(self, inspect.unwrap(self._transition))

    def _take_turn(self) -> None:
        if self._link is not None:
            with self._link.tree.lock:  # proof: lock
                check_turn(self._link)
                take_turn(self._link)

    def __repr__(self) -> str:
        return "Queryable(of a user's own function)"


def new_queryable(
    transition: Callable[..., Any],
    Q: TypeArgument = "ExtrinsicObject",
    A: TypeArgument = "ExtrinsicObject",
) -> Queryable:
    """Return a queryable that answers by a function of the user's own.

    A measurement of the user's own may release it. Then what that measurement's map
    states must hold for whatever is asked, in whatever order. A session may be asked
    in between, and other queryables as well: of two that share no state, and read no
    random bits in common, the losses add up.

    :param transition: from a query to the answer; it may keep a state of its own. If it
        takes a second argument, then this is a bool, which is always False
    :param Q: not needed; OpenDP has it
    :param A: not needed; OpenDP has it

    >>> asked = []
    >>> queryable = new_queryable(lambda query, _: asked.append(query) or len(asked))
    >>> queryable("first"), queryable("second")
    (1, 2)
    """
    if not callable(transition):
        rule, fix = "must be callable", "Pass a function of a query"
        raise refusal("MakeMeasurement", "transition", transition, rule, fix)
    if _takes_two(transition):
        return StatefulQueryable(transition)
    one: Callable[..., Any] = transition

    @wraps(one)
    def answer(query: Value, _is_internal: bool) -> Any:
        return one(query)

    return StatefulQueryable(answer)


def _takes_two(transition: Callable[..., Any]) -> bool:
    """Return whether a function takes two arguments by position, or does not tell."""
    try:
        inspect.signature(transition).bind(None, False)
    except TypeError:
        return False
    except ValueError:  # a function that is not written in Python may tell nothing
        return True
    return True
