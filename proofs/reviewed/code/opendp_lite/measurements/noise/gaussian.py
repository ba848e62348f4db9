# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.gaussian; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.concentrated import zero_concentrated_divergence
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.exact.roots import squared
from opendp_lite.laws.noise import GAUSSIAN
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
opendp_lite.laws.noise.GAUSSIAN = opendp_lite.laws.noise.Law('Gaussian', 2, 2)


# === make_gaussian with mpq, ExactDistance, ExactNumber, Domain, Measurement,
#    zero_concentrated_divergence, MeasureArgument, Metric, squared, GAUSSIAN,
#    check_grid, check_measure, check_scale, check_space, in_scales, list_length,
#    releaser, sensitivity, Any, ?, opendp_lite.core.aliases.ExactNumber,
#    opendp_lite.core.aliases.ExactDistance,
#    opendp_lite.core.measures.measure.MeasureArgument, opendp_lite.laws.noise.GAUSSIAN
def make_gaussian(
    input_domain: Domain,
    input_metric: Metric,
    scale: ExactNumber,
    k: ExactNumber | None = None,
    MO: MeasureArgument = "ZeroConcentratedDivergence",
) -> Measurement:
    space = check_space(GAUSSIAN, input_domain, input_metric)
    scale = check_scale(scale)
    check_measure(GAUSSIAN, MO, zero_concentrated_divergence())
    k = check_grid(k, space)

    def privacy_map(d_in: ExactDistance) -> Any:
        square = squared(sensitivity(GAUSSIAN, space, k, d_in))
        return in_scales(square, mpq(2) * scale * scale)

    return Measurement(
        input_domain,
        releaser(GAUSSIAN, space, scale, k),
        input_metric,
        zero_concentrated_divergence(),
        privacy_map,
        covers_rationals=k is None and space.atom.T is float,
        lists_floats=list_length(space),
    )
