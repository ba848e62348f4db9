"""The data of a job: a Parquet file, or a text file in which each line is a row."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import Domain
from opendp_lite.jobs.shapes import JobError, near
from opendp_lite.show.texts import reason_of
from opendp_lite.tables.domain import declare_misfits, misfit_name
from opendp_lite.tables.engines.sources import require_libraries
from opendp_lite.tables.terms import atom_of

if TYPE_CHECKING:
    from opendp_lite.jobs.running import Job, Progress


_TEXT = (".csv", ".tsv", ".txt")
_MAGIC = b"PAR1"
_WORDS: dict[type, str] = {int: "int", float: "float", bool: "bool", str: "text"}


def kind_of(path: str) -> str:
    """Return "parquet" or "csv", or refuse a file that is neither.

    The first bytes tell Parquet; a text file is told by the end of its name.

    :param path: of the data
    """
    if os.path.lexists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise JobError(
            f"{path}: is no file that can be read twice. Pass the path of the data."
        )
    try:
        with open(path, "rb") as file:
            start = file.read(len(_MAGIC))
    except OSError as error:
        raise JobError(
            f"{path}: {reason_of(error)}. Pass the path of the data."
        ) from None
    if start == _MAGIC:
        return "parquet"
    if Path(path).suffix.lower() in _TEXT:
        return "csv"
    raise JobError(
        f"{path}: is neither a Parquet file nor a text file with a row in each line. "
        f"The name of the latter ends in {', '.join(_TEXT)}."
    )


@contextmanager
def parquet_of(
    data: str | None, job: Job, progress: Progress
) -> Iterator[tuple[str | None, str]]:
    """Yield the path of the data as Parquet, and the kind that they came in.

    Lines of text become rows where the columns of the job are known; else the path is
    that of the text itself, and the job reads it.

    :param data: path of the data; None for an empty table
    :param job: declares the columns
    :param progress: is told that lines are read
    """
    if data is None:
        yield None, "none"
        return
    kind = kind_of(data)
    if job.columns is None:
        yield data, kind
    elif kind == "parquet":
        if set(data) & set("*?["):
            raise JobError(
                f"{data}: has a * ? or [ in its name, which engines take for a "
                "pattern of many files. Rename it."
            )
        known = declare_misfits(job.columns) if job.misfits else job.columns
        _check_schema(data, known)
        yield data, kind
    else:
        from opendp_lite.tables.lines import csv_to_parquet

        with tempfile.TemporaryDirectory(prefix="opendp-lite-") as folder:
            made = str(Path(folder) / "rows.parquet")
            progress(0, 0, f"reading {Path(data).name}")
            options: dict[str, Any] = {"separator": job.separator, "header": job.header}
            options["misfits"] = job.misfits is not False
            try:
                csv_to_parquet(data, made, job.columns, **options)
            except OpenDPException as error:
                raise JobError(f"{data}: {error.message}") from None
            except OSError as error:
                reason = (os.strerror(error.errno) if error.errno else "").lower()
                raise JobError(
                    f"{data}: cannot be copied to a temporary folder: "
                    f"{reason or type(error).__name__}. Set TMPDIR to another one."
                ) from None
            yield made, kind


def _check_schema(path: str, columns: Mapping[str, Domain]) -> None:
    """Refuse a Parquet file whose schema, which is public, has other columns."""
    require_libraries("pyarrow")
    from pyarrow import parquet

    try:
        schema = parquet.read_schema(path)
    except Exception:
        schema = None
    if schema is None:
        raise JobError(f"{path}: cannot be read as Parquet. Pass the file as written.")
    for name, domain in columns.items():
        count = schema.names.count(name)
        if count == 0 and name in [misfit_name(each) for each in columns]:
            raise JobError(
                f"{path}: has no column {name!r}, which marks the values of a text "
                "that did not fit. Pass the text, write it anew by csv_to_parquet, or "
                "leave misfits out of the job."
            )
        if count == 0:
            fix = near(name, map(str, schema.names), "It has")
            end = "" if fix.endswith("?") else "."
            raise JobError(f"{path}: has no column {name!r}. {fix}{end}")
        if count > 1:
            raise JobError(f"{path}: has {count} columns {name!r}. Rename one of them.")
        stored, due = schema.field(name).type, atom_of(domain).T
        if not _STORED[due](stored):
            raise JobError(
                f"{path}: column {name!r} is stored as {stored}, and declared as "
                f"{_WORDS[due]!r}. Declare it as what it is, or write the file anew."
            )


def _is_int(stored: Value) -> bool:
    import pyarrow.types as kinds

    whole = kinds.is_integer(stored) and not kinds.is_uint64(stored)
    return bool(whole or kinds.is_date32(stored))


def _is_float(stored: Value) -> bool:
    import pyarrow.types as kinds

    return bool(kinds.is_float32(stored) or kinds.is_float64(stored))


def _is_bool(stored: Value) -> bool:
    import pyarrow.types as kinds

    return bool(kinds.is_boolean(stored))


def _is_text(stored: Value) -> bool:
    import pyarrow.types as kinds

    inner = stored.value_type if kinds.is_dictionary(stored) else stored
    return bool(kinds.is_string(inner) or kinds.is_large_string(inner))


_STORED: dict[type, Callable[[Any], bool]] = {
    int: _is_int,
    float: _is_float,
    bool: _is_bool,
    str: _is_text,
}
