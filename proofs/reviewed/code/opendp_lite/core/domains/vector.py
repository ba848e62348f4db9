# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.vector; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.inner import check_inside
from opendp_lite.core.domains.inner import public_size
from opendp_lite.core.values.containers import is_array
import attrs

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any


# === VectorDomain.__attrs_post_init__ with Domain, check_inside, public_size, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)
    def __attrs_post_init__(self) -> None:
        check_inside(element_domain=self.element_domain)


# === VectorDomain.member with Data, AtomDomain, Domain, public_size, is_array, attrs,
#    opendp_lite.core.aliases.Data
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)
    def member(self, value: Data) -> bool:
        if is_array(value):
            element = self.element_domain
            if value.ndim != 1 or not isinstance(element, AtomDomain):
                return False
            if self.size is not None and value.size != self.size:
                return False
            return element.all_array_members(value)
        if type(value) is not list:
            return False
        if self.size is not None and len(value) != self.size:
            return False
        return self.element_domain.all_members(value)


# === VectorDomain.contains with AtomDomain, Domain, public_size, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=public_size)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, VectorDomain) or self.size not in (None, other.size):
            return False
        mine, theirs = self.element_domain, other.element_domain
        arrays = isinstance(mine, AtomDomain) == isinstance(theirs, AtomDomain)
        return arrays and mine.contains(theirs)
