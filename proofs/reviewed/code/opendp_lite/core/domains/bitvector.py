# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.bitvector; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.domain import public_size
import attrs

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === BitVectorDomain.member with Data, Domain, public_size, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=public_size)
    def member(self, value: Data) -> bool:
        if type(value) is not bytes:
            return False
        bits = int.from_bytes(value, "big")
        if self.size is not None:
            padding = -self.size % 8
            if 8 * len(value) != self.size + padding or bits & ((1 << padding) - 1):
                return False
        return self.max_weight is None or bits.bit_count() <= self.max_weight


# === BitVectorDomain.contains with Domain, public_size, attrs
@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=public_size)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, BitVectorDomain):
            return False
        if self.size not in (None, other.size):
            return False
        if self.max_weight is None:
            return True
        return other.max_weight is not None and other.max_weight <= self.max_weight
