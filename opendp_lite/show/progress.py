"""A progress bar for long enumerations, where there is someone to see it."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_PATIENCE = 1.0  # seconds before a bar appears
_INTERVAL = 0.2  # seconds between two changes of it


class Progress:
    """Show runs done and paths waiting, or nothing.

    With `wanted` None it shows something only after a while, on a terminal, and if
    `rich` is installed; with True, whenever `rich` is; with False, never.
    """

    def __init__(self, wanted: bool | None) -> None:
        self._silent = wanted is False or (wanted is None and not _watched())
        now = time.monotonic()
        self._next = now if wanted else now + _PATIENCE
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def is_due(self) -> bool:
        """Whether it is time to show something."""
        return not self._silent and time.monotonic() >= self._next

    def show(self, done: int, waiting: int) -> None:
        """Say how far it is, if it is time to."""
        if not self.is_due():
            return
        self._next = time.monotonic() + _INTERVAL
        if self._bar is None:
            self._start()
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=done + waiting)

    def _start(self) -> None:
        try:
            from rich import progress
            from rich.console import Console
        except ImportError:
            self._silent = True
            return
        self._bar = progress.Progress(
            progress.TextColumn("bit tree"),
            progress.BarColumn(),
            progress.TextColumn("{task.completed:.0f} of {task.total:.0f} known paths"),
            progress.TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("bit tree", total=1)
        self._bar.start()


def _watched() -> bool:
    return bool(getattr(sys.stderr, "isatty", lambda: False)())
