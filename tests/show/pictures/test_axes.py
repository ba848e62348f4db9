"""Pictures are drawn into a user's own axes, under a title of the user's."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pandas
import polars
import pyarrow
import pytest
from matplotlib.figure import Figure

import opendp_lite.prelude as dp
from opendp_lite import plots
from tests.context.opened import opened
from tests.rows import for_each
from tests.show.pictures.read import INTEGERS

TABLE = {"x": ["A", "B"], "n": [12, 7], "n_low": [6, 1], "n_high": [18, 13]}


def laplace(scale: Any = 1) -> dp.Measurement:
    return dp.m.make_laplace(*INTEGERS, scale=scale)


def asked() -> dp.Context:
    context = opened(epsilon=1.0)
    context.query(epsilon=0.5).count().laplace().release()
    return context


DRAW: dict[str, Callable[..., Any]] = {
    "noise": lambda **own: plots.noise(laplace(), **own),
    "profiles": lambda **own: plots.profiles(
        {"a": laplace(), "b": laplace(2)}, d_in=1, **own
    ),
    "tradeoffs": lambda **own: plots.tradeoffs(laplace(), d_in=1, **own),
    "accuracies": lambda **own: plots.accuracies(
        laplace, d_in=1, epsilons=(1, 2), **own
    ),
    "counts": lambda **own: plots.counts([1, 2], accuracy=1, **own),
    "frame": lambda **own: plots.frame(TABLE, label="x", value="n", **own),
    "budget": lambda **own: plots.budget(asked(), **own),
}


@for_each("name", DRAW)
def test_pictures_take_axes_and_a_title(name: str) -> None:
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert DRAW[name](ax=right, title="Mine: $5") is figure
    assert right.get_title(loc="left") == "Mine: $5"
    assert right.has_data()
    assert not left.has_data()
    own = DRAW[name](title="Mine")
    assert own is not figure
    assert own.axes[0].get_title(loc="left") == "Mine"
    figure.canvas.draw()


@for_each("name", DRAW)
def test_what_is_no_axes_or_no_title_is_refused(name: str) -> None:
    for wrong in (3, Figure(), [], list(Figure().subplots(1, 2))):
        with pytest.raises(
            dp.OpenDPException, match=r"ax=.*must be axes of matplotlib"
        ):
            DRAW[name](ax=wrong)
    with pytest.raises(dp.OpenDPException, match="title=3: must be text"):
        DRAW[name](title=3)


def test_a_budget_with_a_delta_takes_two_axes() -> None:
    context = opened(epsilon=1.0, delta=1e-6)
    context.query(epsilon=0.5, delta=1e-7).count().laplace().release()
    figure = Figure()
    axes = figure.subplots(2, 1)
    assert plots.budget(context, ax=axes) is figure
    assert [each.get_ylabel() for each in axes] == ["epsilon spent", "delta spent"]
    with pytest.raises(dp.OpenDPException, match="must be axes of matplotlib, a list"):
        plots.budget(context, ax=axes[0])


@for_each("kind", [pandas.DataFrame, pyarrow.table, polars.DataFrame, dict])
def test_the_title_says_the_level_of_the_intervals(kind: Any) -> None:
    data = {"x": ["A", "B"] * 50}
    context = dp.Context.compositor(
        data=kind(data),
        domain=dp.table_domain({"x": dp.atom_domain(T=str)}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    query = context.table(epsilon="1/4").group_by(keys={"x": ["A", "B"]})
    answer = query.agg(n=dp.count()).release(alpha="1/10")
    drawn = plots.frame(answer, label="x", value="n")
    title = drawn.axes[0].get_title(loc="left")
    carries = kind in (pandas.DataFrame, pyarrow.table)
    assert title == f"Released, with intervals{' of 90 %' if carries else ''}"
    given = plots.frame(answer, label="x", value="n", alpha=Fraction(1, 1000))
    assert given.axes[0].get_title(loc="left") == "Released, with intervals of 99.9 %"
    bare = query.agg(n=dp.count()).release(alpha=None)
    if kind is pandas.DataFrame:
        assert "alpha" not in bare.attrs
    if kind is pyarrow.table:
        assert b"alpha" not in bare.schema.metadata


def test_counts_say_the_level_too() -> None:
    drawn = plots.counts([1, 2], accuracy=1, alpha=0.05)
    assert drawn.axes[0].get_title(loc="left") == "Released, with intervals of 95 %"
    with pytest.raises(dp.OpenDPException, match="alpha=1: must be above 0"):
        plots.counts([1, 2], accuracy=1, alpha=1)


def test_queries_about_tables_are_named_by_their_aggregates() -> None:
    context = dp.Context.compositor(
        data={"id": [1, 2], "town": ["A", "B"], "x": [1.5, 2.5]},
        domain=dp.table_domain(
            {
                "id": dp.atom_domain(T="i64"),
                "town": dp.atom_domain(T=str),
                "x": dp.atom_domain(T=float, nan=False),
            }
        ),
        privacy_unit=dp.unit_of(contributions=1, identifier="id"),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    total = dp.col("x").clip(0.0, 8.0).sum()
    table = context.table(epsilon="1/4", rows=1, groups=1)
    table.agg(people=dp.people(), total=total, weights={"people": 2}).release()
    keys = {"town": ["A, (B", "C"]}
    table.group_by("town", keys=keys).agg(people=dp.people()).release()
    labels = plots.budget(context).axes[0].get_xticklabels()
    assert [each.get_text() for each in labels] == [
        "people, total",
        "people by town",
    ]
