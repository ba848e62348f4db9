# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.noise.noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.concentrated import ZeroConcentratedDivergence
from opendp_lite.core.measures.max_divergence import MaxDivergence
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.measurements.noise.gaussian import make_gaussian
from opendp_lite.measurements.noise.laplace import make_laplace

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.core.aliases.NumpyNumber


# === make_noise with ExactNumber, Domain, refusal, Measurement,
#    ZeroConcentratedDivergence, MaxDivergence, Measure, Metric, make_gaussian,
#    make_laplace, ?, opendp_lite.core.aliases.ExactNumber
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
