"""Several runs: in new interpreters, merged, and told with their range."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import benchmarks.__main__ as command
from benchmarks import report, runs
from benchmarks.harness import OURS, Call, Contender, Goal, Margin, Row

# What stands for the command: it writes its arguments and its process.
COMMAND = """
import json, os, sys
from pathlib import Path
path = Path(sys.argv[sys.argv.index("--json") + 1])
path.write_text(json.dumps({"arguments": sys.argv[1:-2], "process": os.getpid()}))
sys.exit(int(os.environ.get("CODE", "0")))
"""


def nothing() -> Call:
    raise AssertionError("nobody runs it")


def made(key: str = "a-row") -> Row:
    contenders = tuple(Contender(name, nothing) for name in (OURS, "Peer"))
    goals = Goal(("Peer",), 30), Margin(("Peer",), 1.0)
    return Row(key, f"Row {key}", "call", contenders, goals)


def document(ours: float | None, peer: float | None, key: str = "a-row") -> Any:
    """What a run writes of a row: two contenders, and the goals of `made`."""
    times = {OURS: ours, "Peer": peer}
    contenders = [
        {
            "name": name,
            "status": "failed" if time is None else "measured",
            "reason": "OSError" if time is None else "",
            "seconds_per_unit": time,
        }
        for name, time in times.items()
    ]
    known = {name: time for name, time in times.items() if time is not None}
    verdicts = [goal.judge(known) for goal in made().goals]
    goals = [{"value": each.value, "met": each.met} for each in verdicts]
    row = {"key": key, "contenders": contenders, "goals": goals}
    return {"date": "2026-01-02T03:04:05Z", "rows": [row]}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with another command of that name."""
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__init__.py").touch()  # before what is installed
    (tmp_path / "benchmarks" / "__main__.py").write_text(COMMAND)
    monkeypatch.setattr(runs, "REPOSITORY", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("repository")
def test_runs_are_processes_of_their_own() -> None:
    found = list(runs.repeated(["--rows", "a*", "--quick"], 2))
    assert [each["arguments"] for each in found] == [["--rows", "a*", "--quick"]] * 2
    assert len({os.getpid(), *(each["process"] for each in found)}) == 3


@pytest.mark.usefixtures("repository")
def test_a_run_in_which_ours_failed_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODE", "1")
    assert len(list(runs.repeated([], 1))) == 1


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("code", ["2", "3"])
def test_a_run_that_ends_otherwise_ends_all(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODE", code)
    with pytest.raises(ChildProcessError, match=code):
        list(runs.repeated([], 1))


def test_a_run_that_writes_nothing_is_not_the_one_before(repository: Path) -> None:
    found = runs.repeated([], 2)
    next(found)
    (repository / "benchmarks" / "__main__.py").write_text("")
    with pytest.raises(FileNotFoundError):
        next(found)


def test_the_median_of_runs_is_judged() -> None:
    documents = [document(1.0, peer) for peer in (20.0, 31.0, 45.0)]
    outcome = runs.merged(made(), documents)
    assert outcome.seconds == {OURS: 1.0, "Peer": 31.0}
    assert [verdict.met for verdict in outcome.verdicts] == [True, True]
    low = [document(1.0, peer) for peer in (29.0, 20.0, 45.0)]
    assert runs.merged(made(), low).verdicts[0].met is False


def test_other_rows_of_the_runs_have_no_part() -> None:
    documents = [document(1.0, 40.0), document(1.0, 2.0, key="another")]
    outcome = runs.merged(made(), documents)
    assert outcome.seconds["Peer"] == 40.0
    assert "40.0x to 40.0x, met in 1 of 1 runs" in report.spread(made(), documents)


def test_who_fails_once_has_no_median() -> None:
    documents = [document(1.0, 40.0), document(None, 40.0), document(1.0, 40.0)]
    outcome = runs.merged(made(), documents)
    assert outcome.seconds == {"Peer": 40.0}
    assert outcome.measured[0].status == "failed"
    assert outcome.measured[0].reason == "OSError"
    assert outcome.verdicts[0].met is False
    assert report.spread(made(), documents) == ""


def test_the_range_is_told_with_how_often_the_goal_was_met() -> None:
    documents = [document(1.0, peer) for peer in (31.0, 20.0, 45.0)]
    assert report.spread(made(), documents).splitlines() == [
        "  >= 30x Peer: from 20.0x to 45.0x, met in 2 of 3 runs",
        "  <= 1e+03 ms above Peer: from -44.0 s to -19.0 s, met in 3 of 3 runs",
    ]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """What runs are asked for; they are made up, and so is the row."""
    arguments: list[list[str]] = []

    def repeated(given: list[str], count: int) -> Iterator[Any]:
        arguments.append(given)
        for peer in (20.0, 40.0, 31.0)[:count]:
            yield document(1.0, peer)

    monkeypatch.setattr(command, "repeated", repeated)
    monkeypatch.setattr(command, "all_rows", lambda sizes: [made()])
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    return arguments


def test_the_command_tells_medians_and_replaces_no_record(
    asked: list[list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "runs.json"
    assert command.main(["--runs", "3", "--json", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "run 1 of 3: 1 of 2 goals met" in printed
    assert "run 3 of 3: 2 of 2 goals met" in printed
    assert "goal >= 30x Peer: 31.0x, met" in printed
    assert "from 20.0x to 40.0x, met in 2 of 3 runs" in printed
    assert "2 of 2 goals met" in printed.splitlines()[-1]
    assert asked == [["--rows", "*"]]
    assert len(json.loads(path.read_text())["runs"]) == 3
    assert not (tmp_path / "results").exists()


def test_runs_are_asked_for_what_the_command_was(asked: list[list[str]]) -> None:
    options = ["--rows", "a-r*", "--quick", "--table-rows", "7"]
    assert command.main([*options, "--runs", "2"]) == 0
    assert asked == [["--rows", "a-r*", "--quick", "--table-rows", "7"]]


@pytest.mark.usefixtures("asked")
def test_no_runs_are_an_error() -> None:
    with pytest.raises(SystemExit):
        command.main(["--runs", "0"])
