"""One line on a terminal that says how far a long task is, drawn by rich."""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from types import TracebackType
from typing import Any

_INTERVAL = 0.2  # seconds between two changes of the line


class Progress:
    """Show how far a task is, or nothing where nobody looks or `rich` is missing.

    :param wanted: True shows the line also where no terminal is; False never shows it
    :param patience: seconds before the line appears, unless it is wanted
    """

    def __init__(self, wanted: bool | None = None, patience: float = 0.0) -> None:
        shown = _is_watched() if wanted is None else wanted
        self.is_shown = shown and find_spec("rich") is not None
        self._first = time.monotonic() + (0.0 if wanted else patience)
        self._next = self._first
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hide()

    def is_due(self) -> bool:
        """Whether the line is shown, and was not changed for a while."""
        return self.is_shown and time.monotonic() >= self._next

    def step(self, done: int, total: int, text: str) -> None:
        """Show what was done, of how much, and what comes now; total 0 is unknown."""
        now = time.monotonic()
        if not self.is_shown or now < self._first:
            return
        self._next = now + _INTERVAL
        self._bar = self._bar or _bar()
        self._bar.update(
            self._bar.task_ids[0], completed=done, total=total or None, description=text
        )
        self._bar.start()  # nothing, if it was started before

    def hide(self) -> None:
        """Take the line away until the next step."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _bar() -> Any:
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=None)
    return bar


def _is_watched() -> bool:
    return bool(getattr(sys.stderr, "isatty", lambda: False)())
