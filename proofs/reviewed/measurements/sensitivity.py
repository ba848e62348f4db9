# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/sensitivity; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.additive:sensitivity ===

from opendp_lite.exact.rationals import Extended
from opendp_lite.measurements.grid import absolute_sensitivity
from opendp_lite.measurements.grid import l1_sensitivity
from opendp_lite.measurements.grid import l2_sensitivity
from opendp_lite.measurements.grid import spacing
from opendp_lite.sampling.law import Law
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def sensitivity(law: Law, space: NumberSpace, k: int | None, d_in: Any) -> Extended:
    if k is None:
        return d_in
    step = spacing(space.atom)
    if not space.vector:
        return absolute_sensitivity(d_in, k, step)
    bound = l1_sensitivity if law.power == 1 else l2_sensitivity
    return bound(d_in, k, step, space.size or 0)


# === opendp_lite.measurements.additive:NumberSpace ===

from opendp_lite.core.atom import AtomDomain
import attrs

@attrs.frozen
class NumberSpace:
    atom: AtomDomain
    vector: bool
    size: int | None


# === opendp_lite.measurements.grid:spacing ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.atom import AtomDomain
from opendp_lite.exact.grids import power_of_two

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}

def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


# === opendp_lite.core.metric:AbsoluteDistance.distance ===

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class AbsoluteDistance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        return gap(x, y)


# === opendp_lite.core.metric:L1Distance.distance ===

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class L1Distance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return sum(gaps)


# === opendp_lite.core.metric:L2Distance.squared ===

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class L2Distance(_NumberMetric):
    def squared(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None or math.inf in gaps:
            return math.inf
        return _sum_of_squares(gaps)


# === opendp_lite.core.metric:L2Distance.within ===

from typing import Any
import attrs

@attrs.frozen(repr=False)
class L2Distance(_NumberMetric):
    def within(self, x: Any, y: Any, d: Any) -> bool:
        limit = self.parse(d, "d")
        return bool(self.squared(x, y) <= limit * limit)


# === opendp_lite.core.metric:_sum_of_squares ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _sum_of_squares(gaps: list[Extended]) -> mpq:
    return sum((mpq(each) * mpq(each) for each in gaps), mpq(0))


# === opendp_lite.core.metric:_vector_gaps ===

from opendp_lite.core.containers import rows
from opendp_lite.exact.rationals import Extended
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _vector_gaps(x: Any, y: Any) -> list[Extended] | None:
    left, right = rows(x), rows(y)
    if len(left) != len(right):
        return None
    return [gap(a, b) for a, b in zip(left, right, strict=True)]


# === opendp_lite.core.metric:gap ===

from gmpy2 import mpq
from opendp_lite.core.containers import native
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def gap(x: Any, y: Any) -> Extended:
    x, y = native(x), native(y)
    if x == y:
        return 0
    if x in (math.inf, -math.inf) or y in (math.inf, -math.inf):
        return math.inf
    if isinstance(x, int) and isinstance(y, int):
        return abs(x - y)
    difference: mpq = to_mpq(x) - to_mpq(y)
    return abs(difference)
