# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.sources; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import OpenDPTypeError
from opendp_lite.core.domains.domain import Domain
from opendp_lite.data.columns import INSTALL
from opendp_lite.data.columns import extension_type
from opendp_lite.show.texts import form
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.terms import atom_of
from pathlib import PosixPath
from pathlib import WindowsPath
from typing import Any
import sys

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.tables.engines.polars.POLARS = opendp_lite.tables.engines.polars.PolarsEngine()
_KINDS = (
    "a dictionary of columns, a DataFrame of pandas, of Polars (or a LazyFrame) or of "
    "Spark, a Table of PyArrow, a relation of DuckDB, or the path of Parquet files"
)
_PATHS = (str, PosixPath, WindowsPath)
_SPARK = ("pyspark.sql.classic.dataframe", "pyspark.sql.connect.dataframe")
Opened = tuple[LazyEngine, Any, list[Any]]
opendp_lite.data.columns.INSTALL = "pip install 'opendp-lite[tables]'"


# === opened with Mapping, Data, OpenDPTypeError, Domain, form, asked, LazyEngine,
#    PosixPath, WindowsPath, Any, opendp_lite.base.aliases.Data,
#    opendp_lite.tables.engines.polars.POLARS, _KINDS, _PATHS, _SPARK, Opened
def opened(data: Data, columns: Mapping[str, Domain]) -> Opened | None:
    kind = type(data)
    paths = list(data) if kind in (list, tuple) else [data]
    if paths and all(type(path) in _PATHS for path in paths):
        return _from_files([str(path) for path in paths])
    if kind is _held("pandas", "DataFrame"):
        return _from_pandas(data, columns)
    if kind is _held("pyarrow", "Table"):
        return _from_arrow(data, columns)
    if kind is _held("duckdb", "DuckDBPyRelation"):
        from opendp_lite.tables.engines.duckdb import DuckDBEngine

        require_libraries("narwhals")
        engine = DuckDBEngine(getattr(data, "_con", None))
        names = asked(lambda: list(data.columns), engine)
        return engine, data, names
    if kind in (_held("polars", "DataFrame"), _held("polars", "LazyFrame")):
        from opendp_lite.tables.engines.polars import POLARS

        require_libraries("narwhals")
        lazy = data.lazy()
        return POLARS, lazy, asked(lambda: list(lazy.collect_schema()))
    if kind in [_held(module, "DataFrame") for module in _SPARK]:
        from opendp_lite.tables.engines.spark import spark_engine

        require_libraries("narwhals")
        names = asked(lambda: list(data.columns))
        return spark_engine(data.sparkSession), data, names
    raise OpenDPTypeError(
        "FailedFunction",
        f"{form(data)} was passed, which is no table: a table is {_KINDS}. Nothing was "
        "computed or released.",
    )


# === unique with Iterable, Sequence, Any
def unique(names: Sequence[Any], wanted: Iterable[str]) -> list[int] | None:
    texts = [name if type(name) is str else None for name in names]
    places = [[i for i, name in enumerate(texts) if name == each] for each in wanted]
    return [at[0] for at in places] if all(len(at) == 1 for at in places) else None


# === _held with Any, sys
def _held(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, _Nothing)


# === require_libraries with OpenDPException, INSTALL, sys,
#    opendp_lite.data.columns.INSTALL
def require_libraries(*libraries: str) -> None:
    from importlib.util import find_spec

    for library in libraries:
        if library not in sys.modules and find_spec(library) is None:
            raise OpenDPException(
                "FailedFunction",
                f"tables of this kind are read by {library}, which is not installed. "
                f"Nothing was computed or released. Install it: {INSTALL}.",
            )


# === _from_files with OpenDPException, LazyEngine, Any, Opened
def _from_files(paths: list[str]) -> Opened | None:
    from opendp_lite.tables.engines.duckdb import own_session

    require_libraries("narwhals", "duckdb")
    engine, connection = own_session()
    try:
        described = connection.execute(
            "SELECT file_name, name, num_children, type, converted_type, logical_type "
            "FROM parquet_schema(?)",
            [paths],
        ).fetchall()
        native = connection.read_parquet(paths, hive_partitioning=False)
    except Exception:
        described, native = [], None
    if native is None:
        raise OpenDPException(
            "FailedFunction",
            "no table of Parquet files can be read under this path. Nothing was "
            "computed or released. Pass the path of a Parquet file, a pattern such as "
            "'visits/*.parquet', or a list of paths; a CSV file is made into Parquet "
            "by csv_to_parquet.",
        )
    first, *others = _top_columns(described)
    if any(other != first for other in others):
        raise OpenDPException(
            "FailedFunction",
            "the Parquet files do not all have the same columns, with the same types, "
            "in the same order. Nothing was computed or released. Write them anew with "
            "one schema, or pass those that have one.",
        )
    return engine, native, [name for name, *_ in first]


# === _top_columns with Any
def _top_columns(described: list[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    files: dict[str, list[tuple[Any, ...]]] = {}
    for file, *column in described:
        files.setdefault(file, []).append(tuple(column))
    found: list[list[tuple[Any, ...]]] = []
    for nodes in files.values():
        tops = inside = 0
        for node in nodes:
            children = node[1] or 0
            if inside:
                inside += children - 1
            elif tops:
                found[-1].append(node)
                tops, inside = tops - 1, children
            else:
                found.append([])
                tops = children
    return found


# === _from_pandas with Mapping, Data, Domain, extension_type, LazyEngine, atom_of, Any,
#    opendp_lite.base.aliases.Data, Opened
def _from_pandas(data: Data, columns: Mapping[str, Domain]) -> Opened | None:
    require_libraries("narwhals", "duckdb", "pyarrow")
    import pyarrow

    names = list(data.columns)
    places = unique(names, columns)
    if places is None:
        return None
    arrays = []
    for place, domain in zip(places, columns.values(), strict=True):
        column = data.iloc[:, place]
        objects = column.dtype == object
        if objects and atom_of(domain).T is not str:
            return None
        if extension_type(column) is not None:
            return None
        kind = pyarrow.large_string() if objects else None
        try:
            array = pyarrow.array(column, kind, from_pandas=True)
        except Exception:
            return None
        arrays.append(array)
    table = pyarrow.Table.from_arrays(arrays, [f"r{i}" for i in range(len(arrays))])
    found = _from_arrow(
        table, dict(zip(table.column_names, columns.values(), strict=True))
    )
    return found and (*found[:2], list(columns))


# === _from_arrow with Mapping, Data, Domain, extension_type, asked, LazyEngine, Any,
#    opendp_lite.base.aliases.Data, Opened
def _from_arrow(data: Data, columns: Mapping[str, Domain]) -> Opened | None:
    require_libraries("narwhals", "duckdb")
    from opendp_lite.tables.engines.duckdb import own_session

    places = unique(asked(lambda: data.column_names), columns)
    if places is None:
        return None
    chosen = data.select(places).rename_columns([f"r{i}" for i in range(len(places))])
    if any(extension_type(column) is not None for column in chosen.columns):
        return None
    try:
        chosen.validate(full=True)
        engine, connection = own_session()
        native = connection.from_arrow(chosen)
    except Exception:
        return None
    return engine, native, list(columns)
