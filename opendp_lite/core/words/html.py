"""How objects look in a notebook: a small table, in the colours of the notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["page", "table"]

_LEFT = ' style="text-align:left"'


def table(title: str, rows: Iterable[tuple[str, ...]], note: str = "") -> str:
    """Return a table of text; the first cell of a row names the others.

    :param title: what is shown
    :param rows: the cells, row by row, as plain text
    :param note: a sentence below the table

    >>> print(table("count", [("x", "1 < 2")]))
    <div><b>count</b><table><tr><th style="text-align:left">x</th>\
<td style="text-align:left"><code>1 &lt; 2</code></td></tr></table></div>
    """
    lines = "".join(
        f"<tr><th{_LEFT}>{escape(first)}</th>"
        + "".join(f"<td{_LEFT}><code>{escape(cell)}</code></td>" for cell in cells)
        + "</tr>"
        for first, *cells in rows
    )
    below = f"<div>{escape(note)}</div>" if note else ""
    return f"<div><b>{escape(title)}</b><table>{lines}</table>{below}</div>"


def page(text: str) -> str:
    """Return plain text as it is, line by line.

    :param text: what is shown

    >>> page("1 < 2")
    '<pre style="white-space:pre-wrap">1 &lt; 2</pre>'
    """
    return f'<pre style="white-space:pre-wrap">{escape(text)}</pre>'
