"""Domains: the sets of values that functions may be applied to.

Single values are in `opendp_lite.core.atom`; here are the domains built on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.core.aliases import Data, ExactNumber
from opendp_lite.core.arguments import check_type, check_user_part, integer_argument
from opendp_lite.core.atom import AtomDomain, Domain, atom_domain
from opendp_lite.core.carrier import DEEPEST
from opendp_lite.core.containers import is_array, native
from opendp_lite.core.edge_values import edited_map, edited_rows
from opendp_lite.core.errors import printed, refusal
from opendp_lite.core.forms import array_forms

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = [
    "AtomDomain",
    "BitVectorDomain",
    "Domain",
    "MapDomain",
    "OptionDomain",
    "UserDomain",
    "VectorDomain",
    "atom_domain",
    "bitvector_domain",
    "map_domain",
    "option_domain",
    "user_domain",
    "vector_domain",
]

_DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"
_MOST_ROWS = 8  # of a vector that a contract tries
_MOST_KEYS = 5
_MOST_BYTES = 4


def _public_size(size: ExactNumber | None) -> int | None:
    """Return the size as an int: maps multiply it, and another type would round."""
    if size is None:
        return None
    fix = "Pass the public number of rows or bits, or leave size out"
    return integer_argument(
        "MakeDomain", "size", size, fix=fix, at_least=0, at_most=2**63 - 1
    )


def _public_weight(max_weight: ExactNumber | None) -> int | None:
    """Return the bound on the number of ones as an int."""
    if max_weight is None:
        return None
    fix = "Pass a whole number, or leave max_weight out"
    return integer_argument(
        "MakeDomain", "max_weight", max_weight, fix=fix, at_least=0, at_most=2**63 - 1
    )


def _check_inside(**inner: Any) -> None:
    """Refuse what is no domain, and domains inside of which too many others lie."""
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, _DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, _DOMAIN_FIX)


@attrs.frozen(repr=False)
class VectorDomain(Domain):
    """Lists and one-dimensional numpy arrays of members of `element_domain`.

    `size`, if given, is the number of elements, and is public.
    """

    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=_public_size)

    def __attrs_post_init__(self) -> None:
        _check_inside(element_domain=self.element_domain)

    def member(self, value: Data) -> bool:
        """Return whether `value` is a list or array of members, of the right size."""
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

    def rule(self) -> str:
        """Return the rule as constant text."""
        size = "" if self.size is None else f" of length {self.size}"
        words = self.element_domain.array_words
        array = f", or a 1-d numpy array of {words}" if words else ""
        each = self.element_domain.rule()
        return f"a list{size} in which each element is {each}{array}"

    def contains(self, other: Domain) -> bool:
        """Return whether elements and size of `other` fit.

        Arrays are members only of vectors of atoms, so those fit only in each other.
        """
        if not isinstance(other, VectorDomain) or self.size not in (None, other.size):
            return False
        mine, theirs = self.element_domain, other.element_domain
        arrays = isinstance(mine, AtomDomain) == isinstance(theirs, AtomDomain)
        return arrays and mine.contains(theirs)

    @property
    def row_domain(self) -> Domain:
        """The domain of the rows."""
        return self.element_domain

    @property
    def atom_type(self) -> type | None:
        """The type of the single values that the rows are made of."""
        return self.element_domain.atom_type

    @property
    def usual_metric(self) -> str:
        """Data sets are as far apart as the rows that were added or removed."""
        return "SymmetricDistance"

    def without_nan(self) -> VectorDomain:
        """Return the same domain without NaN in the rows."""
        return VectorDomain(self.element_domain.without_nan(), self.size)

    def hint(self, expected: Domain) -> str | None:
        """Return a step for the size, or for the rows."""
        if not isinstance(expected, VectorDomain):
            return None  # casts and the like work on rows
        if expected.size not in (None, self.size):
            return f"The right side needs the public size {expected.size}."
        return self.element_domain.row_hint(expected.element_domain)

    def members(self) -> SearchStrategy[list[Any]]:
        """Return a strategy of lists, of many rows and of a few that repeat."""
        from hypothesis import strategies as st

        row = self.element_domain.members()
        least = self.size or 0
        most = _MOST_ROWS if self.size is None else self.size
        few = st.lists(row, min_size=1, max_size=2).flatmap(
            lambda rows: st.lists(st.sampled_from(rows), min_size=least, max_size=most)
        )
        return st.lists(row, min_size=least, max_size=most) | few

    def extremes(self) -> list[Any]:
        """Return lists of the extreme rows: each alone, all of them, none."""
        rows = self.element_domain.extremes()
        lists = [[row] * (self.size or 1) for row in rows]
        lists += [rows, rows[::-1], []]
        return [each for each in lists if self.member(each)]

    def outside(self) -> list[Any]:
        """Return lists with a wrong row, and with a row too many."""
        lists = [[row] * (self.size or 1) for row in self.element_domain.outside()]
        if self.size is not None:
            lists += [[row] * (self.size + 1) for row in self.element_domain.extremes()]
        return [each for each in lists if not self.member(each)]

    def edited(self, x: Data, resize: bool) -> SearchStrategy[list[Any]]:
        """Return a strategy of lists with other rows, or with more and fewer rows."""
        row = self.element_domain.members()
        return edited_rows(row, list(x), resize and self.size is None)

    def moved(self, x: Data) -> SearchStrategy[list[Any]]:
        """Return a strategy of lists in which each row is moved a little."""
        from hypothesis import strategies as st

        rows = map(self.element_domain.moved, x)
        return st.tuples(*rows).map(list)

    def reordered(self, x: Data) -> SearchStrategy[list[Any]]:
        """Return a strategy of the rows in any order."""
        from hypothesis import strategies as st

        return st.permutations(x)

    def forms(self, value: Data) -> list[Any]:
        """Return arrays with exactly the rows of a list of atoms.

        One of them is not contiguous and one cannot be written to.
        """
        T = self.atom_type
        if type(value) is not list or T is None:
            return []
        forms = [form for form in array_forms(value, T) if self.member(form)]
        if forms:
            apart = forms[0].repeat(2)[::2]
            fixed = forms[0].copy()
            fixed.flags.writeable = False
            forms += [apart, fixed]
        return forms

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return f"Vec<{self.element_domain.carrier_type}>"

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + self.element_domain.depth

    def __repr__(self) -> str:
        size = "" if self.size is None else f", size={self.size}"
        return f"VectorDomain({self.element_domain!r}{size})"


@attrs.frozen(repr=False)
class OptionDomain(Domain):
    """Members of `element_domain`, and None for a missing value."""

    element_domain: Domain

    def __attrs_post_init__(self) -> None:
        _check_inside(element_domain=self.element_domain)

    def member(self, value: Data) -> bool:
        """Return whether `value` is None or a member of the element domain."""
        return value is None or self.element_domain.member(value)

    def all_members(self, values: list[Data]) -> bool:
        """As `member` for each; as quick as the element domain."""
        return self.element_domain.all_members([v for v in values if v is not None])

    def rule(self) -> str:
        """Return the rule as constant text."""
        return f"None or {self.element_domain.rule()}"

    def contains(self, other: Domain) -> bool:
        """Return whether `other` is optional or plain with elements that fit."""
        inner = other.element_domain if isinstance(other, OptionDomain) else other
        return self.element_domain.contains(inner)

    def row_hint(self, expected: Domain) -> str | None:
        """Return the step that replaces missing values."""
        if isinstance(expected, OptionDomain):
            return None
        return "Insert then_impute_constant(...) to replace missing values."

    def members(self) -> SearchStrategy[Any]:
        """Return a strategy of None and of members of the element domain."""
        from hypothesis import strategies as st

        return st.none() | self.element_domain.members()

    def extremes(self) -> list[Any]:
        """Return None and the farthest members of the element domain."""
        return [None, *self.element_domain.extremes()]

    def outside(self) -> list[Any]:
        """Return what is hardly no member of the element domain."""
        return self.element_domain.outside()

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return f"Option<{self.element_domain.carrier_type}>"

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + self.element_domain.depth

    def __repr__(self) -> str:
        return f"OptionDomain({self.element_domain!r})"


@attrs.frozen(repr=False)
class MapDomain(Domain):
    """Dictionaries from members of `key_domain` to members of `value_domain`."""

    key_domain: Domain
    value_domain: Domain

    def __attrs_post_init__(self) -> None:
        _check_inside(key_domain=self.key_domain, value_domain=self.value_domain)
        keys = self.key_domain
        inner = keys.element_domain if isinstance(keys, OptionDomain) else None
        if any(isinstance(each, AtomDomain) and each.nan for each in (keys, inner)):
            # A dict can hold several NaN, which no metric could tell apart.
            rule, fix = "keys must not be NaN", "Use atom_domain(T=float, nan=False)"
            raise refusal("MakeDomain", "key_domain", keys, rule, fix)

    def member(self, value: Data) -> bool:
        """Return whether `value` is a dict with keys and values in the domains.

        No two keys may stand for the same Python value: numpy reads its text without
        the null characters at the end, but compares it with them.
        """
        return (
            type(value) is dict
            and self.key_domain.all_members(list(value.keys()))
            and self.value_domain.all_members(list(value.values()))
            and len(set(map(native, value))) == len(value)
        )

    def rule(self) -> str:
        """Return the rule as constant text."""
        return (
            f"a dict in which each key is {self.key_domain.rule()} "
            f"and each value is {self.value_domain.rule()}"
        )

    def contains(self, other: Domain) -> bool:
        """Return whether keys and values of `other` fit."""
        return (
            isinstance(other, MapDomain)
            and self.key_domain.contains(other.key_domain)
            and self.value_domain.contains(other.value_domain)
        )

    @property
    def entry_domain(self) -> Domain:
        """The domain of the values."""
        return self.value_domain

    def members(self) -> SearchStrategy[dict[Any, Any]]:
        """Return a strategy of dictionaries of a few keys."""
        from hypothesis import strategies as st

        keys, values = self.key_domain.members(), self.value_domain.members()
        return st.dictionaries(keys, values, max_size=_MOST_KEYS)

    def extremes(self) -> list[Any]:
        """Return maps with each extreme value, and one with all extreme keys."""
        keys, values = self.key_domain.extremes(), self.value_domain.extremes()
        if not keys or not values:
            return []
        maps = [{keys[0]: value} for value in values] + [dict.fromkeys(keys, values[0])]
        return [each for each in maps if self.member(each)]

    def outside(self) -> list[Any]:
        """Return maps with a wrong value."""
        keys = self.key_domain.extremes()[:1]
        return [{key: value} for key in keys for value in self.value_domain.outside()]

    def edited(self, x: Data, resize: bool) -> SearchStrategy[dict[Any, Any]]:
        """Return a strategy of maps with other keys and values."""
        return edited_map(self.key_domain.members(), self.value_domain.members(), x)

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        keys, values = self.key_domain.carrier_type, self.value_domain.carrier_type
        return f"HashMap<{keys}, {values}>"

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + max(self.key_domain.depth, self.value_domain.depth)

    def __repr__(self) -> str:
        return f"MapDomain({self.key_domain!r}, {self.value_domain!r})"


@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    """Bit vectors as `bytes`, most significant bit first.

    `size` is the public number of bits; bits past it in the last byte are zero.
    `max_weight` bounds the number of ones.
    """

    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=_public_size)

    def member(self, value: Data) -> bool:
        """Return whether `value` is bytes of the right length and weight."""
        if type(value) is not bytes:
            return False
        bits = int.from_bytes(value, "big")
        if self.size is not None:
            padding = -self.size % 8
            if 8 * len(value) != self.size + padding or bits & ((1 << padding) - 1):
                return False
        return self.max_weight is None or bits.bit_count() <= self.max_weight

    def rule(self) -> str:
        """Return the rule as constant text."""
        size = "" if self.size is None else f" holding {self.size} bits"
        weight = ""
        if self.max_weight is not None:
            weight = f" with at most {self.max_weight} ones"
        return f"a bytes object{size}{weight}"

    def contains(self, other: Domain) -> bool:
        """Return whether size and weight of `other` fit."""
        if not isinstance(other, BitVectorDomain):
            return False
        if self.size not in (None, other.size):
            return False
        if self.max_weight is None:
            return True
        return other.max_weight is not None and other.max_weight <= self.max_weight

    def members(self) -> SearchStrategy[bytes]:
        """Return a strategy of bit vectors of the right length and weight."""
        from hypothesis import strategies as st

        @st.composite
        def vectors(draw: DrawFn) -> bytes:
            size = self.size
            if size is None:
                size = 8 * draw(st.integers(0, _MOST_BYTES))
            most = size if self.max_weight is None else min(size, self.max_weight)
            places = st.sets(st.integers(0, size - 1), max_size=most)
            ones = draw(places) if most else set()
            length = -(-size // 8)
            value = sum(1 << (8 * length - 1 - one) for one in ones)
            return value.to_bytes(length, "big")

        return vectors()

    def outside(self) -> list[Any]:
        """Return bytes that are too many, too heavy, or have a bit past the last."""
        length = _MOST_BYTES if self.size is None else -(-self.size // 8)
        values = [
            bytes(length + 1),
            bytes([255] * length),
            bytes(length)[:-1] + b"\x01",
        ]
        return [value for value in values if not self.member(value)]

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "BitVector"

    def __repr__(self) -> str:
        names = ("max_weight", "size")
        given = [(n, getattr(self, n)) for n in names if getattr(self, n) is not None]
        return f"BitVectorDomain({', '.join(f'{n}={v}' for n, v in given)})"


@attrs.frozen(repr=False)
class UserDomain(Domain):
    """A domain described by the user: an identifier, a membership test, a descriptor.

    Two user domains are equal when identifier and descriptor are.
    """

    identifier: str
    test: Callable[[Any], bool] = attrs.field(eq=False)
    descriptor: Any = None

    def __attrs_post_init__(self) -> None:
        check_user_part("MakeDomain", self, "Pass a name that no other user domain has")
        if not callable(self.test):
            rule = "must be callable"
            fix = "Pass a function from a value to True or False"
            raise refusal("MakeDomain", "member", self.test, rule, fix)

    def member(self, value: Data) -> bool:
        """Return what the user's test says; a test that raises says no."""
        try:
            return bool(self.test(value))
        except Exception:
            return False

    def rule(self) -> str:
        """Return the rule as constant text."""
        return f"what the membership test of {self.identifier!r} accepts"

    @property
    def opaque(self) -> bool:
        """Only the user knows what it is made of."""
        return True

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "ExtrinsicObject"

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDomain({self.identifier!r}{tail})"


def vector_domain(atom_domain: Domain, size: ExactNumber | None = None) -> VectorDomain:
    """Return the domain of lists and arrays, of public `size` if given.

    :param atom_domain: domain of the rows
    :param size: number of rows, if it is public

    >>> vector_domain(atom_domain(T=int), size=2).member([1, 2])
    True
    """
    check_type("MakeDomain", "atom_domain", atom_domain, Domain, _DOMAIN_FIX)
    return VectorDomain(atom_domain, size)


def option_domain(element_domain: Domain, D: object = None) -> OptionDomain:
    """Return the domain of values that may be missing (None).

    :param element_domain: domain of the values that are there
    :param D: not needed; OpenDP has it

    >>> option_domain(atom_domain(T=str)).member(None)
    True
    """
    return OptionDomain(element_domain)


def map_domain(key_domain: Domain, value_domain: Domain) -> MapDomain:
    """Return the domain of dictionaries.

    :param key_domain: domain of the keys
    :param value_domain: domain of the values

    >>> map_domain(atom_domain(T=str), atom_domain(T=int)).member({"a": 1})
    True
    """
    return MapDomain(key_domain, value_domain)


def bitvector_domain(
    max_weight: ExactNumber | None = None, size: ExactNumber | None = None
) -> BitVectorDomain:
    """Return the domain of bit vectors (bytes).

    :param max_weight: greatest number of ones, if there is one
    :param size: number of bits, if it is public

    >>> bitvector_domain(max_weight=1, size=8).member(bytes([4]))
    True
    """
    return BitVectorDomain(max_weight, size)


def user_domain(
    identifier: str, member: Callable[[Any], bool], descriptor: object = None
) -> UserDomain:
    """Return a domain of the user's own.

    What `member` says cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other domain of the user has
    :param member: the function that says whether a value is a member
    :param descriptor: what else tells such domains apart

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_domain("even", lambda x: isinstance(x, int) and x % 2 == 0).member(3)
    False
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDomain(identifier, member, descriptor)
