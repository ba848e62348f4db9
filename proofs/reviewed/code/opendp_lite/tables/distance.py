# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.distance; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections import Counter
from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import rows
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.counting import CountingMetric
from opendp_lite.data.identity import key
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.terms import atom_of
from typing import Any
import attrs

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === IdentifierDistance.distance with Data, CountingMetric, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class IdentifierDistance(CountingMetric):
    def distance(self, x: Data, y: Data) -> int:
        left, right = self._people(x), self._people(y)
        changed = [p for p in left.keys() | right.keys() if left.get(p) != right.get(p)]
        return sum((p in left) + (p in right) for p in changed)


# === IdentifierDistance._people with Counter, Data, rows, CountingMetric, key, Any,
#    attrs, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class IdentifierDistance(CountingMetric):
    identifier: str = attrs.field()
    def _people(self, table: Data) -> dict[Any, Counter[Any]]:
        people: dict[Any, Counter[Any]] = {}
        for row in rows(table):
            person = people.setdefault(key(row[self.identifier]), Counter())
            person[key(row)] += 1
        return people


# === IdentifierDistance.objection with Domain, CountingMetric, TableDomain, atom_of,
#    attrs
@attrs.frozen(repr=False)
class IdentifierDistance(CountingMetric):
    identifier: str = attrs.field()
    def objection(self, domain: Domain) -> str | None:
        columns = domain.declared if isinstance(domain, TableDomain) else {}
        if self.identifier not in columns:
            return (
                f"it compares people by the column {self.identifier!r}, which the "
                "domain must declare in a table_domain"
            )
        if atom_of(columns[self.identifier]).T not in (int, str):
            return f"the identifier {self.identifier!r} must be int or str"
        return None
