# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_geometric; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.geometric:make_geometric ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.additive import check_measure
from opendp_lite.measurements.additive import check_scale
from opendp_lite.measurements.additive import check_space
from opendp_lite.measurements.additive import in_scales
from opendp_lite.measurements.additive import releaser
from opendp_lite.sampling.law import LAPLACE
from typing import Any

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)

def make_geometric(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    bounds: Any = None,
    MO: Any = "MaxDivergence",
) -> Measurement:
    _check_integers(input_domain)
    space = check_space(LAPLACE, input_domain, input_metric)
    scale = check_scale(scale)
    check_measure(LAPLACE, MO, max_divergence())
    ends = _check_bounds(bounds)
    if ends is None:
        function = releaser(LAPLACE, space, scale, None)
    else:
        function = _bounded(space, scale, ends)
    count = space.size if space.vector else 1

    def privacy_map(d_in: Any) -> Any:
        if ends is None or count is None:
            return in_scales(d_in, scale)
        diameter = count * (ends[1] - ends[0])
        return in_scales(min(d_in, diameter), scale)

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === opendp_lite.measurements.geometric:_bounded ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.measurements.additive import NumberSpace
from opendp_lite.measurements.additive import on_members
from opendp_lite.measurements.additive import saturated
from opendp_lite.sampling.clamped import sample_discrete_laplace_within
from typing import Any

def _bounded(
    space: NumberSpace, scale: mpq, ends: tuple[int, int]
) -> Callable[[Any], Any]:
    lower, upper = ends

    def number(x: Any) -> int:
        noise = sample_discrete_laplace_within(scale, upper - lower)
        clamped = min(max(int(x), lower), upper)
        return min(max(clamped + noise, lower), upper)

    def array(values: Any) -> Any:
        return saturated(number, values)

    return on_members(space, number, array)


# === opendp_lite.measurements.geometric:_check_integers ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from typing import Any

_MAKE = "MakeMeasurement"

def _check_integers(domain: Any) -> None:
    atom = domain.element_domain if isinstance(domain, VectorDomain) else domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:
        fix = "Pass atom_domain(T=int), or use make_laplace for other numbers"
        raise refusal(_MAKE, "input_domain", domain, "must hold int", fix)


# === opendp_lite.measurements.geometric:_check_bounds ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from typing import Any

_MAKE = "MakeMeasurement"

def _check_bounds(bounds: Any) -> tuple[int, int] | None:
    if bounds is None:
        return None
    fix = "Pass (lower, upper) with lower <= upper, such as (0, 10)"
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal(_MAKE, "bounds", bounds, "must be a pair", fix)
    lower = integer_argument(_MAKE, "bounds", bounds[0], fix=fix)
    upper = integer_argument(_MAKE, "bounds", bounds[1], fix=fix)
    if lower > upper:
        rule = "lower may not be above upper"
        raise refusal(_MAKE, "bounds", bounds, rule, fix)
    return lower, upper


# === opendp_lite.measurements.additive:in_scales ===

from gmpy2 import mpq
from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def in_scales(distance: Extended, scale: mpq) -> Extended:
    if distance == 0:
        return 0
    if distance == math.inf or scale == 0:
        return math.inf
    return mpq(distance) / scale


# === opendp_lite.measurements.additive:on_members ===

from collections.abc import Callable
from opendp_lite.core.containers import is_array
from typing import Any

def on_members(
    space: NumberSpace, number: Callable[[Any], Any], array: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    if not space.vector:
        return number

    def function(arg: Any) -> Any:
        if is_array(arg):
            return array(arg)
        return [number(x) for x in arg]

    return function


# === opendp_lite.measurements.additive:saturated ===

from collections.abc import Callable
from typing import Any

def saturated(release: Callable[[Any], int], values: Any) -> Any:
    import numpy

    released = [release(x) for x in values.tolist()]
    ends = -(2**63), 2**63 - 1
    clamped = [min(max(y, ends[0]), ends[1]) for y in released]
    return numpy.array(clamped, numpy.int64)


# === opendp_lite.measurements.additive:check_space ===

from fractions import Fraction
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import AbsoluteDistance
from opendp_lite.core.metric import L1Distance
from opendp_lite.core.metric import L2Distance
from opendp_lite.sampling.law import Law
from typing import Any

_MAKE = "MakeMeasurement"

def check_space(law: Law, domain: Any, metric: Any) -> NumberSpace:
    norm = L1Distance if law.power == 1 else L2Distance
    fix = (
        "Pass atom_domain(T=int) and absolute_distance(T=int), or "
        f"vector_domain(atom_domain(T=int)) and l{law.power}_distance(T=int)"
    )
    vector = isinstance(domain, VectorDomain)
    atom = domain.element_domain if vector else domain
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must hold int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    wanted = norm if vector else AbsoluteDistance
    if not isinstance(metric, wanted):
        rule = f"must be {wanted.__name__} for this domain"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return NumberSpace(atom, vector, domain.size if vector else None)


# === opendp_lite.measurements.additive:NumberSpace ===

from opendp_lite.core.atom import AtomDomain
import attrs

@attrs.frozen
class NumberSpace:
    atom: AtomDomain
    vector: bool
    size: int | None


# === opendp_lite.measurements.additive:check_scale ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from typing import Any

_MAKE = "MakeMeasurement"

def check_scale(scale: Any) -> mpq:
    fix = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"
    number: mpq = rational_argument(
        _MAKE, "scale", scale, fix=fix, at_least=0
    )
    return number


# === opendp_lite.measurements.additive:check_measure ===

from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import Measure
from opendp_lite.sampling.law import Law
from typing import Any

_MAKE = "MakeMeasurement"

def check_measure(law: Law, MO: Any, measure: Measure) -> None:
    kind = type(measure)
    if MO not in (kind.__name__, kind, measure):
        rule = f"{law.name} noise is measured by {kind.__name__}"
        raise refusal(_MAKE, "MO", MO, rule, "Leave MO out")


# === opendp_lite.core.arguments:integer_argument ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal

def integer_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> int:
    number: mpq = rational_argument(
        variant, name, value, fix=fix, at_least=at_least, at_most=at_most
    )
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


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
