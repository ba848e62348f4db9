# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.product; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.domain import check_inside
import attrs

_PARTS_FIX = "Pass a list of domains, such as [atom_domain(T=int), atom_domain(T=str)]"
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === ProductDomain.__attrs_post_init__ with refusal, Domain, check_inside, attrs,
#    _PARTS_FIX
@attrs.frozen(repr=False)
class ProductDomain(Domain):
    parts: tuple[Domain, ...] = attrs.field(converter=_listed)
    def __attrs_post_init__(self) -> None:
        if type(self.parts) is not tuple or not self.parts:
            rule = "must be a list that holds at least one domain"
            raise refusal("MakeDomain", "parts", self.parts, rule, _PARTS_FIX)
        check_inside(**{f"parts[{i}]": part for i, part in enumerate(self.parts)})


# === ProductDomain.member with Data, Domain, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class ProductDomain(Domain):
    parts: tuple[Domain, ...] = attrs.field(converter=_listed)
    def member(self, value: Data) -> bool:
        return (
            type(value) is tuple
            and len(value) == len(self.parts)
            and all(part.member(v) for part, v in zip(self.parts, value, strict=True))
        )


# === ProductDomain.contains with Domain, attrs
@attrs.frozen(repr=False)
class ProductDomain(Domain):
    parts: tuple[Domain, ...] = attrs.field(converter=_listed)
    def contains(self, other: Domain) -> bool:
        return (
            isinstance(other, ProductDomain)
            and len(self.parts) == len(other.parts)
            and all(a.contains(b) for a, b in zip(self.parts, other.parts, strict=True))
        )
