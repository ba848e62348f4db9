"""The line that says how long an engine has been reading."""

from __future__ import annotations

import io
import sys
import time

import pytest

from opendp_lite.tables.engines import waiting
from opendp_lite.tables.engines.waiting import Waiting


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(stream: io.StringIO, patience: float, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(waiting, "_PATIENCE", patience)
    monkeypatch.setattr(waiting, "_INTERVAL", 0.01)
    monkeypatch.setattr(sys, "stderr", stream)
    with Waiting():
        time.sleep(0.1)
    return stream.getvalue()


def test_a_terminal_is_told_and_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    text = said(Terminal(), 0.0, monkeypatch)
    assert "reading the table: 0 s" in text
    assert text.endswith("\r\x1b[K")


def test_nobody_is_told_of_a_short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(Terminal(), 60.0, monkeypatch) == ""


def test_a_file_is_not_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(io.StringIO(), 0.0, monkeypatch) == ""


def test_errors_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(ValueError, match="engine"), Waiting():
        raise ValueError("engine")
