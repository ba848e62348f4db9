"""A quantile, selected privately from candidates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import LInfDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.measurements.selection.noisy_max import make_noisy_max
from opendp_lite.transformations.datasets import check_dataset, check_numbers
from opendp_lite.transformations.quantiles import (
    check_candidates,
    make_quantile_score_candidates,
    quantile_level,
)

_SCALE_FIX = "Pass a scale such as scale=1.0; 0 selects a nearest candidate for sure"


@constructor(proof="measurements/make_private_quantile", status="vetted")
def make_private_quantile(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    candidates: Iterable[ExactNumber],
    alpha: ExactNumber,
    scale: Any,
) -> Measurement:
    """Return a measurement that selects a candidate near the alpha-quantile.

    The score of a candidate c on the data set x is |(1 - a) #(x < c) - a #(x > c)|,
    a number of rows, where a is `alpha`. A candidate of low score is selected as
    `make_noisy_max` does it, with the scale s, which is `scale`.

    Guarantee: let k be d_in max(a, 1 - a) where rows are added and removed, the number
    of changed rows, at most floor(d_in / 2), where the size is public, and d_in under
    the change-one and the Hamming distance. For data sets x, x' at distance at most
    d_in let r be 2 k / s, or k / s if a is 0 or 1. Then

    * under MaxDivergence, P(M(x) = c) <= e^r P(M(x') = c) for every candidate c;
    * under ZeroConcentratedDivergence, D_b(M(x) || M(x')) <= b r^2 / 8 for every b > 1.

    :param input_domain: vector_domain of int, float (nan=False) or Fraction
    :param input_metric: symmetric_distance() or another that counts rows
    :param output_measure: max_divergence() or zero_concentrated_divergence()
    :param candidates: numbers of the type of the rows, strictly increasing
    :param alpha: a, from 0 to 1, taken to the nearest fraction of a denominator up to
        10^6; 0.5 is the median
    :param scale: s >= 0 in rows, exact: int, float, Fraction, Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> median = space >> dp.m.then_private_quantile(
    ...     dp.max_divergence(), candidates=[0, 10, 20, 30], alpha=0.5, scale=1.0
    ... )
    >>> median.map(1)
    1.0
    >>> median([19] * 1000 + [21] * 1000)
    20

    Proof: proofs/measurements/make_private_quantile.tex
    """
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)  # proof: element
    cuts = check_candidates(candidates, element)  # proof: cuts
    level = quantile_level(alpha)  # proof: level
    score = make_quantile_score_candidates(  # proof: score
        input_domain, input_metric, cuts, level
    )
    scale = rational_argument(  # proof: scale
        "MakeMeasurement", "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    select = make_noisy_max(  # proof: select
        score.output_domain,
        LInfDistance(int, level.denominator == 1),  # proof: one-sided
        output_measure,
        scale * mpq(level.denominator),  # proof: rows
        negate=True,
    )

    def function(arg: Data) -> Any:  # proof: function
        return cuts[select.function(score.function(arg))]

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        return select.privacy_map(score.stability_map(d_in))

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        reads_floats=score.reads_floats,  # proof: reads
    )


then_private_quantile = then(make_private_quantile)
