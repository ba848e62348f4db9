"""The metric of people: how many were added or removed with all their rows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.metrics.counting import CountingMetric
from opendp_lite.data.identity import key
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.terms import atom_of

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["IdentifierDistance", "symmetric_id_distance"]


@attrs.frozen(repr=False)
class IdentifierDistance(CountingMetric):
    """People added or removed with all their rows; one whose rows changed is two.

    d(x, x') is the sum, over all p with x_p != x'_p, of [x_p is not empty] +
    [x'_p is not empty], where x_p is the multiset of rows of x whose `identifier` is p.
    Rows whose identifier is missing are those of one more person.
    """

    identifier: str = attrs.field()

    @identifier.validator
    def _is_name(self, field: object, name: object) -> None:
        if type(name) is not str:
            rule, fix = "must be the name of a column", "Pass its text, such as 'id'"
            raise refusal("MetricSpace", "identifier", name, rule, fix)

    def distance(self, x: Data, y: Data) -> int:
        """Return the number of people added and removed; of people changed, twice."""
        left, right = self._people(x), self._people(y)
        changed = [p for p in left.keys() | right.keys() if left.get(p) != right.get(p)]
        return sum((p in left) + (p in right) for p in changed)

    def _people(self, table: Data) -> dict[Any, Counter[Any]]:
        """Return the rows of each person who has any."""
        people: dict[Any, Counter[Any]] = {}
        for row in rows(table):
            person = people.setdefault(key(row[self.identifier]), Counter())
            person[key(row)] += 1
        return people

    def objection(self, domain: Domain) -> str | None:
        """People live in tables, and have an identifier that is no float."""
        columns = domain.declared if isinstance(domain, TableDomain) else {}
        if self.identifier not in columns:
            return (
                f"it compares people by the column {self.identifier!r}, which the "
                "domain must declare in a table_domain"
            )
        if atom_of(columns[self.identifier]).T not in (int, str):
            return f"the identifier {self.identifier!r} must be int or str"
        return None

    @classmethod
    def of_type(cls, T: TypeArgument | None) -> Metric | None:
        """Return nothing: a name alone does not say which column it is."""
        return None

    def near(self, domain: Domain, x: Data) -> SearchStrategy[Any]:
        """People added, removed, and given other rows, in any order."""
        from hypothesis import strategies as st

        @st.composite
        def people(draw: DrawFn) -> Any:
            assert isinstance(domain, TableDomain)
            data = list(rows(x))
            for _ in range(draw(st.integers(0, 2))):
                names = [row[self.identifier] for row in data]
                new = draw(domain.row())
                known = st.sampled_from(names) if names else st.nothing()
                who = draw(known | st.just(new[self.identifier]))
                theirs = [row for row in data if key(row[self.identifier]) == key(who)]
                data = [row for row in data if key(row[self.identifier]) != key(who)]
                kept = draw(st.integers(0, len(theirs))) if theirs else 0
                added = draw(st.lists(domain.row(), max_size=2))
                data += theirs[:kept] if draw(st.booleans()) else []
                data += [{**row, self.identifier: who} for row in added]
            return domain.of_rows(draw(st.permutations(data)))

        return people()

    def __repr__(self) -> str:
        return f"IdentifierDistance({self.identifier!r})"


def symmetric_id_distance(identifier: str) -> IdentifierDistance:
    """Return the distance of people: added or removed with all their rows.

    One whose rows changed counts as two, as if one had left and another had come.

    :param identifier: the column that says whose row it is

    >>> symmetric_id_distance("id").distance(
    ...     {"id": [1, 1, 2], "v": [5, 6, 7]}, {"id": [1, 3], "v": [5, 7]})
    4
    """
    return IdentifierDistance(identifier)
