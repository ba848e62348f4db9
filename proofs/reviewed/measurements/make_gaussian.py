# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_gaussian; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.gaussian:make_gaussian ===

from gmpy2 import mpq
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import zero_concentrated_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.additive import check_grid
from opendp_lite.measurements.additive import check_measure
from opendp_lite.measurements.additive import check_scale
from opendp_lite.measurements.additive import check_space
from opendp_lite.measurements.additive import in_scales
from opendp_lite.measurements.additive import releaser
from opendp_lite.measurements.additive import sensitivity
from opendp_lite.sampling.law import GAUSSIAN
from typing import Any
import math

opendp_lite.sampling.law.GAUSSIAN = opendp_lite.sampling.law.Law('Gaussian', 2, 2)

def make_gaussian(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    k: int | None = None,
    MO: Any = "ZeroConcentratedDivergence",
) -> Measurement:
    space = check_space(GAUSSIAN, input_domain, input_metric)
    scale = check_scale(scale)
    check_measure(GAUSSIAN, MO, zero_concentrated_divergence())
    k = check_grid(k, space)

    def privacy_map(d_in: Any) -> Any:
        ratio = in_scales(sensitivity(GAUSSIAN, space, k, d_in), scale)
        if ratio == math.inf:
            return math.inf
        return mpq(ratio) * mpq(ratio) / mpq(2)

    return Measurement(
        input_domain,
        releaser(GAUSSIAN, space, scale, k),
        input_metric,
        zero_concentrated_divergence(),
        privacy_map,
        covers_rationals=k is None and space.atom.T is float,
    )


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


# === opendp_lite.measurements.additive:check_grid ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import power_of_two
from opendp_lite.measurements.grid import spacing
from typing import Any

_MAKE = "MakeMeasurement"

def check_grid(k: Any, space: NumberSpace) -> int | None:
    if k is None:
        return None
    fix = "Leave k out: without a grid nothing is lost"
    exponent = integer_argument(
        _MAKE, "k", k, fix=fix, at_least=-(2**16), at_most=2**16
    )
    if space.atom.T is int and exponent < 0:
        rule = "must be at least 0 on integers"
        raise refusal(_MAKE, "k", k, rule, fix)
    rounds = spacing(space.atom) < power_of_two(exponent)
    if space.vector and space.size is None and rounds:
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
