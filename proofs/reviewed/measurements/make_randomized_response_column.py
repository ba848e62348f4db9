# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_randomized_response_column; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.response_column:make_randomized_response_column ===

from opendp_lite.core.atom import Domain
from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import rows
from opendp_lite.core.distance import HammingDistance
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import max_divergence
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.category_codes import category_array
from opendp_lite.measurements.randomized_response import check_categories
from opendp_lite.measurements.randomized_response import check_truth
from opendp_lite.measurements.randomized_response import make_randomized_response
from typing import Any
import math

_FIX = "Pass vector_domain(atom_domain(T=str)), hamming_distance() and a list of str"

def make_randomized_response_column(
    input_domain: Domain, input_metric: Metric, categories: Any, prob: Any
) -> Measurement:
    _, values = check_categories("MakeMeasurement", categories)
    p = check_truth(prob, len(values))
    response = make_randomized_response(values, p)
    if not isinstance(input_domain, VectorDomain) or not (
        response.input_domain.contains(input_domain.element_domain)
    ):
        rule = "must be a vector_domain whose rows are of the type of the categories"
        raise refusal("MakeMeasurement", "input_domain", input_domain, rule, _FIX)
    if not isinstance(input_metric, HammingDistance):
        rule = "must be hamming_distance(): the release has the order of the rows"
        raise refusal("MakeMeasurement", "input_metric", input_metric, rule, _FIX)
    size = math.inf if input_domain.size is None else input_domain.size
    epsilon = response.privacy_map(1)

    def function(arg: Any) -> Any:
        from opendp_lite.sampling.bulk import is_bulk

        table = category_array(values) if is_array(arg) else None
        if is_bulk(len(arg)):
            picked = _pick(_encode(arg, values), values, p)
            if table is not None:
                return table.take(picked)
            return [values[i] for i in picked.tolist()]
        answers = [response.function(row) for row in rows(arg)]
        return answers if table is None else _as_array(answers, table)

    def privacy_map(d_in: Any) -> Any:
        differing = min(d_in, size)
        if differing == 0:
            return 0
        if math.inf in (differing, epsilon):
            return math.inf
        return differing * epsilon

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === opendp_lite.measurements.response_column:_encode ===

from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import rows
from opendp_lite.measurements.category_codes import encode_categories
from typing import Any

def _encode(column: Any, values: list[Any]) -> Any:
    import numpy as np

    if is_array(column):
        return encode_categories(column, values)
    positions = {value: i for i, value in enumerate(values)}
    codes = [positions.get(row, -1) for row in rows(column)]
    return np.array(codes, dtype=np.int64)


# === opendp_lite.measurements.response_column:_pick ===

from gmpy2 import mpq
from typing import Any

def _pick(codes: Any, values: list[Any], p: mpq) -> Any:
    from opendp_lite.sampling.bulk_coins import sample_bernoullis, sample_uniforms_below

    if type(values[0]) is bool:
        return codes ^ sample_bernoullis(mpq(1) - p, codes.size)
    k, one = mpq(len(values)), mpq(1)
    s = (k * p - one) / (k - one)
    truthful = sample_bernoullis(s, codes.size)
    picked = sample_uniforms_below(len(values), codes.size)
    picked += (truthful & (codes >= 0)) * (codes - picked)
    return picked


# === opendp_lite.measurements.response_column:_as_array ===

from typing import Any

def _as_array(answers: list[Any], table: Any) -> Any:
    import numpy as np

    return np.array(answers, dtype=table.dtype)


# === opendp_lite.measurements.category_codes:category_array ===

from typing import Any

def category_array(values: list[Any]) -> Any:
    import numpy as np

    dtype = np.dtype({bool: "bool", int: "int64"}.get(type(values[0]), "U1"))
    if dtype.kind == "U":
        longest = max(map(len, values))
        dtype = np.dtype(f"U{longest}")
    if not all(_holds(dtype, value) for value in values):
        return None
    return np.array(values, dtype=dtype)


# === opendp_lite.measurements.category_codes:_holds ===

from typing import Any

def _holds(dtype: Any, value: Any) -> bool:
    import numpy as np

    if dtype.kind == "U":
        fits = 4 * len(value) <= dtype.itemsize
        return bool(fits and value[-1:] != "\0")
    if dtype.kind == "b":
        return True
    ends = np.iinfo(dtype)
    return bool(ends.min <= value <= ends.max)


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


# === opendp_lite.measurements.randomized_response:check_truth ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from typing import Any

def check_truth(prob: Any, k: int) -> Any:
    fix = f"Pass the probability of the truth, from Fraction(1, {k}) to 1"
    p = rational_argument(
        "MakeMeasurement", "prob", prob, fix=fix, at_most=1
    )
    if k * p < 1:
        rule = f"must be at least 1/{k}, one over the number of categories"
        raise refusal("MakeMeasurement", "prob", prob, rule, fix)
    return p


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


# === opendp_lite.sampling.bulk:is_bulk ===

from opendp_lite.sampling.entropy import granularity

_FEW = 8

def is_bulk(count: int) -> bool:
    return count >= _FEW and granularity() > 1


# === opendp_lite.core.containers:rows ===

from typing import Any

def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]


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
