"""Pictures of a budget: what each query of a Context took, and what is left."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import check_type
from opendp_lite.context.contexts import Context
from opendp_lite.core.measures import max_divergence
from opendp_lite.exact.rounding import round_up
from opendp_lite.show.pictures.figures import (
    Axes,
    Theme,
    ThemeName,
    label_axes,
    new_figure,
    put_legend,
    theme_argument,
    title_argument,
)
from opendp_lite.solving.refused import ContextError

if TYPE_CHECKING:
    from opendp_lite.context.journal import Journal, JournalEntry

_TALLEST = 1e300  # of bars: an infinite one has no end to draw

_LABELS = 24  # more queries than this are not named
_LONGEST = 34  # letters of a name
_ARGUMENTS = re.compile(r"\([^()]*\)")
_RESERVED = "reserved"  # for a Context within
_STATES = ("released", _RESERVED, "charged", "failed")


def budget_picture(
    context: Context,
    theme: ThemeName = "light",
    ax: Axes | Sequence[Axes] | None = None,
    title: str | None = None,
) -> Any:
    """Return a figure: bars for the queries, each on top of those before it.

    A Context within has a bar for all that was reserved for it, and in it what its
    queries took, where that is counted by the same measure.

    :param context: what is shown
    :param theme: "light" or "dark"
    :param ax: the axes that are drawn into, two if the budget has a delta; those of a
        new figure by default
    :param title: in place of the usual one
    """
    colours = theme_argument(theme)
    heading = title_argument(title, "What each query took of the budget")
    parts, entries = _parts(context), context.journal()
    size = 7, 1.4 + 2.6 * len(parts)
    figure, axes = new_figure(colours, size, len(parts), ContextError, ax)
    for axis, (name, index, limit) in zip(axes, parts, strict=True):
        spent = [_Spent(entry, context, index) for entry in entries]
        shown = _draw(axis, limit, spent, colours)
        if axis is axes[0] and set(shown) - {"released"}:
            handles = [shown[state] for state in _STATES if state in shown]
            below_line = (0, 0.88)  # in parts of the picture
            put_legend(
                axis, colours, handles, loc="upper left", bbox_to_anchor=below_line
            )
        label_axes(axis, colours, y=f"{name} spent")
        axis.grid(visible=False, axis="x")
    if len(entries) <= _LABELS:
        labels = [_short(entry.text) for entry in entries]
        plain = {"parse_math": False, "rotation": 30, "ha": "right"}
        axes[-1].set_xticks(range(len(entries)), labels, **plain)
    axes[-1].set_xlabel("queries, in their order", color=colours.ink, fontsize=10.5)
    axes[0].set_title(heading, loc="left", color=colours.ink, fontsize=12)
    return figure


class _Spent:
    """What an entry took: all of it, and what was spent of a part reserved."""

    def __init__(
        self, entry: JournalEntry, context: Context, index: int | None
    ) -> None:
        self.whole, self.state = _part(entry.loss, index), entry.state
        self.inner: list[float] = []
        if entry.children is not None:
            self.state = _RESERVED
            if _same_measure(entry.children, context):
                self.inner = [_part(child.loss, index) for child in entry.children]


def _same_measure(journal: Journal, context: Context) -> bool:
    """Return whether all queries of a journal count loss as the Context does."""
    measure = context.output_measure
    return all(entry.query.output_measure == measure for entry in journal)


def _parts(context: Context) -> list[tuple[str, int | None, float]]:
    """Return which numbers make up a loss: a name, a place, and the limit."""
    measure, limit = context.output_measure, context.queryable.limit
    inner = measure.inner_measure
    name = "epsilon" if inner == max_divergence() else "rho"
    if inner == measure:
        return [(name, None, round_up(limit))]
    return [(name, 0, round_up(limit[0])), ("delta", 1, round_up(limit[1]))]


def _part(loss: Value, index: int | None) -> float:
    return min(round_up(mpq(loss if index is None else loss[index])), _TALLEST)


def _draw(
    axis: Axes, limit: float, entries: list[_Spent], theme: Theme
) -> dict[str, Any]:
    """Draw one number of the losses, and return a bar of each state."""
    below = 0.0
    shown: dict[str, Any] = {}
    for place, spent in enumerate(entries):
        style = _style(spent.state, theme)
        bar = axis.bar(place, spent.whole, bottom=below, width=0.8, **style)
        bar.set_label(spent.state)
        shown.setdefault(spent.state, bar)
        if below > 0:
            axis.bar(place, below, color=theme.faint, width=0.8, zorder=0)
        start = below
        for inner in spent.inner:
            style = _style("released", theme)
            bar = axis.bar(place, inner, bottom=start, width=0.5, **style)
            start += inner
        below += spent.whole
    finite = limit != float("inf")  # 10**400 is infinite as a double
    if finite:
        axis.axhline(limit, color=theme.ink, linewidth=1)
        axis.text(
            *(0.995, limit, f"budget {limit:g}"),
            transform=axis.get_yaxis_transform(),
            ha="right",
            va="bottom",
            fontsize=9.5,
            color=theme.ink,
        )
    top = max(below, limit if finite else 0.0)
    axis.set_ylim(0, 1.15 * top if top > 0 else 1)
    axis.set_xlim(-0.6, max(len(entries) - 0.4, 0.6))
    return shown


def _style(state: str, theme: Theme) -> dict[str, Any]:
    """Return how the bar of a state looks: not by its colour alone."""
    first, second = theme.colours[:2]
    paper = {"edgecolor": theme.paper, "linewidth": 0.8}
    return {
        "released": {"color": first, **paper},
        "failed": {"color": second, "hatch": "//", **paper},
        _RESERVED: {"color": "none", "edgecolor": first, "linewidth": 1.5},
    }.get(state, {"color": first, "alpha": 0.55, "hatch": "..", **paper})


def _short(text: str) -> str:
    """Return a query in few letters: a query about a table by what it is asked for.

    All others are told by the names of their links, without arguments.

    >>> _short("table(rows=2).group_by('city').agg(n=people(), m=col('x').sum(k=-2))")
    'n, m by city'
    >>> _short("clamp(bounds=(0, 9)).sum().laplace(scale=2)")
    'clamp.sum.laplace'
    """
    if text.startswith("table("):
        text = _asked_for(text)
    while (shorter := _ARGUMENTS.sub("", text)) != text:  # from the innermost on
        text = shorter
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _asked_for(text: str) -> str:
    """Return the names of the aggregates of a query about a table, and of its keys.

    A text that was written in another way stays as it is.
    """
    try:
        call = ast.parse(text, mode="eval").body
    except SyntaxError:
        return text
    links: dict[str, ast.Call] = {}
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        links.setdefault(call.func.attr, call)
        call = call.func.value
    if "agg" not in links:
        return text
    names = [each.arg or "" for each in links["agg"].keywords if each.arg != "weights"]
    grouped = links["group_by"].args if "group_by" in links else []
    keys = [str(each.value) for each in grouped if isinstance(each, ast.Constant)]
    return ", ".join(names) + (f" by {', '.join(keys)}" if keys else "")


def budget(
    context: Context,
    theme: ThemeName = "light",
    ax: Axes | Sequence[Axes] | None = None,
    title: str | None = None,
) -> Any:
    """Return a picture of the budget of a Context, as `context.plot()` does.

    Each query has a bar on top of those before it; a line shows the budget. What was
    spent of the part that a Context within it was given is drawn inside of its bar.

    :param context: what is shown
    :param theme: "light" or "dark"
    :param ax: the axes of matplotlib that are drawn into, a list of two if the budget
        has a delta; those of a new figure by default
    :param title: in place of the usual one

    >>> import opendp_lite.prelude as dp
    >>> context = dp.Context.compositor(
    ...     data=[1, 2, 3], domain=dp.vector_domain(dp.atom_domain(T=int)),
    ...     privacy_unit=dp.unit_of(contributions=1),
    ...     privacy_loss=dp.loss_of(epsilon=1.0))
    >>> budget(context).axes[0].get_ylabel()
    'epsilon spent'
    """
    theme_argument(theme)
    fix = "Pass what dp.Context.compositor(...) returns"
    check_type("Plot", "context", context, Context, fix)
    return budget_picture(context, theme, ax, title)
