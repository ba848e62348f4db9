# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.noisy_max; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.vector import VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.measures.plain import MaxDivergence
from opendp_lite.core.measures.plain import ZeroConcentratedDivergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import LInfDistance
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.selection.bulk_levels import as_array
from opendp_lite.measurements.selection.by_score import sample_exponential_mechanism
from opendp_lite.measurements.selection.by_score import sample_permute_and_flip
from typing import Any
import math

_MAKE_SPACE = "MakeMeasurement"
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass a scale such as scale=1.0; 0 selects a greatest score for sure"
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_K_FIX = "Pass how many indices to select, such as k=3"
_PLAIN = ({int}, {float})
_MANY = 64
_INFINITIES = (math.inf, -math.inf)


# === check_scores with Fraction, refusal, AtomDomain, VectorDomain, LInfDistance,
#    _MAKE_SPACE
def check_scores(domain: object, metric: object) -> tuple[AtomDomain, int]:
    fix = (
        "Pass vector_domain(atom_domain(T=int)) and linf_distance(T=int); counts have "
        "this by MO, as in then_histogram(edges, MO=linf_distance(T=int))"
    )
    atom = domain.element_domain if isinstance(domain, VectorDomain) else None
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must be a vector_domain of int, float or Fraction"
        raise refusal(_MAKE_SPACE, "input_domain", domain, rule, fix)
    if atom.nan:
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE_SPACE, "input_domain", domain, rule, fix)
    if not isinstance(metric, LInfDistance):
        raise refusal(_MAKE_SPACE, "input_metric", metric, "must be LInfDistance", fix)
    return atom, 1 if metric.monotonic else 2


# === make_noisy_max with mpq, Data, ExactDistance, check_type, rational_argument,
#    Domain, Measurement, Measure, Metric, in_scales, sample_exponential_mechanism,
#    sample_permute_and_flip, Any, math, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, _MAKE, _SCALE_FIX
def make_noisy_max(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: Any,
    negate: bool = False,
) -> Measurement:
    atom, spread = _check_space(input_domain, input_metric)
    pure = _check_measure(output_measure)
    scale = rational_argument(
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    check_type(_MAKE, "negate", negate, bool, "Pass True or False")
    sample = sample_permute_and_flip if pure else sample_exponential_mechanism

    def function(arg: Data) -> int:
        return _select(_scores(arg, negate), scale, sample)

    def privacy_map(d_in: ExactDistance) -> Any:
        loss = in_scales(spread * d_in, scale)
        if loss == math.inf:
            return math.inf
        return loss if pure else mpq(loss) * mpq(loss) / 8

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,
        selects="lowest" if negate else "highest",
    )


# === make_noisy_top_k with mpq, Data, ExactDistance, ExactNumber, check_type,
#    integer_argument, rational_argument, Domain, VectorDomain, Measurement, Measure,
#    Metric, in_scales, sample_exponential_mechanism, sample_permute_and_flip, Any,
#    math, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data, _MAKE,
#    _K_FIX, _SCALE_FIX
def make_noisy_top_k(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    k: ExactNumber,
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

    def function(arg: Data) -> list[int]:
        scores = _copy(_scores(arg, negate))
        left = _indices(scores)
        found: list[int] = []
        while len(left) > 0 and len(found) < k:
            i = _select(scores, scale, sample)
            found.append(int(left[i]))
            scores, left = _without(scores, i), _without(left, i)
        return found

    def privacy_map(d_in: ExactDistance) -> Any:
        if choices == 0:
            return 0
        loss = in_scales(spread * d_in, scale)
        if loss == math.inf:
            return math.inf
        return choices * (loss if pure else mpq(loss) * mpq(loss) / 8)

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,
        selects="lowest" if negate else "highest",
    )


# === _scores with Data, is_array, native, as_array, Any, opendp_lite.base.aliases.Data,
#    _PLAIN, _MANY
def _scores(arg: Data, negate: bool) -> Any:
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


# === _number with Data, to_mpq, Any, math, opendp_lite.base.aliases.Data, _INFINITIES
def _number(x: Data) -> Any:
    return x if x in _INFINITIES else to_mpq(x)


# === _select with mpq, Data, Any, opendp_lite.base.aliases.Data
def _select(scores: Data, scale: mpq, sample: Any) -> int:
    if len(scores) == 0:
        return -1
    indices, finite = _candidates(scores)
    position = sample(finite, scale)
    return position if indices is None else int(indices[position])


# === _copy with Data, is_array, Any, opendp_lite.base.aliases.Data
def _copy(items: Data) -> Any:
    return items.copy() if is_array(items) else list(items)


# === _indices with Data, is_array, Any, opendp_lite.base.aliases.Data
def _indices(scores: Data) -> Any:
    if not is_array(scores):
        return list(range(len(scores)))
    import numpy

    return numpy.arange(len(scores))


# === _without with Data, Any, opendp_lite.base.aliases.Data
def _without(items: Data, i: int) -> Any:
    items[i] = items[-1]
    return items[:-1]


# === _candidates with Data, is_array, Any, math, opendp_lite.base.aliases.Data,
#    _INFINITIES
def _candidates(scores: Data) -> tuple[Any, Any]:
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


# === _check_space with refusal, AtomDomain, Any, _MAKE
def _check_space(domain: Any, metric: object) -> tuple[AtomDomain, int]:
    space = check_scores(domain, metric)
    if domain.size == 0:
        rule, fix = "must have room for a score", "Use a size of at least 1, or none"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    return space


# === _check_measure with refusal, MaxDivergence, ZeroConcentratedDivergence, _MAKE
def _check_measure(measure: object) -> bool:
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = "must be MaxDivergence or ZeroConcentratedDivergence"
        fix = "Pass max_divergence() or zero_concentrated_divergence()"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)
    return isinstance(measure, MaxDivergence)
