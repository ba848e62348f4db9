# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.estimates.private_bounds; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import pair_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import L1Distance
from opendp_lite.core.metrics.numbers import L2Distance
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.measurements.noise.accuracies import discrete_gaussian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import discrete_laplacian_scale_to_accuracy
from opendp_lite.measurements.noise.laplace_gaussian import make_noise
from opendp_lite.transformations.counts.categories import make_histogram
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from typing import Any
import math

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


# === make_private_bounds with Data, ExactDistance, ExactNumber, rational_argument,
#    Domain, Measurement, Measure, ZeroConcentratedDivergence, Metric, L1Distance,
#    L2Distance, power_of_two, to_fraction, make_noise, make_histogram, check_dataset,
#    check_numbers, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE
def make_private_bounds(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    alpha: ExactNumber = 0.01,
    exponents: tuple[int, int] | None = None,
) -> Measurement:
    element = check_numbers(check_dataset(input_domain, input_metric))
    T = element.T
    i, j = _check_exponents(exponents, element)
    powers = [to_fraction(power_of_two(e)) for e in range(i, j + 1)]
    edges = [*(-each for each in reversed(powers)), to_fraction(0), *powers]
    ends, last = [T(each) for each in edges], len(edges) - 1
    gaussian = type(output_measure) is ZeroConcentratedDivergence
    metric = L2Distance(int) if gaussian else L1Distance(int)
    histogram = make_histogram(
        input_domain, input_metric, edges, metric
    )
    fix = "Pass a scale such as scale=1.0; 0 adds no noise"
    s = rational_argument(_MAKE, "scale", scale, fix=fix, at_least=0)
    noise = make_noise(
        histogram.output_domain, metric, output_measure, s
    )
    t = _threshold(s, alpha, len(edges) + 1, gaussian)

    def function(arg: Data) -> tuple[Any, Any]:
        counts = noise.function(histogram.function(arg))
        chosen = [bin for bin, count in enumerate(counts) if count > t]
        first, final = (chosen[0], chosen[-1]) if chosen else (0, last)
        lower = ends[min(max(first - 1, 0), last - 1)]
        return lower, ends[max(min(final, last), 1)]

    def privacy_map(d_in: ExactDistance) -> Any:
        return noise.privacy_map(histogram.stability_map(d_in))

    return Measurement(
        input_domain, function, input_metric, output_measure, privacy_map
    )


# === _check_exponents with integer_argument, pair_argument, refusal, AtomDomain, Any,
#    _MAKE
def _check_exponents(exponents: Any, element: AtomDomain) -> tuple[int, int]:
    lowest, highest = (-149, 127) if element.single else (-1074, 1023)
    if element.T is int:
        lowest = 0
    if exponents is None:
        return max(lowest, -32), 63
    fix = "Pass a pair of integers, such as exponents=(0, 40), or leave it out"
    pair = pair_argument(_MAKE, "exponents", exponents, fix)
    i, j = (
        integer_argument(
            _MAKE, "exponents", each, fix=fix, at_least=lowest, at_most=highest
        )
        for each in pair
    )
    if i > j:
        rule = "the first must not be above the second"
        raise refusal(_MAKE, "exponents", exponents, rule, fix)
    return i, j


# === _threshold with rational_argument, refusal, to_fraction,
#    discrete_gaussian_scale_to_accuracy, discrete_laplacian_scale_to_accuracy, Any,
#    math, _MAKE
def _threshold(scale: Any, alpha: object, bins: int, gaussian: bool) -> int:
    fix = "Pass the probability of failure, such as alpha=0.01"
    level = rational_argument(_MAKE, "alpha", alpha, fix=fix)
    if not 0 < level < 1:
        rule = "must be above 0 and below 1"
        raise refusal(_MAKE, "alpha", alpha, rule, fix)
    accuracy = (
        discrete_gaussian_scale_to_accuracy
        if gaussian
        else discrete_laplacian_scale_to_accuracy
    )(scale, level / bins)
    if accuracy == math.inf:
        rule = "must be so small that the noise has a bound"
        fix = "Pass a scale such as scale=1.0"
        raise refusal(_MAKE, "scale", to_fraction(scale), rule, fix)
    return math.floor(accuracy)
