"""Formulas: LaTeX becomes MathML when the site is built, which browsers draw.

So no script and no font is loaded. `pymdownx.arithmatex` finds the formulas of a page
and marks them; this turns what is marked into MathML.
"""

from __future__ import annotations

import html
import re

from opendp_lite.certify.pages.prose import mathml

__all__ = ["formulas", "rendered"]

_MARKED = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">'
    r"(?:\\\((?P<inline>.*?)\\\)|\\\[(?P<block>.*?)\\\])</(?P=tag)>"
    r"(?P<after>[.,;:)?!]*)",  # stays on the line of the formula
    re.DOTALL,
)


def formulas(page: str) -> list[str]:
    """Return the LaTeX of the formulas that are marked on a page.

    :param page: HTML that arithmatex has made

    >>> formulas(r'<p><span class="arithmatex">\\(a &lt; b\\)</span></p>')
    ['a < b']
    """
    return [html.unescape(m["inline"] or m["block"]) for m in _MARKED.finditer(page)]


def rendered(page: str) -> str:
    """Return the page with MathML in place of what is marked.

    :param page: HTML that arithmatex has made
    """

    def drawn(found: re.Match[str]) -> str:
        block = found["block"] is not None
        text = html.unescape(found["block"] if block else found["inline"]).strip()
        math = mathml(text, {}, display=block)
        if math is None:
            raise ValueError(f"latex2mathml cannot convert the formula {text}")
        tag = "div" if block else "span"
        return f'<{tag} class="formula">{math}{found["after"]}</{tag}>'

    return _MARKED.sub(drawn, page)
