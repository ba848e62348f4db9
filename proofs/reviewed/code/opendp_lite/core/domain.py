# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domain; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.carrier import DEEPEST
from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import native
from opendp_lite.core.errors import refusal
from typing import Any
import attrs

opendp_lite.core.carrier.DEEPEST = 64
_DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"


# === _check_inside with check_type, Domain, DEEPEST, refusal, Any,
#    opendp_lite.core.carrier.DEEPEST, _DOMAIN_FIX
def _check_inside(**inner: Any) -> None:
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, _DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, _DOMAIN_FIX)


# === VectorDomain.__attrs_post_init__ with Domain, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    def __attrs_post_init__(self) -> None:
        _check_inside(element_domain=self.element_domain)


# === VectorDomain.member with AtomDomain, Domain, is_array, Any, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=_public_size)
    def member(self, value: Any) -> bool:
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


# === VectorDomain.contains with AtomDomain, Domain, attrs
@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=_public_size)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, VectorDomain) or self.size not in (None, other.size):
            return False
        mine, theirs = self.element_domain, other.element_domain
        arrays = isinstance(mine, AtomDomain) == isinstance(theirs, AtomDomain)
        return arrays and mine.contains(theirs)


# === OptionDomain.__attrs_post_init__ with Domain, attrs
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def __attrs_post_init__(self) -> None:
        _check_inside(element_domain=self.element_domain)


# === OptionDomain.member with Domain, Any, attrs
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def member(self, value: Any) -> bool:
        return value is None or self.element_domain.member(value)


# === OptionDomain.all_members with Domain, Any, attrs
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def all_members(self, values: list[Any]) -> bool:
        return self.element_domain.all_members([v for v in values if v is not None])


# === OptionDomain.contains with Domain, attrs
@attrs.frozen(repr=False)
class OptionDomain(Domain):
    element_domain: Domain
    def contains(self, other: Domain) -> bool:
        inner = other.element_domain if isinstance(other, OptionDomain) else other
        return self.element_domain.contains(inner)


# === MapDomain.__attrs_post_init__ with AtomDomain, Domain, refusal, attrs
@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def __attrs_post_init__(self) -> None:
        _check_inside(key_domain=self.key_domain, value_domain=self.value_domain)
        keys = self.key_domain
        inner = keys.element_domain if isinstance(keys, OptionDomain) else None
        if any(isinstance(each, AtomDomain) and each.nan for each in (keys, inner)):
            rule, fix = "keys must not be NaN", "Use atom_domain(T=float, nan=False)"
            raise refusal("MakeDomain", "key_domain", keys, rule, fix)


# === MapDomain.member with Domain, native, Any, attrs
@attrs.frozen(repr=False)
class MapDomain(Domain):
    key_domain: Domain
    value_domain: Domain
    def member(self, value: Any) -> bool:
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


# === BitVectorDomain.member with Domain, Any, attrs
@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=_public_size)
    def member(self, value: Any) -> bool:
        if type(value) is not bytes:
            return False
        bits = int.from_bytes(value, "big")
        if self.size is not None:
            padding = -self.size % 8
            if 8 * len(value) != self.size + padding or bits & ((1 << padding) - 1):
                return False
        return self.max_weight is None or bits.bit_count() <= self.max_weight


# === BitVectorDomain.contains with Domain, attrs
@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=_public_size)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, BitVectorDomain):
            return False
        if self.size not in (None, other.size):
            return False
        if self.max_weight is None:
            return True
        return other.max_weight is not None and other.max_weight <= self.max_weight


# === UserDomain.member with Callable, Domain, Any, attrs
@attrs.frozen(repr=False)
class UserDomain(Domain):
    test: Callable[[Any], bool] = attrs.field(eq=False)
    def member(self, value: Any) -> bool:
        try:
            return bool(self.test(value))
        except Exception:
            return False
