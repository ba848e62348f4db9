# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.door; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterator
from collections.abc import Mapping
from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import OpenDPTypeError
from opendp_lite.core.domains.domain import Domain
from opendp_lite.data.columns import HOW_TO_CONVERT
from opendp_lite.data.columns import column_rows
from opendp_lite.data.columns import extension_type
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.engine import Row
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.engine import one
from opendp_lite.tables.engines.lazy import LazyEngine
from opendp_lite.tables.engines.python import PYTHON
from opendp_lite.tables.engines.sources import opened
from opendp_lite.tables.engines.sources import unique
from opendp_lite.tables.terms import atom_of
from opendp_lite.tables.terms import may_be_missing
from typing import Any
import datetime

opendp_lite.tables.engines.engine.Row = dict[str, typing.Any]
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_EPOCH = datetime.date(1970, 1, 1).toordinal()
opendp_lite.tables.engines.python.PYTHON = opendp_lite.tables.engines.python.PythonEngine()
opendp_lite.tables.engines.engine.Frame: typing.TypeAlias = typing.Any
opendp_lite.data.columns.HOW_TO_CONVERT = 'Convert the column first: periods by .astype(str) or .dt.year and the like, intervals by .astype(str), a sparse column by .sparse.to_dense(), and others to numbers, truth values or text.'
_STORED = {
    int: "integers of at most 64 bits (not uint64), or dates",
    float: "float32 or float64",
    bool: "bool",
    str: "text, or categories of text",
}


# === read_rows with Mapping, Domain, Row, may_be_missing, Any,
#    opendp_lite.tables.engines.engine.Row
def read_rows(
    data: dict[Any, Any], columns: Mapping[str, Domain]
) -> tuple[Row, ...] | None:
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


# === _values with is_array, column_rows, Any
def _values(column: Any) -> list[Any] | None:
    values = column_rows(column, False)
    if is_array(values) and values.ndim == 1 and values.dtype.kind in "biufU":
        values = values.tolist()
    return values if type(values) is list else None


# === _entry with Data, Domain, one, atom_of, Any, datetime,
#    opendp_lite.base.aliases.Data, _EPOCH
def _entry(value: Data, domain: Domain) -> Any:
    T = atom_of(domain).T
    if T is int and type(value) is datetime.date:
        return value.toordinal() - _EPOCH
    if T is float and type(value) is int and abs(value) <= 2**53:
        return float(value)
    return one(value) if type(value) is float else value


# === _within with Data, Domain, atom_of, opendp_lite.base.aliases.Data
def _within(value: Data, domain: Domain) -> bool:
    atom = atom_of(domain)
    if type(value) is not atom.T:
        return False
    if type(value) is int and not -(2**63) <= value < 2**63:
        return False
    return (type(value) is not str or _is_unicode(value)) and atom.member(value)


# === _is_unicode
def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


# === enter with Mapping, Domain, Table, asked, PYTHON, opened, unique,
#    opendp_lite.tables.engines.python.PYTHON
def enter(data: object, columns: Mapping[str, Domain]) -> Table:
    declared = tuple(columns.items())
    if type(data) is dict:
        rows = read_rows(data, columns)
        if rows is None:
            raise _refused(columns, data)
        return Table(PYTHON, rows, declared)
    found = asked(lambda: opened(data, columns))
    places = found and unique(found[2], columns)
    if not found or not places:
        raise _refused(columns, data)
    engine, native, names = found
    frame = asked(lambda: engine.chosen(native, names, places), engine)
    schema = asked(lambda: dict(frame.collect_schema()), engine)
    for i, domain in enumerate(columns.values()):
        if not _fits(schema[f"c{i}"], domain):
            raise _refused(columns, data)
    frame = asked(
        lambda: _canonical(engine, frame, schema, columns), engine
    )
    table = Table(engine, frame, declared)
    if not asked(lambda: _kept(table), engine):
        raise _broken(columns)
    return table


# === _sources with Domain, atom_of, Any
def _sources(domain: Domain) -> set[Any]:
    import narwhals.stable.v2 as nw

    atom = atom_of(domain)
    if atom.T is int:
        signed = {nw.Int8, nw.Int16, nw.Int32, nw.Int64}
        return signed | {nw.UInt8, nw.UInt16, nw.UInt32, nw.Date}
    if atom.T is float:
        return {nw.Float32} if atom.single else {nw.Float32, nw.Float64}
    return {nw.Boolean} if atom.T is bool else {nw.String, nw.Categorical, nw.Enum}


# === _fits with Domain, Any
def _fits(dtype: Any, domain: Domain) -> bool:
    return dtype.base_type() in _sources(domain)


# === _canonical with Mapping, Domain, Frame, LazyEngine, atom_of, Any,
#    opendp_lite.tables.engines.engine.Frame
def _canonical(
    engine: LazyEngine, frame: Frame, schema: Any, columns: Mapping[str, Domain]
) -> Any:
    import narwhals.stable.v2 as nw

    for i, domain in enumerate(columns.values()):
        name, T = f"c{i}", atom_of(domain).T
        if T is str:
            frame = engine.text(frame, name)
        elif T is float:
            frame = engine.real(frame, name)
        elif schema[name].base_type() is nw.Date:
            frame = engine.days(frame, name)
        elif T is int:
            frame = engine.whole(frame, name)
    return frame


# === _kept with Table, LazyEngine
def _kept(table: Table) -> bool:
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


# === _claims with Domain, atom_of, may_be_missing
def _claims(domain: Domain) -> bool:
    return not may_be_missing(domain) or atom_of(domain).bounds is not None


# === _breaks with Domain, atom_of, may_be_missing, Any
def _breaks(x: Any, domain: Domain) -> Any:
    import narwhals.stable.v2 as nw

    no, yes = nw.lit(0, nw.Int64), nw.lit(1, nw.Int64)
    atom, kind = atom_of(domain), {int: nw.Int64, float: nw.Float64}
    low, high = atom.bounds or (None, None)
    bad = no
    if atom.T is int and low is not None and high is not None:
        if low >= 2**63 or high < -(2**63):
            bad = yes
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


# === _refused with Mapping, OpenDPException, OpenDPTypeError, Domain, HOW_TO_CONVERT,
#    opendp_lite.data.columns.HOW_TO_CONVERT
def _refused(columns: Mapping[str, Domain], data: object) -> OpenDPException:
    stored = "; ".join(
        f"{name!r} once, stored as {_stored(domain)}"
        for name, domain in columns.items()
    )
    advice = (
        "Cast the columns in the engine that holds them, or declare them as what they "
        "are."
    )
    extended = "".join(
        f"The column {name!r} is of the type {kind}, which is not read. "
        for name, kind in _extended(columns, data)
    )
    return OpenDPTypeError(
        "FailedFunction",
        f"the table is not a member of its domain. A member has the columns {stored}. "
        f"Nothing was computed or released. "
        f"{extended}{HOW_TO_CONVERT if extended else advice}",
    )


# === _extended with Iterator, Mapping, Domain, extension_type
def _extended(columns: Mapping[str, Domain], data: object) -> Iterator[tuple[str, str]]:
    for name in columns:
        try:
            kind = extension_type(data[name])
        except Exception:
            continue
        if kind is not None:
            yield name, kind


# === _stored with Domain, atom_of, _STORED
def _stored(domain: Domain) -> str:
    atom = atom_of(domain)
    return "float32" if atom.single else _STORED[atom.T]


# === _broken with Mapping, OpenDPException, OpenDPTypeError, Domain
def _broken(columns: Mapping[str, Domain]) -> OpenDPException:
    claimed = ", ".join(repr(n) for n, domain in columns.items() if _claims(domain))
    return OpenDPTypeError(
        "FailedFunction",
        f"the table is not a member of its domain: what it declares of {claimed} "
        "(present, or within bounds) does not hold of every row. Nothing was computed "
        "or released. Declare what may be missing by option_domain, leave bounds out, "
        "and use fill_null and clip in expressions.",
    )
