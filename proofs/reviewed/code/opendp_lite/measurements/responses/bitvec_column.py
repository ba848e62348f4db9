# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.responses.bitvec_column; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.bitvector import BitVectorDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.counting import HammingDistance
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import discrete_distance
from opendp_lite.measurements.responses.randomized_response import check_flip
from opendp_lite.measurements.responses.randomized_response import flip_bits
from opendp_lite.measurements.responses.randomized_response import make_randomized_response_bitvec
from opendp_lite.randomness.draws import sample_bit_vectors
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_FIX = "Pass vector_domain(bitvector_domain(max_weight=m, size=n)), hamming_distance()"


# === make_randomized_response_bitvec_column with Data, ExactDistance, ExactNumber,
#    refusal, BitVectorDomain, Domain, VectorDomain, Measurement, max_divergence,
#    HammingDistance, Metric, discrete_distance, check_flip, flip_bits,
#    make_randomized_response_bitvec, sample_bit_vectors, Any, math, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _FIX
def make_randomized_response_bitvec_column(
    input_domain: Domain, input_metric: Metric, f: ExactNumber
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

    def function(arg: Data) -> list[bytes]:
        flips = sample_bit_vectors(flip, size, len(arg))
        released = flip_bits(b"".join(arg), flips)
        starts = [length * row for row in range(len(arg))]
        return [released[start : start + length] for start in starts]

    def privacy_map(d_in: ExactDistance) -> Any:
        differing = min(d_in, most)
        if differing == 0:
            return 0
        return math.inf if differing == math.inf else differing * epsilon

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )
