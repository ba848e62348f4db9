# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domain; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import native
from typing import Any
import attrs


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
