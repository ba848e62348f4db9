# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.domain; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import OpenDPTypeError
from opendp_lite.base.errors import refusal
from opendp_lite.base.ownership import Described
from opendp_lite.data.type_arguments import DEEPEST
from opendp_lite.show.texts import form
from typing import Any
from typing import NoReturn

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
LONG = 2**8
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"
opendp_lite.data.type_arguments.DEEPEST = 64


# === Domain.member with Data, Described, opendp_lite.base.aliases.Data
class Domain(Described):
    def member(self, value: Data) -> bool:
        raise TypeError(f"{type(self).__name__} does not say what its members are")


# === Domain.contains with Described
class Domain(Described):
    def contains(self, other: Domain) -> bool:
        return self == other


# === Domain.all_members with Data, Described, opendp_lite.base.aliases.Data
class Domain(Described):
    def all_members(self, values: list[Data]) -> bool:
        return all(map(self.member, values))


# === Domain.all_array_members with Array, Described, ?
class Domain(Described):
    def all_array_members(self, array: Array) -> bool:
        return False


# === Domain.columns with Described
class Domain(Described):
    @property
    def columns(self) -> int | None:
        return None


# === Domain.received with Data, Described, Any, opendp_lite.base.aliases.Data
class Domain(Described):
    def received(self, value: Data) -> Any:
        return value


# === Domain.read with Data, Described, Any, opendp_lite.base.aliases.Data, LONG
class Domain(Described):
    def read(self, value: Data, least: int = LONG) -> tuple[bool, Any]:
        return self.member(value), value


# === Domain.admitted with Data, Described, Any, opendp_lite.base.aliases.Data
class Domain(Described):
    def admitted(self, value: Data) -> Any:
        stands_for = self.received(value)
        if stands_for is value or not self.member(stands_for):
            self.refuse(value)
        return stands_for


# === Domain.refuse with Data, OpenDPTypeError, Described, form, NoReturn,
#    opendp_lite.base.aliases.Data
class Domain(Described):
    def refuse(self, value: Data) -> NoReturn:
        raise OpenDPTypeError(
            "FailedFunction",
            f"{form(value)} was passed, which is not a member of {self!r}: a member is "
            f"{self.rule()}. Nothing was computed or released. {self.remedy(value)}",
        )


# === public_size with ExactNumber, integer_argument, ?,
#    opendp_lite.base.aliases.ExactNumber
def public_size(size: ExactNumber | None) -> int | None:
    if size is None:
        return None
    fix = "Pass the public number of rows or bits, or leave size out"
    return integer_argument(
        "MakeDomain", "size", size, fix=fix, at_least=0, at_most=2**63 - 1
    )


# === check_inside with check_type, refusal, DEEPEST, Any, DOMAIN_FIX,
#    opendp_lite.data.type_arguments.DEEPEST
def check_inside(**inner: Any) -> None:
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, DOMAIN_FIX)
