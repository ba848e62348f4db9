# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_randomized_response_bitvec; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.randomized_response:make_randomized_response_bitvec ===

from opendp_lite.core.arguments import check_type
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.sampling.bernoulli import sample_bernoulli_float
from opendp_lite.sampling.flips import sample_bit_vectors
from typing import Any

def make_randomized_response_bitvec(
    input_domain: Domain, input_metric: Metric, f: Any, constant_time: bool = False
) -> Measurement:
    size, differing = _check_bits(input_domain, input_metric)
    flip = check_flip(f)
    check_type(
        "MakeMeasurement", "constant_time", constant_time, bool, "Say True or False"
    )
    if constant_time and (
        not isinstance(f, float) or to_mpq(float(flip)) != flip
    ):
        rule = "must be twice a float, and a float, when constant_time is True"
        raise refusal("MakeMeasurement", "f", f, rule, "Pass a float such as 0.5")

    def function(arg: Any) -> bytes:
        if not constant_time:
            return flip_bits(arg, sample_bit_vectors(flip, size, 1))
        flips = bytearray(len(arg))
        for i in range(size):
            coin = sample_bernoulli_float(float(flip), True)
            flips[i // 8] |= coin << 7 - i % 8
        return flip_bits(arg, flips)

    odds = (1 - flip) / flip
    log_odds = upper_bound(lambda bits: ln(odds, bits), 128)

    def privacy_map(d_in: Any) -> Any:
        return 0 if d_in == 0 else differing * log_odds

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === opendp_lite.measurements.randomized_response:_check_bits ===

from opendp_lite.core.distance import DiscreteDistance
from opendp_lite.core.domain import BitVectorDomain
from opendp_lite.core.errors import refusal
from typing import Any

def _check_bits(domain: Any, metric: Any) -> tuple[int, int]:
    fix = "Pass bitvector_domain(max_weight=m, size=n) and discrete_distance()"
    if not isinstance(domain, BitVectorDomain):
        rule = "must be a bitvector_domain"
        raise refusal("MakeMeasurement", "input_domain", domain, rule, fix)
    if domain.size is None:
        rule = "must have a size: the length of a vector shows in its release"
        raise refusal("MakeMeasurement", "input_domain", domain, rule, fix)
    if not isinstance(metric, DiscreteDistance):
        rule = "must be discrete_distance()"
        raise refusal("MakeMeasurement", "input_metric", metric, rule, fix)
    if domain.max_weight is None:
        return domain.size, domain.size
    return domain.size, min(2 * domain.max_weight, domain.size)


# === opendp_lite.measurements.randomized_response:check_flip ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from typing import Any

_FLIP_FIX = "Pass f, twice the probability that a bit is flipped, such as f=0.5"

def check_flip(f: Any) -> Any:
    exact = rational_argument(
        "MakeMeasurement", "f", f, fix=_FLIP_FIX, at_least=0, at_most=1
    )
    if exact == 0:
        raise refusal("MakeMeasurement", "f", f, "must be above 0", _FLIP_FIX)
    return exact / 2


# === opendp_lite.measurements.randomized_response:flip_bits ===

def flip_bits(vectors: bytes, flips: bytes | bytearray) -> bytes:
    flipped = int.from_bytes(vectors, "big") ^ int.from_bytes(flips, "big")
    return flipped.to_bytes(len(vectors), "big")


# === opendp_lite.core.domain:BitVectorDomain.member ===

from opendp_lite.core.atom import Domain
from typing import Any
import attrs

@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=_public_size)
    def member(self, value: Any) -> bool:
        if type(value) is not bytes:
            return False
        bits = int.from_bytes(value, "big")
        if self.size is not None:
            padding = -self.size % 8
            if 8 * len(value) != self.size + padding or bits & ((1 << padding) - 1):
                return False
        return self.max_weight is None or bits.bit_count() <= self.max_weight


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
