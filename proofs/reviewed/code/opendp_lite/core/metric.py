# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metric; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.arguments import check_type
from opendp_lite.core.arguments import distance_argument
from opendp_lite.core.arguments import user_at_most
from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.core.containers import native
from opendp_lite.core.containers import rows
from opendp_lite.core.distance import CountingMetric
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import present_number
from opendp_lite.core.errors import refusal
from opendp_lite.core.identity import key
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from typing import Any
from typing import ClassVar
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_REAL_FIX = "Pass a number such as 1 or 0.5"


# === gap with mpq, native, Extended, to_mpq, Any, math,
#    opendp_lite.exact.rationals.Extended
def gap(x: Any, y: Any) -> Extended:
    x, y = native(x), native(y)
    if x == y:
        return 0
    if x in (math.inf, -math.inf) or y in (math.inf, -math.inf):
        return math.inf
    if isinstance(x, int) and isinstance(y, int):
        return abs(x - y)
    difference: mpq = to_mpq(x) - to_mpq(y)
    return abs(difference)


# === _vector_gaps with rows, Extended, Any, opendp_lite.exact.rationals.Extended
def _vector_gaps(x: Any, y: Any) -> list[Extended] | None:
    left, right = rows(x), rows(y)
    if len(left) != len(right):
        return None
    return [gap(a, b) for a, b in zip(left, right, strict=True)]


# === _sum_of_squares with mpq, Extended, opendp_lite.exact.rationals.Extended
def _sum_of_squares(gaps: list[Extended]) -> mpq:
    return sum((mpq(each) * mpq(each) for each in gaps), mpq(0))


# === _NumberMetric.parse with distance_argument, Metric, Any, attrs, _REAL_FIX
@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def parse(self, d: Any, name: str = "d_in") -> Any:
        return distance_argument(name, d, _REAL_FIX, whole=self.T is int)


# === _NumberMetric.present with mpq, Metric, present_number, ceil_multiple, Any, attrs,
#    math
@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def present(self, d: Any, exact: bool = False) -> Any:
        if self.T is int and d != math.inf:
            return ceil_multiple(mpq(d), 0)
        return (
            present_number(d, exact) if d == math.inf else present_number(mpq(d), exact)
        )


# === _NumberMetric.matches with Metric, attrs
@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def matches(self, other: Metric) -> bool:
        if type(self) is not type(other) or not isinstance(other, _NumberMetric):
            return False
        return (self.T is int) == (other.T is int)


# === AbsoluteDistance.distance with Extended, Any, attrs,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class AbsoluteDistance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        return gap(x, y)


# === L1Distance.distance with Extended, Any, attrs, math,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class L1Distance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)


# === L2Distance.squared with Extended, Any, attrs, math,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class L2Distance(_NumberMetric):
    def squared(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return _sum_of_squares(gaps)


# === L2Distance.within with Any, attrs
@attrs.frozen(repr=False)
class L2Distance(_NumberMetric):
    def within(self, x: Any, y: Any, d: Any) -> bool:
        limit = self.parse(d, "d")
        return bool(self.squared(x, y) <= limit * limit)


# === LInfDistance.distance with rows, Extended, Any, attrs, math,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class LInfDistance(_NumberMetric):
    monotonic: bool = False
    def distance(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None:
            return math.inf
        if self.monotonic:
            pairs = list(zip(rows(x), rows(y), strict=True))
            if any(a < b for a, b in pairs) and any(a > b for a, b in pairs):
                return math.inf
        return max(gaps, default=0)


# === LInfDistance.matches with Metric, attrs
@attrs.frozen(repr=False)
class LInfDistance(_NumberMetric):
    monotonic: bool = False
    def matches(self, other: Metric) -> bool:
        return super().matches(other) and (
            isinstance(other, LInfDistance) and self.monotonic is other.monotonic
        )


# === _L0PInfDistance.__attrs_post_init__ with check_type, Metric, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def __attrs_post_init__(self) -> None:
        fix = "Pass absolute_distance(T=int)"
        check_type("MetricSpace", "metric", self.metric, AbsoluteDistance, fix)


# === _L0PInfDistance._powers with Metric, key, Extended, Any, ClassVar, attrs, math,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def _powers(self, x: Any, y: Any) -> tuple[int, Extended, Extended]:
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


# === _L0PInfDistance.within with Metric, Any, ClassVar, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def within(self, x: Any, y: Any, d: Any) -> bool:
        l0, lp, linf = self.parse(d, "d")
        limit = lp if self.p == 1 else lp * lp
        return self.at_most(self._powers(x, y), (l0, limit, linf))


# === _L0PInfDistance.parse with CountingMetric, Metric, refusal, Any, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def parse(self, d: Any, name: str = "d_in") -> tuple[Any, Any, Any]:
        if not issubclass(type(d), tuple | list) or len(d) != 3:
            rule = "must be three numbers (L0, Lp, LInf)"
            fix = "Pass for example (1, 1, 1): one key changes, by at most 1"
            raise refusal("InvalidDistance", name, d, rule, fix)
        l0 = CountingMetric().parse(d[0], f"{name}[0]")
        rest = (self.metric.parse(d[i], f"{name}[{i}]") for i in (1, 2))
        return (l0, *rest)


# === _L0PInfDistance.at_most with Metric, Any, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    def at_most(self, d: Any, limit: Any) -> bool:
        return all(a <= b for a, b in zip(d, limit, strict=True))


# === _L0PInfDistance.present with Metric, Any, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def present(self, d: Any, exact: bool = False) -> Any:
        return (d[0], *(self.metric.present(part, exact) for part in d[1:]))


# === _L0PInfDistance.matches with Metric, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def matches(self, other: Metric) -> bool:
        return type(self) is type(other) and self.metric.matches(other.metric)


# === UserDistance.parse with user_distance_argument, Metric, Any, attrs
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def parse(self, d: Any, name: str = "d_in") -> Any:
        return user_distance_argument(name, d)


# === UserDistance.at_most with user_at_most, Metric, Any, attrs
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def at_most(self, d: Any, limit: Any) -> bool:
        return user_at_most(d, limit)


# === UserDistance.present with mpq, Metric, present_number, Any, attrs
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def present(self, d: Any, exact: bool = False) -> Any:
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d
