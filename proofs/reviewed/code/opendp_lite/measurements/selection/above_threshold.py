# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.above_threshold; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Sequence
from fractions import Fraction
from gmpy2 import iroot
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.selection.noisy_max import check_scores
from opendp_lite.measurements.selection.sparse_vector import sample_sparse_vector
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass a scale such as scale=1.0; 0 compares without noise"
_THRESHOLD_FIX = "Pass a number such as threshold=100"


# === make_above_threshold with Data, ExactNumber, Domain, Measurement, Measure, Metric,
#    ?, opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Data
def make_above_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    threshold: ExactNumber,
    scale: ExactNumber,
) -> Measurement:
    several = make_sparse_vector(
        input_domain, input_metric, output_measure, threshold, scale, 1
    )

    def function(arg: Data) -> int | None:
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


# === make_sparse_vector with mpq, Data, ExactDistance, ExactNumber, integer_argument,
#    rational_argument, Domain, Measurement, Measure, Metric, in_scales, check_scores,
#    sample_sparse_vector, Any, math, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE,
#    _SCALE_FIX, _THRESHOLD_FIX
def make_sparse_vector(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    threshold: Any,
    scale: Any,
    k: ExactNumber,
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

    def function(arg: Data) -> list[int]:
        answers = _answers(arg)
        return sample_sparse_vector(
            answers, threshold, scale, ratio, k, whole
        )

    def privacy_map(d_in: ExactDistance) -> Any:
        distance = in_scales(d_in, scale)
        if distance == math.inf:
            return math.inf
        return mpq(ratio + spread * k) * mpq(distance)

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


# === _answers with Sequence, Fraction, Data, is_array, native, Any,
#    opendp_lite.base.aliases.Data
def _answers(arg: Data) -> Sequence[Any]:
    if is_array(arg):
        answers: list[Any] = arg.tolist()
        return answers
    if set(map(type, arg)) <= {int, float, Fraction}:
        return list(arg)
    return [native(x) for x in arg]


# === _check_measure with refusal, MaxDivergence, _MAKE
def _check_measure(measure: object) -> None:
    if not isinstance(measure, MaxDivergence):
        fix = "Pass max_divergence()"
        rule = "must be MaxDivergence"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)
