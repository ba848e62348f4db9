# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_randomized_response_bool; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.randomized_response:make_randomized_response_bool ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.atom import atom_domain
from opendp_lite.core.distance import discrete_distance
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import Extended
from opendp_lite.sampling.bernoulli import sample_bernoulli_float
from opendp_lite.sampling.bernoulli import sample_bernoulli_rational
from typing import Any
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_FIX = "Pass the probability of the truth, between 1/2 (no information) and 1"

def make_randomized_response_bool(
    prob: Any, constant_time: bool = False
) -> Measurement:
    p = rational_argument(
        "MakeMeasurement", "prob", prob, fix=_FIX, at_most=1
    )
    if 2 * p < 1:
        raise refusal("MakeMeasurement", "prob", prob, "must be at least 1/2", _FIX)
    fix = "Say True or False"
    check_type(
        "MakeMeasurement", "constant_time", constant_time, bool, fix
    )
    if constant_time and not isinstance(prob, float):
        rule = "must be a float when constant_time is True"
        raise refusal(
            "MakeMeasurement", "prob", prob, rule, "Pass a float such as 0.75"
        )

    def function(arg: Any) -> bool:
        if constant_time:
            truthful = sample_bernoulli_float(float(p), constant_time=True)
        else:
            truthful = sample_bernoulli_rational(p)
        return bool(arg) == truthful

    epsilon: Extended
    if p == 1:
        epsilon = math.inf
    else:
        odds = p / (1 - p)
        epsilon = upper_bound(lambda bits: ln(odds, bits), 128)

    def privacy_map(d_in: Any) -> Any:
        return 0 if d_in == 0 else epsilon

    return Measurement(
        atom_domain(T=bool),
        function,
        discrete_distance(),
        max_divergence(),
        privacy_map,
    )


# === opendp_lite.core.arguments:rational_argument ===

from collections.abc import Callable
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_mpq
from typing import Any

def rational_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    convert: Callable[[Any], Any] = to_mpq,
    at_least: int | None = None,
    at_most: int | None = None,
) -> Any:
    try:
        number = convert(value)
    except (TypeError, ValueError) as error:
        raise refusal(variant, name, value, str(error), fix) from None
    if at_least is not None and number < at_least:
        raise refusal(variant, name, value, f"must be at least {at_least}", fix)
    if at_most is not None and number > at_most:
        raise refusal(variant, name, value, f"must be at most {at_most}", fix)
    return number


# === opendp_lite.exact.intervals:upper_bound ===

from collections.abc import Callable
from gmpy2 import mpq

def upper_bound(enclose: Callable[[int], Enclosure], precision: int = 64) -> mpq:
    return decide(enclose, lambda v: _finite(v.hi), precision)


# === opendp_lite.exact.intervals:decide ===

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

def decide(
    enclose: Callable[[int], Enclosure],
    test: Callable[[Enclosure], T | None],
    precision: int = 64,
) -> T:
    while True:
        answer = test(enclose(precision))
        if answer is not None:
            return answer
        precision *= 2


# === opendp_lite.exact.intervals:_finite ===

from gmpy2 import mpq
from typing import TypeAlias

End: TypeAlias = mpq | float

def _finite(end: End) -> mpq | None:
    return None if isinstance(end, float) else end
