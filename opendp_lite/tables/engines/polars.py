"""Polars: what it is told natively."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import Any

from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.lazy import LazyEngine, kind_of

__all__ = ["POLARS", "PolarsEngine"]


class PolarsEngine(LazyEngine):
    """Polars in this process; frames are lazy, and text is always valid UTF-8."""

    name = "Polars"

    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        """Return the columns at these places as c0, c1, ...

        All are renamed first, since Polars takes some names for patterns where columns
        are chosen.
        """
        import narwhals.stable.v2 as nw

        inside = {name: f"r{i}" for i, name in enumerate(names)}
        inside |= {names[place]: f"c{i}" for i, place in enumerate(places)}
        frame = nw.from_native(native.lazy().rename(inside))
        return frame.select(*(f"c{i}" for i in range(len(places))))

    def text(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column as text; categories become what they name."""
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.String))

    def days(self, frame: Frame, name: str) -> Any:
        """Return the frame with a column of dates as days since 1970-01-01."""
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.Int32).cast(nw.Int64))

    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        """Return the frame with a column of codes; each text is hashed once."""
        import narwhals.stable.v2 as nw
        import polars as pl

        codes = pl.col(name).map_batches(_codes, return_dtype=pl.Int64)
        return nw.from_native(nw.to_native(frame).with_columns(codes.alias(new)))

    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
        """Return a public table as a lazy frame."""
        import narwhals.stable.v2 as nw
        import polars as pl

        types = {int: pl.Int64, float: pl.Float64, bool: pl.Boolean, str: pl.String}
        schema = {name: types[kind_of(values)] for name, values in table.items()}
        columns = {name: list(values) for name, values in table.items()}
        return nw.from_native(pl.DataFrame(columns, schema=schema).lazy())

    def settings(self, frame: Frame) -> str:
        """Return Polars' settings, which are variables of the environment."""
        import polars as pl

        state = dict(pl.Config.state())
        state |= {k: v for k, v in os.environ.items() if k.startswith("POLARS")}
        return repr(sorted((name, str(value)) for name, value in state.items()))


POLARS = PolarsEngine()


def _codes(column: Any) -> Any:
    """Return the codes of a column of Polars; they depend on each text alone."""
    import polars as pl

    texts = column.unique()
    codes = [None if text is None else _code(text) for text in texts]
    table = pl.DataFrame({"t": texts, "c": pl.Series(codes, dtype=pl.Int64)})
    found = column.to_frame("t").join(table, on="t", how="left", maintain_order="left")
    return found["c"]


def _code(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:15], 16)
