# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.linf; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import NumberMetric
from opendp_lite.core.metrics.numbers import vector_gaps
from opendp_lite.core.values.containers import rows
from opendp_lite.exact.rationals import Extended
import attrs
import math

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === LInfDistance.distance with Data, NumberMetric, vector_gaps, rows, Extended, attrs,
#    math, opendp_lite.core.aliases.Data, opendp_lite.exact.rationals.Extended
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


# === LInfDistance.matches with Metric, NumberMetric, attrs
@attrs.frozen(repr=False)
class LInfDistance(NumberMetric):
    monotonic: bool = False
    def matches(self, other: Metric) -> bool:
        return super().matches(other) and (
            isinstance(other, LInfDistance) and self.monotonic is other.monotonic
        )
