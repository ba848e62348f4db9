# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.laplace; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.max_divergence import max_divergence
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.measurements.noise.additive import check_grid
from opendp_lite.measurements.noise.additive import check_measure
from opendp_lite.measurements.noise.additive import check_scale
from opendp_lite.measurements.noise.additive import check_space
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.noise.additive import list_length
from opendp_lite.measurements.noise.additive import releaser
from opendp_lite.measurements.noise.additive import sensitivity
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.core.aliases.NumpyNumber
opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.measures.measure.MeasureArgument: typing.TypeAlias = opendp_lite.core.measures.measure.Measure | type[opendp_lite.core.measures.measure.Measure] | str
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)


# === make_laplace with ExactDistance, ExactNumber, Domain, Measurement, max_divergence,
#    MeasureArgument, Metric, LAPLACE, check_grid, check_measure, check_scale,
#    check_space, in_scales, list_length, releaser, sensitivity, Any, ?,
#    opendp_lite.core.aliases.ExactNumber, opendp_lite.core.aliases.ExactDistance,
#    opendp_lite.core.measures.measure.MeasureArgument, opendp_lite.laws.noise.LAPLACE
def make_laplace(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "MaxDivergence",
) -> Measurement:
    space = check_space(LAPLACE, input_domain, input_metric)
    scale = check_scale(scale)
    check_measure(LAPLACE, MO, max_divergence())
    k = check_grid(k, space)

    def privacy_map(d_in: ExactDistance) -> Any:
        return in_scales(sensitivity(LAPLACE, space, k, d_in), scale)

    return Measurement(
        input_domain,
        releaser(LAPLACE, space, scale, k),
        input_metric,
        max_divergence(),
        privacy_map,
        covers_rationals=k is None and space.atom.T is float,
        lists_floats=list_length(space),
    )
