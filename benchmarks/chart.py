"""The ratios as bars on a logarithmic scale, with the goals marked."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from attrs import frozen

from benchmarks.harness import OURS, Absent, Goal, Outcome
from benchmarks.report import ratio

__all__ = ["Bar", "bars", "draw"]

COLORS = {
    "OpenDP": "#4269d0",
    "OpenDP bits": "#4269d0",
    "OpenDP one by one": "#97bbf5",
    "PyDP": "#efb118",
    "diffprivlib": "#3ca951",
    "numpy float": "#9c9c9c",
    "numpy": "#9c9c9c",
    "numpy geometric": "#c9c9c9",
}
OTHER = "#a463f2"


@frozen
class Bar:
    """The ratio of one contender in one row, and the ratio that is its goal."""

    row: str
    contender: str
    ratio: float
    goal: float | None


def bars(outcomes: Sequence[Outcome]) -> list[Bar]:
    """A bar for each contender that was measured beside ours.

    A goal against several is marked at each of them: the fastest must reach it, so
    all must. A goal that is no ratio has no mark.
    """
    found = []
    for outcome in outcomes:
        goals = {
            name: goal.times
            for goal in outcome.row.goals
            if isinstance(goal, Goal)
            for name in goal.against
        }
        for item in outcome.measured:
            name = item.contender.name
            value = outcome.ratio(name)
            if name != OURS and value is not None:
                found.append(Bar(outcome.row.title, name, value, goals.get(name)))
    return found


def draw(outcomes: Sequence[Outcome], path: Path, caption: str) -> None:
    """Write the chart; the ending of the path, .svg or .png, decides the format."""
    try:
        figures = import_module("matplotlib.figure")
        matplotlib = import_module("matplotlib")
    except ImportError:
        raise Absent("matplotlib is not installed") from None
    shown = bars(outcomes)
    if not shown:
        raise Absent("nothing was measured beside ours")
    places, ticks = _places(shown)
    figure = figures.Figure(figsize=(9, 1.5 + 0.2 * max(places)), layout="constrained")
    axes = figure.subplots()
    axes.set_xscale("log")
    labelled = set()
    for bar, place in zip(shown, places, strict=True):
        label = bar.contender if bar.contender not in labelled else None
        labelled.add(bar.contender)
        # From 1 on: to the right ours is the faster, to the left the other.
        axes.barh(
            place,
            bar.ratio - 1,
            left=1,
            height=0.9,
            color=COLORS.get(bar.contender, OTHER),
            label=label,
        )
        axes.annotate(
            ratio(bar.ratio),
            (max(bar.ratio, 1), place),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=6,
        )
        if bar.goal is not None:
            marked = "goal" if "goal" not in labelled else None
            labelled.add("goal")
            ends = place - 0.5, place + 0.5
            axes.plot([bar.goal] * 2, ends, color="#c0392b", linewidth=2, label=marked)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(list(ticks.values()), list(ticks), fontsize=7)
    axes.set_ylim(max(places) + 1, -1)
    axes.margins(x=0.1)
    axes.set_xlabel("their time / our time")
    axes.set_title(caption, fontsize=8)
    figure.legend(loc="outside lower center", ncols=4, fontsize=7)
    # Without a date and with fixed names, so that equal runs give equal files.
    metadata = {"Date": None} if path.suffix == ".svg" else None
    with matplotlib.rc_context({"svg.hashsalt": "opendp_lite"}):
        figure.savefig(path, metadata=metadata, dpi=150)


def _places(shown: Sequence[Bar]) -> tuple[list[float], dict[str, float]]:
    """Heights of the bars, with a gap between rows, and of the rows' names."""
    places: list[float] = []
    groups: dict[str, list[float]] = {}
    for bar in shown:
        gap = 1.0 if bar.row in groups else 1.8
        places.append(places[-1] + gap if places else 0.0)
        groups.setdefault(bar.row, []).append(places[-1])
    return places, {row: sum(at) / len(at) for row, at in groups.items()}
