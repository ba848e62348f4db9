# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.cells; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from collections.abc import Mapping
from opendp_lite.tables.steps import LIMB
from opendp_lite.tables.steps import Steps
from opendp_lite.tables.steps import joined
from opendp_lite.tables.steps import limb_count
from opendp_lite.tables.steps import limbs
from opendp_lite.tables.steps import rint
from opendp_lite.tables.terms import Columns
from typing import Any
import attrs
import hashlib

opendp_lite.tables.steps.LIMB = 23
opendp_lite.tables.terms.Columns: typing.TypeAlias = collections.abc.Mapping[str, opendp_lite.core.domains.domain.Domain]
PRIME = 2**31 - 1


# === Plan with Iterable, Mapping, LIMB, Steps, joined, limb_count, limbs, rint,
#    Columns, Any, attrs, opendp_lite.tables.steps.LIMB,
#    opendp_lite.tables.terms.Columns
@attrs.frozen
class Plan:
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
        return self.by if self.distinct is None else (*self.by, self.distinct)

    @property
    def chooses(self) -> bool:
        if self.identifier is None or not self.cell_columns:
            return False
        public = self.distinct is None and self.keys is not None
        return not public or len(self.keys or ()) > self.groups

    def meaning(
        self, rows: Iterable[Mapping[str, Any]]
    ) -> dict[tuple[Any, ...], tuple[int, ...]]:
        found: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        for person, cells in self._people(rows).items():
            places = {each: place(self.salt, person, each) for each in cells}
            order = sorted((places[each], each) for each in cells)
            for _, cell in order[: self.groups]:
                key, add = cell[: len(self.by)], cell
                if self.distinct is None:
                    add = (1, *self._bounded(cells[cell]))
                found.setdefault(key, []).append(add)
        if self.distinct is not None:
            return {key: (len(set(each)),) for key, each in found.items()}
        columns = {key: zip(*each, strict=True) for key, each in found.items()}
        return {key: tuple(map(sum, each)) for key, each in columns.items()}

    def _people(
        self, rows: Iterable[Mapping[str, Any]]
    ) -> dict[Any, dict[tuple[Any, ...], list[list[int]]]]:
        public = None if self.keys is None else set(self.keys)
        people: dict[Any, dict[tuple[Any, ...], list[list[int]]]] = {}
        for number, row in enumerate(rows):
            person = number if self.identifier is None else row[self.identifier]
            key = tuple(row[name] for name in self.by)
            if person is None or (public is not None and key not in public):
                continue
            cell = tuple(row[name] for name in self.cell_columns)
            steps = [each.python(row) for each in self.sums]
            people.setdefault(person, {}).setdefault(cell, []).append(steps)
        return people

    def _bounded(self, cell: list[list[int]]) -> list[int]:
        n, m = len(cell), self.rows
        columns = list(zip(*cell, strict=True))
        if n <= m:
            return [n, *map(sum, columns)]
        return [m, *map(self._average, self.sums, columns)]

    def _average(self, each: Steps, steps: tuple[int, ...]) -> int:
        n, m = len(steps), self.rows
        count = limb_count(each.largest)
        parts = zip(*(limbs(float(y), count) for y in steps), strict=True)
        sums = [float(sum(map(int, part))) for part in parts]
        total = joined(sums, 2.0**LIMB) * float(m) / float(n)
        low, high = float(m * min(each.low, 0)), float(m * max(each.high, 0))
        return int(rint(min(max(total, low), high)))


# === place with Any, PRIME
def place(salt: int, person: Any, cell: tuple[Any, ...]) -> int:
    h = salt % PRIME
    for value in (person, *cell):
        code = text_code(value) if isinstance(value, str) else int(value)
        h = pow(h + code % PRIME, 5, PRIME)
    return h


# === text_code with hashlib
def text_code(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    return int(hashlib.sha256(data).hexdigest()[:15], 16)
