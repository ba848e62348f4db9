# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.snapping; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws.snapping_lattice import Lattice
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.additive import on_members
from opendp_lite.sampling.snapping.sampler import Snapping
from typing import Any
import math


# === make_snapping
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.max_divergence import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.precision import check_precision
from opendp_lite.measurements.snapping.precision import finite_loss
from opendp_lite.laws.finite_logarithm import FiniteLogarithm
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.sampling.snapping.sampler import ExactLogarithm
from opendp_lite.sampling.snapping.sampler import Snapping
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


# === _releaser with Callable, to_mpq, NumberSpace, on_members, Snapping, Any, math
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


# === _become_doubles with Lattice, Any
def _become_doubles(values: Any, lattice: Lattice) -> bool:
    widest = max(abs(lattice.lower), abs(lattice.upper))
    return bool(values.dtype.kind == "f" or widest <= 2**53)
