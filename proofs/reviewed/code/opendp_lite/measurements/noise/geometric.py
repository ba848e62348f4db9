# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.geometric; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.core.aliases import Bounds
from opendp_lite.core.aliases import Data
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.arguments import pair_argument
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.max_divergence import max_divergence
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.additive import check_measure
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import on_members
from opendp_lite.measurements.noise.additive import releaser
from opendp_lite.measurements.noise.additive import saturated
from opendp_lite.sampling.noise.clamped_laplace import sample_discrete_laplace_within
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.core.aliases.NumpyNumber
opendp_lite.core.aliases.Bounds: typing.TypeAlias = collections.abc.Sequence[opendp_lite.core.aliases.ExactNumber]
opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.measures.measure.MeasureArgument: typing.TypeAlias = opendp_lite.core.measures.measure.Measure | type[opendp_lite.core.measures.measure.Measure] | str
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"


# === make_geometric with Bounds, ExactDistance, ExactNumber, Domain, Measurement,
#    max_divergence, MeasureArgument, Metric, LAPLACE, check_measure, check_scale,
#    check_space, in_scales, releaser, Any, ?, opendp_lite.core.aliases.ExactNumber,
#    opendp_lite.core.aliases.Bounds, opendp_lite.core.aliases.ExactDistance,
#    opendp_lite.core.measures.measure.MeasureArgument, opendp_lite.laws.noise.LAPLACE
def make_geometric(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    bounds: Bounds | None = None,
    MO: MeasureArgument = "MaxDivergence",
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

    def privacy_map(d_in: ExactDistance) -> Any:
        if ends is None or count is None:
            return in_scales(d_in, scale)
        diameter = count * (ends[1] - ends[0])
        return in_scales(min(d_in, diameter), scale)

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === _bounded with Callable, mpq, Data, NumberSpace, on_members, saturated,
#    sample_discrete_laplace_within, Any, opendp_lite.core.aliases.Data
def _bounded(
    space: NumberSpace, scale: mpq, ends: tuple[int, int]
) -> Callable[[Any], Any]:
    lower, upper = ends

    def number(x: Data) -> int:
        noise = sample_discrete_laplace_within(scale, upper - lower)
        clamped = min(max(int(x), lower), upper)
        return min(max(clamped + noise, lower), upper)

    def array(values: Data) -> Any:
        return saturated(number, values)

    return on_members(space, number, array)


# === _check_integers with AtomDomain, VectorDomain, refusal, _MAKE
def _check_integers(domain: object) -> None:
    atom = domain.element_domain if isinstance(domain, VectorDomain) else domain
    if not isinstance(atom, AtomDomain) or atom.T is not int:
        fix = (
            "Pass atom_domain(T=int), or use then_laplace for other numbers, "
            "then_gaussian under the L2 distance, then_laplace_threshold or "
            "then_gaussian_threshold for maps, then_product for tuples"
        )
        raise refusal(_MAKE, "input_domain", domain, "must hold int", fix)


# === _check_bounds with Bounds, integer_argument, pair_argument, refusal, ?,
#    opendp_lite.core.aliases.ExactNumber, opendp_lite.core.aliases.Bounds, _MAKE
def _check_bounds(bounds: Bounds | None) -> tuple[int, int] | None:
    if bounds is None:
        return None
    fix = "Pass (lower, upper) with lower <= upper, such as (0, 10)"
    first, second = pair_argument(_MAKE, "bounds", bounds, fix)
    lower = integer_argument(_MAKE, "bounds", first, fix=fix)
    upper = integer_argument(_MAKE, "bounds", second, fix=fix)
    if lower > upper:
        rule = "lower may not be above upper"
        raise refusal(_MAKE, "bounds", bounds, rule, fix)
    return lower, upper
