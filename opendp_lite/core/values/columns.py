"""What people bring as a column: it is made a list or an array once, at the door.

Tuples, ranges, arrays of Python (`array.array`), arrays of objects, and columns of
pandas, Polars and PyArrow stand for their rows. Whether a list or an array is made of
them is decided by the type of the column and by the domain, and never by the rows:
neighbours come in one form. Numbers are not copied where the column has them in one
piece of memory and none is missing. What a library calls missing becomes None where
rows may be missing, and NaN where they are floats.

Classes are told by identity, as a derived class may give out other rows each time; so
are those of types, which may be a user's own too. If a library was never imported
nothing can be its column, so libraries are looked up in `sys.modules`; Narwhals, which
knows their dialects, is imported when there is a column. It is an extra (`tables`):
where it is not installed such columns are refused, and the refusal tells of it.
"""

from __future__ import annotations

import sys
from array import array
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.values.containers import is_array

__all__ = ["INSTALL", "column_rows", "holds_integers", "reads_libraries"]

INSTALL = "pip install 'opendp-lite[tables]'"  # what brings Narwhals


def column_rows(value: Data, atoms: bool) -> Any:
    """Return the list or array of rows that `value` stands for, or else `value` itself.

    :param value: what was passed as a data set
    :param atoms: whether rows are single values, none missing, which arrays can hold

    >>> column_rows((1, 2, 3), True), column_rows(range(3), True)
    ([1, 2, 3], [0, 1, 2])
    """
    kind = type(value)
    if kind is list:  # proof: list
        return value
    try:
        if is_array(value):  # proof: array
            objects = value.dtype.kind == "O" and value.ndim == 1
            return value.tolist() if objects else value
        if kind is tuple or kind is range:
            return list(value)  # proof: sequence
        if kind is array:
            return _array_rows(value, atoms)
        series = _series(value)
        return value if series is None else _series_rows(series, value, atoms)
    except Exception:  # proof: failed
        return value  # no member: the error would tell of rows


def _array_rows(value: Data, atoms: bool) -> Any:
    """Return the rows of an `array.array`: its memory as a numpy array, or a list."""
    if atoms and value.typecode in "bBhHiIlLqQfd":
        import numpy

        return numpy.asarray(value)
    return value.tolist()


def holds_integers(value: Data) -> bool:
    """Return whether the type of an array or a column says that it holds integers.

    :param value: what was passed as a data set; its rows have no part in this

    >>> from array import array
    >>> holds_integers(array("q", [1])), holds_integers([1])
    (True, False)
    """
    try:
        if is_array(value):
            return value.dtype.kind in "iu"
        if type(value) is array:
            return value.typecode in "bBhHiIlLqQ"
        series = _series(value)
        return series is not None and _array_kinds(series.dtype) == "iu"
    except Exception:
        return False


def reads_libraries() -> bool:
    """Return whether columns of pandas, Polars and PyArrow are read: by Narwhals."""
    try:
        return find_spec("narwhals") is not None
    except ValueError:
        return False  # a module that was put there by hand


def _series(value: Data) -> Any:
    """Return a column of pandas, Polars or PyArrow as a Series of Narwhals, or None."""
    kind = type(value)
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    arrow = sys.modules.get("pyarrow")
    if pandas is not None and kind is pandas.Series:
        own = _own_pandas(value.array, pandas)  # proof: pandas
    elif polars is not None and kind is polars.Series:
        own = _own_polars(value.dtype, polars)  # proof: polars
    elif arrow is not None and issubclass(kind, (arrow.Array, arrow.ChunkedArray)):
        own = _held(kind, arrow.lib) and _own_arrow(value.type, arrow)  # proof: arrow
        value = value if kind is arrow.ChunkedArray else arrow.chunked_array([value])
    else:
        own = False
    if not own:  # proof: foreign
        return None
    import narwhals.stable.v2 as narwhals

    return narwhals.from_native(value, series_only=True)


def _held(kind: type, module: ModuleType) -> bool:
    """Return whether this very class is what a module holds under its name."""
    return vars(module).get(kind.__name__) is kind


def _own_pandas(array: Data, pandas: ModuleType) -> bool:
    """Return whether an array of pandas, and that of its categories, is its own.

    One of a class that a user wrote may give out other rows each time, under any name.
    """
    kind = type(array)
    if kind is pandas.Categorical:
        return _own_pandas(array.categories.array, pandas)  # proof: categories
    if kind is pandas.arrays.ArrowExtensionArray:
        return _own_arrow(array.dtype.pyarrow_dtype, sys.modules["pyarrow"])
    return _held(kind, pandas.arrays)


def _own_polars(dtype: Data, polars: ModuleType) -> bool:
    """Return whether a dtype of Polars is its own, with no other dtypes inside."""
    return _held(type(dtype), polars) and not dtype.is_nested()


def _own_arrow(kind: Data, arrow: ModuleType) -> bool:
    """Return whether a type of PyArrow is its own, with no other types inside."""
    own = type(kind)
    if own is arrow.DictionaryType:
        return _own_arrow(kind.value_type, arrow)  # proof: dictionary
    extended = issubclass(own, arrow.BaseExtensionType)
    return _held(own, arrow.lib) and not extended and kind.num_fields == 0


def _series_rows(series: Data, value: Data, atoms: bool) -> Any:
    """Return the rows of a Series: an array if they are numbers, else a list.

    Integers and truth values with one missing would become floats: `value` is returned.
    """
    kinds = _array_kinds(series.dtype) if atoms else ""
    if kinds:
        if kinds != "f" and series.null_count():  # proof: missing
            return value
        rows = series.to_numpy()
        return rows if is_array(rows) and rows.dtype.kind in kinds else value
    missing = series.is_null().to_list()
    return [  # proof: rows
        None if gone else row
        for row, gone in zip(series.to_list(), missing, strict=True)
    ]


def _array_kinds(dtype: Data) -> str:
    """Return the kinds of numpy's arrays that hold such numbers; "" if none does."""
    import narwhals.stable.v2 as narwhals

    if dtype.is_float():
        return "f"
    if dtype.is_integer():
        return "iu"
    return "b" if dtype == narwhals.Boolean else ""
