# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.frame; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import DOMAIN_FIX
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.data.columns import frame_columns
from typing import Any
import attrs

opendp_lite.core.domains.domain.DOMAIN_FIX = 'Pass a domain such as atom_domain(T=int)'
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === _named with refusal, AtomDomain, DOMAIN_FIX, Domain, OptionDomain, Any,
#    opendp_lite.core.domains.domain.DOMAIN_FIX
def _named(series: Any) -> tuple[tuple[Any, Domain], ...]:
    fix = "Pass for example {'age': atom_domain(T=int)}"
    if not issubclass(type(series), dict):
        rule = "must be a dict from names of columns to domains"
        raise refusal("MakeDomain", "columns", series, rule, fix)
    items = list(dict.items(series))
    for name, domain in items:
        if type(name) is not str and type(name) is not int:
            raise refusal("MakeDomain", "columns", name, "names are text or int", fix)
        inner = domain.element_domain if type(domain) is OptionDomain else domain
        if type(inner) is not AtomDomain:
            rule = "a column holds an atom_domain, or an option_domain of one"
            raise refusal("MakeDomain", "columns", name, rule, DOMAIN_FIX)
    return tuple(sorted(items, key=lambda item: (type(item[0]) is str, item[0])))


# === FrameDomain.member with Data, Domain, VectorDomain, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class FrameDomain(Domain):
    series: tuple[tuple[Any, Domain], ...] = attrs.field(converter=_named)
    def member(self, value: Data) -> bool:
        if type(value) is not dict:
            return False
        if not all(type(name) is str or type(name) is int for name in value):
            return False
        columns = list(value.values())
        if not all(type(each) is list or _has_rows(each) for each in columns):
            return False
        if len(set(map(len, columns))) > 1:
            return False
        return all(
            name in value and VectorDomain(domain).member(value[name])
            for name, domain in self.series
        )


# === FrameDomain.received with Data, AtomDomain, Domain, frame_columns, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class FrameDomain(Domain):
    series: tuple[tuple[Any, Domain], ...] = attrs.field(converter=_named)
    def received(self, value: Data) -> Any:
        names = {name: isinstance(each, AtomDomain) for name, each in self.series}
        return frame_columns(value, names)


# === FrameDomain.column with Domain, Any, attrs
@attrs.frozen(repr=False)
class FrameDomain(Domain):
    series: tuple[tuple[Any, Domain], ...] = attrs.field(converter=_named)
    def column(self, name: object) -> Domain | None:
        return next((each for own, each in self.series if _is_name(own, name)), None)


# === FrameDomain.with_column with Domain, Any, attrs
@attrs.frozen(repr=False)
class FrameDomain(Domain):
    series: tuple[tuple[Any, Domain], ...] = attrs.field(converter=_named)
    def with_column(self, name: object, domain: Domain) -> FrameDomain:
        return FrameDomain({**dict(self.series), name: domain})


# === FrameDomain.contains with Domain, VectorDomain, Any, attrs
@attrs.frozen(repr=False)
class FrameDomain(Domain):
    series: tuple[tuple[Any, Domain], ...] = attrs.field(converter=_named)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, FrameDomain):
            return False
        theirs = dict(other.series)
        return all(
            name in theirs and VectorDomain(each).contains(VectorDomain(theirs[name]))
            for name, each in self.series
        )


# === _has_rows with Data, is_array, opendp_lite.base.aliases.Data
def _has_rows(value: Data) -> bool:
    return is_array(value) and value.ndim > 0


# === _is_name
def _is_name(own: object, name: object) -> bool:
    return type(own) is type(name) and own == name
