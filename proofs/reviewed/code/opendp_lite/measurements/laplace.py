# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.laplace; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.additive import check_grid
from opendp_lite.measurements.additive import check_measure
from opendp_lite.measurements.additive import check_scale
from opendp_lite.measurements.additive import check_space
from opendp_lite.measurements.additive import in_scales
from opendp_lite.measurements.additive import releaser
from opendp_lite.measurements.additive import sensitivity
from opendp_lite.sampling.law import LAPLACE
from typing import Any

opendp_lite.sampling.law.LAPLACE = opendp_lite.sampling.law.Law('Laplace', 1, 2)


# === make_laplace with Domain, Metric, max_divergence, Measurement, check_grid,
#    check_measure, check_scale, check_space, in_scales, releaser, sensitivity, LAPLACE,
#    Any, opendp_lite.sampling.law.LAPLACE
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
