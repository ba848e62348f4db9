# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.private_quantile; written by `opendp-lite proofs
# accept`, never by hand, and never run.



# === make_private_quantile
from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics.linf import LInfDistance
from opendp_lite.measurements.selection.noisy_max import make_noisy_max
from opendp_lite.transformations.datasets import check_dataset
from opendp_lite.transformations.datasets import check_numbers
from opendp_lite.transformations.quantiles import check_candidates
from opendp_lite.transformations.quantiles import make_quantile_score_candidates
from opendp_lite.transformations.quantiles import quantile_level
from typing import Any

_SCALE_FIX = "Pass a scale such as scale=1.0; 0 selects a nearest candidate for sure"

def make_private_quantile(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    candidates: Any,
    alpha: Any,
    scale: Any,
) -> Measurement:
    domain = check_dataset(input_domain, input_metric)
    element = check_numbers(domain)
    cuts = check_candidates(candidates, element)
    level = quantile_level(alpha)
    score = make_quantile_score_candidates(
        input_domain, input_metric, cuts, level
    )
    scale = rational_argument(
        "MakeMeasurement", "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    select = make_noisy_max(
        score.output_domain,
        LInfDistance(int, level.denominator == 1),
        output_measure,
        scale * mpq(level.denominator),
        negate=True,
    )

    def function(arg: Any) -> Any:
        return cuts[select.function(score.function(arg))]

    def privacy_map(d_in: Any) -> Any:
        return select.privacy_map(score.stability_map(d_in))

    return Measurement(
        input_domain, function, input_metric, output_measure, privacy_map
    )
