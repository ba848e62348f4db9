"""Frames of answers: of the kind that came in, with the types that were declared.

What is in a frame is public by then. Its dtypes come from the declaration, also where
it has no rows: whole numbers are int64, others float64, keys what their column is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Data

Column: TypeAlias = tuple[str, type, Sequence[Any]]
"""A column of an answer: its name, its type (int, float, bool or str), its values."""

_MARK = "released by"  # in the metadata of answers that are tables of PyArrow
_SHOWN = 100  # rows of a table in a notebook
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

    def frame(
        self,
        columns: Sequence[Column],
        bounds: str | None = None,
        alpha: mpq | None = None,
    ) -> Any:
        """Return the columns as a frame.

        Frames of pandas and PyArrow carry `bounds` and `alpha` in their metadata; a
        dict and frames of Polars and Spark have no place for these.

        :param columns: all of the same length, with different names
        :param bounds: how much of each person counts, in a sentence
        :param alpha: the level of the intervals, exact
        """
        made = getattr(self, f"_{self.kind}", None)
        if made is None:
            return {name: list(values) for name, _, values in columns}
        frame = made(columns)
        given = {"bounds": bounds, "alpha": None if alpha is None else _text(alpha)}
        told = {name: text for name, text in given.items() if text is not None}
        if self.kind == "pandas":
            frame.attrs.update(told)
        if self.kind == "pyarrow":
            frame = frame.replace_schema_metadata({**told, _MARK: "opendp_lite"})
            show_released_tables()
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


def _text(alpha: mpq) -> str:
    """Return a level as text: the decimal of a float, or else a fraction."""
    return repr(float(alpha)) if alpha == float(alpha) else str(alpha)


def show_released_tables() -> None:
    """Set how notebooks show answers of PyArrow: as tables, where it prints text.

    Other tables of PyArrow are shown as before.
    """
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = None if get_shell is None else get_shell()
    formatter = getattr(shell, "display_formatter", None)
    if formatter is not None:
        html = formatter.formatters["text/html"]
        html.for_type_by_name("pyarrow.lib", "Table", table_html)


def table_html(table: Any) -> str | None:
    """Return an answer as a table of HTML, or None if PyArrow is to show the table.

    :param table: a table of PyArrow, an answer or not
    """
    if _MARK.encode() not in (table.schema.metadata or {}):
        return None
    head = "".join(f"<th>{escape(name)}</th>" for name in table.column_names)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(str(each))}</td>' for each in row.values())}</tr>"
        for row in table.slice(0, _SHOWN).to_pylist()
    )
    rest = table.num_rows - _SHOWN
    note = f"<div>and {rest:,} rows more</div>" if rest > 0 else ""
    body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f"<div><table>{body}</table>{note}</div>"


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
