"""Pictures of releases: counts with the intervals that their accuracy makes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from opendp_lite.base.aliases import ExactNumber, Value
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.show.pictures.figures import (
    Axes,
    ThemeName,
    label_axes,
    new_figure,
    theme_argument,
    title_argument,
)
from opendp_lite.tables.questions.results import level_argument

_COUNTS_FIX = "Pass what was released, such as counts=[12, 7, 31]"
_FRAME_FIX = "Pass what a query about a table has released"
_ACROSS = 48  # letters of all names that fit beside each other
_NAMED = 40  # more are not named


def counts(
    values: Sequence[Any],
    accuracy: ExactNumber,
    labels: Sequence[Any] | None = None,
    theme: ThemeName = "light",
    alpha: ExactNumber | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Any:
    """Return a picture of released counts, each with its interval.

    The intervals reach from count - accuracy to count + accuracy. With
    `measurement.accuracy(alpha)` each of them by itself misses the exact count with
    probability at most alpha.

    :param values: what was released: a list, a tuple or an array of numbers
    :param accuracy: half of the width of the intervals, at least 0, exact
    :param labels: the names of the bars; by default their numbers, from 0 on
    :param theme: "light" or "dark"
    :param alpha: the level at which the accuracy was computed, which the title says
    :param ax: the axes of matplotlib that are drawn into; those of a new figure by
        default
    :param title: in place of the usual one

    >>> figure = counts([12, 7, 31], accuracy=6, labels=["a", "b", "c"])
    >>> [int(bar.get_height()) for bar in figure.axes[0].patches]
    [12, 7, 31]
    """
    theme_argument(theme)
    numbers = _numbers("values", values, _COUNTS_FIX)
    fix = "Pass what measurement.accuracy(alpha) returns"
    size = float(rational_argument("Plot", "accuracy", accuracy, fix=fix, at_least=0))
    names = _names(labels, len(numbers))
    sizes = [(size, size)] * len(numbers)
    heading = title_argument(title, _title(_level(alpha)))
    return _picture(names, numbers, sizes, "released", theme, ax, heading)


def frame(
    table: Value,
    label: str,
    value: str,
    theme: ThemeName = "light",
    alpha: ExactNumber | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Any:
    """Return a picture of a column of a released table, each with its interval.

    The intervals of a column x are in the columns x_low and x_high, as queries about
    tables release them. They are intervals of the bounded data. Answers that are frames
    of pandas or PyArrow carry the level of their intervals, and the title says it.

    :param table: what was released: a mapping from names to columns, or a frame of
        pandas, Polars or PyArrow
    :param label: the column of names
    :param value: the column of numbers
    :param theme: "light" or "dark"
    :param alpha: the level of the intervals; by default the one that the table carries
    :param ax: the axes of matplotlib that are drawn into; those of a new figure by
        default
    :param title: in place of the usual one

    >>> table = {"city": ["A", "B"], "people": [12, 7],
    ...          "people_low": [6, 1], "people_high": [18, 13]}
    >>> figure = frame(table, label="city", value="people")
    >>> figure.axes[0].get_ylabel()
    'people'
    """
    theme_argument(theme)
    names = _column(table, "label", label)
    middle, low, high = (
        _numbers("value", _column(table, "value", name), _FRAME_FIX)
        for name in (value, f"{value}_low", f"{value}_high")
    )
    rows = list(zip(middle, low, high, strict=True))
    if not all(a <= x <= b for x, a, b in rows):
        rule = "its numbers must lie between those of the columns _low and _high"
        raise refusal("Plot", "value", value, rule, _FRAME_FIX)
    sizes = [(x - a, b - x) for x, a, b in rows]
    level = _level(_carried_level(table) if alpha is None else alpha)
    heading = title_argument(title, _title(level))
    bars = _names(names, len(middle))
    return _picture(bars, middle, sizes, value, theme, ax, heading)


def _picture(
    names: list[str],
    numbers: list[float],
    sizes: list[tuple[float, float]],
    what: str,
    theme: ThemeName,
    ax: Axes | None,
    title: str,
) -> Any:
    """Return bars with intervals."""
    colours = theme_argument(theme)
    figure, (axes,) = new_figure(colours, ax=ax)
    places = range(len(numbers))
    axes.bar(places, numbers, 0.7, color=colours.colours[0], alpha=0.6, linewidth=0)
    axes.errorbar(
        places,
        numbers,
        yerr=list(zip(*sizes, strict=True)),
        fmt="none",
        ecolor=colours.ink,
        elinewidth=1.6,
        capsize=4,
    )
    axes.axhline(0, color=colours.muted, linewidth=0.8)
    if len(names) <= _NAMED:
        crowded = sum(map(len, names)) > _ACROSS
        turned = {"rotation": 35, "ha": "right"} if crowded else {}
        axes.set_xticks(places, names, parse_math=False, **turned)
    axes.grid(visible=False, axis="x")
    label_axes(axes, colours, title, "", what)
    return figure


def _level(alpha: ExactNumber | None) -> Any:
    """Return the level of intervals, exact, or refuse it; None if it is unknown."""
    if alpha is None:
        return None
    return level_argument(alpha)


def _title(level: Any) -> str:
    """Return the title, which says how often an interval holds the exact number."""
    if level is None:
        return "Released, with intervals"
    return f"Released, with intervals of {float(100 * (1 - level)):g} %"


def _carried_level(table: Value) -> Any:
    """Return the level that an answer carries in its metadata, or None."""
    told: Any = getattr(table, "attrs", None)  # of pandas
    if isinstance(told, Mapping):
        return told.get("alpha")
    told = getattr(getattr(table, "schema", None), "metadata", None)  # of PyArrow
    if isinstance(told, Mapping) and b"alpha" in told:
        return told[b"alpha"].decode()
    return None


def _numbers(name: str, values: Value, fix: str) -> list[float]:
    """Return a column of finite numbers, or refuse it; nothing of it is shown."""
    rule = "must be a list, a tuple or an array of finite numbers, and not empty"
    try:
        found = [float(to_mpq(each)) for each in _listed(values)]
    except (TypeError, ValueError, OverflowError):
        found = []
    if not found or math.inf in map(abs, found):
        raise refusal("Plot", name, type(values), rule, fix)
    return found


def _listed(values: Value) -> list[Any]:
    """Return the items of a list, an array or a column."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(type(values), method):
            values = getattr(values, method)()
            break
    if not isinstance(values, list | tuple | range):
        raise TypeError("not a sequence")
    return list(values)


def _names(labels: Value, count: int) -> list[str]:
    """Return the names of the bars, or refuse them."""
    try:
        names = list(map(str, range(count) if labels is None else _listed(labels)))
    except TypeError:
        names = []
    if len(names) != count:
        rule = f"must be a list of {count} names, one for each number"
        fix = "Pass the keys or the edges by which was counted"
        raise refusal("Plot", "labels", type(labels), rule, fix)
    return names


def _column(table: Value, argument: str, name: Any) -> Any:
    """Return a column of a table, or refuse its name."""
    known = table if isinstance(table, Mapping) else _columns_of(table)
    if type(name) is not str or name not in known:
        rule = f"the table has no column {name!r}" if type(name) is str else "not text"
        raise refusal("Plot", argument, name, rule, _FRAME_FIX)
    return table[name]


def _columns_of(table: Value) -> list[str]:
    """Return the names of the columns of a frame, or refuse it."""
    for attribute in ("column_names", "columns"):
        named = getattr(type(table), attribute, None)
        if named is not None:
            return list(getattr(table, attribute))
    rule = "must be a mapping from names to columns, or a frame"
    raise refusal("Plot", "table", table, rule, _FRAME_FIX)
