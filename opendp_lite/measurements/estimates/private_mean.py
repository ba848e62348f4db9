"""A mean whose size is not public, in one call."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import alpha_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure, ZeroConcentratedDivergence
from opendp_lite.core.metrics import L1Distance, L2Distance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE
from opendp_lite.measurements.estimates.mean_estimate import MeanEstimate
from opendp_lite.measurements.noise.added_noise import AddedNoise
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.noise.laplace_gaussian import make_noise
from opendp_lite.transformations.counts.tallies import norm_map
from opendp_lite.transformations.datasets import check_dataset, check_numbers
from opendp_lite.transformations.sums.summands import (
    finite_bounds,
    grid_exponent,
    no_grid,
)
from opendp_lite.transformations.sums.totals import grid_total, integer_total

_MAKE = "MakeMeasurement"


@constructor(proof="measurements/make_private_mean", status="vetted")
def make_private_mean(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    *,
    k: int | None = None,
) -> Measurement:
    """Return a measurement of the mean, sum and count of bounded numbers, as one.

    The number of rows need not be public: a noisy sum and a noisy count are released
    together, for one loss, as a `MeanEstimate`: it has the estimates `mean`, `sum` and
    `count`, and `interval(alpha)`, which misses the mean of the bounded data with
    probability alpha at most.

    A row x within the bounds [L, U] counts (x - L) / (U - L) of a row at U and the rest
    of a row at L. Of the two totals, whose sum is the count, each has noise of its own.
    A row moves both together by no more than 1, so that this costs what a count alone
    does. (A composition of a count and a sum about the middle of the bounds, of the
    same loss, has twice the variance under MaxDivergence, and the same under the other
    measure.)

    Guarantee: for data sets x, x' at distance at most d_in let r be d / s, where s is
    `scale`, and d is d_in where rows are added and removed. Where rows are changed, m
    of them at most, d is 2 m under MaxDivergence and sqrt(2) m under the other; so it
    is where the size is public, with m at most floor(d_in / 2), but for that there is
    `make_mean`, which loses less. Then

    * under MaxDivergence, P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where
      epsilon is r;
    * under ZeroConcentratedDivergence, D_alpha(M(x) || M(x')) <= rho alpha for every
      alpha > 1, where rho is r^2 / 2.

    :param input_domain: vector_domain of int or float (no NaN) with finite bounds, as
        `then_clamp` makes it, which differ
    :param input_metric: symmetric_distance() or another that counts rows
    :param output_measure: max_divergence() or zero_concentrated_divergence()
    :param scale: s >= 0 in rows, exact: int, float, Fraction, Decimal or text
    :param k: exponent of the grid 2^k to which floats are rounded, as in `make_mean`

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)))
    >>> mean = (rows, dp.symmetric_distance()) >> dp.m.then_private_mean(
    ...     dp.max_divergence(), scale=2.0
    ... )
    >>> mean.map(1)
    0.5
    >>> estimate = mean([4.0] * 5000 + [6.0] * 5000)
    >>> round(estimate.mean, 1), round(estimate.sum, -4), round(estimate.count, -3)
    (5.0, 50000.0, 10000.0)
    >>> lower, upper = estimate.interval(alpha=0.05)
    >>> lower <= estimate.mean <= upper < lower + 0.1
    True

    Raises `MakeTransformation` for another space or grid, `MakeMeasurement` for another
    measure or scale, and for bounds that do not differ.

    Proof: proofs/measurements/make_private_mean.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    element = check_numbers(domain)  # proof: numbers
    T, n = element.T, domain.size
    if T is Fraction:  # proof: type
        rule, fix = "rows must be int or float", "Use then_cast_default(TOA=float)"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    L, U = finite_bounds(domain, element)  # proof: bounds
    k = grid_exponent(L, U, True, k) if T is float else no_grid(k)  # proof: grid
    g = power_of_two(k)
    a, b = ceil_multiple(L, k), floor_multiple(U, k)  # proof: steps
    w = b - a
    if w == 0:  # proof: differ
        rule = "the bounds must differ, on the grid"
        fix = "Pass wider bounds, or for floats a smaller k"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    fix = "Pass a scale such as scale=1.0; 0 adds no noise"
    s = rational_argument(_MAKE, "scale", scale, fix=fix, at_least=0)  # proof: scale
    gaussian = type(output_measure) is ZeroConcentratedDivergence  # proof: law
    pair = VectorDomain(AtomDomain(T=int), 2)
    metric = L2Distance(int) if gaussian else L1Distance(int)
    noise = make_noise(pair, metric, output_measure, s * w)  # proof: noise
    loss = make_noise(pair, metric, output_measure, s)  # proof: loss
    spread = norm_map(2 if gaussian else 1, 2, True, input_metric, n)  # proof: spread
    bounds = to_fraction(a * g), to_fraction(b * g)

    def function(arg: Data) -> MeanEstimate:
        if T is int:
            total = integer_total(arg, a, b)  # proof: integers
        else:
            total = grid_total(arg, a, b, k)  # proof: floats
        shares = [total - a * len(arg), b * len(arg) - total]  # proof: shares
        above, below = noise.function(shares)  # proof: release
        return MeanEstimate(  # proof: estimate
            above, below, bounds, w, to_fraction(s * w), gaussian
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        return loss.privacy_map(spread(d_in))  # proof: map

    return Measurement(
        input_domain, function, input_metric, output_measure, privacy_map
    )


then_private_mean = then(make_private_mean)


def mean_accuracy(measurement: Any, alpha: ExactNumber, rows: int) -> float | None:
    r"""Return how near a private mean of so many rows, or of more, is to the exact one.

    It is None for a measurement that does not end in `make_private_mean`.

    Guarantee: the released mean is farther than a, which is returned, from the mean of
    the rows within the bounds and on the grid, with probability at most alpha; rounding
    to the nearest double is not counted. Let n rows have the totals A and B, which add
    up to n w, and let each total get noise of at most t in magnitude, but for alpha.
    The share A / (n w) of the bounds is then estimated between
    (A - t) / (n w) and (A + t) / (n w), brought into [0, 1], as the share rises with
    the one total and falls with the other. So the mean is off by t g / n at most, where
    g is a step, and by no more than the width of the bounds.

    :param measurement: a measurement
    :param alpha: above 0 and at most 1
    :param rows: n, at least 1

    >>> import opendp_lite.prelude as dp
    >>> rows = dp.vector_domain(dp.atom_domain(bounds=(0, 10)))
    >>> mean = (rows, dp.symmetric_distance()) >> dp.m.then_private_mean(
    ...     dp.max_divergence(), scale=2)
    >>> mean_accuracy(mean, 0.05, 1024)
    0.072265625
    """
    last = measurement.steps()[-1] if isinstance(measurement, Measurement) else None
    record = last.record if isinstance(last, Measurement) else None
    if record is None or record.constructor is not make_private_mean:
        return None
    given: Any = dict(record.arguments)
    element = given["input_domain"].element_domain
    L, U = finite_bounds(given["input_domain"], element)
    real = element.T is float
    k = grid_exponent(L, U, True, given["k"]) if real else no_grid(given["k"])
    steps = floor_multiple(U, k) - ceil_multiple(L, k)
    level = alpha_argument(alpha)
    gaussian = type(given["output_measure"]) is ZeroConcentratedDivergence
    law, scale = GAUSSIAN if gaussian else LAPLACE, to_mpq(given["scale"]) * steps
    whole = NumberSpace(AtomDomain(T=int), vector=False, size=None)
    t = AddedNoise(law, whole, scale).accuracy(level / 2)
    g = power_of_two(k)
    return round_up(g * (steps if t == math.inf else min(mpq(t) / rows, mpq(steps))))
