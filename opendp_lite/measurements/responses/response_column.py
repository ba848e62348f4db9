"""Randomized response on every row of a column: of categories, and of bit vectors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Array, Data, ExactDistance, ExactNumber, Value
from opendp_lite.base.containers import is_array, rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import BitVectorDomain, Domain, VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.metrics import HammingDistance, Metric, discrete_distance
from opendp_lite.core.registry import constructor, then
from opendp_lite.measurements.responses.randomized_response import (
    check_categories,
    check_flip,
    check_truth,
    flip_bits,
    make_randomized_response,
    make_randomized_response_bitvec,
)
from opendp_lite.randomness.draws import sample_bit_vectors
from opendp_lite.randomness.lanes import FEW_COINS, is_bulk

_FIX = "Pass vector_domain(atom_domain(T=str)), hamming_distance() and a list of str"


@constructor(proof="measurements/make_randomized_response_column", status="vetted")
def make_randomized_response_column(
    input_domain: Domain,
    input_metric: Metric,
    categories: Iterable[Data],
    prob: ExactNumber,
) -> Measurement:
    """Return a measurement that answers for every row of a column, independently, as
    `make_randomized_response` does.

    Guarantee: for x, x' that differ in at most d_in rows,
    P(M(x) in S) <= e^epsilon P(M(x') in S) for every S, where epsilon is
    d ln(p (k - 1) / (1 - p)), rounded up, d is d_in, or the `size` of the domain if
    that is smaller, p is `prob` and k the number of `categories`.

    The release has one category for each row. Its length is that of the column, so
    columns of different lengths (infinitely far apart) lose everything. For a list it
    is a list. For an array it is an array: of bool, of int64, or of text as wide as the
    longest category; where no such array holds the categories exactly (an integer of
    more than 64 bits, a text that ends in NUL), a list. So its kind tells nothing of
    the rows.

    :param input_domain: vector_domain of an atom_domain of bool, int or str
    :param input_metric: hamming_distance
    :param categories: k >= 2 different values of the type of the rows
    :param prob: p, from 1/k to 1, exact: float, Fraction, Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.hamming_distance()
    >>> response = space >> dp.m.then_randomized_response_column(["a", "b", "c"], 0.5)
    >>> response.map(1), response.map(2)
    (0.6931471805599454, 1.3862943611198908)
    >>> len(response(["a", "a", "z"]))
    3
    >>> import numpy as np
    >>> response(np.array(["a", "z"] * 50)).dtype
    dtype('<U1')

    Proof: proofs/measurements/make_randomized_response_column.tex
    """
    # Each argument is read once: a value may answer differently when asked again.
    _, values = check_categories("MakeMeasurement", categories)  # proof: values
    p = check_truth(prob, len(values))  # proof: p
    response = make_randomized_response(values, p)  # proof: response
    if not isinstance(input_domain, VectorDomain) or not (
        response.input_domain.contains(input_domain.element_domain)  # proof: rows
    ):
        rule = "must be a vector_domain whose rows are of the type of the categories"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    if not isinstance(input_metric, HammingDistance):  # proof: metric
        rule = "must be hamming_distance(): the release has the order of the rows"
        raise refusal("MakeMeasurement", "input_metric", input_metric, rule, _FIX)
    size = math.inf if input_domain.size is None else input_domain.size  # proof: size
    epsilon = response.privacy_map(1)  # proof: epsilon

    def function(arg: Data) -> Any:
        table = category_array(values) if is_array(arg) else None  # proof: table
        if is_bulk(len(arg), FEW_COINS):
            picked = _pick(_encode(arg, values), values, p)  # proof: picked
            if table is not None:
                return table.take(picked)  # proof: take
            return [values[i] for i in picked.tolist()]  # proof: listed
        answers = [response.function(row) for row in rows(arg)]  # proof: answers
        return answers if table is None else _as_array(answers, table)  # proof: few

    def privacy_map(d_in: ExactDistance) -> Any:
        differing = min(d_in, size)  # proof: differing
        if differing == 0:
            return 0  # proof: zero
        if math.inf in (differing, epsilon):
            return math.inf  # proof: infinite
        return differing * epsilon  # proof: loss

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


def _encode(column: Array, values: list[Data]) -> Any:
    """Return for each row which of the values it is, or -1 if none."""
    import numpy as np

    if is_array(column):
        return encode_categories(column, values)  # proof: array
    positions = {value: i for i, value in enumerate(values)}  # proof: positions
    codes = [positions.get(row, -1) for row in rows(column)]  # proof: codes
    return np.array(codes, dtype=np.int64)


def _pick(codes: Array, values: list[Data], p: mpq) -> Any:
    """Return the answer of each row, as a position; `codes` are the true ones."""
    from opendp_lite.randomness.bulk_draws import (
        sample_bernoullis,
        sample_uniforms_below,
    )

    if type(values[0]) is bool:
        return codes ^ sample_bernoullis(mpq(1) - p, codes.size)  # proof: flip
    # To tell the truth with probability s, and else one of all k categories, is to
    # tell it with probability p. Rows that are none of them need no other draw.
    k, one = mpq(len(values)), mpq(1)
    s = (k * p - one) / (k - one)  # proof: s
    truthful = sample_bernoullis(s, codes.size)  # proof: truthful
    picked = sample_uniforms_below(len(values), codes.size)  # proof: any
    # A product, because numpy selects much more slowly where nothing is predictable.
    picked += (truthful & (codes >= 0)) * (codes - picked)  # proof: truth
    return picked


def _as_array(answers: list[Data], table: Any) -> Any:
    """Return the answers as an array of the dtype of the table."""
    import numpy as np

    return np.array(answers, dtype=table.dtype)  # proof: dtype


then_randomized_response_column = then(make_randomized_response_column)


_BITS_FIX = (
    "Pass vector_domain(bitvector_domain(max_weight=m, size=n)), hamming_distance()"
)


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
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _BITS_FIX)
    bits = input_domain.element_domain
    if bits.size is None:  # proof: size
        rule = "its vectors must have a size: their lengths show in the release"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _BITS_FIX)
    if not isinstance(input_metric, HammingDistance):  # proof: metric
        rule = "must be hamming_distance(): the release has the order of the rows"
        raise refusal("MakeMeasurement", "input_metric", input_metric, rule, _BITS_FIX)
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


# Up to so many categories it is quicker to compare all rows with each of them.
_FEW = 32
_FEW_TEXTS = 5


def encode_categories(array: Array, values: list[Data]) -> Any:
    """Return for each row of an array which of the values it is, or -1 if none.

    The rows are those that `array.tolist()` has; the values are different, and of
    the type of the rows: bool, int or str, whether the dtype can hold them or not.

    >>> import numpy as np
    >>> encode_categories(np.array([3, 5, 7], dtype=np.int8), [5, 3, 300]).tolist()
    [1, 0, -1]

    Proof: proofs/measurements/encode_categories.tex
    """
    import numpy as np

    data = np.asarray(array)
    if data.dtype.kind == "b":
        # Any byte but 0 is True; memory that was not written as truth values has some.
        data = data.view(np.uint8) != 0  # proof: truth
    data = data.astype(data.dtype.newbyteorder("="), copy=False)  # proof: native-order
    places = {v: i for i, v in enumerate(values) if _holds(data.dtype, v)}
    if len(values) <= (_FEW_TEXTS if data.dtype.kind == "U" else _FEW):
        few = np.full(data.size, -1, dtype=np.int8)  # proof: none
        for value, i in places.items():
            equal = data == np.array(value, dtype=data.dtype)  # proof: equal
            few += equal * np.int8(i + 1)  # proof: add
        return few
    if not places:
        return np.full(data.size, -1, dtype=np.int64)  # proof: no-place
    ordered = sorted(places)  # proof: ordered
    members = np.array(ordered, dtype=data.dtype)
    at = np.searchsorted(members, data)  # proof: search
    found = members.take(at, mode="clip") == data  # proof: found
    codes = np.array([places[value] for value in ordered], dtype=np.int64)
    return np.where(found, codes.take(at, mode="clip"), -1)  # proof: code


def _holds(dtype: Any, value: Value) -> bool:
    """Whether a row of an array of this dtype can be the value."""
    import numpy as np

    if dtype.kind == "U":
        # numpy does not tell trailing NULs from the end of a text.
        fits = 4 * len(value) <= dtype.itemsize
        return bool(fits and value[-1:] != "\0")  # proof: text
    if dtype.kind == "b":
        return True  # proof: bool
    ends = np.iinfo(dtype)
    return bool(ends.min <= value <= ends.max)  # proof: range


def category_array(values: list[Data]) -> Any:
    """Return the categories as an array of bool, int64 or text; None if none is exact.

    >>> category_array([3, 5]), category_array([3, 10**40])
    (array([3, 5]), None)
    """
    import numpy as np

    dtype = np.dtype({bool: "bool", int: "int64"}.get(type(values[0]), "U1"))
    if dtype.kind == "U":
        longest = max(map(len, values))  # proof: longest
        dtype = np.dtype(f"U{longest}")
    if not all(_holds(dtype, value) for value in values):
        return None  # proof: list
    return np.array(values, dtype=dtype)  # proof: array
