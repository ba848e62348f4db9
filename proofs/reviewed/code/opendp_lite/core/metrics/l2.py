# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.l2; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import Distance
from opendp_lite.core.metrics.numbers import NumberMetric
from opendp_lite.core.metrics.numbers import sum_of_squares
from opendp_lite.core.metrics.numbers import vector_gaps
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import Rooted
from opendp_lite.exact.roots import root
import attrs
import math

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
opendp_lite.exact.roots.Rooted: typing.TypeAlias = opendp_lite.exact.rationals.Extended | opendp_lite.exact.roots.Root
opendp_lite.core.aliases.Distance: typing.TypeAlias = object


# === L2Distance.squared with Data, NumberMetric, sum_of_squares, vector_gaps, Extended,
#    attrs, math, opendp_lite.core.aliases.Data, opendp_lite.exact.rationals.Extended
@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    def squared(self, x: Data, y: Data) -> Extended:
        gaps = vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum_of_squares(gaps)


# === L2Distance.distance with Data, NumberMetric, Rooted, root, attrs,
#    opendp_lite.core.aliases.Data, opendp_lite.exact.rationals.Extended,
#    opendp_lite.exact.roots.Rooted
@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    def distance(self, x: Data, y: Data) -> Rooted:
        return root(self.squared(x, y))


# === L2Distance.within with Data, Distance, NumberMetric, attrs,
#    opendp_lite.core.aliases.Distance, opendp_lite.core.aliases.Data
@attrs.frozen(repr=False)
class L2Distance(NumberMetric):
    def within(self, x: Data, y: Data, d: Distance) -> bool:
        limit = self.parse(d, "d")
        return bool(self.squared(x, y) <= limit * limit)
