# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.canonical.canonical_noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Loss
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.approximate import approximate
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rationals import to_target
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.canonical.truncated_uniform_laplace import truncated_uniform_laplace
from typing import Any
import math
import sys

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Loss: typing.TypeAlias = object
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_LARGEST = sys.float_info.max
_MAKE = "MakeMeasurement"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === make_canonical_noise with Data, ExactDistance, ExactNumber, Loss, Domain,
#    Measurement, approximate, max_divergence, Metric, to_mpq, to_double,
#    truncated_uniform_laplace, Any, math, sys, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Loss, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _LARGEST
def make_canonical_noise(
    input_domain: Domain, input_metric: Metric, d_in: ExactNumber, d_out: Loss
) -> Measurement:
    T, limit = check_sensitivity(input_domain, input_metric, d_in)
    epsilon, delta = check_target(d_out)
    noise = truncated_uniform_laplace(epsilon, delta, limit)

    def function(arg: Data) -> float:
        if T is int:
            return noise.release_integer(int(arg))
        if arg in (math.inf, -math.inf):
            arg = _LARGEST if arg > 0 else -_LARGEST
        if isinstance(arg, float):
            return noise.release(float(arg))
        return to_double(noise.sample(to_mpq(arg)))

    def privacy_map(d_in: ExactDistance) -> Any:
        check_within(input_metric, d_in, limit)
        return (epsilon, delta) if d_in > 0 else (0, 0)

    return Measurement(
        input_domain,
        function,
        input_metric,
        approximate(max_divergence()),
        privacy_map,
        covers_rationals=T is float,
    )


# === check_sensitivity with Fraction, mpq, ExactNumber, rational_argument, refusal,
#    AtomDomain, AbsoluteDistance, ?, opendp_lite.base.aliases.ExactNumber, _MAKE
def check_sensitivity(
    input_domain: object, input_metric: object, d_in: ExactNumber
) -> tuple[type, mpq]:
    fix = (
        "Pass atom_domain(T=float, nan=False) and absolute_distance(T=float), or what "
        "then_count, then_sum or then_mean makes. Use then_laplace under the L1 "
        "distance, then_gaussian under the L2 distance, then_noisy_max for scores, "
        "then_laplace_threshold or then_gaussian_threshold for maps, then_product for "
        "tuples"
    )
    kinds = (int, float, Fraction)
    if not isinstance(input_domain, AtomDomain) or input_domain.T not in kinds:
        rule = "must be an atom_domain of int, float or Fraction"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    if input_domain.nan:
        rule = "must not hold NaN"
        raise refusal(_MAKE, "input_domain", input_domain, rule, fix)
    if not isinstance(input_metric, AbsoluteDistance):
        rule = "must be AbsoluteDistance"
        raise refusal(_MAKE, "input_metric", input_metric, rule, fix)
    fix = "Pass the sensitivity of the data, such as d_in=1.0"
    sensitivity: mpq = rational_argument(
        _MAKE, "d_in", d_in, fix=fix, at_least=0
    )
    return input_domain.T, sensitivity


# === check_within with mpq, refusal, Extended, round_down, Any,
#    opendp_lite.exact.rationals.Extended
def check_within(input_metric: Any, d_in: Extended, limit: mpq) -> None:
    if d_in > limit:
        most = round_down(limit)
        named = int(most) if input_metric.T is int else most
        rule = "is beyond the distance for which the noise was made"
        fix = f"Pass at most {named}, or make noise for more"
        shown = input_metric.present(d_in)
        raise refusal("FailedMap", "d_in", shown, rule, fix)


# === check_target with mpq, Loss, rational_argument, refusal, to_target,
#    opendp_lite.base.aliases.Loss, _MAKE
def check_target(d_out: Loss) -> tuple[mpq, mpq]:
    if not isinstance(d_out, tuple | list) or len(d_out) != 2:
        rule, fix = "must be a pair (epsilon, delta)", "Pass for example (1.0, 1e-9)"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    fix = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
    epsilon: mpq = rational_argument(
        _MAKE, "d_out[0]", d_out[0], fix=fix, convert=to_target, at_least=0
    )
    fix = "Pass a probability such as 1e-9"
    delta: mpq = rational_argument(
        _MAKE, "d_out[1]", d_out[1], fix=fix, convert=to_target, at_least=0, at_most=1
    )
    if epsilon == 0 and delta == 0:
        rule, fix = "must not be (0, 0)", "Nothing can be released there; ask for more"
        raise refusal(_MAKE, "d_out", d_out, rule, fix)
    return epsilon, delta
