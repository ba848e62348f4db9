"""Reading TeX: comments, macros with arguments, and what the style file states.

A postcondition is words of the style file, so a proof was read together with them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")


def strip_comments(text: str, whole: bool = False) -> str:
    r"""Return TeX without comments and without what follows the document.

    Lines keep their numbers. With `whole`, what follows is kept.

    >>> strip_comments("50\\% of it % why\n% a line\n\\end{document} more")
    '50\\% of it \n\n\\end{document}'
    """
    kept = _COMMENT.sub(r"\1", text) if "%" in text else text
    body, end, rest = kept.partition(r"\end{document}")
    return body + end + (rest if whole else "")


def argument(text: str, start: int) -> tuple[str, int] | None:
    """Return the `{...}` that begins at or after `start`, and where it ends."""
    while start < len(text) and text[start].isspace():
        start += 1
    if start >= len(text) or text[start] != "{":
        return None
    depth, at = 0, start
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return text[start + 1 : at], at + 1
        at += 1
    return None


def macros(text: str, name: str, count: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    r"""Yield position and arguments of every ``\name``, with ``[...]`` skipped."""
    pattern = re.compile(rf"\\{name}(?![a-zA-Z])\*?\s*(?:\[[^\]]*\])?")
    for match in pattern.finditer(text):
        arguments, at = [], match.end()
        for _ in range(count):
            found = argument(text, at)
            if found is None:
                break
            arguments.append(found[0])
            at = found[1]
        if len(arguments) == count:
            yield match.start(), tuple(arguments)


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
