"""A kind of engine that the library does not have: columns on a shelf, run by Polars.

Polars computes, because Narwhals knows it; the library knows neither shelf nor engine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import narwhals.stable.v2 as nw
import polars as pl

from opendp_lite.tables.engines.lazy import LazyEngine, Opened, kind_of

_TYPES = {int: pl.Int64, float: pl.Float64, bool: pl.Boolean, str: pl.String}


@attrs.frozen
class Shelf:
    """What somebody passes as a table: columns by name."""

    columns: dict[str, list[Any]]


class ShelfEngine(LazyEngine):
    """All shelves of this process are one session."""

    name = "Shelf"

    @classmethod
    def open_frame(cls, data: Any) -> Opened | None:
        """Return the one engine, the shelf, and the names on it."""
        return (SHELVES, data, [*data.columns]) if type(data) is Shelf else None

    def chosen(self, native: Shelf, names: Sequence[str], places: Sequence[int]) -> Any:
        """Return the columns at these places."""
        columns = [*native.columns.values()]
        named = {f"c{i}": columns[place] for i, place in enumerate(places)}
        return nw.from_native(pl.DataFrame(named).lazy())

    def text(self, frame: Any, name: str) -> Any:
        """Return the frame as it is: Polars compares text by its bytes."""
        return frame

    def days(self, frame: Any, name: str) -> Any:
        """Return the frame with a column of dates as days since 1970-01-01."""
        return frame.with_columns(nw.col(name).cast(nw.Int32).cast(nw.Int64))

    def text_code(self, frame: Any, name: str, new: str) -> Any:
        """Return the frame with a column of codes."""
        codes = pl.col(name).map_elements(_code, return_dtype=pl.Int64)
        return nw.from_native(nw.to_native(frame).with_columns(codes.alias(new)))

    def public(self, frame: Any, table: Mapping[str, Sequence[Any]]) -> Any:
        """Return a public table as a lazy frame."""
        schema = {name: _TYPES[kind_of(values)] for name, values in table.items()}
        columns = {name: list(values) for name, values in table.items()}
        return nw.from_native(pl.DataFrame(columns, schema=schema).lazy())

    def settings(self, frame: Any) -> str:
        """Return Polars' settings."""
        return repr(sorted(pl.Config.state().items()))


SHELVES = ShelfEngine()


def _code(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:15], 16)
