"""Answers as plain values, which JSON can write and read back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from opendp_lite.core.aliases import Value
from opendp_lite.core.errors import printed
from opendp_lite.core.words.visible import visible
from opendp_lite.jobs.shapes import Named

__all__ = ["answer_lines", "plain"]

_MOST = 20  # rows of an answer that are shown; all are in the record
_BITS = 14_000  # of an integer that JSON is given as a number
_SPELLED = {math.inf: "inf", -math.inf: "-inf"}


def plain(value: Value) -> Any:
    """Return a value as JSON has it: infinities and NaN are spelled, frames are dicts.

    What is none of the kinds that answers have is told by its text, and not left out.

    :param value: an answer, or a part of one

    >>> plain({"a": (1, 0.5, float("inf"), Fraction(1, 3))})
    {'a': [1, 0.5, 'inf', '1/3']}
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):  # Python writes no longer ones in decimal digits
        return value if value.bit_length() < _BITS else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _SPELLED.get(value, "nan")
    if isinstance(value, Fraction | Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    columns = _columns(value)
    if columns is not None:
        return plain(columns)
    return plain(value.tolist()) if hasattr(value, "tolist") else printed(value)


def _columns(value: Value) -> Any:
    """Return the columns of a frame of PyArrow, Spark, pandas or Polars; else None."""
    if hasattr(value, "to_pydict"):
        return value.to_pydict()
    if hasattr(value, "toPandas"):
        value = value.toPandas()
    if hasattr(value, "iloc"):
        return value.to_dict("list")
    return value.to_dict(as_series=False) if hasattr(value, "get_columns") else None


def answer_lines(columns: Named) -> list[str]:
    """Return the answer of a table as lines; a number has its interval beside it.

    :param columns: lists of one length, by name

    >>> answer_lines({"city": ["A"], "n": [7], "n_low": [5], "n_high": [9]})
    ['city  n', 'A     7 (5 to 9)']
    """
    names = [
        name
        for name in columns
        if not any(
            name.endswith(end) and name.removesuffix(end) in columns
            for end in ("_low", "_high")
        )
    ]
    cells = [[visible(name), *map(_cell, _beside(columns, name))] for name in names]
    widths = [max(map(len, column)) for column in cells]
    rows = list(zip(*cells, strict=True))
    more = len(rows) - 1 - _MOST
    told = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return [*told[: _MOST + 1], *([f"and {more} more"] if more > 0 else [])]


def _beside(columns: Named, name: str) -> Any:
    """Return the values of a column, each with the ends of its interval if any."""
    ends = [columns[name + end] for end in ("_low", "_high") if name + end in columns]
    return zip(columns[name], *(ends if len(ends) == 2 else ()), strict=True)


def _cell(parts: tuple[Any, ...]) -> str:
    value, *ends = (
        f"{x:.6g}" if isinstance(x, float) else visible(str(x)) for x in parts
    )
    return f"{value} ({' to '.join(ends)})" if ends else value
