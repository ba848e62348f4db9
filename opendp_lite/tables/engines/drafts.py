"""Drafts of the domain of a table, for a person to read, change and paste."""

from __future__ import annotations

import os
from typing import Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.core.domains import AtomDomain, OptionDomain
from opendp_lite.data.columns import extension_type
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.engines.column_types import (
    OBJECT,
    column_types,
    type_advice,
    type_word,
)
from opendp_lite.tables.engines.door import declared_type
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.sources import is_text_file, show_path
from opendp_lite.tables.lines import fields

_CSV = (
    "A text file does not say the types of its columns: write T=int, T=float or T=bool",
    "where a column holds no text. Its first line is read for the names: if it is a",
    "row, these are data, and csv_to_parquet needs a first line with names.",
)


@attrs.frozen(repr=False)
class TableDraft:
    """A draft of a table domain, as code; it prints ready to paste.

    Read it before you use it: the domain is public, and so is each name in it. All
    columns may be missing, which claims nothing of the data.
    """

    columns: dict[str, type | None]
    notes: dict[str, str]
    source: str | None = None
    separator: str = ","

    @property
    def domain(self) -> TableDomain:
        """The domain that the code makes, without the columns that have no type."""
        typed = {n: OptionDomain(AtomDomain(T=T)) for n, T in self.columns.items() if T}
        return TableDomain(typed)

    def __repr__(self) -> str:
        lines = []
        for name, T in self.columns.items():
            note = self.notes.get(name, "")
            line = f"    # {name!r}: {note}"
            if T is not None:
                line = (
                    f"    {name!r}: dp.option_domain(dp.atom_domain(T={T.__name__})),"
                )
                line += f"  # {note}" if note else ""
            lines.append(line)
        inside = "\n".join(lines)
        if self.source is None:
            return f"domain = dp.table_domain({{\n{inside}\n}})"
        target = f"{os.path.splitext(self.source)[0]}.parquet"
        notes = "\n".join(f"# {line}" for line in _CSV)
        option = "" if self.separator == "," else f", separator={self.separator!r}"
        return (
            f"{notes}\ncolumns = {{\n{inside}\n}}\n"
            f"data = dp.csv_to_parquet({self.source!r}, {target!r}, columns{option})\n"
            "domain = dp.table_domain(dp.declare_misfits(columns))"
        )


def draft_table_domain(data: Data, separator: str = ",") -> TableDraft:
    """Return a draft of the domain of a table, which prints as code to be pasted.

    The names and the types of the columns make it, and no value is looked at. Of a
    text file the first line is read, for the names of its columns, which are all
    drafted as text; if the file has no line of names, the draft shows its first row.
    The draft says nothing of bounds or of missing values: those would be claims about
    rows.

    :param data: a frame of pandas, Polars, PyArrow or Spark, a relation of DuckDB, the
        path of Parquet files or of a CSV file
    :param separator: the character between the fields of a CSV file

    >>> import polars
    >>> draft_table_domain(polars.DataFrame({"id": [1], "city": ["Bern"]}))
    domain = dp.table_domain({
        'id': dp.option_domain(dp.atom_domain(T=int)),
        'city': dp.option_domain(dp.atom_domain(T=str)),
    })
    """
    path = os.fspath(data) if isinstance(data, os.PathLike) else data
    if type(path) is str and is_text_file(path):
        return _draft_text_file(path, separator)
    columns, notes = dict[str, type | None](), dict[str, str]()
    for name, kind in asked(lambda: column_types(data)):
        if type(name) is not str:
            continue
        T = str if kind is OBJECT else declared_type(kind)
        note = _note(data, name, kind, T)
        if name in columns:
            T, note = None, "there more than once. Rename one of these columns."
        columns[name] = T
        if note:
            notes[name] = note
    if not any(columns.values()):
        rule = "has no columns whose names and types say how to declare them"
        fix = (
            "Pass a frame, the path of Parquet files or of a CSV file, or declare the "
        )
        fix += "columns by table_domain"
        raise refusal("MakeDomain", "data", type(data), rule, fix)
    return TableDraft(columns, notes)


def _note(data: Any, name: str, kind: Any, T: type | None) -> str:
    """Return in one line what a person has to know of a column, or ""."""
    if kind is OBJECT:
        return "objects: text, or convert them first"
    if kind is not None:
        word = type_word(kind)
        days = "dates, as days since 1970-01-01" if word == "date" else ""
        return days if T is not None else f"{word}. {type_advice(kind)}"
    try:
        extended = extension_type(data[name])
    except Exception:
        extended = None
    if extended is not None:
        return f"{extended}, which is not read. Convert it first."
    return "the type does not say what it holds. Declare it as int, float, bool or str."


def _draft_text_file(path: str, separator: str) -> TableDraft:
    """Return the draft of a text file: all columns are text."""
    if type(separator) is not str or len(separator) != 1:
        rule = "must be one character"
        raise refusal("MakeDomain", "separator", separator, rule, "Pass ','")
    try:
        with open(path, encoding="utf-8-sig", errors="replace", newline="\n") as lines:
            first = lines.readline()
    except (OSError, ValueError):  # a ValueError if no file can have this name
        first = ""
    names = [name for name in fields(first, separator) if name]
    if not names or any("\r" in name or "\0" in name for name in names):
        text = (
            f"data={show_path(path)}: there is no file of UTF-8 with lines that end in "
            "\\n, and with names of columns in the first of them. Pass the path of a "
            "CSV file."
        )
        raise OpenDPException("MakeDomain", text)
    return TableDraft(dict.fromkeys(names, str), {}, path, separator)
