# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.l1; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === L1Distance.distance with Extended, Any, attrs, math,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class L1Distance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)
