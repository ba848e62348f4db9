# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.above_threshold; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from fractions import Fraction
from gmpy2 import iroot
from opendp_lite.core.errors import refusal
from opendp_lite.core.measures.max_divergence import MaxDivergence
from opendp_lite.core.values.containers import is_array
from opendp_lite.core.values.containers import native
from typing import Any

_MAKE = "MakeMeasurement"


# === make_above_threshold
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measurement import Measurement
from typing import Any

def make_above_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    threshold: Any,
    scale: Any,
) -> Measurement:
    several = make_sparse_vector(
        input_domain, input_metric, output_measure, threshold, scale, 1
    )

    def function(arg: Any) -> int | None:
        found = several.function(arg)
        return found[0] if found else None

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        several.privacy_map,
        covers_rationals=several.covers_rationals,
    )


# === make_sparse_vector
from gmpy2 import mpq
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measurement import Measurement
from opendp_lite.measurements.selection.score_space import check_scores
from opendp_lite.sampling.selection.sparse_vector import sample_sparse_vector as sample_above
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


# === _cube_root with iroot
def _cube_root(n: int) -> int:
    return (int(iroot(8 * n, 3)[0]) + 1) // 2


# === _answers with Sequence, Fraction, is_array, native, Any
def _answers(arg: Any) -> Sequence[Any]:
    if is_array(arg):
        answers: list[Any] = arg.tolist()
        return answers
    if set(map(type, arg)) <= {int, float, Fraction}:
        return list(arg)
    return [native(x) for x in arg]


# === _check_measure with refusal, MaxDivergence, Any, _MAKE
def _check_measure(measure: Any) -> None:
    if not isinstance(measure, MaxDivergence):
        fix = "Pass max_divergence()"
        rule = "must be MaxDivergence"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)
