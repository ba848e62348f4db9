# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.canonical.tradeoff_noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.curves import smoothed_max_divergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.laws.location import GaussianTradeoff
from opendp_lite.laws.location import LaplaceTradeoff
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.laws.tradeoff_profiles import delta_at
from opendp_lite.laws.user_tradeoff import UserTradeoff
from opendp_lite.measurements.canonical.canonical_noise import check_sensitivity
from opendp_lite.measurements.canonical.canonical_noise import check_within
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.measurements.canonical.canonical_sampler import PartialSample
import math
import sys

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_MAKE = "MakeMeasurement"
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_LARGEST = sys.float_info.max


# === make_tradeoff_noise with ExactNumber, refusal, Domain, Measurement, Metric,
#    GaussianTradeoff, LaplaceTradeoff, ApproximateTradeoff, Tradeoff, ?,
#    opendp_lite.base.aliases.ExactNumber, _MAKE
def make_tradeoff_noise(
    input_domain: Domain, input_metric: Metric, d_in: ExactNumber, tradeoff: Tradeoff
) -> Measurement:
    own = (GaussianTradeoff, LaplaceTradeoff, ApproximateTradeoff)
    if not any(type(tradeoff) is each for each in own):
        rule = "must be a GaussianTradeoff, LaplaceTradeoff or ApproximateTradeoff"
        fix = "Pass gaussian_tradeoff(mu=1); make_user_tradeoff_noise is for your own"
        raise refusal(_MAKE, "tradeoff", tradeoff, rule, fix)
    return _canonical(input_domain, input_metric, d_in, tradeoff)


# === make_user_tradeoff_noise with ExactNumber, check_type, Domain, Measurement,
#    Metric, UserTradeoff, ?, opendp_lite.base.aliases.ExactNumber, _MAKE
def make_user_tradeoff_noise(
    input_domain: Domain,
    input_metric: Metric,
    d_in: ExactNumber,
    tradeoff: UserTradeoff,
) -> Measurement:
    fix = "Pass user_tradeoff(values); make_tradeoff_noise is for the library's"
    check_type(_MAKE, "tradeoff", tradeoff, UserTradeoff, fix)
    return _canonical(input_domain, input_metric, d_in, tradeoff)


# === _canonical with Callable, mpq, Data, ExactDistance, ExactNumber, Domain,
#    Measurement, smoothed_max_divergence, Metric, Extended, to_mpq, to_double,
#    Tradeoff, delta_at, check_sensitivity, check_within, CanonicalRV, PartialSample,
#    math, sys, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data,
#    opendp_lite.exact.rationals.Extended, _LARGEST
def _canonical(
    input_domain: Domain, input_metric: Metric, d_in: ExactNumber, tradeoff: Tradeoff
) -> Measurement:
    T, limit = check_sensitivity(input_domain, input_metric, d_in)

    def function(arg: Data) -> float:
        if arg in (math.inf, -math.inf):
            arg = _LARGEST if arg > 0 else -_LARGEST
        shift = to_mpq(arg)
        if limit == 0:
            return int(arg) if T is int else to_double(shift)
        noisy = CanonicalRV(shift, limit, tradeoff, tradeoff.fixed_point)
        draw = PartialSample(noisy)
        return draw.nearest_integer() if T is int else draw.value()

    def privacy_map(d_in: ExactDistance) -> Callable[[Extended], mpq]:
        check_within(input_metric, d_in, limit)
        if d_in == 0:
            return lambda epsilon: mpq(0)
        return lambda epsilon: delta_at(tradeoff, epsilon)

    return Measurement(
        input_domain,
        function,
        input_metric,
        smoothed_max_divergence(),
        privacy_map,
        covers_rationals=T is float,
    )
