"""The metrics of numbers and of vectors: absolute, L1, L2, LInf, discrete."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Data, Distance, ExactDistance
from opendp_lite.base.arguments import check_type, distance_argument
from opendp_lite.base.containers import native, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics.counting import CountingMetric
from opendp_lite.core.metrics.metric import Metric, present_number
from opendp_lite.data.identity import key
from opendp_lite.data.type_arguments import TypeArgument, parse_atom
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import Extended, to_extended, to_mpq
from opendp_lite.exact.roots import Root, Rooted, above, root
from opendp_lite.exact.rounding import round_up

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_REAL_FIX = "Pass a number such as 1 or 0.5"
_LEAST_EXPONENT = -1074  # all doubles are multiples of 2^-1074


def gap(x: Data, y: Data) -> Extended:
    """Return |x - y| exactly; 0 for equal values, infinities included."""
    x, y = native(x), native(y)  # numpy would round one to the other's type
    if x == y:
        return 0
    if x in (math.inf, -math.inf) or y in (math.inf, -math.inf):
        return math.inf
    if isinstance(x, int) and isinstance(y, int):
        return abs(x - y)
    difference: mpq = to_mpq(x) - to_mpq(y)
    return abs(difference)


def vector_gaps(x: Data, y: Data) -> list[Extended] | None:
    """Return |x_i - y_i| for each i; None if the lengths differ."""
    left, right = rows(x), rows(y)
    if len(left) != len(right):
        return None
    return [gap(a, b) for a, b in zip(left, right, strict=True)]


def sum_of_squares(gaps: list[Extended]) -> mpq:
    """Return the sum of the squares, exactly."""
    return sum((mpq(each) * mpq(each) for each in gaps), mpq(0))


def _distance_type(T: TypeArgument) -> type:
    kind = parse_atom(T).T
    if kind not in (int, float, Fraction):
        rule, fix = "distances are numbers", "Pass T=int, T=float or T=Fraction"
        raise refusal("MetricSpace", "T", T, rule, fix)
    return kind


@attrs.frozen(repr=False)
class NumberMetric(Metric):
    """Distances are numbers of type `T`: int, or exact reals (float, Fraction)."""

    T: type = attrs.field(converter=_distance_type)
    vector: ClassVar[bool] = True

    def __class_getitem__(cls, T: TypeArgument) -> NumberMetric:
        return cls(T)

    def parse(self, d: Distance, name: str = "d_in") -> Any:
        """Return the distance as an int, an mpq or infinity."""
        return distance_argument(name, d, _REAL_FIX, whole=self.T is int)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return int (rounded up) when T is int, else Fraction or float.

        A root is rounded up in any case: to an integer, or to a double.
        """
        if d == math.inf:
            return math.inf  # proof: infinite
        if self.T is int:
            return ceil_multiple(above(d, 0), 0)  # proof: whole
        number: Extended = above(d, _LEAST_EXPONENT)
        if isinstance(d, Root):
            number = to_extended(round_up(number))  # proof: root
        return present_number(number, exact)  # proof: real

    def objection(self, domain: Domain) -> str | None:
        """Numbers (or vectors of them) without NaN."""
        if domain.opaque:
            return None
        inner = domain.row_domain if self.vector else domain
        if inner is None:
            return "it compares vectors of numbers"
        if not inner.holds_numbers:
            return "it needs numbers without NaN (atom_domain(T=float, nan=False))"
        return None

    @property
    def distance_type(self) -> str:
        """The type of the distances, as text."""
        return self.T.__name__

    def matches(self, other: Metric) -> bool:
        """Float and Fraction distances are the same exact numbers."""
        if type(self) is not type(other) or not isinstance(other, NumberMetric):
            return False
        return (self.T is int) == (other.T is int)

    @classmethod
    def of_type(cls, T: TypeArgument | None) -> Metric | None:
        """Return the metric with distances of type `T`."""
        return None if T is None else cls(T)

    def measured(self, domain: Domain) -> Domain:
        """Return `domain` without NaN, as only numbers are measured."""
        return domain.without_nan()

    def distances(self) -> list[Any]:
        """Return whole distances, and small ones if `T` is not int."""
        if self.T is int:
            return super().distances()
        small = [Fraction(1, 10**5000), Fraction(1, 10**30), 0.1, Fraction(1, 3)]
        return [0, *small, 1, 2, 10**6, 10**5000, math.inf]

    def near(self, domain: Domain, x: Data) -> SearchStrategy[Any]:
        """Numbers a little larger or smaller."""
        return domain.moved(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(T={self.T.__name__})"


@attrs.frozen(repr=False)
class AbsoluteDistance(NumberMetric):
    """|x - y| of two numbers."""

    vector: ClassVar[bool] = False

    def distance(self, x: Data, y: Data) -> Extended:
        """Return |x - y| exactly."""
        return gap(x, y)


def absolute_distance(T: TypeArgument) -> AbsoluteDistance:
    """Return the absolute distance between numbers, with distances of type `T`.

    :param T: type of the distances: int, float or Fraction

    >>> absolute_distance(T=int).distance(3, -4)
    7
    """
    return AbsoluteDistance(T)


@attrs.frozen(repr=False)
class L1Distance(NumberMetric):
    """The sum of |x_i - y_i|."""

    def distance(self, x: Data, y: Data) -> Extended:
        """Return the sum of the absolute differences."""
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)


def l1_distance(T: TypeArgument) -> L1Distance:
    """Return the L1 distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction

    >>> l1_distance(T=int).distance([0, 1], [2, 0])
    3
    """
    return L1Distance(T)


@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    """The square root of the sum of (x_i - y_i)^2."""

    def squared(self, x: Data, y: Data) -> Extended:
        """Return the sum of the squared differences, exactly."""
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum_of_squares(gaps)

    def distance(self, x: Data, y: Data) -> Rooted:
        """Return the distance, exactly: a `Root` where it is irrational."""
        return root(self.squared(x, y))

    def within(self, x: Data, y: Data, d: Distance) -> bool:
        """Compare squares, so that nothing is rounded."""
        limit = self.parse(d, "d")
        return bool(self.squared(x, y) <= limit * limit)


def l2_distance(T: TypeArgument) -> L2Distance:
    """Return the L2 distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction

    >>> l2_distance(T=int).within([0, 0], [3, 4], 5)
    True
    """
    return L2Distance(T)


@attrs.frozen(repr=False)
class LInfDistance(NumberMetric):
    """The greatest |x_i - y_i|; if `monotonic`, finite only when all signs agree."""

    monotonic: bool = False

    def __attrs_post_init__(self) -> None:
        fix = "Pass True or False"
        check_type("MetricSpace", "monotonic", self.monotonic, bool, fix)

    def distance(self, x: Data, y: Data) -> Extended:
        """Return the greatest absolute difference."""
        gaps = vector_gaps(x, y)
        if gaps is None:
            return math.inf
        if self.monotonic:
            pairs = list(zip(rows(x), rows(y), strict=True))
            if any(a < b for a, b in pairs) and any(a > b for a, b in pairs):
                return math.inf
        return max(gaps, default=0)

    def matches(self, other: Metric) -> bool:
        """Match when both or neither are monotonic."""
        return super().matches(other) and (
            isinstance(other, LInfDistance) and self.monotonic is other.monotonic
        )

    def __repr__(self) -> str:
        monotonic = ", monotonic=True" if self.monotonic else ""
        return f"LInfDistance(T={self.T.__name__}{monotonic})"


def linf_distance(T: TypeArgument, monotonic: bool = False) -> LInfDistance:
    """Return the LInf distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction
    :param monotonic: whether neighbours may only differ in one direction

    >>> linf_distance(T=int, monotonic=True).distance([0, 0], [1, -1])
    inf
    """
    return LInfDistance(T, monotonic)


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


def discrete_distance() -> DiscreteDistance:
    """Return the discrete distance.

    >>> discrete_distance().distance("a", "b")
    1
    """
    return DiscreteDistance()
