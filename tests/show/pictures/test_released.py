"""Pictures of releases and of budgets."""

from __future__ import annotations

from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import opendp_lite.prelude as dp
from opendp_lite import plots
from tests.context.opened import opened
from tests.rows import for_each
from tests.show.pictures.read import bars

TABLE = {
    "city": ["A", "B", "?"],
    "people": [12, 7, 3],
    "people_low": [6, 1, 0],
    "people_high": [18, 13, 9],
}


def intervals(figure: Any) -> list[tuple[float, float]]:
    """The ends of the intervals, read from the lines of the error bars."""
    (collection,) = figure.axes[0].collections
    found = collection.get_segments()
    return [(float(each[0][1]), float(each[1][1])) for each in found]


def names(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].get_xticklabels()]


@for_each("kind", [list, tuple, numpy.array, pandas.Series, polars.Series])
def test_counts_have_their_intervals(kind: Any) -> None:
    figure = plots.counts(kind([12, -2, 31]), accuracy="6.5", labels=["a", "b", "c"])
    assert [*bars(figure).values()] == [12, -2, 31]
    assert intervals(figure) == [(5.5, 18.5), (-8.5, 4.5), (24.5, 37.5)]
    assert names(figure) == ["a", "b", "c"]


def test_dollars_are_dollars_and_no_formula() -> None:
    prices = ["$5-$10", "$\\frac$"]
    table = {"x": prices, "$y$": [1, 2], "$y$_low": [0, 1], "$y$_high": [2, 3]}
    figure = plots.frame(table, label="x", value="$y$")
    figure.canvas.draw()  # which would refuse the formula
    assert names(figure) == prices
    texts = [*figure.axes[0].get_xticklabels(), figure.axes[0].yaxis.label]
    assert not any(text.get_parse_math() for text in texts)


def test_without_labels_bars_are_numbered() -> None:
    assert names(plots.counts([5, 4], 1)) == ["0", "1"]


@for_each("kind", [dict, pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_a_frame_has_the_intervals_of_its_columns(kind: Any) -> None:
    figure = plots.frame(kind(TABLE), label="city", value="people")
    assert [*bars(figure).values()] == [12, 7, 3]
    assert intervals(figure) == [(6, 18), (1, 13), (0, 9)]
    assert (names(figure), figure.axes[0].get_ylabel()) == (["A", "B", "?"], "people")


@pytest.mark.parametrize(
    ("draw", "arguments", "told"),
    [
        (
            plots.counts,
            {"values": 3},
            "values=<class 'int'>.*list, a tuple or an array",
        ),
        (plots.counts, {"values": []}, "not empty"),
        (plots.counts, {"values": [float("nan")]}, "finite numbers"),
        (plots.counts, {"values": ["many"]}, "finite numbers"),
        (plots.counts, {"accuracy": -1}, "accuracy=-1: must be at least 0"),
        (plots.counts, {"labels": ["a"]}, "list of 2 names"),
        (plots.counts, {"labels": 7}, "list of 2 names"),
        (plots.counts, {"theme": 1}, "theme=1"),
        (plots.frame, {"table": 3}, "table=3: must be a mapping"),
        (plots.frame, {"label": "town"}, "no column 'town'"),
        (plots.frame, {"label": 3}, "label=3: not text"),
        (plots.frame, {"value": "city"}, "value=.*finite numbers"),
        (plots.frame, {"value": "people_low"}, "no column 'people_low_low'"),
        (plots.frame, {"table": {**TABLE, "people_low": [13] * 3}}, "lie between"),
    ],
)
def test_wrong_arguments_are_refused(
    draw: Any, arguments: dict[str, Any], told: str, no_matplotlib: None
) -> None:
    good: dict[Any, dict[str, Any]] = {
        plots.counts: {"values": [1, 2], "accuracy": 1},
        plots.frame: {"table": TABLE, "label": "city", "value": "people"},
    }
    with pytest.raises(dp.OpenDPException, match=told) as error:
        draw(**{**good[draw], **arguments})
    assert "13" not in str(error.value)  # no number of a table is shown


def test_what_a_context_within_took_is_inside_of_its_bar() -> None:
    context = opened(epsilon=1.0, delta=1e-6)
    context.query(epsilon=0.25, delta=0.0).count().laplace().release()
    inner = context.query(epsilon=0.5, delta=5e-7).compositor().release()
    inner.query(epsilon=0.125, delta=0.0).count().laplace().release()
    inner.query(epsilon=0.25, delta=1e-7).count().gaussian().release()
    first, second = plots.budget(context, theme="dark").axes
    places = [
        (round(bar.get_width(), 1), bar.get_y(), bar.get_y() + bar.get_height())
        for bar in first.patches
        if bar.get_zorder() > 0
    ]
    whole = [(0.8, 0.0, 0.25), (0.8, 0.25, 0.75)]
    assert places[:2] == whole
    assert [place[0] for place in places[2:]] == [0.5, 0.5]
    assert [place[1:] for place in places[2:]] == [
        (0.25, 0.375),
        (0.375, pytest.approx(0.625)),
    ]
    inside = [bar.get_height() for bar in second.patches if bar.get_width() < 0.6]
    assert inside == [0, pytest.approx(1e-7)]
    legend = [text.get_text() for text in first.get_legend().get_texts()]
    assert legend == ["released", "reserved"]


def test_what_is_counted_otherwise_is_not_drawn_inside() -> None:
    context = opened(epsilon=1.0, delta=1e-6)
    query = context.query(epsilon=0.5, delta=5e-7)
    inner = query.compositor(output_measure=dp.zero_concentrated_divergence()).release()
    inner.query(rho=0.001).count().gaussian().release()
    widths = {round(bar.get_width(), 1) for bar in context.plot().axes[0].patches}
    assert widths == {0.8}


def test_a_budget_is_that_of_a_context(no_matplotlib: None) -> None:
    with pytest.raises(dp.OpenDPException, match=r"context=3: must be a Context"):
        plots.budget(3)  # type: ignore[arg-type]
    with pytest.raises(dp.OpenDPException, match="theme='blue'"):
        opened(epsilon=1.0).plot(theme="blue")  # type: ignore[arg-type]
