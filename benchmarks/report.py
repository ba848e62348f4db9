"""What was measured, as text, as a table in Markdown and as JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from benchmarks.harness import OURS, Measured, Outcome, Row, Settings, Verdict

__all__ = [
    "SCHEMA",
    "document",
    "duration",
    "heading",
    "markdown",
    "ratio",
    "row_text",
    "spread",
    "summary",
]

SCHEMA = 1


def duration(seconds: float) -> str:
    """A time with three digits and its unit: 4.13 ns, 51.2 ms."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if abs(seconds) >= size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds / 1e-9)} ns"


def _amount(value: float, row: Row) -> str:
    """What was measured of a row, with its unit: 51.2 ms, 0.31 GB."""
    if row.measure == "s":
        return duration(value)
    return f"{_three_digits(value)} {row.measure}"


def ratio(value: float) -> str:
    """A ratio with three digits: 0.42x, 31.5x, 1210x."""
    return f"{_three_digits(value)}x"


def _three_digits(value: float) -> str:
    if 0 < abs(value) < 0.1:
        return f"{value:.4f}" if abs(value) >= 0.001 else f"{value:.1e}"
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:.{digits}f}"


def heading(
    versions: Mapping[str, str | None],
    absent: Mapping[str, str],
    settings: Settings,
    quick: bool,
) -> str:
    """Who takes part, who does not, and how it is measured."""
    present = [f"{name} {v}" for name, v in versions.items() if v is not None]
    lines = [
        ", ".join(present),
        f"Python {platform.python_version()}, {os.cpu_count()} CPUs; medians of "
        f"{settings.rounds} rounds in turns; a ratio is their time over ours",
    ]
    lines += [f"ABSENT: {reason}" for reason in absent.values()]
    if quick:
        lines.append("QUICK: less data and few rounds; the goals are for a full run")
    return "\n".join(lines)


def row_text(outcome: Outcome) -> str:
    """A row: a line for each contender, then one for each goal."""
    row = outcome.row
    lines = [f"{row.title}  [{row.key}]", f"    {row.note}"]
    for item in outcome.measured:
        lines.append(f"  {_contender_text(outcome, item)}".rstrip())
    lines += [
        f"  goal {_verdict_text(verdict, outcome)}" for verdict in outcome.verdicts
    ]
    if not outcome.verdicts:
        lines.append("  no goal")
    return "\n".join(lines)


def _contender_text(outcome: Outcome, item: Measured) -> str:
    name, seconds = item.contender.name, item.seconds
    if seconds is None:
        return f"{name:<18} {item.status}: {item.reason}"
    compared = outcome.ratio(name)
    column = "" if name == OURS or compared is None else ratio(compared)
    time = f"{_amount(seconds, outcome.row)}/{outcome.row.unit}"
    return f"{name:<18} {time:>15} {column:>9}   {item.contender.note}"


def _verdict_text(verdict: Verdict, outcome: Outcome) -> str:
    gone = [name for name in verdict.against if name not in outcome.seconds]
    without = f" (without {', '.join(gone)})" if gone else ""
    if verdict.met is None:
        return f"{verdict.goal}: not judged{without}"
    return f"{verdict.goal}: {_value_text(verdict)}, {_word(verdict)}{without}"


def _value_text(verdict: Verdict) -> str:
    if verdict.value is None:
        return "no time of ours"
    if verdict.goal.startswith("<="):
        return duration(verdict.value)
    return ratio(verdict.value)


def _word(verdict: Verdict) -> str:
    return {True: "met", False: "NOT MET", None: "not judged"}[verdict.met]


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many goals were met, and by name those that were not."""
    verdicts = [(o, verdict) for o in outcomes for verdict in o.verdicts]
    met = sum(verdict.met is True for _, verdict in verdicts)
    lines = [f"{met} of {len(verdicts)} goals met"]
    lines += [
        f"  {outcome.row.key}: {_verdict_text(verdict, outcome)}"
        for outcome, verdict in verdicts
        if verdict.met is not True
    ]
    for outcome in outcomes:
        lines += [
            f"  {outcome.row.key}: {item.contender.name} failed with {item.reason}"
            for item in outcome.measured
            if item.status == "failed"
        ]
    return "\n".join(lines)


def spread(row: Row, documents: Sequence[Mapping[str, Any]]) -> str:
    """A line for each goal of a row: from where to where its value is in several runs.

    There is none for a goal that some run did not judge.
    """
    found = [each for document in documents for each in document["rows"]]
    runs = [each["goals"] for each in found if each["key"] == row.key]
    lines = []
    for number, goal in enumerate(row.goals):
        mine = [run[number] for run in runs]
        values = sorted(each["value"] for each in mine if each["value"] is not None)
        if len(values) < len(mine):
            continue
        ends = [
            _value_text(Verdict(goal.text, goal.against, value, met=None))
            for value in (values[0], values[-1])
        ]
        met = sum(each["met"] is True for each in mine)
        lines.append(
            f"  {goal.text}: from {ends[0]} to {ends[1]}, met in {met} of "
            f"{len(mine)} runs"
        )
    return "\n".join(lines)


def markdown(outcomes: Sequence[Outcome]) -> str:
    """A table with a line for each row."""
    lines = [
        "| work | ours | the others: time, ratio | goal |",
        "| --- | --- | --- | --- |",
    ]
    for outcome in outcomes:
        row = outcome.row
        others = []
        for item in outcome.measured[1:]:
            if item.seconds is None:
                others.append(f"{item.contender.name} {item.status}")
                continue
            compared = outcome.ratio(item.contender.name)
            times = "" if compared is None else f", {ratio(compared)}"
            taken = _amount(item.seconds, row)
            others.append(f"{item.contender.name} {taken}{times}")
        mine = outcome.seconds.get(OURS)
        ours = "failed" if mine is None else f"{_amount(mine, row)}/{row.unit}"
        goals = [_verdict_text(verdict, outcome) for verdict in outcome.verdicts]
        lines.append(
            f"| {row.title} ({row.note}) | {ours} | {'; '.join(others)} | "
            f"{'; '.join(goals) or 'none'} |"
        )
    return "\n".join(lines) + "\n"


def document(
    outcomes: Sequence[Outcome],
    versions: Mapping[str, str | None],
    absent: Mapping[str, str],
    settings: Settings,
    quick: bool,
    when: datetime | None = None,
) -> dict[str, Any]:
    """The whole run, for JSON: no names of hosts or users and no paths."""
    when = when or datetime.now(UTC)
    return {
        "schema": SCHEMA,
        "date": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "quick": quick,
        "rounds": settings.rounds,
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "versions": dict(versions),
        "absent": dict(absent),
        "rows": [_row_document(outcome) for outcome in outcomes],
    }


def _row_document(outcome: Outcome) -> dict[str, Any]:
    row = outcome.row
    return {
        "key": row.key,
        "title": row.title,
        "note": row.note,
        "unit": row.unit,
        "measure": row.measure,
        "contenders": [
            {
                "name": item.contender.name,
                "status": item.status,
                "reason": item.reason,
                "note": item.contender.note,
                "units_per_call": item.contender.units,
                "seconds_per_unit": item.seconds,
                "ratio": outcome.ratio(item.contender.name),
                "rounds": list(item.times),
            }
            for item in outcome.measured
        ],
        "goals": [
            {"goal": verdict.goal, "value": verdict.value, "met": verdict.met}
            for verdict in outcome.verdicts
        ],
    }
