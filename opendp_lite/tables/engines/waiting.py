"""A line that says how long an engine has been reading, where someone can see it."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

__all__ = ["Waiting"]

_PATIENCE = 2.0  # seconds before a line appears
_INTERVAL = 0.5  # seconds between two changes of it
_CLEAR = "\r\x1b[K"


class Waiting:
    """Show the seconds that have passed, on a terminal, after a while; or nothing.

    Engines do not all say how far they are, and DuckDB's own bar is printed among what
    a program prints. So this one tells the time alone, on the stream of errors, and
    takes its line away at the end.
    """

    def __init__(self) -> None:
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Waiting:
        if getattr(sys.stderr, "isatty", lambda: False)():
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _show(self) -> None:
        start = time.monotonic()
        if self._over.wait(_PATIENCE):
            return
        while True:
            seconds = time.monotonic() - start
            self._say(f"{_CLEAR}reading the table: {seconds:.0f} s")
            if self._over.wait(_INTERVAL):
                self._say(_CLEAR)
                return

    def _say(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
