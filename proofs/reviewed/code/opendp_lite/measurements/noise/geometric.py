# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.geometric; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.additive import on_members
from opendp_lite.measurements.noise.additive import saturated
from opendp_lite.sampling.noise.clamped_laplace import sample_discrete_laplace_within
from typing import Any

_MAKE = "MakeMeasurement"


# === make_geometric
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.max_divergence import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.noise.additive import check_measure
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import releaser
from opendp_lite.laws.noise import LAPLACE
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


# === _bounded with Callable, mpq, NumberSpace, on_members, saturated,
#    sample_discrete_laplace_within, Any
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


# === _check_integers with AtomDomain, VectorDomain, refusal, Any, _MAKE
def _check_integers(domain: Any) -> None:
    atom = domain.element_domain if isinstance(domain, VectorDomain) else domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:
        fix = "Pass atom_domain(T=int), or use make_laplace for other numbers"
        raise refusal(_MAKE, "input_domain", domain, "must hold int", fix)


# === _check_bounds with integer_argument, refusal, Any, _MAKE
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
