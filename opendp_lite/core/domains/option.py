"""The domain of values that may be missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.core.domains.domain import Domain, check_inside
from opendp_lite.data.edge_values import made_once

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


@attrs.frozen(repr=False)
class OptionDomain(Domain):
    """Members of `element_domain`, and None for a missing value."""

    element_domain: Domain

    def __attrs_post_init__(self) -> None:
        check_inside(element_domain=self.element_domain)

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

        element = self.element_domain.members()
        return made_once((type(self), element), lambda: st.none() | element)

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


def option_domain(element_domain: Domain, D: object = None) -> OptionDomain:
    """Return the domain of values that may be missing (None).

    :param element_domain: domain of the values that are there
    :param D: not needed; OpenDP has it

    >>> from opendp_lite.core.domains.atom import atom_domain
    >>> option_domain(atom_domain(T=str)).member(None)
    True
    """
    return OptionDomain(element_domain)
