"""The line that says how long an engine has been reading."""

from __future__ import annotations

import threading

import pytest

from opendp_lite.base.progress import Progress
from opendp_lite.tables.engines import waiting
from opendp_lite.tables.engines.waiting import Waiting


class Line(Progress):
    """Notes what is shown, and when it is over; tells of the third step."""

    def __init__(self, is_watched: bool, error: type[Exception] | None) -> None:
        super().__init__(is_watched)
        self.steps: list[tuple[int, int, str]] = []
        self.third, self.error, self.ended = threading.Event(), error, False

    def step(self, done: int, total: int, text: str) -> None:
        self.steps.append((done, total, text))
        if len(self.steps) == 3:
            self.third.set()
        if self.error is not None:
            self.third.set()
            raise self.error

    def hide(self) -> None:
        self.ended = True


def line_of(
    monkeypatch: pytest.MonkeyPatch,
    is_watched: bool = True,
    error: type[Exception] | None = None,
) -> Line:
    line = Line(is_watched, error)

    def made(patience: float) -> Line:
        assert patience == waiting._PATIENCE == 2.0
        return line

    monkeypatch.setattr(waiting, "Progress", made)
    monkeypatch.setattr(waiting, "_INTERVAL", 0.001)
    return line


def test_somebody_is_told_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    line = line_of(monkeypatch)
    with Waiting():
        assert line.third.wait(600)
        assert not line.ended
    assert set(line.steps) == {(0, 0, "reading the table")}
    assert line.ended
    assert line not in _shown()


def _shown() -> list[Progress]:
    from opendp_lite.base.progress import _SHOWN

    return _SHOWN


def test_no_thread_is_started_where_nobody_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = line_of(monkeypatch, is_watched=False)
    with Waiting() as shown:
        assert shown._thread is None
    assert line.steps == []


def test_a_display_that_is_broken_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = line_of(monkeypatch, error=OSError)
    with Waiting():
        assert line.third.wait(600)
    assert len(line.steps) == 1


def test_errors_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    line_of(monkeypatch)
    with pytest.raises(ValueError, match="engine"), Waiting():
        raise ValueError("engine")
