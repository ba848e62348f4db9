"""Randomized response on every bit of a column of bit vectors."""

from __future__ import annotations

import math
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import BitVectorDomain, Domain, VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.metrics import HammingDistance, Metric, discrete_distance
from opendp_lite.core.registry import constructor, then
from opendp_lite.measurements.responses.randomized_response import (
    check_flip,
    flip_bits,
    make_randomized_response_bitvec,
)
from opendp_lite.randomness.draws import sample_bit_vectors

_FIX = "Pass vector_domain(bitvector_domain(max_weight=m, size=n)), hamming_distance()"


@constructor(
    proof="measurements/make_randomized_response_bitvec_column", status="vetted"
)
def make_randomized_response_bitvec_column(
    input_domain: Domain, input_metric: Metric, f: ExactNumber
) -> Measurement:
    """Return a measurement that flips each bit of each vector of a column with
    probability f/2, all of them independently.

    Guarantee: for x, x' that differ in at most d_in rows,
    P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where epsilon is
    d min(2 m, n) ln((2 - f) / f), rounded up; d is d_in, or the number of rows in the
    domain if that is smaller; n is the `size` of a bit vector and m its `max_weight`,
    without which epsilon is d n ln((2 - f) / f).

    The release is a list with a vector (bytes) for each row, as
    `make_randomized_response_bitvec` releases it, and what
    `debias_randomized_response_bitvec` takes. Columns of different lengths, infinitely
    far apart, lose everything.

    :param input_domain: vector_domain of a bitvector_domain with a size
    :param input_metric: hamming_distance
    :param f: 0 < f <= 1, exact: float, Fraction, Decimal or text; 1 is no information

    >>> import opendp_lite.prelude as dp
    >>> bits = dp.bitvector_domain(max_weight=1, size=12)
    >>> space = dp.vector_domain(bits), dp.hamming_distance()
    >>> response = space >> dp.m.then_randomized_response_bitvec_column(f=0.5)
    >>> response.map(1), response.map(2)
    (2.1972245773362196, 4.394449154672439)
    >>> [len(vector) for vector in response([bytes([0, 16]), bytes([128, 0])])]
    [2, 2]

    Proof: proofs/measurements/make_randomized_response_bitvec_column.tex
    """
    if not isinstance(input_domain, VectorDomain) or not (
        isinstance(input_domain.element_domain, BitVectorDomain)  # proof: rows
    ):
        rule = "must be a vector_domain of a bitvector_domain"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    bits = input_domain.element_domain
    if bits.size is None:  # proof: size
        rule = "its vectors must have a size: their lengths show in the release"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    if not isinstance(input_metric, HammingDistance):  # proof: metric
        rule = "must be hamming_distance(): the release has the order of the rows"
        raise refusal("MakeMeasurement", "input_metric", input_metric, rule, _FIX)
    size, flip = bits.size, check_flip(f)  # proof: flip
    response = make_randomized_response_bitvec(  # proof: response
        bits, discrete_distance(), 2 * flip
    )
    length = -(-size // 8)  # proof: length
    most = math.inf if input_domain.size is None else input_domain.size  # proof: most
    epsilon = response.privacy_map(1)  # proof: epsilon

    def function(arg: Data) -> list[bytes]:
        flips = sample_bit_vectors(flip, size, len(arg))  # proof: flips
        released = flip_bits(b"".join(arg), flips)  # proof: released
        starts = [length * row for row in range(len(arg))]
        return [released[start : start + length] for start in starts]  # proof: cut

    def privacy_map(d_in: ExactDistance) -> Any:
        differing = min(d_in, most)  # proof: differing
        if differing == 0:
            return 0  # proof: zero
        return math.inf if differing == math.inf else differing * epsilon  # proof: loss

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


then_randomized_response_bitvec_column = then(make_randomized_response_bitvec_column)
