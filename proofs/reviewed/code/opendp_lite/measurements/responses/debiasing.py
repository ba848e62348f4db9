# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.responses.debiasing; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections import Counter
from collections.abc import Iterable
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Release
from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.responses.category_codes import encode_categories
from opendp_lite.measurements.responses.randomized_response import check_categories
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Release: typing.TypeAlias = typing.Any
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_VARIANT = "FailedFunction"
_ARRAY_KINDS = {bool: "b", int: "iu", str: "U"}
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
_PART = 1 << 20


# === debias_randomized_response with Iterable, mpq, Data, ExactNumber, Release,
#    rational_argument, refusal, TypeArgument, sqrt, upper_bound, to_double,
#    check_categories, Any, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Data, opendp_lite.base.aliases.Release,
#    opendp_lite.data.type_arguments.TypeArgument, _VARIANT
def debias_randomized_response(
    answers: Release,
    categories: Iterable[Data],
    prob: ExactNumber,
    T: TypeArgument | None = None,
) -> dict[Any, Frequency]:
    _, values = check_categories(_VARIANT, _listed(categories), T)
    k = len(values)
    fix = f"Pass the probability of the truth that was used, above Fraction(1, {k})"
    p = rational_argument(_VARIANT, "prob", prob, fix=fix, at_most=1)
    if k * p <= 1:
        raise refusal(_VARIANT, "prob", prob, f"must be above 1/{k}", fix)
    counts = _count_answers(answers, values)
    n = sum(counts)
    q = (1 - p) / (k - 1)

    def frequency(count: int) -> Frequency:
        excess = mpq(count, n) - q
        spread = q * (1 - q) + excess * (1 - p - q)
        variance = spread / (n * (p - q) ** 2)
        error = upper_bound(lambda bits: sqrt(variance, bits), 128)
        return Frequency(to_double(excess / (p - q)), to_double(error))

    return {value: frequency(counts[i]) for i, value in enumerate(values)}


# === _count_answers with Data, Release, is_array, refusal,
#    opendp_lite.base.aliases.Data, opendp_lite.base.aliases.Release, _VARIANT
def _count_answers(answers: Release, values: list[Data]) -> list[int]:
    fix = "Pass what the measurement released"
    array = is_array(answers) and answers.ndim > 0
    if not array and not isinstance(answers, list | tuple):
        shown = type(answers)
        raise refusal(_VARIANT, "answers", shown, "must be a list or an array", fix)
    if not len(answers):
        raise refusal(_VARIANT, "answers", answers, "there must be at least one", fix)
    counted = _count_array if array else _count_list
    counts = counted(answers, values)
    if counts is None:
        rule = "each must be one of the categories"
        raise refusal(_VARIANT, "answers", type(answers), rule, fix)
    return counts


# === _count_list with Counter, Data, Release, native, opendp_lite.base.aliases.Data,
#    opendp_lite.base.aliases.Release
def _count_list(answers: Release, values: list[Data]) -> list[int] | None:
    natives = [native(answer) for answer in answers]
    kinds = set(map(type, natives))
    if kinds != {type(values[0])} or not set(natives) <= set(values):
        return None
    counts = Counter(natives)
    return [counts[value] for value in values]


# === _count_array with Data, Release, encode_categories, opendp_lite.base.aliases.Data,
#    opendp_lite.base.aliases.Release, _ARRAY_KINDS
def _count_array(answers: Release, values: list[Data]) -> list[int] | None:
    import numpy as np

    kinds = _ARRAY_KINDS[type(values[0])]
    if answers.ndim != 1 or answers.dtype.kind not in kinds:
        return None
    codes = encode_categories(answers, values)
    if int(codes.min()) < 0:
        return None
    counts = np.bincount(codes, minlength=len(values))
    return [int(count) for count in counts]


# === _listed with Value, is_array, Any, opendp_lite.base.aliases.Value
def _listed(value: Value) -> Any:
    return value.tolist() if is_array(value) else value


# === debias_randomized_response_bitvec with ExactNumber, Release, rational_argument,
#    refusal, to_double, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Release, _VARIANT
def debias_randomized_response_bitvec(
    answers: Release, f: ExactNumber, size: ExactNumber | None = None
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


# === _count_ones with Release, opendp_lite.base.aliases.Release, _PART
def _count_ones(answers: Release, length: int) -> list[int]:
    import numpy as np

    total = np.zeros(8 * length, dtype=np.int64)
    step = max(1, _PART // max(1, length))
    for start in range(0, len(answers), step):
        part = answers[start : start + step]
        octets = np.frombuffer(b"".join(part), dtype=np.uint8)
        matrix = octets.reshape(len(part), length)
        total += np.unpackbits(matrix, axis=1).sum(axis=0, dtype=np.int64)
    return [int(count) for count in total]


# === _number_of_bits with ExactNumber, integer_argument, refusal, ?,
#    opendp_lite.base.aliases.ExactNumber, _VARIANT
def _number_of_bits(size: ExactNumber | None, length: int) -> int:
    if size is None:
        return 8 * length
    fix = "Pass the size of the domain, or leave it out if it is a multiple of 8"
    bits = integer_argument(_VARIANT, "size", size, fix=fix, at_least=0)
    if -(-bits // 8) != length:
        raise refusal(_VARIANT, "size", size, f"the answers have {length} bytes", fix)
    return bits
