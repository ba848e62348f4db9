# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.domain; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.errors import OpenDPException
from opendp_lite.core.ownership import Described
from typing import NoReturn

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any


# === Domain.member with Data, Described, opendp_lite.core.aliases.Data
class Domain(Described):
    def member(self, value: Data) -> bool:
        raise TypeError(f"{type(self).__name__} does not say what its members are")


# === Domain.contains with Described
class Domain(Described):
    def contains(self, other: Domain) -> bool:
        return self == other


# === Domain.all_members with Data, Described, opendp_lite.core.aliases.Data
class Domain(Described):
    def all_members(self, values: list[Data]) -> bool:
        return all(map(self.member, values))


# === Domain.require with Data, Described, opendp_lite.core.aliases.Data
class Domain(Described):
    def require(self, value: Data) -> None:
        if not self.member(value):
            self.refuse()


# === Domain.refuse with OpenDPException, Described, NoReturn
class Domain(Described):
    def refuse(self) -> NoReturn:
        raise OpenDPException(
            "FailedFunction",
            f"the argument is not a member of {self!r}: a member is {self.rule()}. "
            "Nothing was computed or released. Bring raw data into the domain "
            "with total functions (make_cast_default, make_impute_constant, "
            "make_clamp), or describe it by a wider domain.",
        )
