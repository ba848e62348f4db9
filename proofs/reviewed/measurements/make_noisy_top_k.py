# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_noisy_top_k; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.noisy_max:make_noisy_top_k ===

from gmpy2 import mpq
from opendp_lite.core.arguments import check_type
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.measure import Measure
from opendp_lite.core.measurement import Measurement
from opendp_lite.sampling.selection import sample_exponential_mechanism
from opendp_lite.sampling.selection import sample_permute_and_flip
from typing import Any
import math

_MAKE = "MakeMeasurement"
_K_FIX = "Pass how many indices to select, such as k=3"
_SCALE_FIX = "Pass a scale such as scale=1.0; 0 selects a greatest score for sure"

def make_noisy_top_k(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    k: Any,
    scale: Any,
    negate: bool = False,
) -> Measurement:
    atom, spread = _check_space(input_domain, input_metric)
    pure = _check_measure(output_measure)
    size = input_domain.size if isinstance(input_domain, VectorDomain) else None
    k = integer_argument(
        _MAKE, "k", k, fix=_K_FIX, at_least=0, at_most=size
    )
    scale = rational_argument(
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    check_type(_MAKE, "negate", negate, bool, "Pass True or False")
    sample = sample_permute_and_flip if pure else sample_exponential_mechanism
    choices = k if size is None else min(k, size - 1)

    def function(arg: Any) -> list[int]:
        scores = _copy(_scores(arg, negate))
        left = _indices(scores)
        found: list[int] = []
        while len(left) > 0 and len(found) < k:
            i = _select(scores, scale, sample)
            found.append(int(left[i]))
            scores, left = _without(scores, i), _without(left, i)
        return found

    def privacy_map(d_in: Any) -> Any:
        if d_in == 0 or choices == 0:
            return 0
        if d_in == math.inf or scale == 0:
            return math.inf
        loss = spread * mpq(d_in) / scale
        return choices * (loss if pure else loss * loss / 8)

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,
    )


# === opendp_lite.measurements.noisy_max:_copy ===

from opendp_lite.core.containers import is_array
from typing import Any

def _copy(items: Any) -> Any:
    return items.copy() if is_array(items) else list(items)


# === opendp_lite.measurements.noisy_max:_indices ===

from opendp_lite.core.containers import is_array
from typing import Any

def _indices(scores: Any) -> Any:
    if not is_array(scores):
        return list(range(len(scores)))
    import numpy

    return numpy.arange(len(scores))


# === opendp_lite.measurements.noisy_max:_without ===

from typing import Any

def _without(items: Any, i: int) -> Any:
    items[i] = items[-1]
    return items[:-1]


# === opendp_lite.measurements.noisy_max:_select ===

from gmpy2 import mpq
from typing import Any

def _select(scores: Any, scale: mpq, sample: Any) -> int:
    if len(scores) == 0:
        return -1
    indices, finite = _candidates(scores)
    position = sample(finite, scale)
    return position if indices is None else int(indices[position])


# === opendp_lite.measurements.noisy_max:_candidates ===

from opendp_lite.core.containers import is_array
from typing import Any
import math

_INFINITIES = (math.inf, -math.inf)

def _candidates(scores: Any) -> tuple[Any, Any]:
    if is_array(scores):
        if scores.dtype.kind != "f":
            return None, scores
        top, least = scores.max(), scores.min()
    else:
        top, least = max(scores), min(scores)
    if top in _INFINITIES:
        ties = [i for i, x in enumerate(scores) if x == top]
        return ties, [0] * len(ties)
    if least != -math.inf:
        return None, scores
    indices = [i for i, x in enumerate(scores) if x != least]
    kept = scores[indices] if is_array(scores) else [scores[i] for i in indices]
    return indices, kept


# === opendp_lite.measurements.noisy_max:_scores ===

from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import native
from opendp_lite.sampling.bulk_selection import as_array
from typing import Any

_PLAIN = ({int}, {float})
_MANY = 64

def _scores(arg: Any, negate: bool) -> Any:
    if is_array(arg):
        import numpy

        wide = {"f": numpy.float64, "i": numpy.int64, "u": numpy.uint64}
        array: Any = numpy.asarray(arg, wide[arg.dtype.kind])
        if not negate:
            return array
        return -array if arg.dtype.kind == "f" else ~array
    plain = set(map(type, arg)) in _PLAIN
    scores = arg if plain else [_number(native(x)) for x in arg]
    if negate:
        scores = [-x for x in scores]
    array = as_array(scores) if plain and len(scores) >= _MANY else None
    return scores if array is None else array


# === opendp_lite.measurements.noisy_max:_number ===

from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math

_INFINITIES = (math.inf, -math.inf)

def _number(x: Any) -> Any:
    return x if x in _INFINITIES else to_mpq(x)


# === opendp_lite.measurements.noisy_max:_check_space ===

from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.errors import refusal
from opendp_lite.measurements.score_space import check_scores
from typing import Any

_MAKE = "MakeMeasurement"

def _check_space(domain: Any, metric: Any) -> tuple[AtomDomain, int]:
    space = check_scores(domain, metric)
    if domain.size == 0:
        rule, fix = "must have room for a score", "Use a size of at least 1, or none"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    return space


# === opendp_lite.measurements.score_space:check_scores ===

from fractions import Fraction
from opendp_lite.core.atom import AtomDomain
from opendp_lite.core.domain import VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.metric import LInfDistance
from typing import Any

_MAKE = "MakeMeasurement"

def check_scores(domain: Any, metric: Any) -> tuple[AtomDomain, int]:
    fix = "Pass vector_domain(atom_domain(T=int)) and linf_distance(T=int)"
    atom = domain.element_domain if isinstance(domain, VectorDomain) else None
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must be a vector_domain of int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, LInfDistance):
        raise refusal(_MAKE, "input_metric", metric, "must be LInfDistance", fix)
    return atom, 1 if metric.monotonic else 2


# === opendp_lite.measurements.noisy_max:_check_measure ===

from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import MaxDivergence
from opendp_lite.core.measure import ZeroConcentratedDivergence
from typing import Any

_MAKE = "MakeMeasurement"

def _check_measure(measure: Any) -> bool:
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = "must be MaxDivergence or ZeroConcentratedDivergence"
        fix = "Pass max_divergence() or zero_concentrated_divergence()"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)
    return isinstance(measure, MaxDivergence)


# === opendp_lite.sampling.bulk_selection:as_array ===

from collections.abc import Sequence
from typing import Any
from typing import TypeAlias

Scores: TypeAlias = Any

def as_array(scores: Scores) -> Any:
    import numpy

    if not isinstance(scores, Sequence):
        return scores
    if isinstance(scores[0], float):
        return numpy.fromiter(scores, numpy.float64, len(scores))
    if isinstance(scores[0], int):
        try:
            return numpy.fromiter(scores, numpy.int64, len(scores))
        except OverflowError:
            return None
    return None


# === opendp_lite.core.containers:is_array ===

def is_array(value: object) -> bool:
    numpy = _numpy()
    return numpy is not None and type(value) in (numpy.ndarray, numpy.memmap)


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


# === opendp_lite.exact.rationals:to_mpq ===

from gmpy2 import mpq

def to_mpq(value: object) -> mpq:
    number = _parsed(value)
    if isinstance(number, float):
        raise ValueError(f"must be a finite number, got {number}")
    return number


# === opendp_lite.exact.rationals:_parsed ===

from decimal import Decimal
from fractions import Fraction
from gmpy2 import mpfr
from gmpy2 import mpq
from gmpy2 import mpz
from typing import Any

def _parsed(value: Any) -> mpq | float:
    kind = type(value)
    if issubclass(kind, mpq):
        number: mpq = value
        return number
    if issubclass(kind, float):
        return _from_binary(float(value))
    if issubclass(kind, bool):
        raise TypeError(f"must be a number, got the truth value {value}")
    if issubclass(kind, int):
        return mpq(int(value))
    if issubclass(kind, str):
        return _from_text(value)
    if issubclass(kind, Fraction):
        return mpq(int(value.numerator), int(value.denominator))
    if issubclass(kind, Decimal):
        return _from_decimal(value)
    if issubclass(kind, mpz):
        return mpq(value)
    if issubclass(kind, mpfr):
        return _from_binary(value)
    return _from_numpy(value)


# === opendp_lite.exact.rationals:_from_binary ===

from gmpy2 import mpfr
from gmpy2 import mpq
import math

def _from_binary(value: float | mpfr) -> mpq | float:
    if -math.inf < value < math.inf:
        return mpq(*value.as_integer_ratio())
    return float(value)


# === opendp_lite.exact.rationals:_from_numpy ===

from gmpy2 import mpq

def _from_numpy(value: object) -> mpq | float:
    if _is_numpy(value, "integer") and not _is_numpy(value, "timedelta64"):
        return mpq(value.__index__())
    if _is_numpy(value, "floating"):
        return _from_binary(value)
    raise TypeError(f"must be a number, got a value of type {type(value).__name__}")


# === opendp_lite.exact.rationals:_is_numpy ===

from typing import Any
import sys

def _is_numpy(value: object, kind: str) -> bool:
    numpy: Any = sys.modules.get("numpy")
    if not issubclass(type(value), getattr(numpy, kind, ())):
        return False
    named: type = numpy.generic.dtype.__get__(value).type
    return named is type(value)


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


# === opendp_lite.core.metric:LInfDistance.distance ===

from opendp_lite.core.containers import rows
from opendp_lite.exact.rationals import Extended
from typing import Any
import attrs
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class LInfDistance(_NumberMetric):
    monotonic: bool = False
    def distance(self, x: Any, y: Any) -> Extended:
        gaps = _vector_gaps(x, y)
        if gaps is None:
            return math.inf
        if self.monotonic:
            pairs = list(zip(rows(x), rows(y), strict=True))
            if any(a < b for a, b in pairs) and any(a > b for a, b in pairs):
                return math.inf
        return max(gaps, default=0)


# === opendp_lite.core.metric:_vector_gaps ===

from opendp_lite.core.containers import rows
from opendp_lite.exact.rationals import Extended
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def _vector_gaps(x: Any, y: Any) -> list[Extended] | None:
    left, right = rows(x), rows(y)
    if len(left) != len(right):
        return None
    return [gap(a, b) for a, b in zip(left, right, strict=True)]


# === opendp_lite.core.metric:gap ===

from gmpy2 import mpq
from opendp_lite.core.containers import native
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from typing import Any
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def gap(x: Any, y: Any) -> Extended:
    x, y = native(x), native(y)
    if x == y:
        return 0
    if x in (math.inf, -math.inf) or y in (math.inf, -math.inf):
        return math.inf
    if isinstance(x, int) and isinstance(y, int):
        return abs(x - y)
    difference: mpq = to_mpq(x) - to_mpq(y)
    return abs(difference)


# === opendp_lite.core.containers:rows ===

from typing import Any

def rows(data: Any) -> list[Any]:
    return list(data.tolist()) if is_array(data) else [native(row) for row in data]
