"""The domain of tuples: one member of each of several domains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain, check_inside

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


_PARTS_FIX = "Pass a list of domains, such as [atom_domain(T=int), atom_domain(T=str)]"


def _listed(parts: object) -> Any:
    """Return a list as a tuple, which does not change, and leave the rest alone."""
    return tuple(parts) if type(parts) is list else parts


@attrs.frozen(repr=False)
class ProductDomain(Domain):
    """Tuples that hold, at each place, a member of the domain of that place."""

    parts: tuple[Domain, ...] = attrs.field(converter=_listed)

    def __attrs_post_init__(self) -> None:
        if type(self.parts) is not tuple or not self.parts:
            rule = "must be a list that holds at least one domain"
            raise refusal("MakeDomain", "parts", self.parts, rule, _PARTS_FIX)
        check_inside(**{f"parts[{i}]": part for i, part in enumerate(self.parts)})

    def member(self, value: Data) -> bool:
        """Return whether `value` is a tuple of members, as many as there are parts."""
        return (
            type(value) is tuple
            and len(value) == len(self.parts)
            and all(part.member(v) for part, v in zip(self.parts, value, strict=True))
        )

    def rule(self) -> str:
        """Return the rule as constant text."""
        inside = "; ".join(f"[{i}] {each.rule()}" for i, each in enumerate(self.parts))
        return f"a tuple of length {len(self.parts)} that holds {inside}"

    def contains(self, other: Domain) -> bool:
        """Return whether the parts of `other` fit, one by one."""
        return (
            isinstance(other, ProductDomain)
            and len(self.parts) == len(other.parts)
            and all(a.contains(b) for a, b in zip(self.parts, other.parts, strict=True))
        )

    @property
    def part_domains(self) -> tuple[Domain, ...]:
        """The domains of the places."""
        return self.parts

    def remedy(self, value: Data) -> str:
        """Return what to do of a value that is no member; its form alone decides."""
        return f"Pass a tuple of {len(self.parts)}, in the order of the parts."

    def without_nan(self) -> ProductDomain:
        """Return the same domain without NaN in any part."""
        return ProductDomain(tuple(part.without_nan() for part in self.parts))

    def members(self) -> SearchStrategy[tuple[Any, ...]]:
        """Return a strategy of tuples of members."""
        from hypothesis import strategies as st

        return st.tuples(*(part.members() for part in self.parts))

    def extremes(self) -> list[Any]:
        """Return tuples of extreme members, as many as the part with the fewest."""
        return list(zip(*(part.extremes() for part in self.parts), strict=False))

    def outside(self) -> list[Any]:
        """Return tuples with one wrong part, of a wrong length, and no tuple."""
        found: list[Any] = []
        for each in self.extremes()[:1]:
            found += [(*each, each[0]), each[1:], list(each)]
            for i, part in enumerate(self.parts):
                found += [(*each[:i], v, *each[i + 1 :]) for v in part.outside()[:2]]
        return found

    def edited(self, x: Data, resize: bool) -> SearchStrategy[tuple[Any, ...]]:
        """Return a strategy of tuples with parts that are edited, or left alone."""
        return self._each(x, lambda part, v: part.edited(v, resize))

    def moved(self, x: Data) -> SearchStrategy[tuple[Any, ...]]:
        """Return a strategy of tuples with parts that are moved, or left alone."""
        return self._each(x, lambda part, v: part.moved(v))

    def reordered(self, x: Data) -> SearchStrategy[tuple[Any, ...]]:
        """Return a strategy of tuples with parts in other orders."""
        return self._each(x, lambda part, v: part.reordered(v))

    def _each(self, x: Data, near: Any) -> SearchStrategy[tuple[Any, ...]]:
        from hypothesis import strategies as st

        pairs = zip(self.parts, x, strict=True)
        return st.tuples(*(st.just(v) | near(part, v) for part, v in pairs))

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return f"({', '.join(part.carrier_type for part in self.parts)})"

    @property
    def depth(self) -> int:
        """How many domains lie within one another inside."""
        return 1 + max(part.depth for part in self.parts)

    def __repr__(self) -> str:
        return f"ProductDomain([{', '.join(map(repr, self.parts))}])"


def product_domain(parts: Sequence[Domain]) -> ProductDomain:
    """Return the domain of tuples with one member of each of several domains.

    :param parts: the domain of each place, at least one

    >>> from opendp_lite.core.domains.atom import atom_domain
    >>> pairs = product_domain([atom_domain(T=int), atom_domain(T=str)])
    >>> pairs.member((1, "a")), pairs.member((1, 2))
    (True, False)
    """
    return ProductDomain(parts)
