"""Values on the command line: distances, exact numbers, data as JSON."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from typing import Any

import click
from click.shell_completion import CompletionItem

from opendp_lite.cli.mistakes import Mistake

__all__ = ["data_of", "distance_of", "files"]

_SPECIAL = re.compile(r'"(?:[^"\\]|\\.)*"|\b(nan|inf|infinity)\b', re.IGNORECASE)
_JSON_FIX = (
    "Write JSON: a number, a list such as [1, 2.5, nan, -inf], or text in quotes, "
    "'\"a\"'"
)


def files(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return that files complete what is written: FILE.py:NAME begins with one."""
    return [CompletionItem(incomplete, type="file")]


def distance_of(text: str | None, option: str = "--d-in") -> Any:
    """Return a distance: an int, an exact fraction, infinity, or None if none is given.

    :param text: what was written
    :param option: what it was written for
    """
    if text is None:
        return None
    written = text.strip()
    if written in ("inf", "Infinity"):
        return math.inf
    if re.fullmatch(r"[+-]?[0-9]{1,300}", written, re.ASCII):
        return int(written)
    form = r"[+-]?(?:[0-9]+/[0-9]+|[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?)"
    if len(written) <= 300 and re.fullmatch(form, written, re.ASCII):
        try:
            return Fraction(written)
        except ZeroDivisionError:
            pass
    raise Mistake(
        f"{option}={text!r}: is no number. Write for example 1, 0.5, 1/3 or inf."
    )


def data_of(text: str, option: str) -> Any:
    """Return data that are written as JSON, with nan and inf spelled.

    :param text: what was written
    :param option: what it was written for
    """
    try:
        return json.loads(_SPECIAL.sub(_spelled, text))
    except (ValueError, RecursionError):
        raise Mistake(f"{option}: cannot be read. {_JSON_FIX}.") from None


def _spelled(match: re.Match[str]) -> str:
    """Return nan and infinity as Python's JSON has them; text stays as it is."""
    if match[1] is None:
        return match[0]
    return "NaN" if match[1].lower() == "nan" else "Infinity"
