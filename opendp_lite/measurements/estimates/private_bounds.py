"""Bounds for numbers whose range is not known, from a private histogram."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import (
    integer_argument,
    pair_argument,
    rational_argument,
)
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure, ZeroConcentratedDivergence
from opendp_lite.core.metrics import L1Distance, L2Distance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.measurements.noise.accuracies import (
    discrete_gaussian_scale_to_accuracy,
    discrete_laplacian_scale_to_accuracy,
)
from opendp_lite.measurements.noise.laplace_gaussian import make_noise
from opendp_lite.transformations.counts.categories import make_histogram
from opendp_lite.transformations.datasets import check_dataset, check_numbers

_MAKE = "MakeMeasurement"


@constructor(proof="measurements/make_private_bounds", status="vetted")
def make_private_bounds(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    alpha: ExactNumber = 0.01,
    exponents: tuple[int, int] | None = None,
) -> Measurement:
    """Return a measurement of bounds between which most rows lie, for `then_clamp`.

    The line is cut at 0 and at 2^e and -2^e for e = i, ..., j, where (i, j) is
    `exponents`, into n = 2 (j - i) + 4 bins. Of each the number of rows is taken, with
    noise of scale s, which is `scale`. The release is the pair of the outer ends of the
    outermost bins whose noisy count is above a threshold t, or (-2^j, 2^j) if there is
    none. Ends at infinity are those at 2^j in size.

    What it is worth: t is the accuracy of the noise at alpha / n, a whole number. So
    with probability 1 - `alpha` at least, over the noise, every bin that has more than
    2 t rows lies between the bounds (what is beyond 2^j in size excepted), and, if
    there is such a bin, each bound is an end of a bin that has a row (or, where a bin
    beyond 2^j in size is alone, which has one end, the end next to it).

    Guarantee: for data sets x, x' at distance at most d_in let r be d / s, where d is
    d_in where rows are added and removed. Where rows are changed, m of them at most, d
    is 2 m under MaxDivergence and sqrt(2) m under the other; so it is where the size is
    public, with m at most floor(d_in / 2). Then

    * under MaxDivergence, P(M(x) = y) <= e^epsilon P(M(x') = y) for every pair y, where
      epsilon is r;
    * under ZeroConcentratedDivergence, D_a(M(x) || M(x')) <= rho a for every order
      a > 1, where rho is r^2 / 2.

    :param input_domain: vector_domain of int, float (nan=False) or Fraction
    :param input_metric: symmetric_distance() or another that counts rows
    :param output_measure: max_divergence() or zero_concentrated_divergence()
    :param scale: s >= 0 in rows, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and below 1, exact likewise
    :param exponents: integers i <= j; by default (0, 63) for integers and (-32, 63) for
        other numbers

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    >>> bounds = (rows, dp.symmetric_distance()) >> dp.m.then_private_bounds(
    ...     dp.max_divergence(), scale=10.0, alpha=1e-15
    ... )
    >>> bounds.map(1)
    0.1
    >>> bounds([20.0] * 1000 + [70.0] * 1000)
    (16.0, 128.0)

    Raises `MakeTransformation` for another space, and `MakeMeasurement` for another
    measure, scale, level or exponents.

    Proof: proofs/measurements/make_private_bounds.tex
    """
    element = check_numbers(check_dataset(input_domain, input_metric))  # proof: space
    T = element.T
    i, j = _check_exponents(exponents, element)  # proof: exponents
    powers = [to_fraction(power_of_two(e)) for e in range(i, j + 1)]  # proof: powers
    edges = [*(-each for each in reversed(powers)), to_fraction(0), *powers]
    ends, last = [T(each) for each in edges], len(edges) - 1  # proof: ends
    gaussian = type(output_measure) is ZeroConcentratedDivergence  # proof: law
    metric = L2Distance(int) if gaussian else L1Distance(int)
    histogram = make_histogram(  # proof: histogram
        input_domain, input_metric, edges, metric
    )
    fix = "Pass a scale such as scale=1.0; 0 adds no noise"
    s = rational_argument(_MAKE, "scale", scale, fix=fix, at_least=0)  # proof: scale
    noise = make_noise(  # proof: noise
        histogram.output_domain, metric, output_measure, s
    )
    t = _threshold(s, alpha, len(edges) + 1, gaussian)  # proof: threshold

    def function(arg: Data) -> tuple[Any, Any]:
        counts = noise.function(histogram.function(arg))  # proof: counts
        chosen = [bin for bin, count in enumerate(counts) if count > t]  # proof: chosen
        first, final = (chosen[0], chosen[-1]) if chosen else (0, last)  # proof: none
        lower = ends[min(max(first - 1, 0), last - 1)]  # proof: lower
        return lower, ends[max(min(final, last), 1)]  # proof: upper

    def privacy_map(d_in: ExactDistance) -> Any:
        return noise.privacy_map(histogram.stability_map(d_in))  # proof: map

    return Measurement(
        input_domain, function, input_metric, output_measure, privacy_map
    )


then_private_bounds = then(make_private_bounds)


def _check_exponents(exponents: Any, element: AtomDomain) -> tuple[int, int]:
    """Return two integers in order, for powers of two of the type of the rows."""
    lowest, highest = (-149, 127) if element.single else (-1074, 1023)
    if element.T is int:
        lowest = 0
    if exponents is None:
        return max(lowest, -32), 63  # proof: default
    fix = "Pass a pair of integers, such as exponents=(0, 40), or leave it out"
    pair = pair_argument(_MAKE, "exponents", exponents, fix)  # proof: pair
    i, j = (
        integer_argument(
            _MAKE, "exponents", each, fix=fix, at_least=lowest, at_most=highest
        )
        for each in pair
    )  # proof: range
    if i > j:  # proof: order
        rule = "the first must not be above the second"
        raise refusal(_MAKE, "exponents", exponents, rule, fix)
    return i, j


def _threshold(scale: Any, alpha: object, bins: int, gaussian: bool) -> int:
    """Return t with P(|Z| > t) <= alpha / bins for noise Z on an integer."""
    fix = "Pass the probability of failure, such as alpha=0.01"
    level = rational_argument(_MAKE, "alpha", alpha, fix=fix)
    if not 0 < level < 1:  # proof: level
        rule = "must be above 0 and below 1"
        raise refusal(_MAKE, "alpha", alpha, rule, fix)
    accuracy = (
        discrete_gaussian_scale_to_accuracy
        if gaussian
        else discrete_laplacian_scale_to_accuracy
    )(scale, level / bins)  # proof: accuracy
    if accuracy == math.inf:  # proof: beyond
        rule = "must be so small that the noise has a bound"
        fix = "Pass a scale such as scale=1.0"
        raise refusal(_MAKE, "scale", to_fraction(scale), rule, fix)
    return math.floor(accuracy)  # proof: whole
