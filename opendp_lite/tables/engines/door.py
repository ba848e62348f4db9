"""The door: which frames are tables of a domain, and what their columns become.

Names and types decide, and no row does, unless the domain claims something: that a
column is present, or that it lies within bounds. Then one pass counts the rows that
break a claim. What does not fit is refused with text made from the declaration.

A dictionary of columns goes to the Python engine as rows; frames of Polars, relations
of DuckDB and frames of Spark stay where they are; tables of pandas and PyArrow and
Parquet files are scanned by a DuckDB of the library's own (`sources.py`).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import OpenDPException, OpenDPTypeError
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.data.columns import HOW_TO_CONVERT, column_rows, extension_type
from opendp_lite.tables.domain import misfit_name
from opendp_lite.tables.engines.column_types import (
    OBJECT,
    column_types,
    show_names,
    similar_name,
    type_advice,
    type_word,
)
from opendp_lite.tables.engines.engine import Frame, Row, Table, asked, one
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.python import PYTHON
from opendp_lite.tables.engines.sources import opened, unique
from opendp_lite.tables.expressions import atom_of, may_be_missing

_EPOCH = datetime.date(1970, 1, 1).toordinal()
_MOST_SHOWN = 5  # sentences about single columns in one text


def read_rows(
    data: dict[Any, Any], columns: Mapping[str, Domain]
) -> tuple[Row, ...] | None:
    """Return the rows of a dictionary of columns, or None if it does not fit.

    A column is a list, or what stands for one (a tuple, an array, a Series); columns
    that are not declared are left out. An integer is within 64 bits; a date counts as
    its days since 1970; NaN is missing.

    >>> from opendp_lite.core.domains.atom import atom_domain
    >>> read_rows({"age": [31], "name": ["x"]}, {"age": atom_domain(T=int)})
    ({'age': 31},)
    """
    read = {}
    for name, domain in columns.items():
        values = _values(data.get(name))
        if values is None:
            return None
        entries = [_entry(value, domain) for value in values]
        known = [entry for entry in entries if entry is not None]
        if len(known) < len(entries) and not may_be_missing(domain):
            return None
        if not all(_within(entry, domain) for entry in known):
            return None
        read[name] = entries
    if len({len(entries) for entries in read.values()}) > 1:
        return None
    return tuple(
        dict(zip(read, row, strict=True)) for row in zip(*read.values(), strict=True)
    )


def _values(column: Any) -> list[Any] | None:
    values = column_rows(column, False)
    if is_array(values) and values.ndim == 1 and values.dtype.kind in "biufU":
        values = values.tolist()
    return values if type(values) is list else None


def _entry(value: Data, domain: Domain) -> Any:
    """Return the value as the row holds it; what does not fit stays what it is."""
    T = atom_of(domain).T
    if T is int and type(value) is datetime.date:
        return value.toordinal() - _EPOCH
    if T is float and type(value) is int and abs(value) <= 2**53:
        return float(value)
    return one(value) if type(value) is float else value


def _within(value: Data, domain: Domain) -> bool:
    """Return whether a value that is there is of the very type, and of the domain."""
    atom = atom_of(domain)
    if type(value) is not atom.T:
        return False
    if type(value) is int and not -(2**63) <= value < 2**63:
        return False
    return (type(value) is not str or _is_unicode(value)) and atom.member(value)


def _is_unicode(text: str) -> bool:
    """Return whether a text has a form in UTF-8: no half of a pair stands alone."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


_CAST = {int: "int64", float: "float64", bool: "bool", str: "text"}
_MARKS = (
    "csv_to_parquet writes columns that mark misfits with misfits=True: a file that "
    "was written without must be written anew. "
)
_STORED = {
    int: "integers of at most 64 bits (not uint64), or dates",
    float: "float32 or float64",
    bool: "bool",
    str: "text, or categories of text",
}


def enter(data: object, columns: Mapping[str, Domain]) -> Table:
    """Return the table that `data` is, with exactly these columns, or raise.

    :param data: a frame, a path or a list of paths, or a dictionary of columns
    :param columns: the domain of each column
    """
    declared = tuple(columns.items())
    if type(data) is dict:
        rows = read_rows(data, columns)  # proof: rows
        if rows is None:
            raise _refused(columns, data)
        return Table(PYTHON, rows, declared)
    found = asked(lambda: opened(data, columns))  # proof: opened
    places = found and unique(found[2], columns)
    if not found or not places:  # proof: names
        raise _refused(columns, data)
    engine, native, names = found
    frame = asked(lambda: engine.chosen(native, names, places), engine)  # proof: chosen
    schema = asked(lambda: dict(frame.collect_schema()), engine)
    for i, domain in enumerate(columns.values()):
        if not _fits(schema[f"c{i}"], domain):  # proof: types
            raise _refused(columns, data)
    frame = asked(
        lambda: _canonical(engine, frame, schema, columns), engine
    )  # proof: same
    table = Table(engine, frame, declared)
    if not asked(lambda: _kept(table), engine):  # proof: claims
        raise _broken(columns)
    return table


def _sources(domain: Domain) -> set[Any]:
    """Return the types of Narwhals in which a column of this domain may be stored."""
    import narwhals.stable.v2 as nw

    atom = atom_of(domain)
    if atom.T is int:
        signed = {nw.Int8, nw.Int16, nw.Int32, nw.Int64}
        return signed | {nw.UInt8, nw.UInt16, nw.UInt32, nw.Date}
    if atom.T is float:
        return {nw.Float32} if atom.single else {nw.Float32, nw.Float64}
    return {nw.Boolean} if atom.T is bool else {nw.String, nw.Categorical, nw.Enum}


def _fits(dtype: Any, domain: Domain) -> bool:
    """Return whether a column of the type `dtype` may be one of this domain."""
    return dtype.base_type() in _sources(domain)


def _canonical(
    engine: LazyEngine, frame: Frame, schema: Any, columns: Mapping[str, Domain]
) -> Any:
    """Return the frame with int64, float64, bool, and text compared by bytes."""
    import narwhals.stable.v2 as nw

    for i, domain in enumerate(columns.values()):
        name, T = f"c{i}", atom_of(domain).T
        if T is str:
            frame = engine.text(frame, name)  # proof: text
        elif T is float:
            frame = engine.real(frame, name)  # proof: real
        elif schema[name].base_type() is nw.Date:
            frame = engine.days(frame, name)  # proof: days
        elif T is int:
            frame = engine.whole(frame, name)  # proof: wide
    return frame


def _kept(table: Table) -> bool:
    """Return whether no row breaks a claim; without claims nothing is run."""
    import narwhals.stable.v2 as nw

    broken = [
        _breaks(nw.col(f"c{i}"), domain).sum().alias(f"c{i}")
        for i, (_, domain) in enumerate(table.columns)
        if _claims(domain)
    ]
    if not broken:
        return True
    engine = table.engine
    assert isinstance(engine, LazyEngine)
    (counts,) = engine.collect(table.frame.select(*broken))
    return all(not count for count in counts.values())


def _claims(domain: Domain) -> bool:
    """Return whether a domain says more of a column than its type."""
    return not may_be_missing(domain) or atom_of(domain).bounds is not None


def _breaks(x: Any, domain: Domain) -> Any:
    """Return 1 where a value breaks what its domain claims, and else 0, as int64.

    A comparison with what is missing is not true, and a NaN is at most no number.
    """
    import narwhals.stable.v2 as nw

    no, yes = nw.lit(0, nw.Int64), nw.lit(1, nw.Int64)
    atom, kind = atom_of(domain), {int: nw.Int64, float: nw.Float64}
    low, high = atom.bounds or (None, None)
    bad = no
    if atom.T is int and low is not None and high is not None:
        if low >= 2**63 or high < -(2**63):
            bad = yes  # no integer of 64 bits is within them
        # Those beyond 64 bits are no literals, and bound nothing else.
        low = low if -(2**63) < low < 2**63 else None
        high = high if -(2**63) <= high < 2**63 - 1 else None
    if low is not None:
        bad = nw.when(x < nw.lit(low, kind[atom.T])).then(yes).otherwise(bad)
    if high is not None:
        bad = nw.when(x <= nw.lit(high, kind[atom.T])).then(bad).otherwise(yes)
    gone = no if may_be_missing(domain) else yes
    if atom.T is float:
        top = nw.lit(float("inf"), nw.Float64)
        return nw.when(x <= top).then(bad).otherwise(gone)
    return nw.when(x.is_null()).then(gone).otherwise(bad)


def _refused(columns: Mapping[str, Domain], data: object) -> OpenDPException:
    """Return the error of a table that does not fit what is declared.

    Its text is made from the names and the types of the columns. Where all of them fit,
    it is made from the declaration alone.
    """
    try:
        types = asked(lambda: column_types(data, columns))
    except OpenDPException:  # of an engine, which has nothing to say here
        types = None
    extended = "".join(
        f"The column {name!r} is of the type {kind}, which is not read. "
        for name, kind in _extended(columns, data)
    )
    misfits: list[str] = []
    if types is not None:
        misfits = _misnamed(columns, [name for name, _ in types])
        if not misfits and extended:
            misfits = [f"{extended}{HOW_TO_CONVERT}"]
        elif not misfits:
            kinds = {name: kind for name, kind in types if type(name) is str}
            told = (_mistyped(n, kinds[n], domain) for n, domain in columns.items())
            misfits = [each for each in told if each]
    return OpenDPTypeError(
        "FailedFunction",
        "the table is not a member of its domain. Nothing was computed or released. "
        f"{' '.join(misfits[:_MOST_SHOWN]) or _stored_columns(columns)}",
    )


def _misnamed(columns: Mapping[str, Domain], names: list[Any]) -> list[str]:
    """Return sentences about declared columns that are not there exactly once."""
    texts = [name if type(name) is str else None for name in names]
    others = [name for name in texts if name is not None and name not in columns]
    found, marks = [], [*map(misfit_name, columns)]
    for name in columns:
        count = texts.count(name)
        near = None if count or name in marks else similar_name(name, others)
        hint = "" if near is None else f" Did you mean {near!r}?"
        if count == 0:
            found.append(f"The column {name!r} is not there.{hint}")
        elif count > 1:
            found.append(f"The column {name!r} is there {count} times.")
    if found:
        advice = _MARKS if any(n in marks and n not in texts for n in columns) else ""
        listed = show_names(names) or "no texts"
        told = f"{advice}The names of the columns are {listed}."
        found = [*found[: _MOST_SHOWN - 1], told]
    return found


def declared_type(kind: Any) -> type | None:
    """Return the type as which a column is declared that is stored in this type."""
    for T in (int, float, bool, str):
        if kind in _sources(AtomDomain(T=T)):
            return T
    return None


def _mistyped(name: str, kind: Any, domain: Domain) -> str:
    """Return a sentence about a column whose type does not fit, or "" if it does."""
    T = atom_of(domain).T
    objects = kind is OBJECT
    if kind is None or (T is str if objects else kind in _sources(domain)):
        return ""
    own = None if objects else declared_type(kind)
    advice = type_advice(kind)
    if own is not None:
        line = f"atom_domain(T={own.__name__})"
        if may_be_missing(domain):
            line = f"option_domain({line})"
        advice = f"Change its line to {name!r}: {line}, or cast it to {_CAST[T]}."
    return (
        f"The column {name!r} is {type_word(kind)}, and is declared as {T.__name__}. "
        f"{advice}"
    )


def _extended(columns: Mapping[str, Domain], data: object) -> Iterator[tuple[str, str]]:
    """Yield the declared columns of extension types, as far as `data` shows them."""
    for name in columns:
        try:
            kind = extension_type(data[name])  # type: ignore[index]
        except Exception:
            continue
        if kind is not None:
            yield name, kind


def _stored_columns(columns: Mapping[str, Domain]) -> str:
    """Return what the columns hold, as constant text."""
    stored = "; ".join(
        f"{name!r} once, stored as {_stored(domain)}"
        for name, domain in columns.items()
    )
    return (
        "Names and types fit, as far as they are known, and what the columns hold does "
        f"not. A member has the columns {stored}. Columns have one length. Declare "
        "what may be missing by option_domain, and leave bounds out."
    )


def _stored(domain: Domain) -> str:
    atom = atom_of(domain)
    return "float32" if atom.single else _STORED[atom.T]


def _broken(columns: Mapping[str, Domain]) -> OpenDPException:
    """Return the error of a table with a row that breaks a claim."""
    claimed = ", ".join(repr(n) for n, domain in columns.items() if _claims(domain))
    return OpenDPTypeError(
        "FailedFunction",
        f"the table is not a member of its domain: what it declares of {claimed} "
        "(present, or within bounds) does not hold of every row. Nothing was computed "
        "or released. Declare what may be missing by option_domain, leave bounds out, "
        "and use fill_null and clip in expressions.",
    )
