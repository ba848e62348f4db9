# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.gaussian; written by `opendp-lite proofs
# accept`, never by hand, and never run.



# === make_gaussian
from gmpy2 import mpq
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.concentrated import zero_concentrated_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.noise.additive import check_grid
from opendp_lite.measurements.noise.additive import check_measure
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import releaser
from opendp_lite.measurements.noise.additive import sensitivity
from opendp_lite.laws.noise import GAUSSIAN
from typing import Any
import math

opendp_lite.sampling.law.GAUSSIAN = opendp_lite.sampling.law.Law('Gaussian', 2, 2)

def make_gaussian(
    input_domain: Domain,
    input_metric: Metric,
    scale: Any,
    k: int | None = None,
    MO: Any = "ZeroConcentratedDivergence",
) -> Measurement:
    space = check_space(GAUSSIAN, input_domain, input_metric)
    scale = check_scale(scale)
    check_measure(GAUSSIAN, MO, zero_concentrated_divergence())
    k = check_grid(k, space)

    def privacy_map(d_in: Any) -> Any:
        ratio = in_scales(sensitivity(GAUSSIAN, space, k, d_in), scale)
        if ratio == math.inf:
            return math.inf
        return mpq(ratio) * mpq(ratio) / mpq(2)

    return Measurement(
        input_domain,
        releaser(GAUSSIAN, space, scale, k),
        input_metric,
        zero_concentrated_divergence(),
        privacy_map,
        covers_rationals=k is None and space.atom.T is float,
    )
