# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.counting; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.arguments import distance_argument
from typing import Any
import attrs

_COUNT_FIX = "Pass the number of rows in which neighbours may differ, such as 1"


# === CountingMetric.parse with distance_argument, Any, attrs, _COUNT_FIX
@attrs.frozen(repr=False)
class CountingMetric(Metric):
    def parse(self, d: Any, name: str = "d_in") -> int | float:
        count: int | float = distance_argument(name, d, _COUNT_FIX, whole=True)
        return count
