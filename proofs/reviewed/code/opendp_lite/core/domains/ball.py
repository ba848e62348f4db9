# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.ball; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.base.aliases import Array
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import parts
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.domain import public_size
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import attrs
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === _radius with Fraction, ExactNumber, rational_argument, to_fraction, ?,
#    opendp_lite.base.aliases.ExactNumber
def _radius(norm: ExactNumber) -> Fraction:
    fix = "Pass a finite number, such as 1.0"
    number = rational_argument("MakeDomain", "norm", norm, fix=fix, at_least=0)
    return to_fraction(number)


# === _power with ExactNumber, integer_argument, ?, opendp_lite.base.aliases.ExactNumber
def _power(p: ExactNumber) -> int:
    fix = "Pass p=1 or p=2; where each entry has a bound, say so in the atom_domain"
    return integer_argument("MakeDomain", "p", p, fix=fix, at_least=1, at_most=2)


# === BallDomain.__attrs_post_init__ with Fraction, refusal, AtomDomain, Domain,
#    public_size, attrs
@attrs.frozen(repr=False)
class BallDomain(Domain):
    element_domain: AtomDomain
    size: int | None = attrs.field(converter=public_size)
    norm: Fraction = attrs.field(converter=_radius)
    p: int = attrs.field(converter=_power)
    def __attrs_post_init__(self) -> None:
        atom = self.element_domain
        if not isinstance(atom, AtomDomain) or not atom.holds_numbers:
            rule = "must hold numbers without NaN"
            fix = "Pass for example atom_domain(T=float, nan=False)"
            raise refusal("MakeDomain", "atom_domain", atom, rule, fix)
        if self.size is None:
            rule, fix = "the number of entries must be public", "Pass for example 3"
            raise refusal("MakeDomain", "size", self.size, rule, fix)


# === BallDomain.vectors with AtomDomain, Domain, public_size, VectorDomain, attrs
@attrs.frozen(repr=False)
class BallDomain(Domain):
    element_domain: AtomDomain
    size: int | None = attrs.field(converter=public_size)
    @property
    def vectors(self) -> VectorDomain:
        return VectorDomain(self.element_domain, self.size)


# === BallDomain.member with Data, rows, Domain, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class BallDomain(Domain):
    def member(self, value: Data) -> bool:
        return self.vectors.member(value) and self._holds(rows(value))


# === BallDomain.all_members with Data, rows, Domain, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class BallDomain(Domain):
    def all_members(self, values: list[Data]) -> bool:
        if not self.vectors.all_members(values):
            return False
        return all(self._holds(rows(row)) for row in values)


# === BallDomain.all_array_members with Array, parts, Domain, attrs, ?
@attrs.frozen(repr=False)
class BallDomain(Domain):
    def all_array_members(self, array: Array) -> bool:
        if not self.vectors.all_array_members(array):
            return False
        return all(self._holds(row) for part in parts(array) for row in part.tolist())


# === BallDomain._holds with Fraction, Domain, to_mpq, Any, attrs, math
@attrs.frozen(repr=False)
class BallDomain(Domain):
    norm: Fraction = attrs.field(converter=_radius)
    p: int = attrs.field(converter=_power)
    def _holds(self, entries: list[Any]) -> bool:
        sizes = list(map(abs, entries))
        if math.inf in sizes:
            return False
        return bool(
            sum(to_mpq(x) ** self.p for x in sizes) <= to_mpq(self.norm**self.p)
        )


# === BallDomain.columns with Domain, public_size, attrs
@attrs.frozen(repr=False)
class BallDomain(Domain):
    size: int | None = attrs.field(converter=public_size)
    @property
    def columns(self) -> int | None:
        return self.size


# === BallDomain.contains with Fraction, AtomDomain, Domain, public_size, attrs
@attrs.frozen(repr=False)
class BallDomain(Domain):
    element_domain: AtomDomain
    size: int | None = attrs.field(converter=public_size)
    norm: Fraction = attrs.field(converter=_radius)
    p: int = attrs.field(converter=_power)
    def contains(self, other: Domain) -> bool:
        if not isinstance(other, BallDomain) or other.size != self.size:
            return False
        if other.norm > self.norm or other.p > self.p:
            return False
        return self.element_domain.contains(other.element_domain)
