"""The domain of vectors whose norm is bounded."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Array, Data, ExactNumber
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.containers import parts, rows
from opendp_lite.base.errors import refusal, shown
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain, public_size
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.exact.rounding import round_down

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def _radius(norm: ExactNumber) -> Fraction:
    """Return the greatest norm, which is finite and not negative."""
    fix = "Pass a finite number, such as 1.0"
    number = rational_argument("MakeDomain", "norm", norm, fix=fix, at_least=0)
    return to_fraction(number)


def _power(p: ExactNumber) -> int:
    """Return which norm it is: 1 or 2."""
    fix = "Pass p=1 or p=2; where each entry has a bound, say so in the atom_domain"
    return integer_argument("MakeDomain", "p", p, fix=fix, at_least=1, at_most=2)


@attrs.frozen(repr=False)
class BallDomain(Domain):
    """Vectors of `size` members of `element_domain` with an Lp norm of at most `norm`.

    The norm is that of the numbers as they are: nothing is rounded. Members are lists
    and one-dimensional numpy arrays, as they are of `vector_domain`.
    """

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

    @property
    def vectors(self) -> VectorDomain:
        """The same vectors, of any norm."""
        return VectorDomain(self.element_domain, self.size)

    def member(self, value: Data) -> bool:
        """Return whether `value` is a vector of this size within the norm."""
        return self.vectors.member(value) and self._holds(rows(value))

    def all_members(self, values: list[Data]) -> bool:
        """As `member` for each."""
        if not self.vectors.all_members(values):
            return False
        return all(self._holds(rows(row)) for row in values)

    def all_array_members(self, array: Array) -> bool:
        """Return whether every row of an array of two dimensions is a member."""
        if not self.vectors.all_array_members(array):
            return False
        return all(self._holds(row) for part in parts(array) for row in part.tolist())

    def _holds(self, entries: list[Any]) -> bool:
        """Return whether the norm of some numbers, infinities among them, is small."""
        sizes = list(map(abs, entries))
        if math.inf in sizes:
            return False
        return bool(
            sum(to_mpq(x) ** self.p for x in sizes) <= to_mpq(self.norm**self.p)
        )

    @property
    def columns(self) -> int | None:
        """The size."""
        return self.size

    def rule(self) -> str:
        """Return the rule as constant text."""
        return f"{self.vectors.rule()}, with an L{self.p} norm of at most {self._norm}"

    @property
    def array_words(self) -> str | None:
        """Matrices, if arrays hold the entries."""
        return self.vectors.array_words

    @property
    def _norm(self) -> str:
        return shown(self.norm if self.norm.denominator > 1 else int(self.norm))

    def contains(self, other: Domain) -> bool:
        """Return whether entries, size and norm of `other` fit: |v|_2 <= |v|_1."""
        if not isinstance(other, BallDomain) or other.size != self.size:
            return False
        if other.norm > self.norm or other.p > self.p:
            return False
        return self.element_domain.contains(other.element_domain)

    @property
    def row_domain(self) -> Domain:
        """The domain of the entries."""
        return self.element_domain

    @property
    def atom_type(self) -> type:
        """The type of the entries."""
        return self.element_domain.T

    @property
    def usual_metric(self) -> str:
        """Vectors of bounded norm are at the distance of this norm."""
        return f"L{self.p}Distance"

    def members(self) -> SearchStrategy[list[Any]]:
        """Return a strategy of vectors: those that are too long lose some entries."""
        entry = self.element_domain.members()
        from hypothesis import strategies as st

        some = st.lists(entry, min_size=self.size or 0, max_size=self.size)
        known = self.extremes()
        within = some.map(self._shortened).filter(self.member)
        return st.sampled_from(known) | within if known else within

    def _shortened(self, entries: list[Any]) -> list[Any]:
        """Set entries to 0, from the first on, until the others fit."""
        zero = self.element_domain.T(0)
        short = list(entries)
        for i in range(len(short)):
            if self._holds(short):
                break
            short[i] = zero
        return short

    def extremes(self) -> list[Any]:
        """Return the vectors with one entry that is as long as can be, and 0."""
        T = self.element_domain.T
        top = round_down(to_mpq(self.norm)) if T is float else self.norm
        size = self.size or 0
        values = [[T(0)] * size]
        for i in range(min(size, 3)):
            for end in (T(top), -T(top)):
                values.append([end if j == i else T(0) for j in range(size)])
        return [value for value in values if self.member(value)]

    def outside(self) -> list[Any]:
        """Return vectors that are hardly too long, and vectors of another size."""
        T = self.element_domain.T
        top = T(round_down(to_mpq(self.norm))) if T is float else T(self.norm)
        more = math.nextafter(top, math.inf) if T is float else top + 1
        size = self.size or 0
        values = [[more] + [T(0)] * (size - 1), [T(0)] * (size + 1), [top] * size]
        return [value for value in values if not self.member(value)]

    def moved(self, x: Data) -> SearchStrategy[list[Any]]:
        """Return a strategy of vectors near `x`, within the norm."""
        return self.vectors.moved(x).filter(self.member)

    def forms(self, value: Data) -> list[Any]:
        """Return arrays with exactly the entries of a list."""
        return [form for form in self.vectors.forms(value) if self.member(form)]

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return self.vectors.carrier_type

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + self.element_domain.depth

    def __repr__(self) -> str:
        inside = f"{self.element_domain!r}, size={self.size}"
        return f"BallDomain({inside}, norm={self._norm}, p={self.p})"


def ball_domain(
    atom_domain: AtomDomain, size: ExactNumber, norm: ExactNumber, p: ExactNumber = 2
) -> BallDomain:
    """Return the domain of vectors whose Lp norm is at most `norm`, exactly.

    :param atom_domain: domain of the entries: int, float (no NaN) or Fraction
    :param size: number of entries, which is public
    :param norm: the greatest norm, exact: int, float, Fraction, Decimal or text
    :param p: 1 for the sum of the absolute values, 2 for the root of that of squares

    >>> from opendp_lite.core.domains.atom import atom_domain
    >>> ball = ball_domain(atom_domain(T=int), size=2, norm=5, p=2)
    >>> ball.member([3, 4]), ball.member([4, 4])
    (True, False)
    """
    return BallDomain(atom_domain, size, norm, p)
