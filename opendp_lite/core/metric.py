"""Metrics: how far apart two members of a domain are, in exact numbers.

The metrics that count rows are in `opendp_lite.core.distance`; here are those of
numbers, vectors and maps. Equal values are at distance 0, infinities too; a finite and
an infinite number are at infinite distance; so are vectors of different length.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.core.aliases import Data, Distance, ExactDistance, Value
from opendp_lite.core.arguments import (
    check_type,
    check_user_part,
    distance_argument,
    user_at_most,
    user_distance_argument,
)
from opendp_lite.core.carrier import TypeArgument, parse_atom
from opendp_lite.core.containers import native, rows
from opendp_lite.core.distance import (
    ChangeOneDistance,
    CountingMetric,
    DiscreteDistance,
    HammingDistance,
    InsertDeleteDistance,
    Metric,
    SymmetricDistance,
    change_one_distance,
    discrete_distance,
    hamming_distance,
    insert_delete_distance,
    present_number,
    symmetric_distance,
)
from opendp_lite.core.domain import Domain
from opendp_lite.core.errors import OpenDPException, printed, refusal
from opendp_lite.core.identity import key
from opendp_lite.exact.enclosures import sqrt, upper_bound
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import Extended, to_mpq

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "AbsoluteDistance",
    "ChangeOneDistance",
    "DiscreteDistance",
    "HammingDistance",
    "InsertDeleteDistance",
    "L01InfDistance",
    "L02InfDistance",
    "L1Distance",
    "L2Distance",
    "LInfDistance",
    "Metric",
    "SymmetricDistance",
    "UserDistance",
    "absolute_distance",
    "change_one_distance",
    "discrete_distance",
    "hamming_distance",
    "insert_delete_distance",
    "l01inf_distance",
    "l02inf_distance",
    "l1_distance",
    "l2_distance",
    "linf_distance",
    "symmetric_distance",
    "user_distance",
]

MetricArgument: TypeAlias = Metric | type[Metric] | str
"""A metric, its class, or the name of its class."""

_REAL_FIX = "Pass a number such as 1 or 0.5"


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


def _vector_gaps(x: Data, y: Data) -> list[Extended] | None:
    left, right = rows(x), rows(y)
    if len(left) != len(right):
        return None
    return [gap(a, b) for a, b in zip(left, right, strict=True)]


def _sum_of_squares(gaps: list[Extended]) -> mpq:
    return sum((mpq(each) * mpq(each) for each in gaps), mpq(0))


def _distance_type(T: TypeArgument) -> type:
    kind = parse_atom(T).T
    if kind not in (int, float, Fraction):
        rule, fix = "distances are numbers", "Pass T=int, T=float or T=Fraction"
        raise refusal("MetricSpace", "T", T, rule, fix)
    return kind


@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    """Distances are numbers of type `T`: int, or exact reals (float, Fraction)."""

    T: type = attrs.field(converter=_distance_type)
    vector: ClassVar[bool] = True

    def __class_getitem__(cls, T: TypeArgument) -> _NumberMetric:
        return cls(T)

    def parse(self, d: Distance, name: str = "d_in") -> Any:
        """Return the distance as an int, an mpq or infinity."""
        return distance_argument(name, d, _REAL_FIX, whole=self.T is int)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return int (rounded up) when T is int, else Fraction or float."""
        if self.T is int and d != math.inf:
            return ceil_multiple(mpq(d), 0)
        return (
            present_number(d, exact) if d == math.inf else present_number(mpq(d), exact)
        )

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

    def matches(self, other: Metric) -> bool:
        """Float and Fraction distances are the same exact numbers."""
        if type(self) is not type(other) or not isinstance(other, _NumberMetric):
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
class AbsoluteDistance(_NumberMetric):
    """|x - y| of two numbers."""

    vector: ClassVar[bool] = False

    def distance(self, x: Data, y: Data) -> Extended:
        """Return |x - y| exactly."""
        return gap(x, y)


@attrs.frozen(repr=False)
class L1Distance(_NumberMetric):
    """The sum of |x_i - y_i|."""

    def distance(self, x: Data, y: Data) -> Extended:
        """Return the sum of the absolute differences."""
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)


@attrs.frozen(repr=False)
class L2Distance(_NumberMetric):
    """The square root of the sum of (x_i - y_i)^2."""

    def squared(self, x: Data, y: Data) -> Extended:
        """Return the sum of the squared differences, exactly."""
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return _sum_of_squares(gaps)

    def distance(self, x: Data, y: Data) -> Extended:
        """Return the distance, rounded up where it is irrational."""
        square = self.squared(x, y)
        if square == math.inf:
            return square
        return upper_bound(lambda precision: sqrt(mpq(square), precision))

    def within(self, x: Data, y: Data, d: Distance) -> bool:
        """Compare squares, so that nothing is rounded."""
        limit = self.parse(d, "d")
        return bool(self.squared(x, y) <= limit * limit)

    def within_exact(self, x: Data, y: Data, d: ExactDistance) -> bool:
        """Compare squares, so that nothing is rounded."""
        return bool(self.squared(x, y) <= (d if d == math.inf else mpq(d) ** 2))


@attrs.frozen(repr=False)
class LInfDistance(_NumberMetric):
    """The greatest |x_i - y_i|; if `monotonic`, finite only when all signs agree."""

    monotonic: bool = False

    def __attrs_post_init__(self) -> None:
        fix = "Pass True or False"
        check_type("MetricSpace", "monotonic", self.monotonic, bool, fix)

    def distance(self, x: Data, y: Data) -> Extended:
        """Return the greatest absolute difference."""
        gaps = _vector_gaps(x, y)
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


@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    """Triples (L0, Lp, LInf) of the differences of two maps, key by key.

    A missing key has the value 0, but a key that only one map has counts in L0.
    """

    metric: AbsoluteDistance
    p: ClassVar[int]

    def __attrs_post_init__(self) -> None:
        fix = "Pass absolute_distance(T=int)"
        check_type("MetricSpace", "metric", self.metric, AbsoluteDistance, fix)

    def distance(self, x: Data, y: Data) -> tuple[Any, Any, Any]:
        """Return how many keys differ, the Lp norm and the greatest difference."""
        differing, power, greatest = self._powers(x, y)
        if self.p == 1 or power == math.inf:
            return differing, power, greatest
        norm = upper_bound(lambda precision: sqrt(mpq(power), precision))
        return differing, norm, greatest

    def _powers(self, x: Data, y: Data) -> tuple[int, Extended, Extended]:
        """As `distance`, with the Lp norm to the power p, which is exact."""
        left = {key(k): v for k, v in x.items()}
        right = {key(k): v for k, v in y.items()}
        gaps: list[Extended] = []
        differing = 0
        for each in left.keys() | right.keys():
            gaps.append(gap(left.get(each, 0), right.get(each, 0)))
            differing += (each in left) != (each in right) or gaps[-1] != 0
        if math.inf in gaps:
            return differing, math.inf, math.inf
        power = sum(gaps) if self.p == 1 else _sum_of_squares(gaps)
        return differing, power, max(gaps, default=0)

    def within(self, x: Data, y: Data, d: Distance) -> bool:
        """Compare the triples part by part (L2 by its square)."""
        l0, lp, linf = self.parse(d, "d")
        limit = lp if self.p == 1 else lp * lp
        return self.at_most(self._powers(x, y), (l0, limit, linf))

    def within_exact(self, x: Data, y: Data, d: ExactDistance) -> bool:
        """Compare part by part (L2 by its square)."""
        l0, lp, linf = d
        limit = lp if self.p == 1 or lp == math.inf else mpq(lp) ** 2
        return self.at_most(self._powers(x, y), (l0, limit, linf))

    def distances(self) -> list[Any]:
        """Return triples, growing in each part."""
        return [(0, 0, 0), (1, 1, 1), (1, 2, 2), (3, 4, 2), (10, 10**6, 10**6)]

    def no_distances(self) -> list[Any]:
        """Return what is no triple, and triples of what are no distances."""
        wrong = [(math.nan, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1)]
        return [*super().no_distances(), *wrong]

    def parse(self, d: Value, name: str = "d_in") -> tuple[Any, Any, Any]:
        """Return the triple as exact numbers."""
        if not issubclass(type(d), tuple | list) or len(d) != 3:
            rule = "must be three numbers (L0, Lp, LInf)"
            fix = "Pass for example (1, 1, 1): one key changes, by at most 1"
            raise refusal("InvalidDistance", name, d, rule, fix)
        l0 = CountingMetric().parse(d[0], f"{name}[0]")
        rest = (self.metric.parse(d[i], f"{name}[{i}]") for i in (1, 2))
        return (l0, *rest)

    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        """Compare part by part."""
        return all(a <= b for a, b in zip(d, limit, strict=True))

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return the triple with each part as a person reads it."""
        return (d[0], *(self.metric.present(part, exact) for part in d[1:]))

    def objection(self, domain: Domain) -> str | None:
        """Maps to numbers without NaN."""
        if domain.opaque:
            return None
        if domain.entry_domain is None:
            return "it compares maps, so the domain must be a map_domain"
        return self.metric.objection(domain.entry_domain)

    def matches(self, other: Metric) -> bool:
        """Match when the inner metrics do."""
        return type(self) is type(other) and self.metric.matches(other.metric)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.metric!r})"


@attrs.frozen(repr=False)
class L01InfDistance(_L0PInfDistance):
    """Triples (L0, L1, LInf) for maps."""

    p: ClassVar[int] = 1


@attrs.frozen(repr=False)
class L02InfDistance(_L0PInfDistance):
    """Triples (L0, L2, LInf) for maps."""

    p: ClassVar[int] = 2


@attrs.frozen(repr=False)
class UserDistance(Metric):
    """A metric of the user's own; equal to another by identifier and descriptor."""

    identifier: str
    descriptor: Any = None
    measure: Callable[[Any, Any], Any] | None = attrs.field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        fix = "Pass a name that no other user metric has"
        check_user_part("MetricSpace", self, fix)

    def distance(self, x: Data, y: Data) -> Any:
        """Return what the user's function says."""
        if self.measure is None:
            raise OpenDPException(
                "MetricSpace",
                f"{self!r} was made without a function to measure with. "
                "Pass user_distance(identifier, distance=...).",
            )
        return self.parse(self.measure(x, y), "distance")

    @property
    def measures(self) -> bool:
        """Whether the user gave a function to measure with."""
        return self.measure is not None

    def no_distances(self) -> list[Any]:
        """Return nothing: what is a distance is for the user to say."""
        return []

    def parse(self, d: Distance, name: str = "d_in") -> Any:
        """Return numbers as exact numbers and leave everything else alone."""
        return user_distance_argument(name, d)

    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        """Compare numbers, and what is none as its class says."""
        return user_at_most(d, limit)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return numbers as a person reads them, everything else as it is."""
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDistance({self.identifier!r}{tail})"


def absolute_distance(T: TypeArgument) -> AbsoluteDistance:
    """Return the absolute distance between numbers, with distances of type `T`.

    :param T: type of the distances: int, float or Fraction

    >>> absolute_distance(T=int).distance(3, -4)
    7
    """
    return AbsoluteDistance(T)


def l1_distance(T: TypeArgument) -> L1Distance:
    """Return the L1 distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction

    >>> l1_distance(T=int).distance([0, 1], [2, 0])
    3
    """
    return L1Distance(T)


def l2_distance(T: TypeArgument) -> L2Distance:
    """Return the L2 distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction

    >>> l2_distance(T=int).within([0, 0], [3, 4], 5)
    True
    """
    return L2Distance(T)


def linf_distance(T: TypeArgument, monotonic: bool = False) -> LInfDistance:
    """Return the LInf distance between vectors of numbers.

    :param T: type of the distances: int, float or Fraction
    :param monotonic: whether neighbours may only differ in one direction

    >>> linf_distance(T=int, monotonic=True).distance([0, 0], [1, -1])
    inf
    """
    return LInfDistance(T, monotonic)


def l01inf_distance(metric: Metric) -> L01InfDistance:
    """Return the product metric (L0, L1, LInf) for maps.

    :param metric: the absolute_distance of the values

    >>> l01inf_distance(absolute_distance(T=int)).distance({"a": 1}, {"b": 2})
    (2, 3, 2)
    """
    return L01InfDistance(metric)  # type: ignore[arg-type]  # the class refuses others


def l02inf_distance(metric: Metric) -> L02InfDistance:
    """Return the product metric (L0, L2, LInf) for maps.

    :param metric: the absolute_distance of the values

    >>> l02inf_distance(absolute_distance(T=int)).within({"a": 3}, {"b": 4}, (2, 5, 4))
    True
    """
    return L02InfDistance(metric)  # type: ignore[arg-type]  # the class refuses others


def user_distance(
    identifier: str,
    descriptor: object = None,
    *,
    distance: Callable[[Any, Any], Any] | None = None,
) -> UserDistance:
    """Return a metric of the user's own.

    What it measures cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other metric of the user has
    :param descriptor: what else tells such metrics apart
    :param distance: the function that measures, where the library shall check pairs

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_distance("edits", distance=lambda x, y: abs(x - y)).distance(3, 5)
    2
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDistance(identifier, descriptor, distance)
