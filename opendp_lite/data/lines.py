"""The lines of a text, which are its rows under the symmetric distance."""

from __future__ import annotations


def text_lines(text: str) -> list[str]:
    r"""Return the lines of a text, without their ends.

    A line ends at "\n" or "\r\n" and nowhere else (`str.splitlines` also cuts at "\v",
    "\x1c", "\u2028" and others); what follows the last is a line unless it is empty.

    >>> text_lines("a\r\nb\n\nc\vd")
    ['a', 'b', '', 'c\x0bd']
    """
    *ended, last = text.split("\n")  # proof: cut
    lines = [line[:-1] if line.endswith("\r") else line for line in ended]  # proof: end
    return [*lines, last] if last else lines  # proof: last
