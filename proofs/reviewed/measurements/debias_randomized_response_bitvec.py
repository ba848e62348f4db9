# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/debias_randomized_response_bitvec; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.debiasing:debias_randomized_response_bitvec ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rounding import to_double
from typing import Any

_VARIANT = "FailedFunction"

def debias_randomized_response_bitvec(
    answers: Any, f: Any, size: Any = None
) -> list[float]:
    fix = "Pass the f that was used, between 0 and 1; at 1 the answers say nothing"
    share = rational_argument(
        _VARIANT, "f", f, fix=fix, at_least=0, at_most=1
    )
    if share in (0, 1):
        raise refusal(_VARIANT, "f", f, "must be between 0 and 1, both excluded", fix)
    fix = "Pass the list of what the measurement released"
    if not isinstance(answers, list | tuple):
        shown = type(answers)
        raise refusal(_VARIANT, "answers", shown, "must be a list of bytes", fix)
    if not answers:
        raise refusal(_VARIANT, "answers", answers, "there must be at least one", fix)
    if any(type(answer) is not bytes for answer in answers):
        raise refusal(_VARIANT, "answers", list, "must be a list of bytes", fix)
    length = len(answers[0])
    if any(len(answer) != length for answer in answers):
        raise refusal(_VARIANT, "answers", list, "must have one length", fix)
    bits = _number_of_bits(size, length)
    bias = len(answers) * share / 2

    ones = _count_ones(answers, length)[:bits]
    return [to_double((y - bias) / (1 - share)) for y in ones]


# === opendp_lite.measurements.debiasing:_count_ones ===

from typing import Any

_PART = 1 << 20

def _count_ones(answers: Any, length: int) -> list[int]:
    import numpy as np

    total = np.zeros(8 * length, dtype=np.int64)
    step = max(1, _PART // max(1, length))
    for start in range(0, len(answers), step):
        part = answers[start : start + step]
        octets = np.frombuffer(b"".join(part), dtype=np.uint8)
        matrix = octets.reshape(len(part), length)
        total += np.unpackbits(matrix, axis=1).sum(axis=0, dtype=np.int64)
    return [int(count) for count in total]


# === opendp_lite.measurements.debiasing:_number_of_bits ===

from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.errors import refusal
from typing import Any

_VARIANT = "FailedFunction"

def _number_of_bits(size: Any, length: int) -> int:
    if size is None:
        return 8 * length
    fix = "Pass the size of the domain, or leave it out if it is a multiple of 8"
    bits = integer_argument(_VARIANT, "size", size, fix=fix, at_least=0)
    if -(-bits // 8) != length:
        raise refusal(_VARIANT, "size", size, f"the answers have {length} bytes", fix)
    return bits


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


# === opendp_lite.core.arguments:integer_argument ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal

def integer_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> int:
    number: mpq = rational_argument(
        variant, name, value, fix=fix, at_least=at_least, at_most=at_most
    )
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:divide_to_double ===

import sys

def divide_to_double(n: int, d: int) -> float:
    try:
        nearest = n / d
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max
    return nearest + 0.0
