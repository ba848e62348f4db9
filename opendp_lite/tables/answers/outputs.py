"""Frames of answers: of the kind that came in, with the types that were declared.

What is in a frame is public by then. Its dtypes come from the declaration, also where
it has no rows: whole numbers are int64, others float64, keys what their column is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import attrs

from opendp_lite.base.aliases import Data

Column: TypeAlias = tuple[str, type, Sequence[Any]]
"""A column of an answer: its name, its type (int, float, bool or str), its values."""

_DTYPES = {int: "int64", float: "float64", bool: "bool", str: "str"}


@attrs.frozen
class Output:
    """Makes frames of one kind: "pandas", "polars", "pyarrow", "pyspark" or "dict".

    Polars' lazy frames come out as eager ones: the answer is there already. Parquet
    paths, relations of DuckDB and frames of engines that are not the library's come out
    as tables of PyArrow. `session` is Spark's.
    """

    kind: str
    session: Any = attrs.field(default=None, repr=False)

    def frame(self, columns: Sequence[Column], bounds: str | None = None) -> Any:
        """Return the columns as a frame.

        Frames of pandas and PyArrow carry `bounds` in their metadata; a dict and frames
        of Polars and Spark have no place for it.

        :param columns: all of the same length, with different names
        :param bounds: how much of each person counts, in a sentence
        """
        made = getattr(self, f"_{self.kind}", None)
        if made is None:
            return {name: list(values) for name, _, values in columns}
        frame = made(columns)
        if bounds is not None and self.kind == "pandas":
            frame.attrs["bounds"] = bounds
        if bounds is not None and self.kind == "pyarrow":
            frame = frame.replace_schema_metadata({"bounds": bounds})
        return frame

    def _pandas(self, columns: Sequence[Column]) -> Any:
        import pandas as pd

        return pd.DataFrame(
            {n: pd.Series(list(v), dtype=_DTYPES[T]) for n, T, v in columns}
        )

    def _polars(self, columns: Sequence[Column]) -> Any:
        import polars as pl

        types = {int: pl.Int64, float: pl.Float64, bool: pl.Boolean, str: pl.String}
        return pl.DataFrame(
            [pl.Series(n, list(v), dtype=types[T], strict=True) for n, T, v in columns]
        )

    def _pyarrow(self, columns: Sequence[Column]) -> Any:
        import pyarrow as pa

        types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
        types[str] = pa.string()
        arrays = [pa.array(list(v), type=types[T]) for _, T, v in columns]
        return pa.Table.from_arrays(arrays, names=[n for n, _, _ in columns])

    def _pyspark(self, columns: Sequence[Column]) -> Any:
        from pyspark.sql import types as st

        types = {int: st.LongType, float: st.DoubleType, bool: st.BooleanType}
        types[str] = st.StringType
        schema = st.StructType([st.StructField(n, types[T]()) for n, T, _ in columns])
        rows = list(zip(*(values for _, _, values in columns), strict=True))
        return self.session.createDataFrame(rows, schema)


def output_of(data: Data) -> Output:
    """Return what makes frames of the kind of the data; only their class is looked at.

    :param data: a frame, a path, a relation, a dict of columns, or a Table

    >>> output_of({"x": [1, 2]}), output_of("visits.parquet")
    (Output(kind='dict'), Output(kind='pyarrow'))
    """
    kind = type(data)
    root = str(kind.__module__).partition(".")[0]
    if root in ("pandas", "polars", "pyarrow"):
        return Output(root)
    if root == "pyspark":
        return Output("pyspark", data.sparkSession)
    return Output(
        "dict" if root == "opendp_lite" or issubclass(kind, dict) else "pyarrow"
    )
