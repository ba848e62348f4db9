# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_snapping; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping:make_snapping ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.additive import check_space
from opendp_lite.measurements.additive import in_scales
from opendp_lite.measurements.snapping_arguments import lattice_argument
from opendp_lite.measurements.snapping_precision import check_precision
from opendp_lite.measurements.snapping_precision import finite_loss
from opendp_lite.sampling.finite_logarithm import FiniteLogarithm
from opendp_lite.sampling.law import LAPLACE
from opendp_lite.sampling.snapping import ExactLogarithm
from opendp_lite.sampling.snapping import Snapping
from typing import Any

_MAKE = "MakeMeasurement"
opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)

def make_snapping(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    bounds: Any,
    *,
    precision: int | None = None,
) -> Measurement:
    space = check_space(LAPLACE, input_domain, input_metric)
    lattice = lattice_argument(_MAKE, scale, bounds)
    if precision is None:
        noise: Any = ExactLogarithm(lattice.scale)
    else:
        precision = check_precision(precision, lattice, space)
        noise = FiniteLogarithm(lattice.scale, precision)
    function = _releaser(space, Snapping(lattice, noise))
    count = space.size if space.vector else 1

    def privacy_map(d_in: Any) -> Any:
        if count is None:
            return in_scales(d_in, lattice.scale)
        if precision is not None:
            return finite_loss(lattice, precision, count, d_in)
        diameter = count * (lattice.upper - lattice.lower)
        return in_scales(min(d_in, diameter), lattice.scale)

    return Measurement(
        input_domain,
        function,
        input_metric,
        max_divergence(),
        privacy_map,
        covers_rationals=space.atom.T is float,
    )


# === opendp_lite.measurements.snapping:_releaser ===

from collections.abc import Callable
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.additive import NumberSpace
from opendp_lite.measurements.additive import on_members
from opendp_lite.sampling.snapping import Snapping
from typing import Any
import math

def _releaser(space: NumberSpace, snapping: Snapping) -> Callable[[Any], Any]:
    def number(x: Any) -> float:
        if isinstance(x, float) or x in (math.inf, -math.inf):
            return snapping.release(float(x))
        return snapping.release_rational(to_mpq(x))

    def array(values: Any) -> Any:
        import numpy

        if not _become_doubles(values, snapping.lattice):
            released = [number(x) for x in values.tolist()]
            return numpy.array(released, numpy.float64)
        return snapping.add(numpy.asarray(values, numpy.float64))

    return on_members(space, number, array)


# === opendp_lite.measurements.snapping:_become_doubles ===

from opendp_lite.sampling.lattice import Lattice
from typing import Any

def _become_doubles(values: Any, lattice: Lattice) -> bool:
    widest = max(abs(lattice.lower), abs(lattice.upper))
    return bool(values.dtype.kind == "f" or widest <= 2**53)


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


# === opendp_lite.measurements.snapping_arguments:lattice_argument ===

from opendp_lite.sampling.lattice import Lattice
from typing import Any

_SCALE_FIX = "Pass a number such as scale=1.0; Fraction, Decimal and text are exact too"

def lattice_argument(variant: str, scale: Any, bounds: Any) -> Lattice:
    lower, upper = bounds_argument(variant, bounds)
    number = positive_argument(variant, "scale", scale, _SCALE_FIX)
    return Lattice(lower, upper, number)


# === opendp_lite.measurements.snapping_arguments:bounds_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from typing import Any

_BOUNDS_FIX = "Pass two numbers such as bounds=(0.0, 10.0), the lower one first"

def bounds_argument(variant: str, bounds: Any) -> tuple[mpq, mpq]:
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise refusal(variant, "bounds", bounds, "must be a pair", _BOUNDS_FIX)
    lower: mpq = rational_argument(
        variant, "bounds", bounds[0], fix=_BOUNDS_FIX
    )
    upper: mpq = rational_argument(
        variant, "bounds", bounds[1], fix=_BOUNDS_FIX
    )
    if not lower < upper:
        rule = "the first must be less than the second"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    if not round_up(lower) <= round_down(upper):
        rule = "there must be a double between the two"
        raise refusal(variant, "bounds", bounds, rule, _BOUNDS_FIX)
    return lower, upper


# === opendp_lite.measurements.snapping_arguments:positive_argument ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal

def positive_argument(variant: str, name: str, value: object, fix: str) -> mpq:
    number: mpq = rational_argument(variant, name, value, fix=fix)
    if number <= 0:
        raise refusal(variant, name, value, "must be above 0", fix)
    return number


# === opendp_lite.sampling.snapping:ExactLogarithm.__init__ ===

from gmpy2 import mpq

class ExactLogarithm:
    def __init__(self, scale: mpq) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be positive, got {scale}")
        self.scale = scale


# === opendp_lite.sampling.snapping:ExactLogarithm ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
from opendp_lite.sampling.exponential import bound_exponential
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float
_GUARD_BITS = 32

class ExactLogarithm:
    __slots__ = ("scale",)

    close = True

    def __init__(self, scale: mpq) -> None:
        if scale <= 0:
            raise ValueError(f"scale must be positive, got {scale}")
        self.scale = scale

    def magnitudes(self, prefix: int, length: int) -> tuple[End, End]:
        precision = length + _GUARD_BITS
        low, high = bound_exponential(prefix, length, precision)
        unit = self.scale * power_of_two(-precision)
        far = math.inf if high is None else mpq(high) * unit
        return mpq(low) * unit, far


# === opendp_lite.sampling.snapping:Snapping.__init__ ===

from gmpy2 import mpq
from opendp_lite.sampling.lattice import Lattice

class Snapping:
    def __init__(self, lattice: Lattice, noise: Magnitude) -> None:
        if noise.scale != lattice.scale:
            raise ValueError("lattice and noise must have the same scale")
        self.lattice = lattice
        self.noise = noise
        origin = mpq(1, 2) - lattice.middle / lattice.step
        self._origin = int(origin.numerator)
        self._origin_unit = int(origin.denominator)
        ratio = lattice.scale / lattice.step
        self._ratio, self._ratio_unit = int(ratio.numerator), int(ratio.denominator)
