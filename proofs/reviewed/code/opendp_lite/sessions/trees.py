# ruff: noqa
# fmt: off
# What was read of opendp_lite.sessions.trees; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.errors import OpenDPException
from typing import Any
import os
import threading

_forks = [0]


# === _count_fork with _forks
def _count_fork() -> None:
    _forks[0] += 1


# === Tree.__init__ with Any, threading
class Tree:
    lock: Any
    def __init__(self, link: Link | None = None) -> None:
        self.link = link
        self.lock = threading.RLock() if link is None else link.tree.lock
        self.process = current_process()
        self.turn = 0


# === current_process with os, _forks
def current_process() -> tuple[int, int]:
    return os.getpid(), _forks[0]


# === check_process with OpenDPException
def check_process(process: tuple[int, int]) -> None:
    if process != current_process():
        raise OpenDPException(
            "FailedFunction",
            "this session belongs to another process. After a fork both would spend "
            "its budget; ask in the process that opened it, or open one in each "
            "process, with a share of the budget.",
        )


# === check_alone with OpenDPException
def check_alone(tree: Tree) -> None:
    if tree.lock._is_owned():
        raise OpenDPException(
            "FailedFunction",
            "this was asked by a signal handler or a finaliser, in the middle of "
            "another question to the same session. Nothing was spent for it: let the "
            "handler set a flag, and ask afterwards, or in a thread of its own.",
        )


# === check_turn with OpenDPException
def check_turn(link: Link | None) -> None:
    while link is not None:
        if link.turn is not None and link.turn != link.tree.turn:
            raise OpenDPException(
                "FailedFunction",
                "something else was asked meanwhile, which closed this. Under "
                "approximate(zero_concentrated_divergence()) no theorem allows to ask "
                "it in turns with others if its delta is greater than 0. Ask it to "
                "the end first, or give it a delta of 0.",
            )
        link = link.tree.link


# === take_turn
def take_turn(link: Link | None) -> None:
    while link is not None:
        if link.turn is None:
            link.tree.turn += 1
        link = link.tree.link
