# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.map; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.domain import check_inside
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.product import ProductDomain
import attrs

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === MapDomain.__attrs_post_init__ with refusal, AtomDomain, Domain, check_inside,
#    OptionDomain, ProductDomain, attrs
@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def __attrs_post_init__(self) -> None:
        check_inside(key_domain=self.key_domain, value_domain=self.value_domain)
        keys = self.key_domain
        while isinstance(keys, OptionDomain):
            keys = keys.element_domain
        if isinstance(keys, AtomDomain) and keys.nan:
            rule, fix = "keys must not be NaN", "Use atom_domain(T=float, nan=False)"
            raise refusal("MakeDomain", "key_domain", self.key_domain, rule, fix)
        if isinstance(keys, ProductDomain):
            rule, fix = "keys must not be tuples", "Pass a domain of single values"
            raise refusal("MakeDomain", "key_domain", self.key_domain, rule, fix)


# === MapDomain.member with Data, native, Domain, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def member(self, value: Data) -> bool:
        return (
            type(value) is dict
            and self.key_domain.all_members(list(value.keys()))
            and self.value_domain.all_members(list(value.values()))
            and len(set(map(native, value))) == len(value)
        )


# === MapDomain.contains with Domain, attrs
@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def contains(self, other: Domain) -> bool:
        return (
            isinstance(other, MapDomain)
            and self.key_domain.contains(other.key_domain)
            and self.value_domain.contains(other.value_domain)
        )
