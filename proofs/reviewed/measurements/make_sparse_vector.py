# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/make_sparse_vector; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.above_threshold:make_sparse_vector ===

from gmpy2 import mpq
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.measure import Measure
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.score_space import check_scores
from opendp_lite.sampling.above import sample_above
from typing import Any
import math

_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass a scale such as scale=1.0; 0 compares without noise"
_THRESHOLD_FIX = "Pass a number such as threshold=100"

def make_sparse_vector(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    threshold: Any,
    scale: Any,
    k: Any,
) -> Measurement:
    atom, spread = check_scores(input_domain, input_metric)
    _check_measure(output_measure)
    threshold = rational_argument(
        _MAKE, "threshold", threshold, fix=_THRESHOLD_FIX
    )
    scale = rational_argument(
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    k = integer_argument(
        _MAKE, "k", k, fix="Pass a number of indices such as k=3", at_least=1
    )
    ratio = _cube_root(spread * k)
    whole = atom.T is int

    def function(arg: Any) -> list[int]:
        answers = _answers(arg)
        return sample_above(answers, threshold, scale, ratio, k, whole)

    def privacy_map(d_in: Any) -> Any:
        if d_in == 0:
            return 0
        if d_in == math.inf or scale == 0:
            return math.inf
        return mpq(ratio + spread * k) * mpq(d_in) / scale

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,
    )


# === opendp_lite.measurements.above_threshold:_cube_root ===

from gmpy2 import iroot

def _cube_root(n: int) -> int:
    return (int(iroot(8 * n, 3)[0]) + 1) // 2


# === opendp_lite.measurements.above_threshold:_answers ===

from collections.abc import Sequence
from fractions import Fraction
from opendp_lite.core.containers import is_array
from opendp_lite.core.containers import native
from typing import Any

def _answers(arg: Any) -> Sequence[Any]:
    if is_array(arg):
        answers: list[Any] = arg.tolist()
        return answers
    if set(map(type, arg)) <= {int, float, Fraction}:
        return list(arg)
    return [native(x) for x in arg]


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


# === opendp_lite.measurements.above_threshold:_check_measure ===

from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import MaxDivergence
from typing import Any

_MAKE = "MakeMeasurement"

def _check_measure(measure: Any) -> None:
    if not isinstance(measure, MaxDivergence):
        fix = "Pass max_divergence()"
        rule = "must be MaxDivergence"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)


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
