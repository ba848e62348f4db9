"""The Gaussian mechanism: exact on integers, floats and rationals."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import ExactDistance, ExactNumber
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import zero_concentrated_divergence
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.roots import squared
from opendp_lite.laws.noise import GAUSSIAN
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

__all__ = ["make_gaussian", "then_gaussian"]


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
    check_measure(GAUSSIAN, MO, zero_concentrated_divergence())  # proof: measure
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
    )


then_gaussian = then(make_gaussian)
