"""The Laplace mechanism: exact on integers, floats and rationals."""

from __future__ import annotations

from typing import Any

from opendp_lite.core.aliases import ExactDistance, ExactNumber
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.laws.noise import LAPLACE
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

__all__ = ["make_laplace", "then_laplace"]


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
    check_measure(LAPLACE, MO, max_divergence())  # proof: measure
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
    )


then_laplace = then(make_laplace)
