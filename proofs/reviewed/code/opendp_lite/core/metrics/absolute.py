# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.absolute; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === AbsoluteDistance.distance with Extended, Any, attrs,
#    opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class AbsoluteDistance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        return gap(x, y)
