"""The command: its options, what it prints, what it writes, what it returns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import benchmarks.__main__ as command
from benchmarks.harness import OURS, Absent, Call, Contender, Goal, Row


def instant() -> Call:
    return lambda: sum(range(50))


def absent() -> Call:
    raise Absent("Ghost is not installed")


def failing() -> Call:
    raise OSError


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Row]:
    """Two rows of fake contenders; files go to a directory of the test."""
    made = [
        Row(
            key,
            f"Row {key}",
            "call",
            (
                Contender(OURS, instant),
                Contender("Peer", instant),
                Contender("Ghost", absent),
            ),
            (Goal(("Peer",), 1e-6), Goal(("Ghost",), 2)),
        )
        for key in ("first", "second")
    ]
    monkeypatch.setattr(command, "all_rows", lambda sizes: made)
    reasons = {"Ghost": "Ghost is not installed"}
    monkeypatch.setattr(command.peers, "absentees", lambda: reasons)  # type: ignore[attr-defined]
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    quick = command.Settings  # type: ignore[attr-defined]
    monkeypatch.setattr(
        command, "Settings", lambda rounds=9, batch=0.05: quick(rounds, 1e-4)
    )
    return made


@pytest.mark.usefixtures("rows")
def test_a_full_run_writes_its_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    assert "ABSENT: Ghost is not installed" in printed
    assert "Ghost              absent: Ghost is not installed" in printed
    assert "2 of 4 goals met" in printed
    found = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert found == ["latest.json", "latest.md", "latest.svg"]
    text = (tmp_path / "results" / "latest.json").read_text()
    document = json.loads(text)
    assert [row["key"] for row in document["rows"]] == ["first", "second"]
    assert document["absent"] == {"Ghost": "Ghost is not installed"}
    assert document["rounds"] == len(document["rows"][0]["contenders"][0]["rounds"])
    assert str(tmp_path) not in text


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("arguments", [["--quick"], ["--rows", "first"]])
def test_a_partial_run_replaces_no_record(tmp_path: Path, arguments: list[str]) -> None:
    assert command.main(arguments) == 0
    assert not (tmp_path / "results").exists()


@pytest.mark.usefixtures("rows")
def test_a_partial_run_writes_what_is_named(tmp_path: Path) -> None:
    files = tmp_path / "run.json", tmp_path / "run.png"
    named = ["--json", str(files[0]), "--chart", str(files[1])]
    assert command.main(["--quick", "--rows", "sec*", *named]) == 0
    document = json.loads(files[0].read_text())
    assert document["quick"] is True
    assert [row["key"] for row in document["rows"]] == ["second"]
    assert files[1].exists()


@pytest.mark.usefixtures("rows")
def test_rows_are_listed_and_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "first",
        "second",
    ]


@pytest.mark.usefixtures("rows")
def test_an_unknown_row_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--rows", "third"]) == 2
    assert "third" in capsys.readouterr().err


@pytest.mark.usefixtures("rows")
def test_a_chart_of_another_kind_is_an_error() -> None:
    with pytest.raises(SystemExit):
        command.main(["--chart", "chart.txt"])


@pytest.mark.parametrize(("build", "code"), [(instant, 0), (failing, 1), (absent, 1)])
def test_the_run_fails_where_ours_was_not_measured(
    rows: list[Row], build: Callable[[], Call], code: int
) -> None:
    rows[1:] = [Row("second", "Row second", "call", (Contender(OURS, build),))]
    assert command.main(["--quick"]) == code


@pytest.mark.usefixtures("rows")
def test_without_matplotlib_the_run_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def missing(*_: object) -> None:
        raise Absent("matplotlib is not installed")

    monkeypatch.setattr(command, "draw", missing)
    assert command.main([]) == 0
    assert "No chart: matplotlib is not installed" in capsys.readouterr().out
    assert (tmp_path / "results" / "latest.json").exists()
