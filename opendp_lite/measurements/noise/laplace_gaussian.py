"""The Laplace and the Gaussian mechanism: exact on integers, floats and rationals."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactDistance, ExactNumber
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    MaxDivergence,
    Measure,
    ZeroConcentratedDivergence,
    max_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.roots import squared
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE
from opendp_lite.measurements.noise.added_noise import AddedNoise
from opendp_lite.measurements.noise.additive import (
    check_grid,
    check_measure,
    check_scale,
    check_space,
    in_scales,
    list_length,
    releaser,
    sensitivity,
)


@constructor(proof="measurements/make_laplace", status="vetted")
def make_laplace(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "MaxDivergence",
) -> Measurement:
    """Return a measurement that adds Laplace noise to a number, or to each of a vector.

    Guarantee: for x, x' at distance at most d_in (absolute for numbers, L1 for
    vectors), P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where epsilon is
    d_in / b and b is `scale`, exactly.

    * Integers: x + Z with Z discrete Laplace, P(Z = z) proportional to e^(-|z|/b).
    * Floats and Fractions: the double nearest to x + Y, with Y a *real* Laplace of
      scale b; no grid, so nothing is added to epsilon. Sums beyond the largest double
      are released as that; an infinite x is released as it is.
    * With `k`, x is rounded to the nearest multiple of 2^k and the noise is discrete
      Laplace on those multiples; d_in is then rounded up to what it can become on the
      grid. An unsized vector is refused there, unless nothing is rounded.

    Arrays come out as int64 (saturating) or float64.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction, or a vector
        of these
    :param input_metric: absolute_distance, or l1_distance for vectors
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param k: exponent of the grid, of size at most 2^16; none by default
    :param MO: the output measure; MaxDivergence is the only one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_laplace(scale=2.0)
    >>> noisy.map(1)
    0.5
    >>> isinstance(noisy(100), int)
    True

    Proof: proofs/measurements/make_laplace.tex
    """
    space = check_space(LAPLACE, input_domain, input_metric)  # proof: space
    scale = check_scale(scale)  # proof: scale
    check_measure(LAPLACE, MO, MaxDivergence)  # proof: measure
    k = check_grid(k, space)  # proof: grid

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        return in_scales(sensitivity(LAPLACE, space, k, d_in), scale)

    return Measurement(
        input_domain,
        releaser(LAPLACE, space, scale, k),  # proof: function
        input_metric,
        max_divergence(),
        privacy_map,
        covers_rationals=k is None and space.atom.T is float,  # proof: rationals
        lists_floats=list_length(space),  # proof: lists
        noise=AddedNoise(LAPLACE, space, scale, k),
    )


then_laplace = then(make_laplace)


@constructor(proof="measurements/make_gaussian", status="vetted")
def make_gaussian(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "ZeroConcentratedDivergence",
) -> Measurement:
    """Return a measurement that adds Gaussian noise to a number, or each of a vector.

    Guarantee: for x, x' at distance at most d_in (absolute for numbers, L2 for
    vectors), D_alpha(M(x) || M(x')) <= rho alpha for every alpha > 1, where rho is
    (d_in / b)^2 / 2 and b is `scale`, exactly.

    * Integers: x + Z with Z discrete Gaussian, P(Z = z) proportional to
      e^(-z^2/(2 b^2)).
    * Floats and Fractions: the double nearest to x + Y, with Y a *real* Gaussian
      of scale b; no grid, so nothing is added to rho. Sums beyond the largest double
      are released as that; an infinite x is released as it is.
    * With `k`, x is rounded to the nearest multiple of 2^k and the noise is discrete
      Gaussian on those multiples; d_in is then rounded up to what it can become on the
      grid: by up to 2^k for a number, by sqrt(n) 2^k for n of them. An
      unsized vector is refused there, unless nothing is rounded.

    Arrays come out as int64 (saturating) or float64.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction, or a vector
        of these
    :param input_metric: absolute_distance, or l2_distance for vectors
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param k: exponent of the grid, of size at most 2^16; none by default
    :param MO: the output measure; ZeroConcentratedDivergence is the only one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_gaussian(scale=2.0)
    >>> noisy.map(1)
    0.125
    >>> isinstance(noisy(100), int)
    True

    Proof: proofs/measurements/make_gaussian.tex
    """
    space = check_space(GAUSSIAN, input_domain, input_metric)  # proof: space
    scale = check_scale(scale)  # proof: scale
    check_measure(GAUSSIAN, MO, ZeroConcentratedDivergence)  # proof: measure
    k = check_grid(k, space)  # proof: grid

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        square = squared(sensitivity(GAUSSIAN, space, k, d_in))  # proof: square
        return in_scales(square, mpq(2) * scale * scale)  # proof: loss

    return Measurement(
        input_domain,
        releaser(GAUSSIAN, space, scale, k),  # proof: function
        input_metric,
        zero_concentrated_divergence(),
        privacy_map,
        covers_rationals=k is None and space.atom.T is float,  # proof: rationals
        lists_floats=list_length(space),  # proof: lists
        noise=AddedNoise(GAUSSIAN, space, scale, k),
    )


then_gaussian = then(make_gaussian)


@constructor(proof="measurements/make_noise", status="vetted")
def make_noise(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    k: ExactNumber | None = None,
) -> Measurement:
    """Return a measurement that adds the noise that belongs to `output_measure`.

    Guarantee: for x, x' at distance at most d_in let r be d_in / b, where b is
    `scale`. Then

    * under MaxDivergence, with the Laplace noise of `make_laplace`,
      P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where epsilon is r;
    * under ZeroConcentratedDivergence, with the Gaussian noise of `make_gaussian`,
      D_alpha(M(x) || M(x')) <= rho alpha for every alpha > 1, where rho is r^2 / 2.

    Both say what is released, and what `k` does to the data and to d_in.

    :param input_domain: atom_domain of int, float (nan=False) or Fraction, or a vector
        of these
    :param input_metric: absolute_distance; for vectors l1_distance with Laplace noise
        and l2_distance with Gaussian noise
    :param output_measure: max_divergence() or zero_concentrated_divergence()
    :param scale: b >= 0, exact: int, float, Fraction, Decimal or text
    :param k: exponent of the grid, of size at most 2^16; none by default

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> (space >> dp.m.then_noise(dp.max_divergence(), scale=2.0)).map(1)
    0.5
    >>> (space >> dp.m.then_noise(dp.zero_concentrated_divergence(), 2.0)).map(1)
    0.125

    Proof: proofs/measurements/make_noise.tex
    """
    if type(output_measure) is MaxDivergence:
        return make_laplace(input_domain, input_metric, scale, k)  # proof: laplace
    if type(output_measure) is ZeroConcentratedDivergence:
        return make_gaussian(input_domain, input_metric, scale, k)  # proof: gaussian
    rule = "must be MaxDivergence or ZeroConcentratedDivergence"
    fix = "Pass max_divergence() or zero_concentrated_divergence()"
    raise refusal(  # proof: measure
        "MakeMeasurement", "output_measure", output_measure, rule, fix
    )


then_noise = then(make_noise)
