"""A picture of a Context: what each query took of the budget, and what is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from opendp_lite.context.errors import ContextError
from opendp_lite.core.measures import max_divergence

if TYPE_CHECKING:
    from opendp_lite.context.contexts import Context

__all__ = ["budget_picture"]

_COLOURS = {"released": "#3b6ea5", "charged": "#8fb1d3", "failed": "#c25b4e"}
_LABELS = 24  # more queries than this are not named
_LONGEST = 34  # letters of a name
_ARGUMENTS = re.compile(r"\([^()]*\)")


def budget_picture(context: Context) -> Any:
    """Return a figure: bars for the queries, each on top of those before it.

    :param context: what is shown
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ContextError(
            "Context",
            "pictures need matplotlib. Run pip install 'opendp-lite[plots]'.",
        ) from None
    parts = _parts(context)
    figure = Figure(figsize=(7, 1 + 2.6 * len(parts)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(parts), 1, squeeze=False, sharex=True)[:, 0]
    entries = context.journal()
    for axis, (name, index, limit) in zip(axes, parts, strict=True):
        _draw(axis, name, limit, [_part(e.loss, index) for e in entries], entries)
    if len(entries) <= _LABELS:
        labels = [_short(entry.text) for entry in entries]
        axes[-1].set_xticks(range(len(entries)), labels, rotation=30, ha="right")
    axes[-1].set_xlabel("queries, in their order")
    axes[0].set_title("What each query took of the budget", loc="left", fontsize=11)
    return figure


def _parts(context: Context) -> list[tuple[str, int | None, float | None]]:
    """Return which numbers make up a loss: a name, a place, and the limit."""
    measure, limit = context.output_measure, context.queryable.limit
    inner = measure.inner_measure
    name = "epsilon" if inner == max_divergence() else "rho"
    if inner == measure:
        return [(name, None, None if limit is None else float(limit))]
    limits = [None, None] if limit is None else [float(each) for each in limit]
    return [(name, 0, limits[0]), ("delta", 1, limits[1])]


def _part(loss: Any, index: int | None) -> float:
    return float(loss if index is None else loss[index])


def _draw(
    axis: Any, name: str, limit: float | None, losses: list[float], entries: Any
) -> None:
    """Draw one number of the losses: spent before, spent by this query, the limit."""
    below = 0.0
    shown: set[str] = set()
    for place, (loss, entry) in enumerate(zip(losses, entries, strict=True)):
        told = entry.state if entry.state not in shown else None
        shown.add(entry.state)
        colour = _COLOURS.get(entry.state)
        axis.bar(place, loss, bottom=below, color=colour, label=told, width=0.8)
        if below > 0:
            axis.bar(place, below, color="#e6ebf1", width=0.8, zorder=0)
        below += loss
    finite = limit is not None and limit != float("inf")
    if finite:
        axis.axhline(limit, color="black", linewidth=1)
        axis.text(
            *(0.995, limit, f"budget {limit:g}"),
            transform=axis.get_yaxis_transform(),
            ha="right",
            va="bottom",
            fontsize=9,
        )
    top = max(below, limit if finite and limit is not None else 0.0)
    axis.set_ylim(0, 1.15 * top if top > 0 else 1)
    axis.set_xlim(-0.6, max(len(losses) - 0.4, 0.6))
    axis.set_ylabel(f"{name} spent")
    axis.spines[["top", "right"]].set_visible(False)
    if shown - {"released"} and name != "delta":
        below_line = (0, 0.88)  # in parts of the picture
        axis.legend(
            frameon=False, loc="upper left", bbox_to_anchor=below_line, fontsize=9
        )


def _short(text: str) -> str:
    """Return the links of a query by their names, without arguments."""
    while (shorter := _ARGUMENTS.sub("", text)) != text:  # from the innermost on
        text = shorter
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
