# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.snapping; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.base.aliases import Bounds
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import on_members
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.finite_logarithm import FiniteLogarithm
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.precision import check_precision
from opendp_lite.measurements.snapping.precision import finite_loss
from opendp_lite.measurements.snapping.sampler import ExactLogarithm
from opendp_lite.measurements.snapping.sampler import Snapping
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.base.aliases.ExactNumber]
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
_MAKE = "MakeMeasurement"
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === make_snapping with Bounds, ExactDistance, ExactNumber, Domain, Measurement,
#    max_divergence, Metric, LAPLACE, check_space, in_scales, lattice_argument,
#    FiniteLogarithm, check_precision, finite_loss, ExactLogarithm, Snapping, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Bounds,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.laws.noise.LAPLACE, _MAKE
def make_snapping(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    bounds: Bounds,
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

    def privacy_map(d_in: ExactDistance) -> Any:
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


# === _releaser with Callable, Data, to_mpq, NumberSpace, on_members, Snapping, Any,
#    math, opendp_lite.base.aliases.Data
def _releaser(space: NumberSpace, snapping: Snapping) -> Callable[[Any], Any]:
    def number(x: Data) -> float:
        if isinstance(x, float) or x in (math.inf, -math.inf):
            return snapping.release(float(x))
        return snapping.release_rational(to_mpq(x))

    def array(values: Data) -> Any:
        import numpy

        if not _become_doubles(values, snapping.lattice):
            released = [number(x) for x in values.tolist()]
            return numpy.array(released, numpy.float64)
        return snapping.add(numpy.asarray(values, numpy.float64))

    return on_members(space, number, array)


# === _become_doubles with Data, Lattice, opendp_lite.base.aliases.Data
def _become_doubles(values: Data, lattice: Lattice) -> bool:
    widest = max(abs(lattice.lower), abs(lattice.upper))
    return bool(values.dtype.kind == "f" or widest <= 2**53)
