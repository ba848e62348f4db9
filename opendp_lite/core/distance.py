"""What a metric is, and the metrics that count rows.

Every metric can measure: `distance(x, y)` is exact, or (for `L2Distance`, whose
distances are square roots) a certified upper bound, and `within(x, y, d)` is exact
always. Rows are equal when their type and bits are.

What contracts and shorthands ask of a metric (`near`, `distances`, `no_distances`,
`of_type` and so on) has an answer in the base class that is safe for all of them. So a
new kind of metric is one class; it overrides what it can say more of.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.core.aliases import Data, Distance, ExactDistance
from opendp_lite.core.arguments import distance_argument
from opendp_lite.core.carrier import TypeArgument
from opendp_lite.core.containers import rows
from opendp_lite.core.domain import Domain
from opendp_lite.core.identity import key
from opendp_lite.core.own import Described
from opendp_lite.exact.rationals import Extended, to_fraction
from opendp_lite.exact.rounding import round_up

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "ChangeOneDistance",
    "CountingMetric",
    "DiscreteDistance",
    "HammingDistance",
    "InsertDeleteDistance",
    "Metric",
    "SymmetricDistance",
    "change_one_distance",
    "discrete_distance",
    "hamming_distance",
    "insert_delete_distance",
    "present_number",
    "symmetric_distance",
]

_COUNT_FIX = "Pass the number of rows in which neighbours may differ, such as 1"


class Metric(Described):
    """A way to measure distance, and the rules for distances as arguments."""

    def distance(self, x: Data, y: Data) -> Any:
        """Return the distance between two members of a common domain."""
        raise TypeError(f"{type(self).__name__} does not say how to measure")

    def within(self, x: Data, y: Data, d: Distance) -> bool:
        """Return whether `x` and `y` are at distance at most `d`, exactly."""
        return bool(self.distance(x, y) <= self.parse(d, "d"))

    def parse(self, d: Distance, name: str = "d_in") -> Any:
        """Return the distance `d` as an exact number, or refuse it."""
        raise TypeError(f"{type(self).__name__} does not say what its distances are")

    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        """Return whether the exact distance `d` is at most the exact `limit`."""
        return bool(d <= limit)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return an exact distance as a person reads it: never below `d`."""
        return present_number(d, exact)

    def objection(self, domain: Domain) -> str | None:
        """Return why this metric does not measure `domain`, or None."""
        return None

    def matches(self, other: Metric) -> bool:
        """Return whether distances of `other` mean the same as this metric's."""
        return self == other

    @classmethod
    def of_type(cls, T: TypeArgument | None) -> Metric | None:
        """Return the metric that its name and the type `T` of distances stand for.

        `T` is None where none is known; None is returned where they do not suffice.
        """
        return None

    def measured(self, domain: Domain) -> Domain:
        """Return `domain` without what this metric does not measure."""
        return domain

    @property
    def measures(self) -> bool:
        """Whether `distance` can be asked."""
        return True

    def within_exact(self, x: Data, y: Data, d: ExactDistance) -> bool:
        """As `within`, for an exact `d` of a map: a rational even between integers."""
        return self.at_most(self.distance(x, y), d)

    def distances(self) -> list[Any]:
        """Return distances to try a map at, in increasing order, 0 among them."""
        return [0, 1, 2, 3, 10, 10**6, 10**5000, math.inf]

    def no_distances(self) -> list[Any]:
        """Return what is no distance, and must be refused as one."""
        return [math.nan, -1, -math.inf, "far", None]

    def near(self, domain: Domain, x: Data) -> SearchStrategy[Any]:
        """Return a strategy of values near `x`, most of them members of `domain`."""
        return domain.edited(x, True)


def present_number(d: Extended, exact: bool) -> Any:
    """Return int for an int, else a Fraction (exact) or a float rounded up."""
    if isinstance(d, int | float):
        return d
    return to_fraction(d) if exact else round_up(d)


@attrs.frozen(repr=False)
class CountingMetric(Metric):
    """Distances are numbers of rows: nonnegative integers."""

    def parse(self, d: Distance, name: str = "d_in") -> int | float:
        """Return the number of rows as an int (or infinity)."""
        count: int | float = distance_argument(name, d, _COUNT_FIX, whole=True)
        return count

    def objection(self, domain: Domain) -> str | None:
        """Rows live in vectors."""
        if domain.opaque or domain.row_domain is not None:
            return None
        return "it compares rows, so the domain must be a vector_domain"

    @classmethod
    def of_type(cls, T: TypeArgument | None) -> Metric | None:
        """Return the metric: all count rows, whatever these are."""
        return cls() if T is None else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


@attrs.frozen(repr=False)
class SymmetricDistance(CountingMetric):
    """Rows to add or remove, in any order: the size of the multiset difference."""

    def distance(self, x: Data, y: Data) -> int:
        """Return |x - y| + |y - x| as multisets of rows."""
        left = Counter(map(key, rows(x)))
        left.subtract(Counter(map(key, rows(y))))
        return sum(map(abs, left.values()))

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
        if len(x) != len(y):
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


@attrs.frozen(repr=False)
class DiscreteDistance(CountingMetric):
    """0 between equal values and 1 between different ones."""

    def distance(self, x: Data, y: Data) -> int:
        """Return whether the values differ, as 0 or 1."""
        return int(key(x) != key(y))

    def objection(self, domain: Domain) -> str | None:
        """Any domain will do."""
        return None

    def distances(self) -> list[Any]:
        """Return all distances that there are."""
        return [0, 1]


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


def discrete_distance() -> DiscreteDistance:
    """Return the discrete distance.

    >>> discrete_distance().distance("a", "b")
    1
    """
    return DiscreteDistance()
