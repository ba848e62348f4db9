"""Wait for an engine: Ctrl-C ends the wait, and a line shows the time.

Python handles a signal in the main thread, between two steps of Python code. An engine
that computes in the main thread would delay it, for the length of a query. So the
engine computes in a thread of its own, and the main thread waits.
"""

from __future__ import annotations

import threading
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from types import TracebackType
from typing import Any, TypeVar

from opendp_lite.base.progress import Progress

Answer = TypeVar("Answer")

_PATIENCE = 2.0  # seconds before a line appears
_INTERVAL = 0.5  # seconds between two changes of it
_POLL = 0.1  # seconds between two looks for a signal, or two attempts to stop an engine
_GRACE = 0.5  # seconds that an engine has to stop before the interruption is raised


class _Worker(threading.Thread):
    """A thread that answers one question; the main thread may abandon it."""

    def __init__(self, question: Callable[[], Any]) -> None:
        # No daemon: when a program ends, Python waits for this thread. To end a thread
        # that is inside of an engine would end the process with an error.
        super().__init__(name="opendp_lite question", daemon=False)
        self._question, self._context = question, copy_context()
        self._answer: Any = None
        self._error: BaseException | None = None
        self._abandoned = False
        self._lock = threading.Lock()  # nothing is stopped after its block has ended
        self._stops: list[Callable[[], object]] = []
        self._over = threading.Event()
        # The main thread waits for this lock only, by one call into C. An event is
        # written in Python: a signal in the middle of its code could leave its lock
        # held for ever, or raise a RuntimeError in place of the interruption.
        self._ended = threading.Lock()
        self._ended.acquire()

    def launch(self) -> None:
        """Start this thread. It is called in a thread that no signal interrupts."""
        try:
            self.start()
        except BaseException:  # there can be no more threads; `join` raises
            self._end()

    def run(self) -> None:
        """Answer the question, unless it was abandoned before it began."""
        try:
            if not self._abandoned:
                self._answer = self._context.run(self._question)
        except BaseException as error:
            self._error = error
        finally:
            self._end()

    def _end(self) -> None:
        self._over.set()
        self._ended.release()

    def has_ended(self, seconds: float) -> bool:
        """Return whether the question is over, after at most so many seconds."""
        return self._over.is_set() or self._ended.acquire(timeout=seconds)

    def get_answer(self) -> Any:
        """Return the answer, or raise what the question raised."""
        if self._error is not None:
            raise self._error
        return self._answer

    def abandon(self) -> None:
        """Stop what can be stopped, and wait a moment for the end.

        A second signal ends this wait at once. So a thread of its own stops the engine,
        whose calls must not be interrupted.
        """
        self._abandoned = True
        with suppress(RuntimeError):  # where there can be no more threads
            start_new_thread(self._stop, ())
        self.has_ended(_GRACE)

    def _stop(self) -> None:
        """Stop the engine again and again, as it may be between two queries."""
        while self.ident is not None and not self._over.is_set():
            with self._lock:
                for stop in self._stops:
                    with suppress(Exception):
                        stop()
            self._over.wait(_POLL)

    @contextmanager
    def allow_stop(self, stop: Callable[[], object]) -> Iterator[None]:
        """Call `stop` if this worker is abandoned within the block."""
        with self._lock:
            if self._abandoned:
                raise KeyboardInterrupt
            self._stops.append(stop)
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)


def wait_for(question: Callable[[], Answer]) -> Answer:
    """Return what `question` returns, which a signal handler's exception interrupts.

    In the main thread, another thread answers the question. If a handler raises (Ctrl-C
    raises KeyboardInterrupt) the engine is stopped where `allow_stop` says how, and
    else goes on in the background until it ends; what it returns is dropped. All other
    threads, which Python never interrupts, answer by themselves.

    :param question: is called once
    """
    if threading.current_thread() is not threading.main_thread():
        return question()
    worker = _Worker(question)
    try:
        start_new_thread(worker.launch, ())
        # Without a timeout a handler could be delayed until the engine ends: Polars
        # lets the system resume what a signal has interrupted.
        while not worker.has_ended(_POLL):
            pass
        worker.join()
    except BaseException:
        worker.abandon()
        raise
    answer: Answer = worker.get_answer()
    return answer


@contextmanager
def allow_stop(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop`, in another thread, if the question is abandoned within the block.

    :param stop: may be called more than once; what it raises is ignored
    """
    worker = threading.current_thread()
    if not isinstance(worker, _Worker):
        yield
        return
    with worker.allow_stop(stop):
        yield


class Waiting:
    """Show the seconds that have passed, where somebody looks, after a while.

    Engines do not say how many rows they have read, and DuckDB's own bar is printed
    among what a program prints. So the line shows the time alone.
    """

    def __init__(self) -> None:
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._stoppable = allow_stop(self._over.set)
        self._line = Progress(patience=_PATIENCE)

    def __enter__(self) -> Waiting:
        self._stoppable.__enter__()
        if self._line.is_shown:
            # A notebook knows by the context to which cell an output belongs.
            run = copy_context().run
            self._thread = threading.Thread(target=run, args=(self._show,), daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stoppable.__exit__(None, None, None)
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _show(self) -> None:
        # It is for people alone: if a display is broken, the release goes on.
        with suppress(Exception), self._line:
            while not self._over.wait(_INTERVAL):
                self._line.step(0, 0, "reading the table")
