# ruff: noqa
# fmt: off
# What was read of opendp_lite.data.columns; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from array import array
from importlib.util import find_spec
from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.base.ownership import class_name
from types import ModuleType
from typing import Any
import sys

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_READ = {
    "ArrowStringArray",
    "BooleanArray",
    "DatetimeArray",
    "FloatingArray",
    "IntegerArray",
    "NumpyExtensionArray",
    "PandasArray",
    "StringArray",
    "TimedeltaArray",
}


# === column_rows with array, Data, is_array, Any, opendp_lite.base.aliases.Data
def column_rows(value: Data, atoms: bool) -> Any:
    kind = type(value)
    if kind is list:
        return value
    try:
        if is_array(value):
            objects = value.dtype.kind == "O" and value.ndim == 1
            return value.tolist() if objects else value
        if kind is tuple or kind is range:
            return list(value)
        if kind is array:
            return _array_rows(value, atoms)
        series = _series(value)
        return value if series is None else _series_rows(series, value, atoms)
    except Exception:
        return value


# === _array_rows with Data, Any, opendp_lite.base.aliases.Data
def _array_rows(value: Data, atoms: bool) -> Any:
    if atoms and value.typecode in "bBhHiIlLqQfd":
        import numpy

        return numpy.asarray(value)
    return value.tolist()


# === extension_type with Data, class_name, opendp_lite.base.aliases.Data
def extension_type(value: Data) -> str | None:
    try:
        found = _extension(value)
        return None if found is None else class_name(found)
    except Exception:
        return class_name(type(value))


# === _extension with Data, sys, opendp_lite.base.aliases.Data
def _extension(value: Data) -> type | None:
    kind = type(value)
    pandas, polars, arrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    if polars is not None and kind is polars.Series:
        own = type(value.dtype)
        return own if _extends_polars(own, polars) else None
    if pandas is not None and kind is pandas.Series:
        array = value.array
        if type(array) is pandas.Categorical:
            array = array.categories.array
        if type(array) is not pandas.arrays.ArrowExtensionArray:
            own = type(array.dtype)
            return None if _own_pandas(array, pandas) else own
        dtype = array.dtype.pyarrow_dtype
    elif arrow is not None and issubclass(kind, (arrow.Array, arrow.ChunkedArray)):
        dtype = value.type
    else:
        return None
    arrow = sys.modules["pyarrow"]
    while type(dtype) in (arrow.DictionaryType, arrow.RunEndEncodedType):
        dtype = dtype.value_type
    own = type(dtype)
    return own if issubclass(own, arrow.BaseExtensionType) else None


# === reads_libraries with find_spec
def reads_libraries() -> bool:
    try:
        return find_spec("narwhals") is not None
    except ValueError:
        return False


# === _series with Data, Any, sys, opendp_lite.base.aliases.Data
def _series(value: Data) -> Any:
    kind = type(value)
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    arrow = sys.modules.get("pyarrow")
    if pandas is not None and kind is pandas.Series:
        own = _own_pandas(value.array, pandas)
    elif polars is not None and kind is polars.Series:
        own = _own_polars(value.dtype, polars)
    elif arrow is not None and issubclass(kind, (arrow.Array, arrow.ChunkedArray)):
        own = _held(kind, arrow.lib) and _own_arrow(value.type, arrow)
        value = value if kind is arrow.ChunkedArray else arrow.chunked_array([value])
    else:
        own = False
    if not own:
        return None
    import narwhals.stable.v2 as narwhals

    return narwhals.from_native(value, series_only=True)


# === _held with ModuleType
def _held(kind: type, module: ModuleType) -> bool:
    return vars(module).get(kind.__name__) is kind


# === _own_pandas with Data, ModuleType, sys, opendp_lite.base.aliases.Data, _READ
def _own_pandas(array: Data, pandas: ModuleType) -> bool:
    kind = type(array)
    if kind is pandas.Categorical:
        return _own_pandas(array.categories.array, pandas)
    if kind is pandas.arrays.ArrowExtensionArray:
        return _own_arrow(array.dtype.pyarrow_dtype, sys.modules["pyarrow"])
    return kind.__name__ in _READ and _held(kind, pandas.arrays)


# === _own_polars with Data, ModuleType, opendp_lite.base.aliases.Data
def _own_polars(dtype: Data, polars: ModuleType) -> bool:
    own = type(dtype)
    if _extends_polars(own, polars):
        return False
    return _held(own, polars) and not dtype.is_nested()


# === _extends_polars with ModuleType
def _extends_polars(kind: type, polars: ModuleType) -> bool:
    return issubclass(kind, getattr(polars, "BaseExtension", ()))


# === _own_arrow with Data, ModuleType, opendp_lite.base.aliases.Data
def _own_arrow(kind: Data, arrow: ModuleType) -> bool:
    own = type(kind)
    if own is arrow.DictionaryType:
        return _own_arrow(kind.value_type, arrow)
    extended = issubclass(own, arrow.BaseExtensionType)
    return _held(own, arrow.lib) and not extended and kind.num_fields == 0


# === _series_rows with Data, is_array, Any, opendp_lite.base.aliases.Data
def _series_rows(series: Data, value: Data, atoms: bool) -> Any:
    kinds = _array_kinds(series.dtype) if atoms else ""
    if kinds:
        if kinds != "f" and series.null_count():
            return value
        rows = series.to_numpy()
        return rows if is_array(rows) and rows.dtype.kind in kinds else value
    missing = series.is_null().to_list()
    return [
        None if gone else row
        for row, gone in zip(series.to_list(), missing, strict=True)
    ]


# === _array_kinds with Data, opendp_lite.base.aliases.Data
def _array_kinds(dtype: Data) -> str:
    import narwhals.stable.v2 as narwhals

    if dtype.is_float():
        return "f"
    if dtype.is_integer():
        return "iu"
    return "b" if dtype == narwhals.Boolean else ""


# === frame_columns with Data, is_array, Any, sys, opendp_lite.base.aliases.Data
def frame_columns(value: Data, names: dict[Any, bool]) -> Any:
    kind = type(value)
    try:
        if kind is dict:
            if not all(type(name) is str or type(name) is int for name in value):
                return value
            columns = {
                name: column
                if is_array(column) and name not in names
                else column_rows(column, names.get(name, False))
                for name, column in value.items()
            }
            same = all(columns[name] is value[name] for name in value)
            return value if same else columns
        libraries = map(sys.modules.get, ("pandas", "polars"))
        if any(each is not None and kind is each.DataFrame for each in libraries):
            return {
                name: column_rows(value[name], atoms) for name, atoms in names.items()
            }
    except Exception:
        pass
    return value
