r"""The statements that the style file makes: what ``\validMeasurement`` claims.

A postcondition is words of the style file, so a proof was read together with them.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from opendp_lite.review.tex.macros import argument, strip_comments

__all__ = ["statement_digest"]

_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\\([a-zA-Z@]+)\}?\s*(?:\[[^\]]*\])*"
)
_MACRO = re.compile(r"\\([a-zA-Z@]+)")
_LAYOUT = re.compile(r"\\[a-zA-Z@]+|\\(?:begin|end)\{[^}]*\}")


@lru_cache(maxsize=8)
def _definitions(style: str) -> dict[str, str]:
    text = strip_comments(style)
    found = {}
    for match in _DEFINITION.finditer(text):
        body = argument(text, match.end())
        if body is not None:
            found[match.group(1)] = " ".join(body[0].split())
    return found


def statement_digest(style: str, macro: str) -> str:
    r"""Return the digest of a statement, with the macros in it that hold words.

    Macros that only arrange the page do not count.

    >>> style = r"\newcommand{\validX}{\box{\all}} \newcommand{\all}{For every one}"
    >>> moved = style + r" \newcommand{\box}[1]{\par #1}"
    >>> statement_digest(style, "validX") == statement_digest(moved, "validX")
    True
    >>> weaker = style.replace("every", "some")
    >>> statement_digest(style, "validX") == statement_digest(weaker, "validX")
    False
    """
    definitions = _definitions(style)
    said: dict[str, str] = {}
    waiting = [macro]
    while waiting:
        name = waiting.pop()
        body = definitions.get(name)
        if body is None or name in said:
            continue
        if name == macro or re.search("[a-z]{2}", _LAYOUT.sub("", body)):
            said[name] = body
        waiting += _MACRO.findall(body)
    text = "\n".join(f"{name} {said[name]}" for name in sorted(said))
    return hashlib.sha256(text.encode()).hexdigest()
