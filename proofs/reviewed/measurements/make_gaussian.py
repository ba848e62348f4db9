# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_gaussian; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.gaussian:make_gaussian ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.measure import zero_concentrated_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.grid import absolute_sensitivity
from opendp_lite.measurements.grid import l2_sensitivity
from opendp_lite.measurements.grid import spacing
from opendp_lite.measurements.laplace import _check_grid
from opendp_lite.measurements.laplace import _release_array
from typing import Any
import math

_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass the scale of the noise, such as scale=1.0; 0 means no noise at all"

def make_gaussian(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    k: int | None = None,
    MO: Any = "ZeroConcentratedDivergence",
) -> Measurement:
    atom, size = _check_space(input_domain, input_metric)
    scale = rational_argument(
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    _check_measure(MO)
    k = _check_grid(
        k, atom, size, isinstance(input_domain, VectorDomain)
    )
    release = _releaser(atom.T, scale, k)

    def function(arg: Any) -> Any:
        if is_array(arg):
            return _release_array(release, arg, atom.T)
        return [release(x) for x in arg] if isinstance(arg, list) else release(arg)

    def sensitivity(d_in: Any) -> Any:
        if k is None:
            return d_in
        if isinstance(input_domain, VectorDomain):
            return l2_sensitivity(d_in, k, spacing(atom), size or 0)
        return absolute_sensitivity(d_in, k, spacing(atom))

    def privacy_map(d_in: Any) -> Any:
        distance = sensitivity(d_in)
        if distance == 0:
            return 0
        if distance == math.inf or scale == 0:
            return math.inf
        ratio = mpq(distance) / scale
        return ratio * ratio / mpq(2)

    return Measurement(
        input_domain,
        function,
        input_metric,
        zero_concentrated_divergence(),
        privacy_map,
        covers_rationals=k is None and atom.T is float,
    )


# === opendp_lite.measurements.gaussian:_releaser ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.discrete_gaussian import sample_discrete_gaussian
from opendp_lite.sampling.gaussian import sample_gaussian_rounded
from typing import Any
import math

def _releaser(T: type, scale: mpq, k: int | None) -> Callable[[Any], Any]:
    grid = power_of_two(0 if k is None else k)

    def integer(x: Any) -> int:
        return int(x) + sample_discrete_gaussian(scale)

    def real(x: Any) -> float:
        if x in (math.inf, -math.inf):
            return float(x)
        return to_double(sample_gaussian_rounded(to_mpq(x), scale))

    def on_grid(x: Any) -> Any:
        if x in (math.inf, -math.inf):
            return float(x)
        assert k is not None
        multiple = nearest_multiple(to_mpq(x), k) + sample_discrete_gaussian(
            scale / grid
        )
        value = mpq(multiple) * grid
        return int(value) if T is int else to_double(value)

    if k is not None:
        return on_grid
    return integer if T is int else real


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


# === opendp_lite.measurements.gaussian:_check_space ===

from fractions import Fraction
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import AbsoluteDistance
from opendp_lite.core.metric import L2Distance
from typing import Any

_MAKE = "MakeMeasurement"

def _check_space(domain: Any, metric: Any) -> tuple[AtomDomain, int | None]:
    fix = "Pass atom_domain(T=int) and absolute_distance(T=int), or a vector and L2"
    wanted: type[Metric]
    if isinstance(domain, VectorDomain):
        atom, size, wanted = domain.element_domain, domain.size, L2Distance
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


# === opendp_lite.measurements.gaussian:_check_measure ===

from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import ZeroConcentratedDivergence
from opendp_lite.core.measure import zero_concentrated_divergence
from typing import Any

_MAKE = "MakeMeasurement"

def _check_measure(MO: Any) -> None:
    if MO not in (
        "ZeroConcentratedDivergence",
        ZeroConcentratedDivergence,
        zero_concentrated_divergence(),
    ):
        rule, fix = (
            "Gaussian noise is measured by ZeroConcentratedDivergence",
            "Leave MO out",
        )
        raise refusal(_MAKE, "MO", MO, rule, fix)


# === opendp_lite.measurements.laplace:_check_grid ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import power_of_two
from opendp_lite.measurements.grid import spacing
from typing import Any

_MAKE = "MakeMeasurement"

def _check_grid(k: Any, atom: AtomDomain, size: int | None, vector: bool) -> int | None:
    if k is None:
        return None
    fix = "Leave k out: without a grid nothing is lost"
    exponent = integer_argument(
        _MAKE, "k", k, fix=fix, at_least=-(2**16), at_most=2**16
    )
    if atom.T is int and exponent < 0:
        raise refusal(_MAKE, "k", k, "must be at least 0 on integers", fix)
    if vector and size is None and spacing(atom) < power_of_two(exponent):
        rule = (
            "rounding costs up to one grid step for each entry, and a vector of "
            "unknown size may have any number of them"
        )
        fix = "Leave k out, or use vector_domain(..., size=n)"
        raise refusal(_MAKE, "k", k, rule, fix)
    return exponent


# === opendp_lite.measurements.grid:spacing ===

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.core.atom import AtomDomain
from opendp_lite.exact.grids import power_of_two

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}

def spacing(domain: AtomDomain) -> mpq:
    return _SPACINGS[domain.T]


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


# === opendp_lite.exact.rationals:to_mpq ===

from gmpy2 import mpq

def to_mpq(value: object) -> mpq:
    number = _parsed(value)
    if isinstance(number, float):
        raise ValueError(f"must be a finite number, got {number}")
    return number


# === opendp_lite.exact.rationals:_parsed ===

from decimal import Decimal
from fractions import Fraction
from gmpy2 import mpfr
from gmpy2 import mpq
from gmpy2 import mpz

def _parsed(value: object) -> mpq | float:
    if isinstance(value, mpq):
        return value
    if isinstance(value, float):
        return _from_binary(float(value))
    if isinstance(value, bool):
        raise TypeError(f"must be a number, got the truth value {value}")
    if isinstance(value, int):
        return mpq(int(value))
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, Fraction):
        return mpq(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal):
        return _from_decimal(value)
    if isinstance(value, mpz):
        return mpq(value)
    if isinstance(value, mpfr):
        return _from_binary(value)
    return _from_numpy(value)


# === opendp_lite.exact.rationals:_from_binary ===

from gmpy2 import mpfr
from gmpy2 import mpq
import math

def _from_binary(value: float | mpfr) -> mpq | float:
    if -math.inf < value < math.inf:
        return mpq(*value.as_integer_ratio())
    return float(value)


# === opendp_lite.exact.rationals:_from_numpy ===

from gmpy2 import mpq

def _from_numpy(value: object) -> mpq | float:
    if _is_numpy(value, "integer") and not _is_numpy(value, "timedelta64"):
        return mpq(value.__index__())
    if _is_numpy(value, "floating"):
        return _from_binary(value)
    raise TypeError(f"must be a number, got a value of type {type(value).__name__}")


# === opendp_lite.exact.rationals:_is_numpy ===

import sys

def _is_numpy(value: object, kind: str) -> bool:
    return isinstance(value, getattr(sys.modules.get("numpy"), kind, ()))


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq
import sys

def to_double(x: mpq | int) -> float:
    try:
        nearest = int(x.numerator) / int(x.denominator)
    except OverflowError:
        return sys.float_info.max if x > 0 else -sys.float_info.max
    return nearest + 0.0


# === opendp_lite.exact.grids:nearest_multiple ===

from gmpy2 import mpq

def nearest_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.core.metric:AbsoluteDistance.distance ===

from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class AbsoluteDistance(_NumberMetric):
    def distance(self, x: Any, y: Any) -> Extended:
        return gap(x, y)


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


# === opendp_lite.core.containers:rows ===

from typing import Any

def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]
