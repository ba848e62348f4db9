"""The one display of progress: a line that says how far a long task is.

In a terminal `rich` draws it on the stream of errors, or, where `rich` is missing, a
plain line does. In a notebook it is an output of the cell. Nothing is shown elsewhere,
such as in a file or a pipe. The line is taken away when the task ends.
"""

from __future__ import annotations

import sys
import threading
import time
from html import escape
from importlib.util import find_spec
from types import TracebackType
from typing import Any

_INTERVAL = 0.2  # seconds between two changes of the line
_CLEAR = "\r\x1b[K"
_SHOWN: list[Progress] = []  # the tasks that go on, the outermost first
_LOCK = threading.RLock()  # tasks of several threads share the line


class Progress:
    """Show how far a task is, or nothing where nobody looks.

    There is one line, also where parts of a task, or other threads, show how far they
    are: it shows what was told last, and the whole task again when its part is over.

    :param wanted: True shows the line also where no terminal is; False never shows it
    :param patience: seconds before the line appears, unless it is wanted
    """

    def __init__(self, wanted: bool | None = None, patience: float = 0.0) -> None:
        self._start = time.monotonic()
        self._kind = None if wanted is False else _kind_of_line(wanted is True)
        self._first = self._start + (0.0 if wanted else patience)
        self._next = self._first
        self._line: Any = None
        self._last: tuple[float, int, int, str] | None = None

    @property
    def is_shown(self) -> bool:
        """Whether there is somebody to show the line to."""
        return self._kind is not None

    def __enter__(self) -> Progress:
        if self.is_shown:
            with _LOCK:
                _SHOWN.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with _LOCK:
            self.hide()
            if self in _SHOWN:
                _SHOWN.remove(self)
            outermost = _SHOWN[0] if _SHOWN else None
            if outermost is not None and outermost._last is not None:
                outermost._show(outermost._last)

    def is_due(self) -> bool:
        """Whether the line is shown, and was not changed for a while."""
        return self.is_shown and time.monotonic() >= self._next

    def step(self, done: int, total: int, text: str) -> None:
        """Show what was done, of how much, and what comes now; total 0 is unknown."""
        now = time.monotonic()
        if not self.is_shown or now < self._first:
            return
        self._next = now + _INTERVAL
        self._last = self._start, done, total, text
        with _LOCK:
            (_SHOWN[0] if _SHOWN else self)._show(self._last)

    def hide(self) -> None:
        """Take the line away until the next step."""
        with _LOCK:
            outermost = _SHOWN[0] if self in _SHOWN else self
            self._last = None
            if outermost._line is not None:
                outermost._line.stop()
                outermost._line = None

    def _show(self, told: tuple[float, int, int, str]) -> None:
        if self._line is None:
            assert self._kind is not None
            self._line = self._kind()
        self._line.show(*told)


class _RichLine:
    """A line of `rich`, which goes on counting seconds by itself."""

    def __init__(self) -> None:
        self.bar = _bar()

    def show(self, start: float, done: int, total: int, text: str) -> None:
        (task,) = self.bar.tasks
        task.start_time = start
        told = {"description": text, "count": _count(done, total)}
        self.bar.update(task.id, completed=done, total=total or None, **told)
        self.bar.start()  # nothing, if it was started before

    def stop(self) -> None:
        self.bar.stop()


class _PlainLine:
    """A line of text on a terminal."""

    def show(self, start: float, done: int, total: int, text: str) -> None:
        _write(f"{_CLEAR}{_plain_text(start, done, total, text)}")

    def stop(self) -> None:
        _write(_CLEAR)


class _NotebookLine:
    """An output of the cell that is replaced again and again, and emptied at the end.

    Widgets would need an extension of the notebook, and leave a widget in its file.
    """

    def __init__(self) -> None:
        self.handle: Any = None

    def show(self, start: float, done: int, total: int, text: str) -> None:
        said = _plain_text(start, done, total, text)
        bar = f'<progress value="{done}" max="{total}"></progress> ' if total else ""
        self._put({"text/plain": said, "text/html": f"<div>{bar}{escape(said)}</div>"})

    def stop(self) -> None:
        if self.handle is not None:
            self._put({"text/plain": "", "text/html": ""})

    def _put(self, data: dict[str, str]) -> None:
        from IPython.display import display

        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)
        else:
            self.handle.update(data, raw=True)


def _count(done: int, total: int) -> str:
    return f"{done:,}/{total:,}" if total else ""


def _plain_text(start: float, done: int, total: int, text: str) -> str:
    """Return the line as text: what comes now, how much is done, and the seconds."""
    count = f"{_count(done, total)}, " if total else ""
    return f"{text}: {count}{time.monotonic() - start:.0f} s"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _bar() -> Any:
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.TextColumn("{task.fields[count]}"),
        progress.TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=None, count="")
    return bar


def _kind_of_line(wanted: bool) -> Any:
    """Return the class of the line that can be shown here, or None."""
    if _is_notebook():
        return _NotebookLine
    if _SHOWN or wanted or _is_terminal():
        if find_spec("rich") is not None:
            return _RichLine
        return _PlainLine if _is_terminal() else None
    return None


def _is_notebook() -> bool:
    """Return whether a kernel runs this, which shows outputs below a cell."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get_shell is not None and hasattr(get_shell(), "kernel")


def _is_terminal() -> bool:
    """Return whether errors are written to a terminal that somebody may look at.

    While `rich` shows a line of somebody else's it stands in for the stream, and writes
    the codes that move the cursor as text.
    """
    if type(sys.stderr).__module__.startswith("rich."):
        return False
    return bool(getattr(sys.stderr, "isatty", lambda: False)())
