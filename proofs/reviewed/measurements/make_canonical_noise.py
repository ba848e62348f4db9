# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_canonical_noise; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.canonical_noise:make_canonical_noise ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import approximate
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.tulap import tulap_noise
from typing import Any
import math
import sys

_LARGEST = sys.float_info.max

def make_canonical_noise(
    input_domain: Domain, input_metric: Metric, d_in: Any, d_out: Any
) -> Measurement:
    limit = check_sensitivity(input_domain, input_metric, d_in)
    epsilon, delta = check_target(d_out)
    noise = tulap_noise(epsilon, delta, limit)

    def function(arg: Any) -> float:
        if arg in (math.inf, -math.inf):
            arg = _LARGEST if arg > 0 else -_LARGEST
        if isinstance(arg, float):
            return noise.release(float(arg))
        return to_double(noise.sample(to_mpq(arg)))

    def privacy_map(d_in: Any) -> Any:
        check_within(input_metric, d_in, limit)
        return (epsilon, delta) if d_in > 0 else (0, 0)

    return Measurement(
        input_domain,
        function,
        input_metric,
        approximate(max_divergence()),
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


# === opendp_lite.measurements.canonical_noise:check_target ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_target
from typing import Any

_MAKE = "MakeMeasurement"

def check_target(d_out: Any) -> tuple[mpq, mpq]:
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


# === opendp_lite.exact.rationals:to_target ===

from gmpy2 import mpq
from typing import Any

def to_target(value: Any) -> mpq:
    stored = to_mpq(value)
    if issubclass(type(value), float):
        return min(stored, to_mpq(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))
    return stored


# === opendp_lite.sampling.tulap:tulap_noise ===

from functools import lru_cache
from gmpy2 import mpq

@lru_cache(maxsize=64)
def tulap_noise(epsilon: mpq, delta: mpq, scale: mpq) -> TulapNoise:
    return TulapNoise(epsilon, delta, scale)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))
