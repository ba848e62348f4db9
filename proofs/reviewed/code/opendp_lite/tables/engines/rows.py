# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.rows; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from opendp_lite.core.aliases import Data
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.values.columns import column_rows
from opendp_lite.core.values.containers import is_array
from opendp_lite.tables.engines.engine import Row
from opendp_lite.tables.engines.engine import one
from opendp_lite.tables.terms import atom_of
from opendp_lite.tables.terms import may_be_missing
from typing import Any
import datetime

opendp_lite.tables.engines.engine.Row = dict[str, typing.Any]
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
_EPOCH = datetime.date(1970, 1, 1).toordinal()


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


# === _values with column_rows, is_array, Any
def _values(column: Any) -> list[Any] | None:
    values = column_rows(column, False)
    if is_array(values) and values.ndim == 1 and values.dtype.kind in "biufU":
        values = values.tolist()
    return values if type(values) is list else None


# === _entry with Data, Domain, one, atom_of, Any, datetime,
#    opendp_lite.core.aliases.Data, _EPOCH
def _entry(value: Data, domain: Domain) -> Any:
    T = atom_of(domain).T
    if T is int and type(value) is datetime.date:
        return value.toordinal() - _EPOCH
    if T is float and type(value) is int and abs(value) <= 2**53:
        return float(value)
    return one(value) if type(value) is float else value


# === _within with Data, Domain, atom_of, opendp_lite.core.aliases.Data
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
