# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/debias_randomized_response; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.debiasing:debias_randomized_response ===

from gmpy2 import mpq
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.randomized_response import check_categories
from typing import Any

_VARIANT = "FailedFunction"

def debias_randomized_response(
    answers: Any, categories: Any, prob: Any, T: Any = None
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


# === opendp_lite.measurements.debiasing:_count_answers ===

from opendp_lite.core.containers import is_array
from opendp_lite.core.errors import refusal
from typing import Any

_VARIANT = "FailedFunction"

def _count_answers(answers: Any, values: list[Any]) -> list[int]:
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


# === opendp_lite.measurements.debiasing:_count_list ===

from collections import Counter
from opendp_lite.core.containers import native
from typing import Any

def _count_list(answers: Any, values: list[Any]) -> list[int] | None:
    natives = [native(answer) for answer in answers]
    kinds = set(map(type, natives))
    if kinds != {type(values[0])} or not set(natives) <= set(values):
        return None
    counts = Counter(natives)
    return [counts[value] for value in values]


# === opendp_lite.measurements.debiasing:_count_array ===

from opendp_lite.measurements.category_codes import encode_categories
from typing import Any

_ARRAY_KINDS = {bool: "b", int: "iu", str: "U"}

def _count_array(answers: Any, values: list[Any]) -> list[int] | None:
    import numpy as np

    kinds = _ARRAY_KINDS[type(values[0])]
    if answers.ndim != 1 or answers.dtype.kind not in kinds:
        return None
    codes = encode_categories(answers, values)
    if int(codes.min()) < 0:
        return None
    counts = np.bincount(codes, minlength=len(values))
    return [int(count) for count in counts]


# === opendp_lite.measurements.debiasing:_listed ===

from opendp_lite.core.containers import is_array
from typing import Any

def _listed(value: Any) -> Any:
    return value.tolist() if is_array(value) else value


# === opendp_lite.measurements.randomized_response:check_categories ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.atom import atom_domain
from opendp_lite.core.containers import native
from opendp_lite.core.errors import refusal
from typing import Any

_KINDS = (bool, int, str)
_CATEGORIES_FIX = 'Pass a list of different values, such as ["a", "b", "c"]'

def check_categories(
    variant: str, categories: Any, T: Any = None
) -> tuple[AtomDomain, list[Any]]:
    fix = _CATEGORIES_FIX
    if not issubclass(type(categories), list | tuple):
        raise refusal(variant, "categories", categories, "must be a list", fix)
    values = [native(value) for value in categories]
    if len(values) < 2:
        raise refusal(variant, "categories", categories, "must be at least two", fix)
    if T is None and type(values[0]) not in _KINDS:
        rule = "must be of type bool, int or str"
        raise refusal(variant, "categories", categories, rule, fix)
    domain = atom_domain(T=type(values[0]) if T is None else T)
    if domain.T not in _KINDS:
        rule = "the type of a category is bool, int or str"
        raise refusal(variant, "T", T, rule, "Leave T out")
    if not domain.all_members(values):
        rule = f"each must be {domain.rule()}"
        raise refusal(variant, "categories", categories, rule, fix)
    if len(set(values)) < len(values):
        raise refusal(variant, "categories", categories, "must be all different", fix)
    return domain, values


# === opendp_lite.core.containers:native ===

from typing import Any

def native(value: Any) -> Any:
    return value.item() if scalar_kind(value) is not None else value


# === opendp_lite.core.containers:scalar_kind ===

def scalar_kind(value: object) -> str | None:
    numpy = _numpy()
    if numpy is None or not issubclass(type(value), numpy.generic):
        return None
    dtype = numpy.generic.dtype.__get__(value)
    if dtype.type is not type(value) or (dtype.kind in "iuf" and dtype.itemsize > 8):
        return None
    return str(dtype.kind)


# === opendp_lite.core.containers:_numpy ===

from typing import Any
import sys

def _numpy() -> Any:
    return sys.modules.get("numpy")


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
