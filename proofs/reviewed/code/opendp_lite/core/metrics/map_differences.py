# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.map_differences; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.metrics.counting import CountingMetric
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.core.metrics.numbers import gap
from opendp_lite.core.metrics.numbers import sum_of_squares
from opendp_lite.data.identity import key
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import root
from typing import Any
from typing import ClassVar
import attrs
import math

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.base.aliases.Distance: typing.TypeAlias = object
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any


# === _L0PInfDistance.__attrs_post_init__ with check_type, Metric, AbsoluteDistance,
#    ClassVar, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    p: ClassVar[int]
    def __attrs_post_init__(self) -> None:
        fix = "Pass absolute_distance(T=int)"
        check_type("MetricSpace", "metric", self.metric, AbsoluteDistance, fix)


# === _L0PInfDistance.distance with Data, Metric, root, Any, ClassVar, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def distance(self, x: Data, y: Data) -> tuple[Any, Any, Any]:
        differing, power, greatest = self._powers(x, y)
        return differing, power if self.p == 1 else root(power), greatest


# === _L0PInfDistance._powers with Data, Metric, gap, sum_of_squares, key, Extended,
#    ClassVar, attrs, math, opendp_lite.base.aliases.Data,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def _powers(self, x: Data, y: Data) -> tuple[int, Extended, Extended]:
        left = {key(k): v for k, v in x.items()}
        right = {key(k): v for k, v in y.items()}
        gaps: list[Extended] = []
        differing = 0
        for each in left.keys() | right.keys():
            gaps.append(gap(left.get(each, 0), right.get(each, 0)))
            differing += (each in left) != (each in right) or gaps[-1] != 0
        if math.inf in gaps:
            return differing, math.inf, math.inf
        power = sum(gaps) if self.p == 1 else sum_of_squares(gaps)
        return differing, power, max(gaps, default=0)


# === _L0PInfDistance.within with Data, Distance, Metric, ClassVar, attrs,
#    opendp_lite.base.aliases.Distance, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    p: ClassVar[int]
    def within(self, x: Data, y: Data, d: Distance) -> bool:
        l0, lp, linf = self.parse(d, "d")
        limit = lp if self.p == 1 else lp * lp
        return self.at_most(self._powers(x, y), (l0, limit, linf))


# === _L0PInfDistance.parse with Value, refusal, CountingMetric, Metric,
#    AbsoluteDistance, Any, attrs, opendp_lite.base.aliases.Value
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def parse(self, d: Value, name: str = "d_in") -> tuple[Any, Any, Any]:
        if not issubclass(type(d), tuple | list) or len(d) != 3:
            rule = "must be three numbers (L0, Lp, LInf)"
            fix = "Pass for example (1, 1, 1): one key changes, by at most 1"
            raise refusal("InvalidDistance", name, d, rule, fix)
        l0 = CountingMetric().parse(d[0], f"{name}[0]")
        rest = (self.metric.parse(d[i], f"{name}[{i}]") for i in (1, 2))
        return (l0, *rest)


# === _L0PInfDistance.at_most with ExactDistance, Metric, attrs,
#    opendp_lite.base.aliases.ExactDistance
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        return all(a <= b for a, b in zip(d, limit, strict=True))


# === _L0PInfDistance.present with ExactDistance, Metric, AbsoluteDistance, Any, attrs,
#    opendp_lite.base.aliases.ExactDistance
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        return (d[0], *(self.metric.present(part, exact) for part in d[1:]))


# === _L0PInfDistance.matches with Metric, AbsoluteDistance, attrs
@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def matches(self, other: Metric) -> bool:
        return type(self) is type(other) and self.metric.matches(other.metric)
