# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.absolute; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.metrics.numbers import NumberMetric
from opendp_lite.core.metrics.numbers import gap
from opendp_lite.exact.rationals import Extended
import attrs

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === AbsoluteDistance.distance with Data, NumberMetric, gap, Extended, attrs,
#    opendp_lite.core.aliases.Data, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class AbsoluteDistance(NumberMetric):
    def distance(self, x: Data, y: Data) -> Extended:
        return gap(x, y)
