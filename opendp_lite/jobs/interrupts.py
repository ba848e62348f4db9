"""Ctrl-C while something is charged: it waits until what was charged is recorded."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Hold", "held"]

_INTERRUPT = ("SIGINT",)
_DEFAULTS = (signal.SIG_DFL, signal.default_int_handler)
_current: list[Hold] = []


class Hold:
    """Whether an interruption is raised at once, or waits until that is allowed."""

    def __init__(self) -> None:
        self._open = self._waiting = False

    def allow(self) -> None:
        """Raise interruptions from now on, and the one that waits."""
        self._open = True
        if self.taken():
            self._open = False
            raise KeyboardInterrupt

    def refuse(self) -> None:
        """Let interruptions wait from now on."""
        self._open = False

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Raise interruptions within."""
        self.allow()
        try:
            yield
        finally:
            self.refuse()

    def taken(self) -> bool:
        """Return whether an interruption waits, which it then does no longer."""
        waiting, self._waiting = self._waiting, False
        return waiting

    def _come(self, number: int, frame: FrameType | None) -> None:
        if not self._open:
            self._waiting = True
            return
        self._open = False  # another one waits until this one is dealt with
        raise KeyboardInterrupt


@contextmanager
def held(*signals: str) -> Iterator[Hold]:
    """Yield a hold on interruptions, and raise one that still waits in the end.

    Only what has no handler of a program's own is held, and by the main thread alone.
    Within another of these, that one goes on.

    :param signals: names of signals to hold; SIGINT by default
    """
    if threading.current_thread() is not threading.main_thread():
        yield Hold()
        return
    if _current:
        yield _current[-1]
        return
    hold, before = Hold(), {}
    known = [getattr(signal, name, None) for name in signals or _INTERRUPT]
    _current.append(hold)
    try:
        for each in known:
            if each is not None and signal.getsignal(each) in _DEFAULTS:
                before[each] = signal.signal(each, hold._come)
        yield hold
    finally:
        hold.refuse()
        for each, handler in before.items():
            signal.signal(each, handler)
        _current.pop()
    if hold.taken():
        raise KeyboardInterrupt
