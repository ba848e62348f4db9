# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.domain; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Mapping
from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from typing import Any
import attrs

_COLUMNS_FIX = "Pass for example {'age': option_domain(atom_domain(T=int))}"
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === _declared with refusal, Domain, Any, _COLUMNS_FIX
def _declared(columns: Any) -> tuple[tuple[str, Domain], ...]:
    items = columns
    if issubclass(type(columns), dict):
        items = tuple(dict.items(columns))
    if type(items) is not tuple or not items:
        rule = "must be a dict from the names of columns to domains, one at least"
        raise refusal("MakeDomain", "columns", columns, rule, _COLUMNS_FIX)
    for item in items:
        _check_column(item)
    if len({name for name, _ in items}) < len(items):
        rule = "has two columns of one name"
        raise refusal("MakeDomain", "columns", columns, rule, _COLUMNS_FIX)
    return items


# === _check_column with refusal, AtomDomain, OptionDomain, Any, _COLUMNS_FIX
def _check_column(item: Any) -> None:
    paired = type(item) is tuple and len(item) == 2
    if not paired or type(item[0]) is not str:
        rule = "names of columns are text"
        raise refusal("MakeDomain", "columns", type(item), rule, _COLUMNS_FIX)
    name, domain = item
    inner = domain.element_domain if type(domain) is OptionDomain else domain
    typed = type(inner) is AtomDomain and inner.T in (int, float, bool, str)
    if not typed:
        rule = "a column holds an atom_domain of int, float, bool or str, or an option"
        raise refusal("MakeDomain", "columns", name, rule, _COLUMNS_FIX)
    assert isinstance(inner, AtomDomain)
    if inner.single:
        rule = "floats of a table have 64 bits, whatever they had before"
        raise refusal("MakeDomain", "columns", name, rule, "Declare T=float")


# === TableDomain.member with Data, Domain, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class TableDomain(Domain):
    def member(self, value: Data) -> bool:
        from opendp_lite.tables.engines.engine import Table

        return type(value) is Table and self._fits(value.columns)


# === TableDomain._fits with Domain, attrs
@attrs.frozen(repr=False)
class TableDomain(Domain):
    series: tuple[tuple[str, Domain], ...] = attrs.field(converter=_declared)
    def _fits(self, columns: tuple[tuple[str, Domain], ...]) -> bool:
        return len(columns) == len(self.series) and all(
            name == other and mine.contains(theirs)
            for (name, mine), (other, theirs) in zip(self.series, columns, strict=True)
        )


# === TableDomain.received with Data, OpenDPException, Domain, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class TableDomain(Domain):
    def received(self, value: Data) -> Any:
        from opendp_lite.tables.engines.door import enter

        try:
            return enter(value, self.declared)
        except OpenDPException:
            return value


# === TableDomain.declared with Domain, attrs
@attrs.frozen(repr=False)
class TableDomain(Domain):
    series: tuple[tuple[str, Domain], ...] = attrs.field(converter=_declared)
    @property
    def declared(self) -> dict[str, Domain]:
        return dict(self.series)


# === TableDomain.with_columns with Mapping, Domain, attrs
@attrs.frozen(repr=False)
class TableDomain(Domain):
    def with_columns(self, new: Mapping[str, Domain]) -> TableDomain:
        return TableDomain({**self.declared, **new})


# === TableDomain.contains with Domain, attrs
@attrs.frozen(repr=False)
class TableDomain(Domain):
    series: tuple[tuple[str, Domain], ...] = attrs.field(converter=_declared)
    def contains(self, other: Domain) -> bool:
        return isinstance(other, TableDomain) and self._fits(other.series)
