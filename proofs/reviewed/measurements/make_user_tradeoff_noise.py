# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_user_tradeoff_noise; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.tradeoff_noise:make_user_tradeoff_noise ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measurement import Measurement
from opendp_lite.sampling.user_tradeoff import UserTradeoff
from typing import Any

_MAKE = "MakeMeasurement"

def make_user_tradeoff_noise(
    input_domain: Domain, input_metric: Metric, d_in: Any, tradeoff: UserTradeoff
) -> Measurement:
    fix = "Pass user_tradeoff(values); make_tradeoff_noise is for the library's"
    check_type(_MAKE, "tradeoff", tradeoff, UserTradeoff, fix)
    return _canonical(input_domain, input_metric, d_in, tradeoff)


# === opendp_lite.measurements.tradeoff_noise:_canonical ===

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import smoothed_max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.canonical_noise import check_sensitivity
from opendp_lite.measurements.canonical_noise import check_within
from opendp_lite.sampling.canonical import CanonicalRV
from opendp_lite.sampling.canonical import PartialSample
from opendp_lite.sampling.profiles import delta_at
from opendp_lite.sampling.tradeoffs import Tradeoff
from typing import Any
import math
import sys

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_LARGEST = sys.float_info.max

def _canonical(
    input_domain: Domain, input_metric: Metric, d_in: Any, tradeoff: Tradeoff
) -> Measurement:
    limit = check_sensitivity(input_domain, input_metric, d_in)

    def function(arg: Any) -> float:
        if arg in (math.inf, -math.inf):
            arg = _LARGEST if arg > 0 else -_LARGEST
        shift = to_mpq(arg)
        if limit == 0:
            return to_double(shift)
        noisy = CanonicalRV(shift, limit, tradeoff, tradeoff.fixed_point)
        return PartialSample(noisy).value()

    def privacy_map(d_in: Any) -> Callable[[Extended], mpq]:
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
        covers_rationals=True,
    )


# === opendp_lite.measurements.canonical_noise:check_sensitivity ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import AbsoluteDistance
from typing import Any

_MAKE = "MakeMeasurement"

def check_sensitivity(input_domain: Any, input_metric: Any, d_in: Any) -> mpq:
    fix = "Pass atom_domain(T=float, nan=False) and absolute_distance(T=float)"
    if not isinstance(input_domain, AtomDomain) or input_domain.T is not float:
        rule = "must be an atom_domain of float"
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
    return sensitivity


# === opendp_lite.measurements.canonical_noise:check_within ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import round_down
from typing import Any

def check_within(input_metric: Any, d_in: Any, limit: mpq) -> None:
    if d_in > limit:
        most = round_down(limit)
        named = int(most) if input_metric.T is int else most
        rule = "is beyond the distance for which the noise was made"
        fix = f"Pass at most {named}, or make noise for more"
        shown = input_metric.present(d_in)
        raise refusal("FailedMap", "d_in", shown, rule, fix)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))
