# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_geometric; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.geometric:make_geometric ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.laplace import _MAKE
from opendp_lite.measurements.laplace import _SCALE_FIX
from opendp_lite.measurements.laplace import _check_measure
from opendp_lite.measurements.laplace import _check_space
from opendp_lite.measurements.laplace import _release_array
from opendp_lite.sampling.clamped import sample_discrete_laplace_within
from opendp_lite.sampling.discrete_laplace import sample_discrete_laplace
from typing import Any
import math

opendp_lite.measurements.laplace._MAKE = 'MakeMeasurement'
opendp_lite.measurements.laplace._SCALE_FIX = 'Pass the scale of the noise, such as scale=1.0; 0 means no noise at all'

def make_geometric(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    bounds: Any = None,
    MO: Any = "MaxDivergence",
) -> Measurement:
    _check_integers(input_domain)
    _, size = _check_space(input_domain, input_metric)
    scale = rational_argument(
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    _check_measure(MO)
    ends = _check_bounds(bounds)
    count = size if isinstance(input_domain, VectorDomain) else 1

    def release(x: Any) -> int:
        if ends is None:
            return int(x) + sample_discrete_laplace(scale)
        lower, upper = ends
        noise = sample_discrete_laplace_within(scale, upper - lower)
        clamped = min(max(int(x), lower), upper)
        return min(max(clamped + noise, lower), upper)

    def function(arg: Any) -> Any:
        if is_array(arg):
            return _release_array(release, arg, int)
        return [release(x) for x in arg] if isinstance(arg, list) else release(arg)

    def privacy_map(d_in: Any) -> Any:
        distance = d_in
        if ends is not None and count is not None:
            distance = min(d_in, count * (ends[1] - ends[0]))
        if distance == 0:
            return 0
        if distance == math.inf or scale == 0:
            return math.inf
        return mpq(distance) / scale

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === opendp_lite.measurements.geometric:_check_integers ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.measurements.laplace import _MAKE
from typing import Any

opendp_lite.measurements.laplace._MAKE = 'MakeMeasurement'

def _check_integers(domain: Any) -> None:
    atom = domain.element_domain if isinstance(domain, VectorDomain) else domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:
        fix = "Pass atom_domain(T=int), or use make_laplace for other numbers"
        raise refusal(_MAKE, "input_domain", domain, "must hold int", fix)


# === opendp_lite.measurements.geometric:_check_bounds ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.measurements.laplace import _MAKE
from typing import Any

opendp_lite.measurements.laplace._MAKE = 'MakeMeasurement'

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


# === opendp_lite.measurements.laplace:_release_array ===

from collections.abc import Callable
from opendp_lite.core.containers import native
from typing import Any

def _release_array(release: Callable[[Any], Any], array: Any, T: type) -> Any:
    import numpy

    released = [release(native(x)) for x in array]
    if T is not int:
        return numpy.array(released, dtype=numpy.float64)
    ends = -(2**63), 2**63 - 1
    return numpy.array([min(max(y, ends[0]), ends[1]) for y in released], numpy.int64)


# === opendp_lite.measurements.laplace:_check_space ===

from fractions import Fraction
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import AbsoluteDistance
from opendp_lite.core.metric import L1Distance
from typing import Any

_MAKE = "MakeMeasurement"

def _check_space(domain: Any, metric: Any) -> tuple[AtomDomain, int | None]:
    fix = "Pass atom_domain(T=int) and absolute_distance(T=int), or a vector and L1"
    wanted: type[Metric]
    if isinstance(domain, VectorDomain):
        atom, size, wanted = domain.element_domain, domain.size, L1Distance
    else:
        atom, size, wanted = domain, None, AbsoluteDistance
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must hold int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, wanted):
        rule = f"must be {wanted.__name__} for this domain"
        raise refusal(_MAKE, "input_metric", metric, rule, fix)
    return atom, size


# === opendp_lite.measurements.laplace:_check_measure ===

from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import MaxDivergence
from opendp_lite.core.measure import max_divergence
from typing import Any

_MAKE = "MakeMeasurement"

def _check_measure(MO: Any) -> None:
    if MO not in ("MaxDivergence", MaxDivergence, max_divergence()):
        rule, fix = "Laplace noise is measured by MaxDivergence", "Leave MO out"
        raise refusal(_MAKE, "MO", MO, rule, fix)


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


# === opendp_lite.core.containers:is_array ===

def is_array(value: object) -> bool:
    numpy = _numpy()
    return numpy is not None and type(value) in (numpy.ndarray, numpy.memmap)


# === opendp_lite.core.containers:native ===

from typing import Any

def native(value: Any) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === opendp_lite.core.containers:scalar_kind ===

def scalar_kind(value: object) -> str | None:
    numpy = _numpy()
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not type(value) or (dtype.kind in "iuf" and dtype.itemsize > 8):
        return None
    return str(dtype.kind)


# === opendp_lite.core.containers:_numpy ===

from typing import Any
import sys

def _numpy() -> Any:
    return sys.modules.get("numpy")


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


# === opendp_lite.core.containers:rows ===

from typing import Any

def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]
