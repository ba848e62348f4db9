"""A dictionary of columns as rows: what the Python engine is given at the door."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.values.columns import column_rows
from opendp_lite.core.values.containers import is_array
from opendp_lite.tables.engines.engine import Row, one
from opendp_lite.tables.expressions import atom_of, may_be_missing

__all__ = ["read_rows"]

_EPOCH = datetime.date(1970, 1, 1).toordinal()


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
