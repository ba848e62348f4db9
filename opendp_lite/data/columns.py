"""What people bring as a column or as a frame: it is read once, at the door.

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

A data frame of pandas or Polars stands for the dict of those of its columns that are
asked for, and each column, there or in a dict, for its rows.
"""

from __future__ import annotations

import sys
from array import array
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.base.ownership import class_name

INSTALL = "pip install 'opendp-lite[tables]'"  # what brings Narwhals
HOW_TO_CONVERT = (
    "Convert the column first: periods by .astype(str) or .dt.year and the like, "
    "intervals by .astype(str), a sparse column by .sparse.to_dense(), and others to "
    "numbers, truth values or text."
)
# The arrays of pandas that hold the rows as they are. A period is stored as a number,
# in a unit that only the dtype knows; an interval is two numbers; a sparse array leaves
# one value out. A new array of pandas is refused until somebody has looked at it.
_READ = {
    "ArrowStringArray",
    "BooleanArray",
    "DatetimeArray",
    "FloatingArray",
    "IntegerArray",
    "NumpyExtensionArray",
    "PandasArray",  # the name of NumpyExtensionArray before pandas 2.1
    "StringArray",
    "TimedeltaArray",
}


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


def extension_type(value: Data) -> str | None:
    """Return the class of the type of a column if it is an extension type, else None.

    Columns of such a type are not read: its numbers mean nothing without it. Where the
    type cannot be found out, the class of the column stands for it.

    :param value: what was passed as a column; its rows have no part in this

    >>> import pandas
    >>> extension_type(pandas.Series(pandas.period_range("2026", periods=2, freq="Q")))
    'PeriodDtype'
    """
    try:
        found = _extension(value)
        return None if found is None else class_name(found)
    except Exception:  # proof: unknown
        return class_name(type(value))


def _extension(value: Data) -> type | None:
    """Return the class of the extension type of a column, or None."""
    kind = type(value)
    pandas, polars, arrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    if polars is not None and kind is polars.Series:
        own = type(value.dtype)
        return own if _extends_polars(own, polars) else None  # proof: polars
    if pandas is not None and kind is pandas.Series:
        array = value.array
        if type(array) is pandas.Categorical:
            array = array.categories.array  # proof: categories
        if type(array) is not pandas.arrays.ArrowExtensionArray:
            own = type(array.dtype)
            return None if _own_pandas(array, pandas) else own  # proof: pandas
        dtype = array.dtype.pyarrow_dtype
    elif arrow is not None and issubclass(kind, (arrow.Array, arrow.ChunkedArray)):
        dtype = value.type
    else:
        return None  # proof: others
    arrow = sys.modules["pyarrow"]
    while type(dtype) in (arrow.DictionaryType, arrow.RunEndEncodedType):
        dtype = dtype.value_type  # proof: inside
    own = type(dtype)
    return own if issubclass(own, arrow.BaseExtensionType) else None  # proof: arrow


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
    """Return whether an array of pandas, and that of its categories, holds its rows.

    One of a class that a user wrote may give out other rows each time, under any name.
    """
    kind = type(array)
    if kind is pandas.Categorical:
        return _own_pandas(array.categories.array, pandas)  # proof: categories
    if kind is pandas.arrays.ArrowExtensionArray:
        return _own_arrow(array.dtype.pyarrow_dtype, sys.modules["pyarrow"])
    return kind.__name__ in _READ and _held(kind, pandas.arrays)  # proof: read


def _own_polars(dtype: Data, polars: ModuleType) -> bool:
    """Return whether a dtype of Polars is its own, with no other dtypes inside."""
    own = type(dtype)
    if _extends_polars(own, polars):  # proof: extension
        return False
    return _held(own, polars) and not dtype.is_nested()


def _extends_polars(kind: type, polars: ModuleType) -> bool:
    """Return whether a class is one of Polars' extension types, since Polars 1.36."""
    return issubclass(kind, getattr(polars, "BaseExtension", ()))


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


def frame_columns(value: Data, names: dict[Any, bool]) -> Any:
    """Return the dict of columns that `value` stands for, or else `value` itself.

    :param value: what was passed as a frame
    :param names: the columns that are asked for, and whether arrays can hold their rows

    >>> frame_columns({"a": (1, 2), "b": [3, 4]}, {"a": True})
    {'a': [1, 2], 'b': [3, 4]}
    """
    kind = type(value)
    try:
        if kind is dict:
            # Before any is hashed again: one of another class may equal two by then.
            if not all(type(name) is str or type(name) is int for name in value):
                return value  # proof: names
            columns = {
                name: column  # proof: other
                if is_array(column) and name not in names
                else column_rows(column, names.get(name, False))  # proof: columns
                for name, column in value.items()
            }
            same = all(columns[name] is value[name] for name in value)
            return value if same else columns  # proof: same
        libraries = map(sys.modules.get, ("pandas", "polars"))
        if any(each is not None and kind is each.DataFrame for each in libraries):
            return {  # proof: frame
                name: column_rows(value[name], atoms) for name, atoms in names.items()
            }
    except Exception:  # proof: failed
        pass  # no member: the error would tell of rows
    return value
