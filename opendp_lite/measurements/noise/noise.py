"""Noise of the law that belongs to a measure: Laplace or Gaussian."""

from __future__ import annotations

from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.domains import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    MaxDivergence,
    Measure,
    ZeroConcentratedDivergence,
)
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.measurements.noise.gaussian import make_gaussian
from opendp_lite.measurements.noise.laplace import make_laplace

__all__ = ["make_noise", "then_noise"]


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
