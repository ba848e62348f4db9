r"""The macros of a style file or a proof, as texts to be put in their place.

``\newcommand``, ``\DeclareMathOperator`` and ``\DeclarePairedDelimiter`` are read, so
that a page in HTML says the words of the style file, and no copy of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from opendp_lite.review.tex.macros import argument, strip_comments

_COMMAND = re.compile(
    r"\\(?:re|provide)?newcommand\*?\s*\{?\\([a-zA-Z@]+)\}?\s*(?:\[(\d)\])?"
    r"|\\DeclareRobustCommand\*?\s*\{?\\([a-zA-Z@]+)\}?\s*(?:\[(\d)\])?"
)
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{\\([a-zA-Z]+)\}")
_PAIR = re.compile(r"\\DeclarePairedDelimiter\s*\{\\([a-zA-Z]+)\}")


@attrs.frozen
class Macro:
    """A macro: how many arguments it takes, and its text with #1, #2, ..."""

    count: int
    body: str


def read_definitions(text: str) -> dict[str, Macro]:
    r"""Return the macros that a text of TeX defines, by name.

    >>> read_definitions(r"\newcommand{\twice}[1]{#1#1}")["twice"]
    Macro(count=1, body='#1#1')
    >>> read_definitions(r"\DeclareMathOperator{\RN}{RN}")["RN"].body
    '\\operatorname{RN}'
    """
    plain = strip_comments(text)
    found: dict[str, Macro] = {}
    for match in _COMMAND.finditer(plain):
        body = argument(plain, match.end())
        name, count = match[1] or match[3], match[2] or match[4] or "0"
        if body is not None:
            found[name] = Macro(int(count), body[0])
    for match in _OPERATOR.finditer(plain):
        body = argument(plain, match.end())
        if body is not None:
            found[match[1]] = Macro(0, rf"\operatorname{{{body[0]}}}")
    for match in _PAIR.finditer(plain):
        left = argument(plain, match.end())
        right = argument(plain, left[1]) if left else None
        if left and right:
            found[match[1]] = Macro(1, f"{left[0]} #1{right[0]} ")
    return found


def own_definitions(head: str) -> list[str]:
    r"""Return the macros of a proof's own, each as a ``\newcommand`` in one line.

    :param head: what stands before the document begins

    >>> own_definitions(r"\DeclareMathOperator{\clip}{clip}")
    ['\\newcommand{\\clip}{\\operatorname{clip}}']
    """
    lines = []
    for name, macro in read_definitions(head).items():
        count = f"[{macro.count}]" if macro.count else ""
        body = " ".join(macro.body.split())
        lines.append(rf"\newcommand{{\{name}}}{count}{{{body}}}")
    return lines


def expanded(macro: Macro, arguments: tuple[str, ...]) -> str:
    """Return the text of a macro with its arguments put in place.

    >>> expanded(Macro(2, "#2, #1"), ("a", "#1"))
    '#1, a'
    """
    given: Mapping[str, str] = {f"#{i + 1}": each for i, each in enumerate(arguments)}
    return re.sub(r"#\d", lambda match: given.get(match[0], ""), macro.body)
