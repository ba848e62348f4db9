# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.numbers; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import Distance
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.arguments import distance_argument
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.core.values.containers import native
from opendp_lite.core.values.containers import rows
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.roots import Root
from opendp_lite.exact.roots import above
from opendp_lite.exact.rounding import round_up
from typing import Any
import attrs
import math

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.core.aliases.Distance: typing.TypeAlias = object
_REAL_FIX = "Pass a number such as 1 or 0.5"
opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
_LEAST_EXPONENT = -1074


# === gap with mpq, Data, native, Extended, to_mpq, math, opendp_lite.core.aliases.Data,
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


# === vector_gaps with Data, rows, Extended, opendp_lite.core.aliases.Data,
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
#    opendp_lite.core.aliases.Distance, _REAL_FIX
@attrs.frozen(repr=False)
class NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def parse(self, d: Distance, name: str = "d_in") -> Any:
        return distance_argument(name, d, _REAL_FIX, whole=self.T is int)


# === NumberMetric.present with ExactDistance, Metric, present_number, ceil_multiple,
#    Extended, to_extended, Root, above, round_up, Any, attrs, math,
#    opendp_lite.core.aliases.ExactDistance, _LEAST_EXPONENT,
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
