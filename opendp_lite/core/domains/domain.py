"""What a domain is: a set of values; and what domains built on others share.

A domain answers three questions: is this value a member (`member`), how is the rule
said to a person (`rule`), and is every member of that other domain one of mine
(`contains`). `member` never raises and never changes its argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from opendp_lite.base.aliases import Array, Data, ExactNumber
from opendp_lite.base.arguments import check_type, integer_argument
from opendp_lite.base.errors import OpenDPTypeError, refusal
from opendp_lite.base.ownership import Described
from opendp_lite.data.type_arguments import DEEPEST
from opendp_lite.show.texts import form

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LONG = 2**8
"""Of fewer floats a list is not worth what reading it loads."""


class Domain(Described):
    """A set of values. Equality of domains is equality of descriptions."""

    def member(self, value: Data) -> bool:
        """Return whether `value` belongs to the domain."""
        raise TypeError(f"{type(self).__name__} does not say what its members are")

    def rule(self) -> str:
        """Return the membership rule as constant text."""
        raise TypeError(f"{type(self).__name__} does not say what its members are")

    def contains(self, other: Domain) -> bool:
        """Return whether every member of `other` is surely a member of this domain."""
        return self == other

    def all_members(self, values: list[Data]) -> bool:
        """Return whether every element of a list is a member."""
        return all(map(self.member, values))

    def all_array_members(self, array: Array) -> bool:
        """Return whether an array of numpy is one of members, row by row.

        It has one dimension, or two if members have `columns`. By default none is.
        """
        return False

    @property
    def columns(self) -> int | None:
        """How many columns a matrix has whose rows are members; None if none is one."""
        return None

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return type(self).__name__

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside; its members nest no deeper.

        >>> from opendp_lite.core.domains.atom import AtomDomain
        >>> AtomDomain(T=int).depth
        0
        """
        return 0

    def received(self, value: Data) -> Any:
        """Return what `value` stands for at the door, perhaps a member; or itself."""
        return value

    def open_data(self, value: Data) -> Any:
        """Return what a Context opens a session on: `value`, or what it stands for.

        A domain may raise here, and say more about the form of `value` than `refuse`.
        """
        return value

    def read(self, value: Data, least: int = LONG) -> tuple[bool, Any]:
        """Return whether `value` is a member, and itself, or an array in its place.

        An array of float64 stands for a list of `least` floats or more, if that is a
        member.
        """
        return self.member(value), value

    def admitted(self, value: Data) -> Any:
        """Return the member that `value`, which is none, stands for, or raise."""
        stands_for = self.received(value)  # proof: received
        if stands_for is value or not self.member(stands_for):  # proof: member
            self.refuse(value)
        return stands_for

    def require(self, value: Data) -> None:
        """Raise, by its form alone, unless `value` is a member."""
        if not self.member(value):
            self.refuse(value)

    def refuse(self, value: Data) -> NoReturn:
        """Raise because `value` is not a member; the text tells of its form only."""
        raise OpenDPTypeError(
            "FailedFunction",
            f"{form(value)} was passed, which is not a member of {self!r}: a member is "
            f"{self.rule()}. Nothing was computed or released. {self.remedy(value)}",
        )

    def remedy(self, value: Data) -> str:
        """Return what to do of a value that is no member; its form alone decides."""
        return (
            "Bring raw data into the domain with total functions (make_cast_default, "
            "make_impute_constant, make_clamp), or describe it by a wider domain."
        )

    def __rshift__(self, other: object) -> NoReturn:
        usual = ", or space_of(domain) >> ... for the usual metric"
        raise OpenDPTypeError(
            "Unsupported",
            f"{self!r} has no metric, which says how far neighbours are apart. Write "
            "(domain, metric) >> ..., for example with symmetric_distance()"
            f"{'' if self.usual_metric is None else usual}.",
        )

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the domain, and what its members are."""
        from opendp_lite.show.texts import table

        return table(repr(self), [("a member is", self.rule())])

    @property
    def opaque(self) -> bool:
        """Whether only its owner knows what it is made of; metrics take his word."""
        return False

    @property
    def row_domain(self) -> Domain | None:
        """The domain of the rows, if members are lists or arrays of rows."""
        return None

    @property
    def has_rows(self) -> bool:
        """Whether members have rows, which metrics can count."""
        return self.row_domain is not None

    @property
    def holds_text(self) -> bool:
        """Whether members are texts, whose rows are their lines."""
        return False

    @property
    def entry_domain(self) -> Domain | None:
        """The domain of the values, if members are dictionaries."""
        return None

    @property
    def part_domains(self) -> tuple[Domain, ...] | None:
        """The domains of the places, if members are tuples."""
        return None

    @property
    def atom_type(self) -> type | None:
        """The type of the single values that members are made of, if it is one."""
        return None

    @property
    def array_words(self) -> str | None:
        """Which arrays of numpy have members as rows; None if none has."""
        return None

    @property
    def holds_numbers(self) -> bool:
        """Whether all members are numbers, and none is NaN."""
        return False

    @property
    def usual_metric(self) -> Any:
        """The metric of a space if none is named: its name or class, or None."""
        return None

    @property
    def query_hint(self) -> str:
        """How to query a Context about members, if not by `Context.query`."""
        return ""

    def without_nan(self) -> Domain:
        """Return the same domain without NaN."""
        return self

    def hint(self, expected: Domain) -> str | None:
        """Return what to insert in a chain before `expected`, if anything helps."""
        return None

    def row_hint(self, expected: Domain) -> str | None:
        """As `hint`, for vectors whose rows are members."""
        return None

    def members(self) -> SearchStrategy[Any]:
        """Return a strategy of members, random and extreme ones."""
        raise TypeError(
            f"no members of {self!r} are known: pass data=... to the contract"
        )

    def extremes(self) -> list[Any]:
        """Return the farthest members, to be tried in every run; none if unknown."""
        return []

    def outside(self) -> list[Any]:
        """Return values that are hardly no members, to see that they are refused."""
        return []

    def edited(self, x: Data, resize: bool) -> SearchStrategy[Any]:
        """Return a strategy of `x` with some parts replaced, most of them members.

        With `resize`, parts are added and left out instead.
        """
        from hypothesis import strategies as st

        return st.just(x) | self.members()

    def moved(self, x: Data) -> SearchStrategy[Any]:
        """Return a strategy of `x` with its numbers changed a little."""
        return self.edited(x, False)

    def reordered(self, x: Data) -> SearchStrategy[Any]:
        """Return a strategy of `x` in other orders, where members have an order."""
        from hypothesis import strategies as st

        return st.just(x)

    def forms(self, value: Data) -> list[Any]:
        """Return numpy arrays or scalars that are members and stand for `value`."""
        return []


DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"


def public_size(size: ExactNumber | None) -> int | None:
    """Return the size as an int: maps multiply it, and another type would round."""
    if size is None:
        return None
    fix = "Pass the public number of rows or bits, or leave size out"
    return integer_argument(
        "MakeDomain", "size", size, fix=fix, at_least=0, at_most=2**63 - 1
    )


def check_inside(**inner: Any) -> None:
    """Refuse what is no domain, and domains inside of which too many others lie."""
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, DOMAIN_FIX)
