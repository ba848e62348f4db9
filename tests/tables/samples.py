"""Random tables of nasty values, random expressions, and frames of every kind."""

from __future__ import annotations

import atexit
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import opendp_lite.prelude as dp
from opendp_lite.tables.expressions import Expr

Row = dict[str, Any]
_CONNECTIONS: list[Any] = []  # before DuckDB 1.4 relations do not keep theirs open
atexit.register(_CONNECTIONS.clear)


def _may_miss(T: Any) -> Any:
    return dp.option_domain(dp.atom_domain(T=T))


COLUMNS = {
    "row": dp.atom_domain(T=int),
    "id": _may_miss(int),
    "name": _may_miss(str),
    "g": dp.atom_domain(T=str),
    "G": _may_miss(int),  # as "g", but for its case
    "x": _may_miss(float),
    "c0": dp.atom_domain(T=float),  # as columns are called inside; NaN is missing
    "a": _may_miss(int),
    "b": _may_miss(bool),
    "s": _may_miss(str),
}
TYPES = {
    "row": pa.int64(),
    "id": pa.int64(),
    "name": pa.string(),
    "g": pa.string(),
    "G": pa.int64(),
    "x": pa.float64(),
    "c0": pa.float64(),
    "a": pa.int64(),
    "b": pa.bool_(),
    "s": pa.string(),
}
FLOATS = [None, math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, -5e-324, 1e308]
FLOATS += [-1e308, 0.1, 0.5, 1.5, 2.5, -0.5, 1 / 3, 4503599627370497.5, 2.0**60]
NEAR = [x for x in FLOATS if x is not None and abs(x) < 9]  # files tell bounds of it
INTS = [None, 0, 1, -1, 7, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 119]
TEXTS = ["", "a", "A", "a ", "\u00e9", "e\u0301", "\U0001f600", "\uffff", "\u00df"]
TEXTS += ["a\x00", "'", '"', "nan", "null", "\\", "\u0130", "%", "{}"]


def random_row(rng: random.Random, number: int) -> Row:
    """Return a row of values of which many are extreme or missing."""

    def real() -> Any:
        return rng.choice([rng.choice(FLOATS), rng.uniform(-9, 9), rng.gauss(0, 1e-3)])

    return {
        "row": number,
        "id": rng.choice([None, rng.randrange(-4, 12), 2**62 + rng.randrange(3)]),
        "name": rng.choice([None, f"user-{rng.randrange(8)}", "\u00e9", ""]),
        "g": rng.choice(["a", "A", "a ", "\u00e9", "", "z"]),
        "G": rng.choice([None, 0, 1, 2, -1]),
        "x": real(),
        "c0": rng.choice([math.nan, None, rng.uniform(-9, 9), rng.choice(NEAR)]),
        "a": rng.choice([rng.choice(INTS), rng.randrange(-200, 200)]),
        "b": rng.choice([None, True, False]),
        "s": rng.choice([None, *TEXTS]),
    }


def random_rows(rng: random.Random, size: int) -> list[Row]:
    return [random_row(rng, number) for number in range(size)]


def columns_of(rows: list[Row]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in COLUMNS}


def arrow(rows: list[Row]) -> Any:
    arrays = {
        name: pa.array([row[name] for row in rows], kind, from_pandas=False)
        for name, kind in TYPES.items()
    }
    return pa.table(arrays)


def connected() -> Any:
    """Return a connection to DuckDB that stays open, and of which nothing is changed.

    It is one of many to a database that all tests share, as to make one takes longer
    than most queries. A test that sets, defines or creates has a database of its own.
    """
    if not _CONNECTIONS:
        _CONNECTIONS.append(duckdb.connect())
    _CONNECTIONS.append(_CONNECTIONS[0].cursor())
    return _CONNECTIONS[-1]


def _relation(table: Any, folder: Path) -> Any:
    """Return a relation of a user's own connection.

    Two names differ by case only, which DuckDB allows in a projection.
    """
    inside = table.rename_columns([f"r{i}" for i in range(len(COLUMNS))])
    named = ", ".join(f'r{i} AS "{name}"' for i, name in enumerate(COLUMNS))
    return connected().from_arrow(inside).project(named)


def _file(table: Any, folder: Path) -> str:
    path = folder / f"{len(list(folder.iterdir()))}.parquet"
    pq.write_table(table, path, row_group_size=max(1, len(table) // 3))
    return str(path)


def _files(table: Any, folder: Path) -> list[Path]:
    middle = len(table) // 2
    return [
        Path(_file(table.slice(0, middle), folder)),
        Path(_file(table.slice(middle), folder)),
    ]


def _nullable(table: Any, folder: Path) -> Any:
    kinds = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return table.to_pandas(types_mapper=kinds.get)


def _dictionaries(table: Any, folder: Path) -> Any:
    """Return text as categories and as large text, in several chunks."""
    encoded = table.set_column(
        table.column_names.index("g"), "g", table["g"].dictionary_encode()
    )
    large = encoded["s"].cast(pa.large_string())
    encoded = encoded.set_column(encoded.column_names.index("s"), "s", large)
    middle = len(table) // 2
    return pa.concat_tables([encoded.slice(middle), encoded.slice(0, middle)])


def _categories(table: Any, folder: Path) -> Any:
    frame = pl.from_arrow(table)
    names = sorted({name for name in frame["g"] if name is not None})
    return frame.with_columns(
        pl.col("s").cast(pl.Categorical), pl.col("g").cast(pl.Enum(names))
    )


INPUTS: dict[str, Callable[[Any, Path], Any]] = {
    "PyArrow": lambda table, folder: table,
    "PyArrow, dictionaries": _dictionaries,
    "pandas, nullable": _nullable,
    "pandas, Arrow": lambda table, _: table.to_pandas(types_mapper=pd.ArrowDtype),
    "Polars": lambda table, _: pl.from_arrow(table),
    "Polars, lazy": lambda table, _: pl.from_arrow(table).lazy(),
    "Polars, categories": _categories,
    "Parquet": _file,
    "Parquet, several": _files,
    "DuckDB": _relation,
}


def random_number(rng: random.Random, T: type, depth: int) -> Expr:
    """Return a random expression of bounded numbers."""
    lower, upper = sorted(rng.randrange(-1000, 1000) for _ in range(2))
    name = rng.choice(["x", "c0"]) if T is float else rng.choice(["a", "G"])
    filled = dp.col(name).fill_null(T(rng.randrange(-5, 5)))
    leaf = rng.choice([filled.clip(T(lower), T(upper)), filled.clip(T(-9), T(9))])
    if T is int and rng.random() < 0.2:
        wide = dp.col("x").fill_null(0.5)
        return wide.cut(sorted(map(float, rng.sample(range(-9, 9), 3))))
    if depth == 0:
        return leaf
    left, right = (random_number(rng, T, depth - 1) for _ in range(2))
    kind = rng.randrange(6)
    if kind == 0:
        return left + right
    if kind == 1:
        return left - right
    if kind == 2:
        return left * dp.lit(T(rng.randrange(-9, 9)))
    if kind == 3:
        return left.clip(T(-50), T(70))
    if kind == 4 and T is int:
        return left.cut(sorted(rng.sample(range(-300, 300), rng.randrange(1, 9))))
    return leaf


def random_predicate(rng: random.Random, depth: int) -> Expr:
    """Return a random expression of truth values."""
    if depth and rng.random() < 0.6:
        left, right = (random_predicate(rng, depth - 1) for _ in range(2))
        return rng.choice([left & right, left | right, ~left])
    kind = rng.randrange(6)
    if kind == 0:
        return dp.col(rng.choice(["x", "c0", "a", "G", "b", "s"])).is_null()
    if kind == 1:
        return dp.col("s").fill_null("?").is_in(rng.sample(TEXTS, 3))
    if kind == 2:
        return dp.col("b").fill_null(rng.random() < 0.5) == dp.lit(True)
    if kind == 3:
        return dp.col("x").fill_null(1.0) > dp.lit(1.5)
    T = rng.choice([int, float])
    left, right = random_number(rng, T, 1), random_number(rng, T, 0)
    return rng.choice(list(_comparisons(left, right)))


def _comparisons(left: Expr, right: Expr) -> Iterator[Any]:
    yield from (left < right, left <= right, left == right)
    yield from (left != right, left > right, left >= right)
