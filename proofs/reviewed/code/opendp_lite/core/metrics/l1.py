# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.l1; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.metrics.numbers import NumberMetric
from opendp_lite.core.metrics.numbers import vector_gaps
from opendp_lite.exact.rationals import Extended
import attrs
import math

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === L1Distance.distance with Data, NumberMetric, vector_gaps, Extended, attrs, math,
#    opendp_lite.core.aliases.Data, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class L1Distance(NumberMetric):
    def distance(self, x: Data, y: Data) -> Extended:
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)
