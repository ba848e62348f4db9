"""One line of progress: what it shows, where it is shown, and when nothing is."""

from __future__ import annotations

import io
import itertools
import sys
import threading
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from rich.live import Live

from opendp_lite.base import progress
from opendp_lite.base.progress import Progress

CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal where `rich` is missing; each look at the clock takes a second."""
    stream, ticks = Terminal(), itertools.count()
    clock = SimpleNamespace(monotonic=lambda: float(next(ticks)))
    monkeypatch.setattr(progress, "time", clock)
    # pytest puts its own stream there again before the test begins.
    system = SimpleNamespace(stderr=stream, modules=sys.modules)
    monkeypatch.setattr(progress, "sys", system)
    monkeypatch.setitem(sys.modules, "rich", None)
    return stream


class Cell:
    """Stands for the display of a notebook: its outputs, and all that they were."""

    def __init__(self) -> None:
        self.outputs: list[dict[str, str]] = []
        self.shown: list[str] = []

    def display(self, data: dict[str, str], raw: bool, display_id: bool) -> Any:
        assert raw
        assert display_id
        place = len(self.outputs)
        self.outputs.append({})

        def update(data: dict[str, str], raw: bool) -> None:
            assert raw
            self.outputs[place] = data
            self.shown.append(data["text/plain"])

        update(data, raw)
        return SimpleNamespace(update=update)


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    made, outer, inner = Cell(), ModuleType("IPython"), ModuleType("IPython.display")
    vars(outer)["get_ipython"] = lambda: SimpleNamespace(kernel=object())
    vars(inner)["display"] = made.display
    monkeypatch.setitem(sys.modules, "IPython", outer)
    monkeypatch.setitem(sys.modules, "IPython.display", inner)
    return made


def test_a_step_is_shown_until_the_line_is_hidden() -> None:
    with Progress(True) as line:
        line.step(3000, 7000, "[/x]")
        bar = line._line.bar
        (task,) = bar.tasks
        shown = [str(column.render(task)) for column in bar.columns[1:4:2]]
        assert shown == ["[/x]", "3,000/7,000"]  # names are no markup
        assert bar.live.is_started
        line.hide()
        assert not bar.live.is_started
        line.step(0, 0, "reading")
        again = line._line.bar
        (task,) = again.tasks
        assert (task.description, task.total) == ("reading", None)
        assert str(again.columns[3].render(task)) == ""
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
        assert (line.is_shown, line.is_due(), line._line) == (False, False, None)


def test_a_line_appears_on_a_terminal_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for patience, is_seen in ((1e9, False), (0.0, True)):
        with Progress(patience=patience) as line:
            line.step(1, 2, "a")
            assert line.is_shown
            assert (line._line is not None) == is_seen


def test_a_terminal_without_rich_has_a_plain_line(terminal: Terminal) -> None:
    with Progress() as line:
        line.step(1, 2000, "first")
        line.step(0, 0, "second")
    assert terminal.getvalue() == (
        f"{CLEAR}first: 1/2,000, 2 s{CLEAR}second: 4 s{CLEAR}"
    )


def test_no_line_without_rich_where_no_terminal_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    with Progress(True) as line:
        line.step(1, 2, "a")
        assert not line.is_shown


def test_a_notebook_has_one_output_which_is_empty_at_the_end(cell: Cell) -> None:
    with Progress() as line:
        line.step(1, 4, "<rows>")
        assert cell.outputs == [
            {
                "text/plain": "<rows>: 1/4, 0 s",
                "text/html": '<div><progress value="1" max="4"></progress> '
                "&lt;rows&gt;: 1/4, 0 s</div>",
            }
        ]
        line.step(0, 0, "more")
        assert [each["text/html"] for each in cell.outputs] == ["<div>more: 0 s</div>"]
    assert cell.outputs == [{"text/plain": "", "text/html": ""}]
    with Progress(patience=1e9) as line:
        line.step(1, 2, "not yet")
    assert len(cell.outputs) == 1


def test_a_shell_of_ipython_in_a_terminal_is_a_terminal(
    cell: Cell, terminal: Terminal
) -> None:
    vars(sys.modules["IPython"])["get_ipython"] = SimpleNamespace
    with Progress() as line:
        line.step(0, 0, "a")
    assert cell.outputs == []
    assert terminal.getvalue() == f"{CLEAR}a: 2 s{CLEAR}"


def test_a_part_shares_the_line_of_the_whole(cell: Cell) -> None:
    with Progress() as whole:
        whole.step(1, 3, "query a")
        with Progress() as part:
            part.step(0, 0, "reading")
        whole.step(2, 3, "query b")
        whole.hide()
        with Progress() as part:  # of a whole that is hidden
            part.step(0, 0, "reading")
        with Progress() as part:
            pass
    assert cell.shown == [
        "query a: 1/3, 0 s",
        "reading: 0 s",
        "",
        "query a: 1/3, 0 s",
        "query b: 2/3, 0 s",
        "",
        "reading: 0 s",
        "",
    ]
    assert {each["text/plain"] for each in cell.outputs} == {""}


def test_on_a_terminal_under_rich_no_codes_are_written() -> None:
    """While rich shows a line it stands in for the stream of errors."""
    stream = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        with Progress() as whole:
            whole.step(1, 2, "query")
            assert type(sys.stderr).__module__ == "rich.file_proxy"
            with Progress() as part:
                part.step(0, 0, "reading")
                assert whole._line.bar.tasks[0].description == "reading"
                assert part._line is None
            assert whole._line.bar.tasks[0].description == "query"
        with Live("other", console=Console(file=stream)), Progress() as alone:
            assert not alone.is_shown
    escaped = stream.getvalue().replace("\x1b[", "")
    assert "[K" not in escaped
    assert "[2K" not in escaped


def test_threads_share_the_line(cell: Cell) -> None:
    first, second = threading.Event(), threading.Event()

    def other() -> None:
        with Progress() as line:
            line.step(0, 0, "other")
            first.set()
            assert second.wait(60)
            line.step(0, 0, "other again")

    thread = threading.Thread(target=other)
    thread.start()
    assert first.wait(60)
    with Progress() as line:
        line.step(0, 0, "own")
        assert len(cell.outputs) == 1
        second.set()
        thread.join()
        line.step(0, 0, "own")
        assert cell.outputs[-1]["text/plain"] == "own: 0 s"
    assert {each["text/plain"] for each in cell.outputs} == {""}
