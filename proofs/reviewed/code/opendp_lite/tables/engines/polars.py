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


# === _codes with Any
def _codes(column: Any) -> Any:
    import polars as pl

    texts = column.unique()
    codes = [None if text is None else _code(text) for text in texts]
    table = pl.DataFrame({"t": texts, "c": pl.Series(codes, dtype=pl.Int64)})
    found = column.to_frame("t").join(table, on="t", how="left", maintain_order="left")
    return found["c"]


# === _code with hashlib
def _code(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:15], 16)
