"""The metrics that count rows.

Rows are equal when their type and bits are.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data, Distance
from opendp_lite.base.arguments import distance_argument
from opendp_lite.base.containers import native, rows, text_lines
from opendp_lite.core.domains import Domain
from opendp_lite.data.identity import key
from opendp_lite.data.type_arguments import TypeArgument

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
from opendp_lite.core.metrics.metric import Metric

_COUNT_FIX = "Pass the number of rows in which neighbours may differ, such as 1"


@attrs.frozen(repr=False)
class CountingMetric(Metric):
    """Distances are numbers of rows: nonnegative integers."""

    def parse(self, d: Distance, name: str = "d_in") -> int | float:
        """Return the number of rows as an int (or infinity)."""
        count: int | float = distance_argument(name, d, _COUNT_FIX, whole=True)
        return count

    def objection(self, domain: Domain) -> str | None:
        """Rows live in vectors and frames."""
        if domain.opaque or domain.has_rows:
            return None
        return "it compares rows, so the domain must be a vector_domain"

    @property
    def distance_type(self) -> str:
        """The type of the distances, as text: whole numbers."""
        return "int"

    @classmethod
    def of_type(cls, T: TypeArgument | None) -> Metric | None:
        """Return the metric: all count rows, whatever these are."""
        return cls() if T is None else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


@attrs.frozen(repr=False)
class SymmetricDistance(CountingMetric):
    """Rows to add or remove, in any order: the size of the multiset difference.

    The rows of a text are its lines.
    """

    def distance(self, x: Data, y: Data) -> int:
        """Return |x - y| + |y - x| as multisets of rows, or of lines of text."""
        left = Counter(map(key, _rows_or_lines(x)))
        left.subtract(Counter(map(key, _rows_or_lines(y))))
        return sum(map(abs, left.values()))

    def objection(self, domain: Domain) -> str | None:
        """Rows live in vectors, and in texts as lines."""
        return None if domain.holds_text else super().objection(domain)

    def near(self, domain: Domain, x: Data) -> SearchStrategy[Any]:
        """A few rows more or fewer, in any order."""
        edited = domain.edited(x, True)
        return edited | edited.flatmap(domain.reordered)


@attrs.frozen(repr=False)
class InsertDeleteDistance(CountingMetric):
    """Insertions and deletions that turn one sequence of rows into the other."""

    def distance(self, x: Data, y: Data) -> int:
        """Return len(x) + len(y) - 2 (longest common subsequence)."""
        left, right = [key(row) for row in rows(x)], [key(row) for row in rows(y)]
        common = [0] * (len(right) + 1)
        for row in left:
            before = 0
            for j, other in enumerate(right, 1):
                above = common[j]
                common[j] = before + 1 if row == other else max(above, common[j - 1])
                before = above
        return len(left) + len(right) - 2 * common[-1]


@attrs.frozen(repr=False)
class ChangeOneDistance(CountingMetric):
    """Rows to change, in any order; infinite between different sizes."""

    def distance(self, x: Data, y: Data) -> int | float:
        """Return half the symmetric distance of two data sets of one size."""
        if len(rows(x)) != len(rows(y)):
            return math.inf
        return SymmetricDistance().distance(x, y) // 2

    def near(self, domain: Domain, x: Data) -> SearchStrategy[Any]:
        """A few rows changed, in any order."""
        edited = domain.edited(x, False)
        return edited | edited.flatmap(domain.reordered)


@attrs.frozen(repr=False)
class HammingDistance(CountingMetric):
    """Positions at which the rows differ; infinite between different sizes."""

    def distance(self, x: Data, y: Data) -> int | float:
        """Return the number of positions with different rows."""
        left, right = rows(x), rows(y)
        if len(left) != len(right):
            return math.inf
        return sum(key(a) != key(b) for a, b in zip(left, right, strict=True))

    def near(self, domain: Domain, x: Data) -> SearchStrategy[Any]:
        """A few rows changed."""
        return domain.edited(x, False)


def _rows_or_lines(data: Data) -> list[Any]:
    """Return the rows of a list or array, or the lines of a text."""
    data = native(data)
    return text_lines(data) if type(data) is str else rows(data)


def symmetric_distance() -> SymmetricDistance:
    """Return the symmetric distance: rows added or removed.

    >>> symmetric_distance().distance([1, 2, 2], [2, 3])
    3
    """
    return SymmetricDistance()


def insert_delete_distance() -> InsertDeleteDistance:
    """Return the insert-delete distance: rows inserted or deleted, in order.

    >>> insert_delete_distance().distance([1, 2, 3], [2, 3, 1])
    2
    """
    return InsertDeleteDistance()


def change_one_distance() -> ChangeOneDistance:
    """Return the change-one distance: rows changed, in any order.

    >>> change_one_distance().distance([1, 2, 3], [3, 2, 9])
    1
    """
    return ChangeOneDistance()


def hamming_distance() -> HammingDistance:
    """Return the Hamming distance: positions that differ.

    >>> hamming_distance().distance([1, 2, 3], [3, 2, 1])
    2
    """
    return HammingDistance()
