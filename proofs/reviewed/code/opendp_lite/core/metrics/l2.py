# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.l2; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


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
