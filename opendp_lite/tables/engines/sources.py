"""What people bring as a table, told by its class, and the engine that runs it.

Each engine knows its own frames. Files, and frames of pandas and PyArrow, have no
engine of their own: DuckDB scans them.

Classes are compared by identity, as a derived class may give out other rows each time.
If a library was never imported nothing can be its frame, so libraries are looked up in
`sys.modules`. A path is one of Parquet files, and may be a pattern (`visits/*.parquet`)
or a list; names of folders are no columns. CSV is not scanned: one open quote would
swallow the rows after it.
"""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PosixPath, WindowsPath
from typing import Any

from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import OpenDPException, OpenDPTypeError
from opendp_lite.base.features import GLOBAL_FEATURES
from opendp_lite.core.domains.domain import Domain
from opendp_lite.data.columns import INSTALL, extension_type
from opendp_lite.show.texts import form
from opendp_lite.tables import engines
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.lazy import LazyEngine, Opened
from opendp_lite.tables.expressions import atom_of

_KINDS = (
    "a dictionary of columns, a DataFrame of pandas, of Polars (or a LazyFrame) or of "
    "Spark, a Table of PyArrow, a relation of DuckDB, or the path of Parquet files"
)
_RECORDS = (
    " If the list holds a dictionary for each row, pass "
    "{name: [row[name] for row in rows] for name in names}, or pandas.DataFrame(rows)."
)
_PATHS = (str, PosixPath, WindowsPath)
_TEXT_FILES = (".csv", ".tsv", ".txt")
_FILES = (".parquet", ".parq", ".pq", ".json", ".jsonl", ".xlsx", ".feather", ".arrow")


def opened(data: Data, columns: Mapping[str, Domain]) -> Opened | None:
    """Return the engine, the frame that it knows, and the names of its columns.

    It is None if the columns cannot be those that are wanted. Each kind of engine says
    which frames it holds; the feature `honest-but-curious` lets kinds of your own say
    so too, which nobody but you can vouch for.

    :param data: a frame of one of the libraries, a path, or a list of paths
    :param columns: the domain of each column that is wanted
    """
    kind = type(data)
    paths = list(data) if kind in (list, tuple) else [data]
    if paths and all(type(path) in _PATHS for path in paths):
        return _from_files([str(path) for path in paths])  # proof: files
    if kind is loaded_class("pandas", "DataFrame"):
        return _from_pandas(data, columns)  # proof: pandas
    if kind is loaded_class("pyarrow", "Table"):
        return _from_arrow(data, columns)  # proof: arrow
    for engine in LazyEngine.__subclasses__():
        own = getattr(engines, engine.__name__, None) is engine
        if own or "honest-but-curious" in GLOBAL_FEATURES:
            found = engine.open_frame(data)
            if found is not None:
                require_libraries("narwhals")
                return found  # proof: engine
    raise OpenDPTypeError(
        "FailedFunction",
        f"{form(data)} was passed, which is no table: a table is {_KINDS}. Nothing was "
        f"computed or released.{_RECORDS if kind is list else ''}",
    )


def unique(names: Sequence[Any], wanted: Iterable[str]) -> list[int] | None:
    """Return where each wanted name stands, or None if one is not there once.

    >>> unique(["b", "a", "A"], ["a", "b"]), unique(["a", "a"], ["a"])
    ([1, 0], None)
    """
    texts = [name if type(name) is str else None for name in names]
    places = [[i for i, name in enumerate(texts) if name == each] for each in wanted]
    return [at[0] for at in places] if all(len(at) == 1 for at in places) else None


def loaded_class(module: str, name: str) -> Any:
    """Return the class of a library that is loaded; else one that nothing has."""
    return getattr(sys.modules.get(module), name, _Nothing)


class _Nothing:
    """The class of nothing."""


def require_libraries(*libraries: str) -> None:
    """Raise unless the libraries of the extra are installed."""
    from importlib.util import find_spec

    for library in libraries:
        if library not in sys.modules and find_spec(library) is None:
            raise OpenDPException(
                "FailedFunction",
                f"tables of this kind are read by {library}, which is not installed. "
                f"Nothing was computed or released. Install it: {INSTALL}.",
            )


def _from_files(paths: list[str]) -> Opened | None:
    """Return a scan of Parquet files; all of them have the same columns and types."""
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
        raise OpenDPException("FailedFunction", unread_files(paths))
    first, *others = _top_columns(described)  # proof: schemas
    if any(other != first for other in others):
        raise OpenDPException(
            "FailedFunction",
            "the Parquet files do not all have the same columns, with the same types, "
            "in the same order. Nothing was computed or released. Write them anew with "
            "one schema, or pass those that have one.",
        )
    return engine, native, [name for name, *_ in first]


def is_text_file(path: str) -> bool:
    """Return whether a path says that its file is text, and not Parquet.

    >>> is_text_file("visits.CSV"), is_text_file("visits.parquet")
    (True, False)
    """
    return path.lower().endswith(_TEXT_FILES)


def show_path(path: str) -> str:
    """Return a path in quotes if it names a file; any other text may be data.

    >>> show_path("visits.parquet"), show_path("Miller, 31")
    ("'visits.parquet'", 'this path')
    """
    named = path.lower().endswith((*_TEXT_FILES, *_FILES)) and path.isprintable()
    return repr(path) if named else "this path"


def unread_files(paths: Sequence[str]) -> str:
    """Return why no table can be read under these paths, and what to do.

    The paths decide, and whether there are files under them; no file is opened.

    >>> unread_files(["none.parquet"])
    "there is no file at 'none.parquet'. Pass the path of a Parquet file, a pattern \
such as 'visits/*.parquet', or a list of paths."
    """
    advice = (
        "Pass the path of a Parquet file, a pattern such as 'visits/*.parquet', or a "
        "list of paths."
    )
    for path in paths:
        name = show_path(path)
        if is_text_file(path):
            return (
                f"{name} is a text file, and tables are read from Parquet files. Write "
                "it as Parquet by csv_to_parquet(source, target, columns); print "
                "draft_table_domain(source) for a draft of the columns."
            )
        if "://" in path:
            continue
        if os.path.isdir(path):
            return f"{name} is a folder. Pass a pattern, such as 'visits/*.parquet'."
        if any(sign in path for sign in "*?["):
            if not glob.glob(path, recursive=True):
                return f"no file matches {name}. {advice}"
        elif not os.path.exists(path):
            return f"there is no file at {name}. {advice}"
    return (
        f"no table of Parquet files can be read under {show_path(paths[0])}. {advice}"
    )


def _top_columns(described: list[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    """Return for each file the columns at the top of its schema, with their types.

    A schema is told in depth-first order, its root first; that of a file which is
    named twice is told twice.
    """
    files: dict[str, list[tuple[Any, ...]]] = {}
    for file, *column in described:
        files.setdefault(file, []).append(tuple(column))
    found: list[list[tuple[Any, ...]]] = []
    for nodes in files.values():
        tops = inside = 0  # how many are still to come: at the top, and below it
        for node in nodes:
            children = node[1] or 0
            if inside:
                inside += children - 1
            elif tops:
                found[-1].append(node)
                tops, inside = tops - 1, children
            else:  # a root
                found.append([])
                tops = children
    return found


def _from_pandas(data: Data, columns: Mapping[str, Domain]) -> Opened | None:
    """Return the wanted columns of a DataFrame of pandas, by way of Arrow.

    A column of objects says nothing by its type, and is taken for text if all of its
    objects are; NaN becomes missing. Columns of floats are never integers.
    """
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
            return None  # proof: objects
        if extension_type(column) is not None:
            return None  # proof: periods
        kind = pyarrow.large_string() if objects else None
        try:
            array = pyarrow.array(column, kind, from_pandas=True)
        except Exception:
            return None  # proof: unread
        arrays.append(array)
    table = pyarrow.Table.from_arrays(arrays, [f"r{i}" for i in range(len(arrays))])
    found = _from_arrow(
        table, dict(zip(table.column_names, columns.values(), strict=True))
    )
    return found and (*found[:2], list(columns))


def _from_arrow(data: Data, columns: Mapping[str, Domain]) -> Opened | None:
    """Return the wanted columns of a Table of PyArrow; text must be valid UTF-8.

    Extension types are refused: DuckDB would read what they are stored as.
    """
    require_libraries("narwhals", "duckdb")
    from opendp_lite.tables.engines.duckdb import own_session

    places = unique(asked(lambda: data.column_names), columns)
    if places is None:
        return None
    chosen = data.select(places).rename_columns([f"r{i}" for i in range(len(places))])
    if any(extension_type(column) is not None for column in chosen.columns):
        return None  # proof: extensions
    try:
        chosen.validate(full=True)
        engine, connection = own_session()
        native = connection.from_arrow(chosen)
    except Exception:
        return None
    return engine, native, list(columns)
