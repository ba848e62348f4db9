"""What is in a figure, read from what was drawn."""

from __future__ import annotations

from typing import Any

import opendp_lite.prelude as dp

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
REALS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def curve(figure: Any, name: str = "") -> list[tuple[float, float]]:
    """The points of the curve of that name; without a name, of the first one."""
    lines = figure.axes[0].lines
    found = [line for line in lines if not name or line.get_label() == name]
    return [(float(x), float(y)) for x, y in zip(*found[0].get_data(), strict=True)]


def bars(figure: Any) -> dict[float, float]:
    """The heights of the bars, by their middles."""
    return {
        float(bar.get_x() + bar.get_width() / 2): float(bar.get_height())
        for bar in figure.axes[0].patches
    }


def stairs(figure: Any) -> tuple[list[float], list[float]]:
    """The heights of the cells, and their edges."""
    values, edges, _ = figure.axes[0].patches[0].get_data()
    return values.tolist(), edges.tolist()


def letters(figure: Any) -> list[Any]:
    """Everything that is written in a figure."""
    from matplotlib.text import Text

    return [each for each in figure.findobj(Text) if each.get_text()]
