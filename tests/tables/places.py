"""Where a table can be: the engines, each with its own ways of making a frame."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import attrs
import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from opendp_lite.tables.engines.duckdb import DuckDBEngine
from opendp_lite.tables.engines.polars import PolarsEngine
from opendp_lite.tables.engines.spark import SparkEngine
from tests.tables.samples import connected

ENGINES = {"DuckDB": DuckDBEngine, "Polars": PolarsEngine, "Spark": SparkEngine}


@attrs.frozen
class Place:
    """An engine, a folder for files, and the session if it is Spark."""

    engine: str
    folder: Path
    session: Any = None

    def frame(self, table: Any) -> Any:
        """Return a table of PyArrow as a frame of the engine's own.

        DuckDB tells names apart by case in a projection only, so it is given places.
        """
        if self.engine == "Polars":
            return pl.from_arrow(table)
        inside = table.rename_columns([f"r{i}" for i in range(len(table.columns))])
        if self.engine == "Spark":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns of the pandas that is there
                made = self.session.createDataFrame(inside)
            return made.toDF(*table.column_names)
        quoted = [name.replace('"', '""') for name in table.column_names]
        named = ", ".join(f'r{i} AS "{name}"' for i, name in enumerate(quoted))
        return connected().from_arrow(inside).project(named)

    def file(self, path: Path) -> Any:
        """Return the frame of a Parquet file, as the engine scans it."""
        if self.engine == "Polars":
            return pl.scan_parquet(path)
        if self.engine == "Spark":
            return self.session.read.parquet(str(path))
        return connected().read_parquet(str(path))

    def written(self, table: Any) -> Any:
        """Return the frame of a table that is written as a Parquet file first."""
        path = self.folder / f"{len(list(self.folder.iterdir()))}.parquet"
        pq.write_table(table, path)
        return self.file(path)

    def caseless(self) -> Any:
        """Return 'a', 'A', 'A' in a column x without case, where columns can be so."""
        if self.engine == "Polars":
            return pl.DataFrame({"x": ["a", "A", "A"]})
        values = "(VALUES ('a'), ('A'), ('A')) AS t(x)"
        if self.engine == "Spark":
            return self.session.sql(f"SELECT x COLLATE UTF8_LCASE AS x FROM {values}")
        return connected().sql(f"SELECT x COLLATE NOCASE AS x FROM {values}")

    def failing(self) -> Any:
        """Return a frame of integers that fails when it is read, and names row 777."""
        if self.engine == "Polars":
            return pl.LazyFrame({"x": [777]}).with_columns(
                pl.col("x").map_batches(_wrong, return_dtype=pl.Int64)
            )
        if self.engine == "Spark":
            return self.session.sql(
                "SELECT CAST(x AS BIGINT) AS x FROM VALUES ('row 777') AS t(x)"
            )
        return connected().sql("SELECT CAST(error('row 777') AS BIGINT) AS x")

    def told(self, array: Any, *exprs: Any) -> list[Any] | None:
        """Return what the engine itself says of expressions of a column x, row by row.

        They are told in Narwhals, and nothing of the library is asked. It is None if
        the engine fails.
        """
        numbers = pa.array(range(len(array)), pa.int64())
        frame = self.frame(pa.table({"row": numbers, "x": array}))
        named = [each.alias(f"y{i}") for i, each in enumerate(exprs)]
        try:
            found = rows_of(nw.from_native(frame).lazy().select("row", *named))
        except Exception:
            return None
        found.sort(key=lambda row: int(row["row"]))
        return [row[f"y{i}"] for row in found for i in range(len(exprs))]

    def total(self, array: Any, expr: Any) -> Any:
        """Return what the engine itself says of an aggregate of x, or None."""
        try:
            frame = nw.from_native(self.frame(pa.table({"x": array}))).lazy()
            return rows_of(frame.select(y=expr))[0]["y"]
        except Exception:
            return None


def rows_of(frame: Any) -> list[dict[str, Any]]:
    """Return the rows of a lazy frame of Narwhals."""
    rows: list[dict[str, Any]] = frame.collect("pyarrow").to_arrow().to_pylist()
    return rows


def _wrong(column: Any) -> Any:
    raise ValueError(f"row {column[0]}")
