# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.laplace_gaussian; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.measures.plain import zero_concentrated_divergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.exact.roots import squared
from opendp_lite.laws.noise import GAUSSIAN
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
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.core.measures.measure.MeasureArgument: typing.TypeAlias = opendp_lite.core.measures.measure.Measure | type[opendp_lite.core.measures.measure.Measure] | str
opendp_lite.laws.noise.LAPLACE = opendp_lite.laws.noise.Law('Laplace', 1, 2)
opendp_lite.laws.noise.GAUSSIAN = opendp_lite.laws.noise.Law('Gaussian', 2, 2)


# === make_laplace with ExactDistance, ExactNumber, Domain, Measurement,
#    MeasureArgument, max_divergence, Metric, LAPLACE, check_grid, check_measure,
#    check_scale, check_space, in_scales, list_length, releaser, sensitivity, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
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


# === make_gaussian with mpq, ExactDistance, ExactNumber, Domain, Measurement,
#    MeasureArgument, zero_concentrated_divergence, Metric, squared, GAUSSIAN,
#    check_grid, check_measure, check_scale, check_space, in_scales, list_length,
#    releaser, sensitivity, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance,
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


# === make_noise with ExactNumber, refusal, Domain, Measurement, Measure, MaxDivergence,
#    ZeroConcentratedDivergence, Metric, ?, opendp_lite.base.aliases.ExactNumber
def make_noise(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: ExactNumber,
    k: ExactNumber | None = None,
) -> Measurement:
    if type(output_measure) is MaxDivergence:
        return make_laplace(input_domain, input_metric, scale, k)
    if type(output_measure) is ZeroConcentratedDivergence:
        return make_gaussian(input_domain, input_metric, scale, k)
    rule = "must be MaxDivergence or ZeroConcentratedDivergence"
    fix = "Pass max_divergence() or zero_concentrated_divergence()"
    raise refusal(
        "MakeMeasurement", "output_measure", output_measure, rule, fix
    )
