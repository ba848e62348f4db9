# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.estimates.private_mean; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.measurements.estimates.mean_estimate import MeanEstimate
from opendp_lite.measurements.noise.laplace_gaussian import make_noise
from opendp_lite.transformations.counts.tallies import norm_map
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.sums.summands import finite_bounds
from opendp_lite.transformations.sums.summands import grid_exponent
from opendp_lite.transformations.sums.summands import no_grid
from opendp_lite.transformations.sums.totals import grid_total
from opendp_lite.transformations.sums.totals import integer_total
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"


# === make_private_mean with Fraction, Data, ExactDistance, ExactNumber,
#    rational_argument, refusal, AtomDomain, Domain, VectorDomain, Measurement, Measure,
#    ZeroConcentratedDivergence, Metric, L1Distance, L2Distance, ceil_multiple,
#    floor_multiple, power_of_two, to_fraction, MeanEstimate, make_noise, norm_map,
#    check_dataset, check_numbers, finite_bounds, grid_exponent, no_grid, grid_total,
#    integer_total, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE
def make_private_mean(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    *,
    k: int | None = None,
) -> Measurement:
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)
    T, n = element.T, domain.size
    if T is Fraction:
        rule, fix = "rows must be int or float", "Use then_cast_default(TOA=float)"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    L, U = finite_bounds(domain, element)
    k = grid_exponent(L, U, True, k) if T is float else no_grid(k)
    g = power_of_two(k)
    a, b = ceil_multiple(L, k), floor_multiple(U, k)
    w = b - a
    if w == 0:
        rule = "the bounds must differ, on the grid"
        fix = "Pass wider bounds, or for floats a smaller k"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    fix = "Pass a scale such as scale=1.0; 0 adds no noise"
    s = rational_argument(_MAKE, "scale", scale, fix=fix, at_least=0)
    gaussian = type(output_measure) is ZeroConcentratedDivergence
    pair = VectorDomain(AtomDomain(T=int), 2)
    metric = L2Distance(int) if gaussian else L1Distance(int)
    noise = make_noise(pair, metric, output_measure, s * w)
    loss = make_noise(pair, metric, output_measure, s)
    spread = norm_map(2 if gaussian else 1, 2, True, input_metric, n)
    bounds = to_fraction(a * g), to_fraction(b * g)

    def function(arg: Data) -> MeanEstimate:
        if T is int:
            total = integer_total(arg, a, b)
        else:
            total = grid_total(arg, a, b, k)
        shares = [total - a * len(arg), b * len(arg) - total]
        above, below = noise.function(shares)
        return MeanEstimate(
            above, below, bounds, w, to_fraction(s * w), gaussian
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        return loss.privacy_map(spread(d_in))

    return Measurement(
        input_domain, function, input_metric, output_measure, privacy_map
    )
