"""The line that says how long an engine has been reading."""

from __future__ import annotations

import io
import itertools
import sys
import threading
from types import SimpleNamespace

import pytest

from opendp_lite.tables.engines import waiting
from opendp_lite.tables.engines.waiting import Waiting


class Paper(io.StringIO):
    """Tells when the third second is written on it."""

    def __init__(self) -> None:
        super().__init__()
        self.third = threading.Event()

    def write(self, text: str) -> int:
        if text.endswith("3 s"):
            self.third.set()
        return super().write(text)


class Terminal(Paper):
    def isatty(self) -> bool:
        return True


def said(
    stream: Paper, patience: float, wait: float, monkeypatch: pytest.MonkeyPatch
) -> str:
    """What is said while a table is read, until a line comes, or for some seconds.

    The clock goes on by a second whenever it is looked at, however busy the machine is.
    """
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: float(next(ticks)))
    monkeypatch.setattr(waiting, "time", clock)
    monkeypatch.setattr(waiting, "_PATIENCE", patience)
    monkeypatch.setattr(waiting, "_INTERVAL", 0.01)
    monkeypatch.setattr(sys, "stderr", stream)
    with Waiting():
        stream.third.wait(wait)
    return stream.getvalue()


def test_a_terminal_is_told_and_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    text = said(Terminal(), 0.0, 600, monkeypatch)
    lines = text.split("\r\x1b[K")
    assert lines[:4] == ["", *(f"reading the table: {i} s" for i in (1, 2, 3))]
    assert lines[-1] == ""


def test_nobody_is_told_of_a_short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(Terminal(), 600, 0.1, monkeypatch) == ""


def test_a_file_is_not_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(Paper(), 0.0, 0.1, monkeypatch) == ""


def test_errors_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(ValueError, match="engine"), Waiting():
        raise ValueError("engine")
