"""Polars: what it is told natively."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import Any

from opendp_lite.base.aliases import Data
from opendp_lite.tables.engines.engine import Frame, asked
from opendp_lite.tables.engines.lazy import LazyEngine, Opened, kind_of
from opendp_lite.tables.engines.sources import loaded_class

_OFTEN = 8  # rows of a text, from which on it is hashed once
_HELD = 2**16  # texts that are held in Python at a time


class PolarsEngine(LazyEngine):
    """Polars in this process; frames are lazy, and text is always valid UTF-8."""

    name = "Polars"

    @classmethod
    def open_frame(cls, data: Data) -> Opened | None:
        """Return the engine, a frame of Polars as a lazy one, and its columns."""
        frames = [loaded_class("polars", each) for each in ("DataFrame", "LazyFrame")]
        if type(data) not in frames:
            return None
        lazy = data.lazy()
        return POLARS, lazy, asked(lambda: list(lazy.collect_schema()))

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
        """Return the frame with a column of codes."""
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
    """Return the codes of a column of Polars; they depend on each text alone.

    Texts that recur often are hashed once each. Of others, to find the equal ones takes
    longer than to hash them all.
    """
    import polars as pl

    if column.approx_n_unique() * _OFTEN > len(column):
        return _hashed(column)
    texts = column.unique()
    table = pl.DataFrame({"t": texts, "c": _hashed(texts)})
    found = column.to_frame("t").join(table, on="t", how="left", maintain_order="left")
    return found["c"]


def _hashed(texts: Any) -> Any:
    """Return the code of each text of a column of Polars, some at a time."""
    import numpy as np
    import polars as pl

    sha256, codes = hashlib.sha256, np.zeros(len(texts), np.int64)
    for start in range(0, len(texts), _HELD):
        held = texts[start : start + _HELD].cast(pl.Binary).to_list()
        digests = b"".join([sha256(each or b"").digest() for each in held])
        # Of each digest, the first of its four words without its last four bits.
        codes[start : start + _HELD] = np.frombuffer(digests, ">u8")[::4] >> 4
    return pl.Series(codes, dtype=pl.Int64)
