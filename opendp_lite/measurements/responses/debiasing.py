"""Estimates from the answers of randomized response.

Functions of releases alone: they cost no privacy. Counts and estimates are exact, and
rounded to floats once, at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactNumber, Release, Value
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.containers import is_array, native
from opendp_lite.base.errors import refusal
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.enclosures import sqrt
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.responses.randomized_response import check_categories
from opendp_lite.measurements.responses.response_column import encode_categories

_VARIANT = "FailedFunction"
_ARRAY_KINDS = {bool: "b", int: "iu", str: "U"}
_PART = 1 << 20  # bytes of answers that are taken apart into bits together


class Frequency(NamedTuple):
    """An estimated share, and its standard error over the randomness of the answers."""

    estimate: float
    standard_error: float


def debias_randomized_response(
    answers: Release,
    categories: Iterable[Data],
    prob: ExactNumber,
    T: TypeArgument | None = None,
) -> dict[Any, Frequency]:
    """Return the estimated share of each category, from noisy answers.

    The answers are those of `make_randomized_response` or of
    `make_randomized_response_column`.

    With n answers, k categories, p = `prob`, q = (1 - p)/(k - 1) and c_j answers j, the
    estimate of the share s_j of the category j among the true values is

        (c_j/n - q) / (p - q),

    which is unbiased for data within the categories, and may lie outside of [0, 1]; the
    estimates sum to 1 before they are rounded. A true value outside counts as 1/k of
    each category. The standard error is the square root of

        (q (1 - q) + (c_j/n - q) (1 - p - q)) / (n (p - q)^2),

    which is never negative, and, for data within the categories, unbiased for the
    variance of the estimate, given the true values; values outside make it too small.

    :param answers: list or array of releases, at least one
    :param categories: as given to `make_randomized_response`
    :param prob: p, above 1/k: at 1/k the answers say nothing
    :param T: as given to `make_randomized_response`

    >>> answers = ["a"] * 60 + ["b"] * 25 + ["c"] * 15
    >>> shares = debias_randomized_response(answers, ["a", "b", "c"], prob=0.8)
    >>> shares["a"]
    Frequency(estimate=0.7142857142857143, standard_error=0.053452248382484864)

    Proof: proofs/measurements/debias_randomized_response.tex
    """
    _, values = check_categories(_VARIANT, _listed(categories), T)  # proof: values
    k = len(values)
    fix = f"Pass the probability of the truth that was used, above Fraction(1, {k})"
    p = rational_argument(_VARIANT, "prob", prob, fix=fix, at_most=1)  # proof: p
    if k * p <= 1:  # proof: above-uniform
        raise refusal(_VARIANT, "prob", prob, f"must be above 1/{k}", fix)
    counts = _count_answers(answers, values)  # proof: counts
    n = sum(counts)
    q = (1 - p) / (k - 1)  # proof: q

    def frequency(count: int) -> Frequency:
        excess = mpq(count, n) - q  # proof: excess
        spread = q * (1 - q) + excess * (1 - p - q)  # proof: spread
        variance = spread / (n * (p - q) ** 2)  # proof: variance
        error = upper_bound(lambda bits: sqrt(variance, bits), 128)  # proof: error
        return Frequency(to_double(excess / (p - q)), to_double(error))  # proof: pair

    return {value: frequency(counts[i]) for i, value in enumerate(values)}


def _count_answers(answers: Release, values: list[Data]) -> list[int]:
    """Return how often each category was answered; nothing else may be an answer."""
    fix = "Pass what the measurement released"
    array = is_array(answers) and answers.ndim > 0
    if not array and not isinstance(answers, list | tuple):  # proof: list
        shown = type(answers)
        raise refusal(_VARIANT, "answers", shown, "must be a list or an array", fix)
    if not len(answers):  # proof: one
        raise refusal(_VARIANT, "answers", answers, "there must be at least one", fix)
    counted = _count_array if array else _count_list
    counts = counted(answers, values)  # proof: counted
    if counts is None:  # proof: known
        rule = "each must be one of the categories"
        raise refusal(_VARIANT, "answers", type(answers), rule, fix)
    return counts


def _count_list(answers: Release, values: list[Data]) -> list[int] | None:
    """Return how often each of the values occurs; None if anything else does."""
    natives = [native(answer) for answer in answers]  # proof: natives
    kinds = set(map(type, natives))
    if kinds != {type(values[0])} or not set(natives) <= set(values):  # proof: others
        return None
    counts = Counter(natives)
    return [counts[value] for value in values]  # proof: counts


def _count_array(answers: Release, values: list[Data]) -> list[int] | None:
    """Return how often each of the values occurs; None if anything else does."""
    import numpy as np

    kinds = _ARRAY_KINDS[type(values[0])]
    if answers.ndim != 1 or answers.dtype.kind not in kinds:  # proof: dtype
        return None
    codes = encode_categories(answers, values)  # proof: codes
    if int(codes.min()) < 0:  # proof: stranger
        return None
    counts = np.bincount(codes, minlength=len(values))  # proof: bincount
    return [int(count) for count in counts]


def _listed(value: Value) -> Any:
    """Return an array as the list it stands for, and all else as it is."""
    return value.tolist() if is_array(value) else value


def debias_randomized_response_bitvec(
    answers: Release, f: ExactNumber, size: ExactNumber | None = None
) -> list[float]:
    """Return, for each bit, an estimate of how many vectors have it.

    The answers are those of `make_randomized_response_bitvec` or of
    `make_randomized_response_bitvec_column`.

    With n answers of which y_i have the bit i, the estimate (y_i - n f/2)/(1 - f) is
    unbiased, and may be below 0 or above n. The bits are in the order of the domain:
    the most significant bit of the first byte is the first, as in `numpy.packbits`.
    (OpenDP lists the bits of each byte in the opposite order.)

    :param answers: list of releases (bytes), all of one length, at least one
    :param f: the f that was used, 0 < f < 1: at 1 the answers say nothing
    :param size: the number of bits, where it is not a multiple of 8

    >>> debias_randomized_response_bitvec([bytes([128]), bytes([192])], f=0.5, size=3)
    [3.0, 1.0, -1.0]

    Proof: proofs/measurements/debias_randomized_response_bitvec.tex
    """
    fix = "Pass the f that was used, between 0 and 1; at 1 the answers say nothing"
    share = rational_argument(  # proof: f
        _VARIANT, "f", f, fix=fix, at_least=0, at_most=1
    )
    if share in (0, 1):  # proof: ends
        raise refusal(_VARIANT, "f", f, "must be between 0 and 1, both excluded", fix)
    fix = "Pass the list of what the measurement released"
    if not isinstance(answers, list | tuple):  # proof: list
        shown = type(answers)
        raise refusal(_VARIANT, "answers", shown, "must be a list of bytes", fix)
    if not answers:  # proof: one
        raise refusal(_VARIANT, "answers", answers, "there must be at least one", fix)
    if any(type(answer) is not bytes for answer in answers):  # proof: bytes
        raise refusal(_VARIANT, "answers", list, "must be a list of bytes", fix)
    length = len(answers[0])
    if any(len(answer) != length for answer in answers):  # proof: length
        raise refusal(_VARIANT, "answers", list, "must have one length", fix)
    bits = _number_of_bits(size, length)
    bias = len(answers) * share / 2  # proof: bias

    ones = _count_ones(answers, length)[:bits]  # proof: ones
    return [to_double((y - bias) / (1 - share)) for y in ones]  # proof: estimate


def _count_ones(answers: Release, length: int) -> list[int]:
    """Return for each bit in how many of the answers, of `length` bytes, it is one."""
    import numpy as np

    total = np.zeros(8 * length, dtype=np.int64)  # proof: zeros
    step = max(1, _PART // max(1, length))  # proof: step
    for start in range(0, len(answers), step):
        part = answers[start : start + step]  # proof: part
        octets = np.frombuffer(b"".join(part), dtype=np.uint8)  # proof: octets
        matrix = octets.reshape(len(part), length)  # proof: matrix
        total += np.unpackbits(matrix, axis=1).sum(axis=0, dtype=np.int64)  # proof: add
    return [int(count) for count in total]


def _number_of_bits(size: ExactNumber | None, length: int) -> int:
    """Return how many bits the answers of so many bytes have."""
    if size is None:
        return 8 * length  # proof: whole
    fix = "Pass the size of the domain, or leave it out if it is a multiple of 8"
    bits = integer_argument(_VARIANT, "size", size, fix=fix, at_least=0)  # proof: size
    if -(-bits // 8) != length:  # proof: fits
        raise refusal(_VARIANT, "size", size, f"the answers have {length} bytes", fix)
    return bits
