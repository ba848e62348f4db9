# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.numbers; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.arguments import distance_argument
from opendp_lite.base.containers import native
from opendp_lite.base.containers import rows
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.roots import Root
from opendp_lite.exact.roots import Rooted
from opendp_lite.exact.roots import above
from opendp_lite.exact.roots import root
from opendp_lite.exact.rounding import round_up
from typing import Any
import attrs
import math

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.base.aliases.Distance: typing.TypeAlias = object
_REAL_FIX = "Pass a number such as 1 or 0.5"
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
_LEAST_EXPONENT = -1074
opendp_lite.exact.roots.Rooted: typing.TypeAlias = opendp_lite.exact.rationals.Extended | opendp_lite.exact.roots.Root


# === gap with mpq, Data, native, Extended, to_mpq, math, opendp_lite.base.aliases.Data,
#    opendp_lite.exact.rationals.Extended
def gap(x: Data, y: Data) -> Extended:
    x, y = native(x), native(y)
    if x == y:
        return 0
    if x in (math.inf, -math.inf) or y in (math.inf, -math.inf):
        return math.inf
    if isinstance(x, int) and isinstance(y, int):
        return abs(x - y)
    difference: mpq = to_mpq(x) - to_mpq(y)
    return abs(difference)


# === vector_gaps with Data, rows, Extended, opendp_lite.base.aliases.Data,
#    opendp_lite.exact.rationals.Extended
def vector_gaps(x: Data, y: Data) -> list[Extended] | None:
    left, right = rows(x), rows(y)
    if len(left) != len(right):
        return None
    return [gap(a, b) for a, b in zip(left, right, strict=True)]


# === sum_of_squares with mpq, Extended, opendp_lite.exact.rationals.Extended
def sum_of_squares(gaps: list[Extended]) -> mpq:
    return sum((mpq(each) * mpq(each) for each in gaps), mpq(0))


# === NumberMetric.parse with Distance, distance_argument, Metric, Any, attrs,
#    opendp_lite.base.aliases.Distance, _REAL_FIX
@attrs.frozen(repr=False)
class NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def parse(self, d: Distance, name: str = "d_in") -> Any:
        return distance_argument(name, d, _REAL_FIX, whole=self.T is int)


# === NumberMetric.present with ExactDistance, Metric, present_number, ceil_multiple,
#    Extended, to_extended, Root, above, round_up, Any, attrs, math,
#    opendp_lite.base.aliases.ExactDistance, _LEAST_EXPONENT,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        if d == math.inf:
            return math.inf
        if self.T is int:
            return ceil_multiple(above(d, 0), 0)
        number: Extended = above(d, _LEAST_EXPONENT)
        if isinstance(d, Root):
            number = to_extended(round_up(number))
        return present_number(number, exact)


# === NumberMetric.matches with Metric, attrs
@attrs.frozen(repr=False)
class NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def matches(self, other: Metric) -> bool:
        if type(self) is not type(other) or not isinstance(other, NumberMetric):
            return False
        return (self.T is int) == (other.T is int)


# === AbsoluteDistance.distance with Data, Extended, attrs,
#    opendp_lite.base.aliases.Data, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class AbsoluteDistance(NumberMetric):
    def distance(self, x: Data, y: Data) -> Extended:
        return gap(x, y)


# === L1Distance.distance with Data, Extended, attrs, math,
#    opendp_lite.base.aliases.Data, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class L1Distance(NumberMetric):
    def distance(self, x: Data, y: Data) -> Extended:
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)


# === L2Distance.squared with Data, Extended, attrs, math,
#    opendp_lite.base.aliases.Data, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    def squared(self, x: Data, y: Data) -> Extended:
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum_of_squares(gaps)


# === L2Distance.distance with Data, Rooted, root, attrs, opendp_lite.base.aliases.Data,
#    opendp_lite.exact.rationals.Extended, opendp_lite.exact.roots.Rooted
@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    def distance(self, x: Data, y: Data) -> Rooted:
        return root(self.squared(x, y))


# === L2Distance.within with Data, Distance, attrs, opendp_lite.base.aliases.Distance,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    def within(self, x: Data, y: Data, d: Distance) -> bool:
        limit = self.parse(d, "d")
        return bool(self.squared(x, y) <= limit * limit)


# === LInfDistance.distance with Data, rows, Extended, attrs, math,
#    opendp_lite.base.aliases.Data, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class LInfDistance(NumberMetric):
    monotonic: bool = False
    def distance(self, x: Data, y: Data) -> Extended:
        gaps = vector_gaps(x, y)
        if gaps is None:
            return math.inf
        if self.monotonic:
            pairs = list(zip(rows(x), rows(y), strict=True))
            if any(a < b for a, b in pairs) and any(a > b for a, b in pairs):
                return math.inf
        return max(gaps, default=0)


# === LInfDistance.matches with Metric, attrs
@attrs.frozen(repr=False)
class LInfDistance(NumberMetric):
    monotonic: bool = False
    def matches(self, other: Metric) -> bool:
        return super().matches(other) and (
            isinstance(other, LInfDistance) and self.monotonic is other.monotonic
        )
