# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.counting; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Distance
from opendp_lite.core.arguments import distance_argument
from opendp_lite.core.metrics.metric import Metric
import attrs

opendp_lite.core.aliases.Distance: typing.TypeAlias = object
_COUNT_FIX = "Pass the number of rows in which neighbours may differ, such as 1"


# === CountingMetric.parse with Distance, distance_argument, Metric, attrs,
#    opendp_lite.core.aliases.Distance, _COUNT_FIX
@attrs.frozen(repr=False)
class CountingMetric(Metric):
    def parse(self, d: Distance, name: str = "d_in") -> int | float:
        count: int | float = distance_argument(name, d, _COUNT_FIX, whole=True)
        return count
