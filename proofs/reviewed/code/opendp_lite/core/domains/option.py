# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.option; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.domain import check_inside
import attrs

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === OptionDomain.__attrs_post_init__ with Domain, check_inside, attrs
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def __attrs_post_init__(self) -> None:
        check_inside(element_domain=self.element_domain)


# === OptionDomain.member with Data, Domain, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def member(self, value: Data) -> bool:
        return value is None or self.element_domain.member(value)


# === OptionDomain.all_members with Data, Domain, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def all_members(self, values: list[Data]) -> bool:
        return self.element_domain.all_members([v for v in values if v is not None])


# === OptionDomain.contains with Domain, attrs
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def contains(self, other: Domain) -> bool:
        inner = other.element_domain if isinstance(other, OptionDomain) else other
        return self.element_domain.contains(inner)
