# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.polars; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.lazy import kind_of
from typing import Any
import hashlib
import os

opendp_lite.tables.engines.engine.Frame: typing.TypeAlias = typing.Any
_OFTEN = 8
_HELD = 2**16


# === PolarsEngine.chosen with Sequence, Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class PolarsEngine(LazyEngine):
    name = "Polars"
    def chosen(self, native: Frame, names: Sequence[str], places: Sequence[int]) -> Any:
        import narwhals.stable.v2 as nw

        inside = {name: f"r{i}" for i, name in enumerate(names)}
        inside |= {names[place]: f"c{i}" for i, place in enumerate(places)}
        frame = nw.from_native(native.lazy().rename(inside))
        return frame.select(*(f"c{i}" for i in range(len(places))))


# === PolarsEngine.text with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class PolarsEngine(LazyEngine):
    name = "Polars"
    def text(self, frame: Frame, name: str) -> Any:
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.String))


# === PolarsEngine.days with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class PolarsEngine(LazyEngine):
    name = "Polars"
    def days(self, frame: Frame, name: str) -> Any:
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(name).cast(nw.Int32).cast(nw.Int64))


# === PolarsEngine.text_code with Frame, LazyEngine, Any,
#    opendp_lite.tables.engines.engine.Frame
class PolarsEngine(LazyEngine):
    name = "Polars"
    def text_code(self, frame: Frame, name: str, new: str) -> Any:
        import narwhals.stable.v2 as nw
        import polars as pl

        codes = pl.col(name).map_batches(_codes, return_dtype=pl.Int64)
        return nw.from_native(nw.to_native(frame).with_columns(codes.alias(new)))


# === PolarsEngine.public with Mapping, Sequence, Frame, LazyEngine, kind_of, Any,
#    opendp_lite.tables.engines.engine.Frame
class PolarsEngine(LazyEngine):
    name = "Polars"
    def public(self, frame: Frame, table: Mapping[str, Sequence[Any]]) -> Any:
        import narwhals.stable.v2 as nw
        import polars as pl

        types = {int: pl.Int64, float: pl.Float64, bool: pl.Boolean, str: pl.String}
        schema = {name: types[kind_of(values)] for name, values in table.items()}
        columns = {name: list(values) for name, values in table.items()}
        return nw.from_native(pl.DataFrame(columns, schema=schema).lazy())


# === PolarsEngine.settings with Frame, LazyEngine, os,
#    opendp_lite.tables.engines.engine.Frame
class PolarsEngine(LazyEngine):
    name = "Polars"
    def settings(self, frame: Frame) -> str:
        import polars as pl

        state = dict(pl.Config.state())
        state |= {k: v for k, v in os.environ.items() if k.startswith("POLARS")}
        return repr(sorted((name, str(value)) for name, value in state.items()))


# === _codes with Any, _OFTEN
def _codes(column: Any) -> Any:
    import polars as pl

    if column.approx_n_unique() * _OFTEN > len(column):
        return _hashed(column)
    texts = column.unique()
    table = pl.DataFrame({"t": texts, "c": _hashed(texts)})
    found = column.to_frame("t").join(table, on="t", how="left", maintain_order="left")
    return found["c"]


# === _hashed with Any, hashlib, _HELD
def _hashed(texts: Any) -> Any:
    import numpy as np
    import polars as pl

    sha256, codes = hashlib.sha256, np.zeros(len(texts), np.int64)
    for start in range(0, len(texts), _HELD):
        held = texts[start : start + _HELD].cast(pl.Binary).to_list()
        digests = b"".join([sha256(each or b"").digest() for each in held])
        codes[start : start + _HELD] = np.frombuffer(digests, ">u8")[::4] >> 4
    return pl.Series(codes, dtype=pl.Int64)
