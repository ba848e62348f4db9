"""Reading TeX: comments, and macros with their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["argument", "macros", "strip_comments"]

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
