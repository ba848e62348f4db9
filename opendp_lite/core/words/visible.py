"""Texts of others, such that all that stands in them is seen."""

from __future__ import annotations

__all__ = ["visible"]


def visible(text: str) -> str:
    """Return a text in one line, in which every letter can be seen.

    Names, keys and certificates may hold signs that move the cursor of a terminal,
    begin lines of their own, or turn the direction of writing.

    :param text: of a user, of the data or of a file

    >>> visible("one\\ntwo\\x1b[2J")
    'one[U+000A]two[U+001B][2J'
    """
    return "".join(
        each if each.isprintable() else f"[U+{ord(each):04X}]" for each in text
    )
