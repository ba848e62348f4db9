"""What the sessions of a tree share: one lock, one process, and whose turn it is.

A session that is released within another one's tree joins it, or has a tree of its own
that is linked to the place where it was released. So is every queryable. The link tells
in which turn of the tree above it may be asked: in any, or, where no theorem allows to
ask it in turns with others, only until something else is asked.

Proof: proofs/lemmas/sessions.tex
"""

from __future__ import annotations

import os
import threading
from contextvars import ContextVar
from typing import Any

import attrs

from opendp_lite.base.errors import OpenDPException

_forks = [0]  # how many forks led to this process since this module was loaded


def _count_fork() -> None:
    _forks[0] += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


class Tree:
    """The lock of a tree, the process it belongs to, and how often it was asked.

    Trees that are linked have one lock.
    """

    __slots__ = ("link", "lock", "process", "turn")

    lock: Any

    def __init__(self, link: Link | None = None) -> None:
        self.link = link
        self.lock = threading.RLock() if link is None else link.tree.lock  # proof: lock
        self.process = current_process()
        self.turn = 0


@attrs.frozen(eq=False)
class Link:
    """Where something was released that may go on answering.

    `turn` is the only turn of the tree in which it may be asked; None if in all.
    """

    tree: Tree
    turn: int | None


# The link of whatever is made by the release that is being made in this thread.
OPENED: ContextVar[Link | None] = ContextVar("OPENED", default=None)


def current_process() -> tuple[int, int]:
    """Return the number of this process, and how many forks led to it.

    The system gives numbers of processes that have ended to new ones, so a forked child
    can have the number that its ancestor had. The ancestor counted fewer forks.
    """
    return os.getpid(), _forks[0]  # proof: forks


def check_process(process: tuple[int, int]) -> None:
    """Refuse the use of a session in another process than its own, before any lock."""
    if process != current_process():  # proof: process
        raise OpenDPException(
            "FailedFunction",
            "this session belongs to another process. After a fork both would spend "
            "its budget; ask in the process that opened it, or open one in each "
            "process, with a share of the budget.",
        )


def check_alone(tree: Tree) -> None:
    """Refuse what the thread that holds the lock asks, before it waits for any.

    A signal handler, or a finaliser, may run between any two steps of a thread, and the
    lock lets it in: what it spent would be forgotten when the thread goes on.
    """
    if tree.lock._is_owned():  # proof: owned
        raise OpenDPException(
            "FailedFunction",
            "this was asked by a signal handler or a finaliser, in the middle of "
            "another question to the same session. Nothing was spent for it: let the "
            "handler set a flag, and ask afterwards, or in a thread of its own.",
        )


def check_turn(link: Link | None) -> None:
    """Refuse what may not be asked any more. The lock is held."""
    while link is not None:
        if link.turn is not None and link.turn != link.tree.turn:  # proof: turn
            raise OpenDPException(
                "FailedFunction",
                "something else was asked meanwhile, which closed this. Under "
                "approximate(zero_concentrated_divergence()) no theorem allows to ask "
                "it in turns with others if its delta is greater than 0. Ask it to "
                "the end first, or give it a delta of 0.",
            )
        link = link.tree.link  # proof: above


def take_turn(link: Link | None) -> None:
    """Take a turn in all trees above: something is asked. The lock is held."""
    while link is not None:
        if link.turn is None:  # proof: others
            link.tree.turn += 1
        link = link.tree.link  # proof: above
