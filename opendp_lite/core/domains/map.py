"""The domain of dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.data.edge_values import edited_map

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
from opendp_lite.core.domains.domain import check_inside
from opendp_lite.core.domains.option import OptionDomain
from opendp_lite.core.domains.product import ProductDomain

_MOST_KEYS = 5


@attrs.frozen(repr=False)
class MapDomain(Domain):
    """Dictionaries from members of `key_domain` to members of `value_domain`."""

    key_domain: Domain
    value_domain: Domain

    def __attrs_post_init__(self) -> None:
        check_inside(key_domain=self.key_domain, value_domain=self.value_domain)
        keys = self.key_domain
        while isinstance(keys, OptionDomain):
            keys = keys.element_domain
        if isinstance(keys, AtomDomain) and keys.nan:
            # A dict can hold several NaN, which no metric could tell apart.
            rule, fix = "keys must not be NaN", "Use atom_domain(T=float, nan=False)"
            raise refusal("MakeDomain", "key_domain", self.key_domain, rule, fix)
        if isinstance(keys, ProductDomain):
            # Two tuples that a dict tells apart may hold the same Python values.
            rule, fix = "keys must not be tuples", "Pass a domain of single values"
            raise refusal("MakeDomain", "key_domain", self.key_domain, rule, fix)

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


def map_domain(key_domain: Domain, value_domain: Domain) -> MapDomain:
    """Return the domain of dictionaries.

    :param key_domain: domain of the keys
    :param value_domain: domain of the values

    >>> from opendp_lite.core.domains.atom import atom_domain
    >>> map_domain(atom_domain(T=str), atom_domain(T=int)).member({"a": 1})
    True
    """
    return MapDomain(key_domain, value_domain)
