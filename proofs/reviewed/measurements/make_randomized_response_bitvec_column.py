# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_randomized_response_bitvec_column; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.bitvec_column:make_randomized_response_bitvec_column ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import discrete_distance
from opendp_lite.core.domain import BitVectorDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.randomized_response import check_flip
from opendp_lite.measurements.randomized_response import flip_bits
from opendp_lite.measurements.randomized_response import make_randomized_response_bitvec
from opendp_lite.sampling.flips import sample_bit_vectors
from typing import Any
import math

_FIX = "Pass vector_domain(bitvector_domain(max_weight=m, size=n)), hamming_distance()"

def make_randomized_response_bitvec_column(
    input_domain: Domain, input_metric: Metric, f: Any
) -> Measurement:
    if not isinstance(input_domain, VectorDomain) or not (
        isinstance(input_domain.element_domain, BitVectorDomain)
    ):
        rule = "must be a vector_domain of a bitvector_domain"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    bits = input_domain.element_domain
    if bits.size is None:
        rule = "its vectors must have a size: their lengths show in the release"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    if not isinstance(input_metric, HammingDistance):
        rule = "must be hamming_distance(): the release has the order of the rows"
        raise refusal("MakeMeasurement", "input_metric", input_metric, rule, _FIX)
    size, flip = bits.size, check_flip(f)
    response = make_randomized_response_bitvec(
        bits, discrete_distance(), 2 * flip
    )
    length = -(-size // 8)
    most = math.inf if input_domain.size is None else input_domain.size
    epsilon = response.privacy_map(1)

    def function(arg: Any) -> list[bytes]:
        flips = sample_bit_vectors(flip, size, len(arg))
        released = flip_bits(b"".join(arg), flips)
        starts = [length * row for row in range(len(arg))]
        return [released[start : start + length] for start in starts]

    def privacy_map(d_in: Any) -> Any:
        differing = min(d_in, most)
        if differing == 0:
            return 0
        return math.inf if differing == math.inf else differing * epsilon

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


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


# === opendp_lite.measurements.randomized_response:flip_bits ===

def flip_bits(vectors: bytes, flips: bytes | bytearray) -> bytes:
    flipped = int.from_bytes(vectors, "big") ^ int.from_bytes(flips, "big")
    return flipped.to_bytes(len(vectors), "big")


# === opendp_lite.core.domain:VectorDomain.member ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from typing import Any
import attrs

@attrs.frozen(repr=False)
class VectorDomain(Domain):
    element_domain: Domain
    size: int | None = attrs.field(default=None, converter=_public_size)
    def member(self, value: Any) -> bool:
        if is_array(value):
            element = self.element_domain
            if value.ndim != 1 or not isinstance(element, AtomDomain):
                return False
            if self.size is not None and value.size != self.size:
                return False
            return element.all_array_members(value)
        if type(value) is not list:
            return False
        if self.size is not None and len(value) != self.size:
            return False
        return self.element_domain.all_members(value)


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
