"""One line of progress: what it shows, and when it shows nothing."""

from __future__ import annotations

import sys

import pytest

from opendp_lite.show.progress import Progress


def test_a_step_is_shown_until_the_line_is_hidden() -> None:
    with Progress(True) as line:
        line.step(3, 7, "[/x]")
        bar = line._bar
        (task,) = bar.tasks
        shown = [str(column.render(task)) for column in bar.columns[1:4:2]]
        assert shown == ["[/x]", "3/7"]  # names are no markup
        line.hide()
        assert not bar.live.is_started
        line.step(0, 0, "reading")
        (task,) = line._bar.tasks
        assert (task.description, task.total) == ("reading", None)
        again = line._bar
    assert not again.live.is_started


def test_nothing_is_due_for_a_while_after_a_step() -> None:
    with Progress(True, patience=1e9) as line:
        assert line.is_due()
        line.step(1, 2, "a")
        assert not line.is_due()


@pytest.mark.parametrize("wanted", [None, False])
def test_no_line_where_nobody_looks(wanted: bool | None) -> None:
    with Progress(wanted) as line:
        line.step(1, 2, "a")
        assert (line.is_shown, line.is_due(), line._bar) == (False, False, None)


def test_a_line_appears_on_a_terminal_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for patience, is_seen in ((1e9, False), (0.0, True)):
        with Progress(patience=patience) as line:
            line.step(1, 2, "a")
            assert line.is_shown
            assert (line._bar is not None) == is_seen


def test_no_line_without_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    with Progress(True) as line:
        line.step(1, 2, "a")
        assert not line.is_shown
