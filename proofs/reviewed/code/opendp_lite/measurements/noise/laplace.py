# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.laplace; written by `opendp-lite proofs
# accept`, never by hand, and never run.



# === make_laplace
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.max_divergence import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.noise.additive import check_grid
from opendp_lite.measurements.noise.additive import check_measure
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import releaser
from opendp_lite.measurements.noise.additive import sensitivity
from opendp_lite.laws.noise import LAPLACE
from typing import Any

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)

def make_laplace(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    k: int | None = None,
    MO: Any = "MaxDivergence",
) -> Measurement:
    space = check_space(LAPLACE, input_domain, input_metric)
    scale = check_scale(scale)
    check_measure(LAPLACE, MO, max_divergence())
    k = check_grid(k, space)

    def privacy_map(d_in: Any) -> Any:
        return in_scales(sensitivity(LAPLACE, space, k, d_in), scale)

    return Measurement(
        input_domain,
        releaser(LAPLACE, space, scale, k),
        input_metric,
        max_divergence(),
        privacy_map,
        covers_rationals=k is None and space.atom.T is float,
    )
