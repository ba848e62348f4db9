"""What a metric is: a way to measure how far apart two members of a domain are.

Every metric can measure: `distance(x, y)` and `within(x, y, d)` are exact. Where an L2
distance is irrational it is a `Root`, which is known by its square. Equal values are at
distance 0, infinities too; a finite and an infinite number are at infinite distance; so
are vectors of different length.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, Distance, ExactDistance
from opendp_lite.base.ownership import Described
from opendp_lite.core.domains import Domain
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.rationals import Extended, to_fraction
from opendp_lite.exact.rounding import round_up

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
from typing import TYPE_CHECKING, TypeAlias


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

    def no_promise(self, d: ExactDistance) -> str | None:
        """Return why nobody is protected by a loss at the exact distance `d`, or None.

        Only numbers are judged here; kinds whose distances are others override this.
        """
        if isinstance(d, int | float | mpq) and d == 0:
            return "data at distance 0 are equal, so that nobody is protected"
        if isinstance(d, float) and d == math.inf:
            return "no noise is enough where data may differ without a limit"
        return None

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
    def distance_type(self) -> str:
        """The type of the distances, as text."""
        return "ExtrinsicObject"

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


MetricArgument: TypeAlias = Metric | type[Metric] | str
