"""What stands in place of a rule of ours, where a mutant leaves the rule out."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from opendp_lite.tables import lines, terms
from opendp_lite.tables.engines import totals as engine_totals
from opendp_lite.tables.engines.duckdb import own_session

_SUMMED, _FIELDS = engine_totals._summed, lines.fields


def as_it_is(self: Any, frame: Any, name: str) -> Any:
    return frame


def number(self: Any, frame: Any, name: str) -> Any:
    return frame.with_columns(nw.col(name).cast(nw.Int64))


def null_only(expr: Any, columns: Any, value: Any) -> Any:
    return ~value.is_null()


def clipped_by_engine(value: Any, lower: Any, upper: Any, fill: Any) -> Any:
    return value.fill_null(fill).clip(lower, upper)


def not_clipped(value: Any, lower: Any, upper: Any, fill: Any) -> Any:
    return value


def cast_under_a_guard(value: Any, lower: Any, upper: Any, fill: Any) -> Any:
    return value.cast(nw.Int64).cast(nw.Float64)


def rounded_by_engine(value: Any) -> Any:
    return value.round() if hasattr(value, "round") else round(value)


def any_key(argument: str, name: str, columns: Any) -> Any:
    return terms.atom_of(columns[name]).T


def any_operands(self: Any, columns: Any) -> Any:
    return self.present(self.left, columns), self.present(self.right, columns)


def missing_is_present(self: Any, part: Any, columns: Any) -> Any:
    return terms.atom_of(part.domain(columns))


def all_types(domain: Any) -> set[Any]:
    every = {nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.Date, nw.Float32, nw.Float64}
    return every | {nw.Decimal, nw.Datetime, nw.UInt64, nw.Boolean, nw.String}


def chosen_by_name(self: Any, native: Any, names: Any, places: Any) -> Any:
    frame = nw.from_native(native).lazy()
    return frame.select(
        *(nw.col(names[place]).alias(f"c{i}") for i, place in enumerate(places))
    )


def not_validated(data: Any, columns: Any) -> Any:
    engine, connection = own_session()
    return engine, connection.from_arrow(data), list(columns)


def listed(self: Any, frame: Any, on: Any, public: Any, how: str) -> Any:
    for name in on:
        frame = frame.filter(nw.col(name).is_in(list(public[name])))
    return frame


def asked(question: Callable[[], Any]) -> Any:
    return question()


def by_len(engine: Any, frame: Any, by: Any, columns: Any) -> Any:
    wide: Any = SimpleNamespace(wide_sum=True)
    return _SUMMED(wide, frame, by, columns)


def by_rank(self: Any, frame: Any, name: str, new: str) -> Any:
    native = nw.to_native(frame)
    if isinstance(native, pl.LazyFrame):
        rank = pl.col(name).rank("dense").cast(pl.Int64)
        return nw.from_native(native.with_columns(rank.alias(new)))
    if hasattr(native, "project"):
        kept = ", ".join(column for column in native.columns if column != new)
        rank = f"CAST(dense_rank() OVER (ORDER BY {name}) AS BIGINT) AS {new}"
        return nw.from_native(native.project(f"{kept}, {rank}"))
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    number = F.dense_rank().over(Window.orderBy(name)).cast("bigint")
    return nw.from_native(native.withColumn(new, number))


def no_settings(self: Any, frame: Any) -> str:
    return ""


def read_csv(paths: list[str]) -> Any:
    engine, connection = own_session()
    native = connection.read_csv(paths[0])
    return engine, native, list(native.columns)


def swallowing() -> Callable[[str, str], list[str | None]]:
    """Return fields of lines where a quote that is open swallows the lines after it."""
    held = [False]

    def fields(line: str, separator: str) -> list[str | None]:
        swallowed = held[0]
        held[0] ^= line.count('"') % 2 == 1
        return [] if swallowed else _FIELDS(line, separator)

    return fields
