"""Text, Markdown, JSON and chart of results that were made up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from benchmarks import chart, report
from benchmarks.harness import (
    OURS,
    Absent,
    Call,
    Contender,
    Goal,
    Margin,
    Measured,
    Outcome,
    Row,
    Settings,
)
from tests.rows import for_each

VERSIONS = {OURS: "0.1.0", "Peer": "1.2", "Ghost": None}
ABSENT = {"Ghost": "Ghost is not installed"}


def nothing() -> Call:
    raise AssertionError("nobody runs it")


def outcome() -> Outcome:
    ours, peer = Contender(OURS, nothing), Contender("Peer", nothing, 10, "lists")
    ghost, broken = Contender("Ghost", nothing), Contender("Broken", nothing)
    goals = (
        Goal(("Peer",), 20),
        Goal(("Peer", "Ghost"), 100),
        Goal(("Ghost",), 2),
        Margin(("Peer",), 0.06),
    )
    row = Row("a-row", "A row", "entry", (ours, peer, ghost, broken), goals, "1e6 in")
    measured = (
        Measured(ours, "measured", (1e-6, 2e-6, 9e-6)),
        Measured(peer, "measured", (5e-5, 1e-4, 2e-4)),
        Measured(ghost, "absent", (), "Ghost is not installed"),
        Measured(broken, "failed", (), "OSError"),
    )
    return Outcome(row, measured)


def document() -> dict[str, Any]:
    when = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return report.document([outcome()], VERSIONS, ABSENT, Settings(3), False, when)


@for_each(
    ("seconds", "text"),
    [
        (2.0, "2.00 s"),
        (0.0512, "51.2 ms"),
        (2.5e-6, "2.50 us"),
        (4.13e-9, "4.13 ns"),
        (7.77e-7, "777 ns"),
        (-0.012, "-12.0 ms"),
    ],
)
def test_times_have_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert report.duration(seconds) == text


@for_each(
    ("value", "text"),
    [
        (1210.4, "1210x"),
        (31.52, "31.5x"),
        (0.42, "0.42x"),
        (0.0123, "0.0123x"),
        (0.00031, "3.1e-04x"),
    ],
)
def test_no_ratio_is_printed_as_zero(value: float, text: str) -> None:
    assert report.ratio(value) == text


def test_a_row_shows_times_ratios_goals_and_who_is_absent() -> None:
    text = report.row_text(outcome())
    assert "2.00 us/entry" in text
    assert re.search(r"Peer +100 us/entry +50\.0x +lists", text)
    assert re.search(r"Ghost +absent: Ghost is not installed", text)
    assert re.search(r"Broken +failed: OSError", text)
    assert "goal >= 20x Peer: 50.0x, met" in text
    assert ">= 100x Peer and Ghost: 50.0x, NOT MET (without Ghost)" in text
    assert ">= 2x Ghost: not judged (without Ghost)" in text
    assert "<= 60 ms above Peer: -98.0 us, met" in text


def test_a_row_of_memory_has_no_seconds() -> None:
    made = outcome()
    row = evolve(made.row, measure="GB", unit="process", goals=())
    held = tuple(evolve(each, times=(0.25,)) for each in made.measured[:2])
    made = Outcome(row, held)
    assert "0.25 GB/process" in report.row_text(made)
    assert "| 0.25 GB/process | Peer 0.25 GB, 1.00x |" in report.markdown([made])
    written = report.document([made], VERSIONS, ABSENT, Settings(3), False)
    assert written["rows"][0]["measure"] == "GB"


def test_the_heading_names_the_absent() -> None:
    text = report.heading(VERSIONS, ABSENT, Settings(3), quick=True)
    assert "Peer 1.2" in text
    assert "ABSENT: Ghost is not installed" in text
    assert "QUICK" in text
    assert "QUICK" not in report.heading(VERSIONS, {}, Settings(3), quick=False)


def test_the_summary_counts_what_is_met_and_names_what_is_not() -> None:
    text = report.summary([outcome()])
    assert text.startswith("2 of 4 goals met")
    assert "a-row: >= 2x Ghost: not judged" in text
    assert "a-row: Broken failed with OSError" in text


def test_markdown_has_a_line_for_each_row() -> None:
    lines = report.markdown([outcome(), outcome()]).splitlines()
    assert len(lines) == 4
    assert len({line.count("|") for line in lines}) == 1
    assert "Peer 100 us, 50.0x; Ghost absent; Broken failed" in lines[2]


def test_json_holds_the_run() -> None:
    found = json.loads(json.dumps(document(), allow_nan=False))
    assert set(found) == {
        "schema",
        "date",
        "quick",
        "rounds",
        "python",
        "system",
        "machine",
        "cpus",
        "versions",
        "absent",
        "rows",
    }
    assert found["schema"] == report.SCHEMA
    assert found["date"] == "2026-01-02T03:04:05Z"
    assert found["cpus"] >= 1
    assert found["versions"] == VERSIONS
    assert found["absent"] == ABSENT


def test_json_holds_every_contender_and_goal_of_a_row() -> None:
    (row,) = document()["rows"]
    assert set(row) == {
        *("key", "title", "note", "unit", "measure", "contenders", "goals")
    }
    keys = "name status reason note units_per_call seconds_per_unit ratio rounds"
    assert all(set(one) == set(keys.split()) for one in row["contenders"])
    ours, peer, ghost, broken = row["contenders"]
    assert ours["seconds_per_unit"] == 2e-6
    assert ours["ratio"] == 1
    assert peer["ratio"] == pytest.approx(50)
    assert peer["rounds"] == [5e-5, 1e-4, 2e-4]
    assert ghost["status"] == "absent"
    assert ghost["seconds_per_unit"] is None
    assert broken["reason"] == "OSError"
    assert [goal["met"] for goal in row["goals"]] == [True, False, None, True]


def test_a_bar_is_drawn_for_what_was_measured_and_marked_with_its_goal() -> None:
    (bar,) = chart.bars([outcome()])
    assert (bar.row, bar.contender) == ("A row", "Peer")
    assert bar.ratio == pytest.approx(50)
    # The last goal that names it; margins are no ratios.
    assert bar.goal == 100


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_the_chart_is_written(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"chart{ending}"
    chart.draw([outcome(), outcome()], path, "caption")
    start = path.read_bytes()[:200]
    assert start.startswith(b"\x89PNG" if ending == ".png" else b"<?xml")


def test_equal_results_give_equal_charts(tmp_path: Path) -> None:
    paths = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in paths:
        chart.draw([outcome()], path, "caption")
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_without_matplotlib_the_chart_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Callable[[], None]:
        raise ImportError(name)

    monkeypatch.setattr(chart, "import_module", missing)
    with pytest.raises(Absent, match="matplotlib is not installed"):
        chart.draw([outcome()], tmp_path / "chart.svg", "caption")


def test_a_chart_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Absent, match="nothing was measured"):
        chart.draw([], tmp_path / "chart.svg", "caption")
