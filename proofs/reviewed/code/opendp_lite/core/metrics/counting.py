# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.counting; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections import Counter
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.arguments import distance_argument
from opendp_lite.base.containers import native
from opendp_lite.base.containers import rows
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.data.identity import key
from opendp_lite.data.lines import text_lines
from typing import Any
import attrs

opendp_lite.base.aliases.Distance: typing.TypeAlias = object
_COUNT_FIX = "Pass the number of rows in which neighbours may differ, such as 1"
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === CountingMetric.parse with Distance, distance_argument, Metric, attrs,
#    opendp_lite.base.aliases.Distance, _COUNT_FIX
@attrs.frozen(repr=False)
class CountingMetric(Metric):
    def parse(self, d: Distance, name: str = "d_in") -> int | float:
        count: int | float = distance_argument(name, d, _COUNT_FIX, whole=True)
        return count


# === SymmetricDistance.distance with Counter, Data, key, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class SymmetricDistance(CountingMetric):
    def distance(self, x: Data, y: Data) -> int:
        left = Counter(map(key, _rows_or_lines(x)))
        left.subtract(Counter(map(key, _rows_or_lines(y))))
        return sum(map(abs, left.values()))


# === _rows_or_lines with Data, native, rows, text_lines, Any,
#    opendp_lite.base.aliases.Data
def _rows_or_lines(data: Data) -> list[Any]:
    data = native(data)
    return text_lines(data) if type(data) is str else rows(data)
