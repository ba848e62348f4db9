"""How much of one person counts in a query about a table: `rows` and `groups`.

A table with an identifier may hold any number of rows of a person. A query counts a
part of them, and no interval shows how much it left out. So there is no default: a
query without a bound that it needs is refused, and the preview, the answer and the
record repeat the bounds in one sentence, which `Bounds.sentence` makes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import write_number
from opendp_lite.core.metrics import Metric
from opendp_lite.solving.refused import ContextError, refused
from opendp_lite.tables.aggregates import Aggregate
from opendp_lite.tables.distance import IdentifierDistance

_OF_ROWS = ("count", "sum", "mean", "variance", "quantiles", "histogram", "misfits")
# A person may have several of these under one key, and each counts as a group.
_CELLS = {"quantiles": "bin", "histogram": "bin", "n_unique": "value"}
_FIX = "Pass how much of one person may count, such as 1"
_NO_PERSON = "bounds what a person adds, and the table has no identifier"
_NO_PERSON_FIX = "Leave it out, or use unit_of(contributions=1, identifier=...)"
_CHOICES = (
    ("each person has one row", {"rows": 1, "groups": 1}),
    ("a person may have many rows", {"rows": 10, "groups": 5}),
)


@attrs.frozen
class Bounds:
    """How many rows of a person count in each group, and in how many groups.

    Each is None if it was not given. Without an identifier both are None.
    """

    identifier: str | None
    rows: int | None = None
    groups: int | None = None

    @classmethod
    def of(cls, metric: Metric) -> Bounds:
        """Return the bounds of a query that gives none yet.

        :param metric: of the table
        """
        return cls(
            metric.identifier if isinstance(metric, IdentifierDistance) else None
        )

    def with_given(self, rows: object, groups: object) -> Bounds:
        """Return the bounds with two more, or refuse these.

        :param rows: as the user passed it; None leaves it as it is
        :param groups: likewise
        """
        found: dict[str, Any] = {}
        for name, given in (("rows", rows), ("groups", groups)):
            if given is None:
                continue
            if self.identifier is None:
                raise refused(name, given, _NO_PERSON, _NO_PERSON_FIX)
            number = integer_argument("Context", name, given, fix=_FIX, at_least=1)
            before = getattr(self, name)
            if before not in (None, number):
                rule = f"the query was given {name}={write_number(before)} before"
                raise refused(name, given, rule, "Pass it once")
            found[name] = number
        return attrs.evolve(self, **found)

    def arguments(self) -> dict[str, int]:
        """Return both bounds by name, as constructors take them.

        One that is missing does not matter to the query, and is 1.
        """
        if self.identifier is None:
            return {}
        return {"rows": self.rows or 1, "groups": self.groups or 1}

    def given(self) -> dict[str, int]:
        """Return the bounds that were given, by name."""
        both = {"rows": self.rows, "groups": self.groups}
        return {name: each for name, each in both.items() if each is not None}

    def check(
        self,
        by: Sequence[str],
        aggregates: Sequence[tuple[str, Aggregate]],
        write: Callable[[Mapping[str, int]], str],
    ) -> None:
        """Refuse a query that needs a bound which was not given.

        :param by: the key columns
        :param aggregates: the aggregates by name
        :param write: returns how the user would write some bounds
        """
        given, due = self.given(), self._needed(by, aggregates)
        missing = {name: why for name, why in due.items() if name not in given}
        if not missing:
            return
        needed = ", and ".join(f"{name} {why}" for name, why in missing.items())
        cells = "".join(f" There, {each}." for each in _cells(aggregates))
        choices = []
        for when, choice in _CHOICES:
            usual = {
                n: given.get(n, choice[n]) for n in choice if n in {**given, **due}
            }
            choices.append(f"{write(usual)} if {when}")
        raise ContextError(
            "Context",
            f"the query does not give {needed}. `rows` is how many rows of one person "
            f"(one value of {self.identifier!r}) count in each group; if there are "
            "more, they are averaged down to that many. `groups` is in how many groups "
            f"one person counts.{cells} Larger numbers mean more noise. Smaller "
            "numbers shrink or leave out data of people who have more, and no interval "
            f"shows that. Write {', or '.join(choices)}.",
        )

    def sentence(
        self, by: Sequence[str], aggregates: Sequence[tuple[str, Aggregate]]
    ) -> str | None:
        """Return how much of each person counts in a query, or None if all does.

        :param by: the key columns
        :param aggregates: the aggregates by name
        """
        needed = self._needed(by, aggregates)
        if not needed:
            return None
        rows, groups = (
            f"{number} {name.removesuffix('s') if number == 1 else name}"
            for name, number in self.arguments().items()
        )
        if "groups" not in needed:
            told, number = rows, self.rows
        elif "rows" not in needed:
            told, number = groups, self.groups
        else:
            many = "" if self.groups == 1 else "each of "
            told, number = f"{rows} in {many}{groups}", self.rows
        verb = "counts" if number == 1 else "count"
        cells = "".join(f", where {each}" for each in _cells(aggregates))
        return f"at most {told} of each {self.identifier} {verb}{cells}"

    def _needed(
        self, by: Sequence[str], aggregates: Sequence[tuple[str, Aggregate]]
    ) -> dict[str, str]:
        """Return the bounds that matter to a query, and what each is needed for."""
        found: dict[str, str] = {}
        if self.identifier is None:
            return found
        for name, each in reversed(aggregates):  # the first one is named
            if each.kind in _OF_ROWS:
                found["rows"] = f"for {name} ({each.kind})"
            if each.kind in _CELLS:
                found["groups"] = f"for {name} ({each.kind})"
        if by:
            found["groups"] = f"for the keys ({', '.join(by)})"
        return dict(sorted(found.items(), reverse=True))


def _cells(aggregates: Sequence[tuple[str, Aggregate]]) -> list[str]:
    """Return what counts as a group of its own within a key, in words."""
    return [
        f"each {_CELLS[each.kind]} of {name} is a group of its own"
        for name, each in aggregates
        if each.kind in _CELLS
    ]
