"""What a group-by means: exact integers for each key, bounded person by person.

A *cell* is what one person has under one key. The rows in it are reduced to their
number and to exact sums; a cell of more rows than may count is as many rows as may, of
the same average. Of a person's cells the first few are kept, in an order that depends
on the person and on the keys alone. No row is ever ranked, so that no order of rows
matters. Without an identifier, every row is a person of its own.

`Plan.meaning` says it in plain Python, row by row: this is what the proofs are about,
and what `lazy_totals` asks engines for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from opendp_lite.tables.steps import LIMB, Steps, joined, limb_count, limbs, rint
from opendp_lite.tables.terms import Columns

PRIME = 2**31 - 1  # of which 5 does not divide the predecessor: fifth powers differ


@attrs.frozen
class Plan:
    """A group-by: keys, sums, and how much of a person counts.

    `keys` are the public keys, all others being dropped, or None. With `distinct`, the
    values of this column are counted, each once for a key.
    """

    columns: Columns
    by: tuple[str, ...]
    sums: tuple[Steps, ...] = ()
    identifier: str | None = None
    rows: int = 1
    groups: int = 1
    salt: int = 0
    keys: tuple[tuple[Any, ...], ...] | None = None
    distinct: str | None = None

    @property
    def cell_columns(self) -> tuple[str, ...]:
        """The columns that tell the cells of a person apart."""
        return self.by if self.distinct is None else (*self.by, self.distinct)

    @property
    def chooses(self) -> bool:
        """Whether a person can have more cells than are kept."""
        if self.identifier is None or not self.cell_columns:
            return False  # proof: none
        public = self.distinct is None and self.keys is not None
        return not public or len(self.keys or ()) > self.groups  # proof: fits

    def meaning(
        self, rows: Iterable[Mapping[str, Any]]
    ) -> dict[tuple[Any, ...], tuple[int, ...]]:
        """Return for each key that is met (people, rows, *sums), bounded.

        With `distinct`, it is the number of different values. What is missing is None.
        """
        found: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        for person, cells in self._people(rows).items():
            places = {each: place(self.salt, person, each) for each in cells}
            order = sorted((places[each], each) for each in cells)
            for _, cell in order[: self.groups]:  # proof: chosen
                key, add = cell[: len(self.by)], cell
                if self.distinct is None:
                    add = (1, *self._bounded(cells[cell]))
                found.setdefault(key, []).append(add)
        if self.distinct is not None:  # proof: different
            return {key: (len(set(each)),) for key, each in found.items()}
        columns = {key: zip(*each, strict=True) for key, each in found.items()}
        return {key: tuple(map(sum, each)) for key, each in columns.items()}

    def _people(
        self, rows: Iterable[Mapping[str, Any]]
    ) -> dict[Any, dict[tuple[Any, ...], list[list[int]]]]:
        """Return the cells of each person: the steps of their rows."""
        public = None if self.keys is None else set(self.keys)
        people: dict[Any, dict[tuple[Any, ...], list[list[int]]]] = {}
        for number, row in enumerate(rows):
            person = number if self.identifier is None else row[self.identifier]
            key = tuple(row[name] for name in self.by)
            if person is None or (public is not None and key not in public):
                continue  # proof: dropped
            cell = tuple(row[name] for name in self.cell_columns)
            steps = [each.python(row) for each in self.sums]
            people.setdefault(person, {}).setdefault(cell, []).append(steps)
        return people

    def _bounded(self, cell: list[list[int]]) -> list[int]:
        """Return the number of rows and the sums that a cell counts for."""
        n, m = len(cell), self.rows
        columns = list(zip(*cell, strict=True))
        if n <= m:
            return [n, *map(sum, columns)]  # proof: few
        return [m, *map(self._average, self.sums, columns)]  # proof: many

    def _average(self, each: Steps, steps: tuple[int, ...]) -> int:
        """Return the sum of `rows` rows of the same average, as engines round it."""
        n, m = len(steps), self.rows
        count = limb_count(each.largest)
        parts = zip(*(limbs(float(y), count) for y in steps), strict=True)
        sums = [float(sum(map(int, part))) for part in parts]  # proof: limbs
        total = joined(sums, 2.0**LIMB) * float(m) / float(n)  # proof: average
        low, high = float(m * min(each.low, 0)), float(m * max(each.high, 0))
        return int(rint(min(max(total, low), high)))  # proof: clip


def place(salt: int, person: Any, cell: tuple[Any, ...]) -> int:
    """Return where a cell stands among those of a person: from 0 to 2^31 - 2.

    >>> place(0, 7, ("north",)) == place(0, 7, ("north",)) != place(1, 7, ("north",))
    True
    """
    h = salt % PRIME
    for value in (person, *cell):
        code = text_code(value) if isinstance(value, str) else int(value)
        h = pow(h + code % PRIME, 5, PRIME)
    return h


def text_code(text: str) -> int:
    """Return the first 60 bits of the SHA-256 of a text in UTF-8.

    >>> f"{text_code('north'):x}"
    'dc365e79d41cfae'
    """
    data = text.encode("utf-8", "surrogatepass")
    return int(hashlib.sha256(data).hexdigest()[:15], 16)
