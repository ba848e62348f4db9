"""Noisy max and noisy top k: the indices of some of the highest scores."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import check_type, integer_argument, rational_argument
from opendp_lite.base.containers import is_array, native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import MaxDivergence, Measure, ZeroConcentratedDivergence
from opendp_lite.core.metrics import LInfDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.selection.bulk_levels import as_array
from opendp_lite.measurements.selection.by_score import (
    sample_exponential_mechanism,
    sample_permute_and_flip,
)

_MAKE_SPACE = "MakeMeasurement"


def check_scores(domain: object, metric: object) -> tuple[AtomDomain, int]:
    """Return the domain of a score, and by how many distances two gaps may differ."""
    fix = (
        "Pass vector_domain(atom_domain(T=int)) and linf_distance(T=int); counts have "
        "this by MO, as in then_histogram(edges, MO=linf_distance(T=int))"
    )
    atom = domain.element_domain if isinstance(domain, VectorDomain) else None
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must be a vector_domain of int, float or Fraction"
        raise refusal(_MAKE_SPACE, "input_domain", domain, rule, fix)  # proof: numbers
    if atom.nan:  # proof: nan
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE_SPACE, "input_domain", domain, rule, fix)
    if not isinstance(metric, LInfDistance):  # proof: metric
        raise refusal(_MAKE_SPACE, "input_metric", metric, "must be LInfDistance", fix)
    return atom, 1 if metric.monotonic else 2  # proof: spread


_MAKE = "MakeMeasurement"
_PLAIN = ({int}, {float})
_INFINITIES = (math.inf, -math.inf)
_MANY = 64  # scores for which an array is worth while
_K_FIX = "Pass how many indices to select, such as k=3"
_SCALE_FIX = "Pass a scale such as scale=1.0; 0 selects a greatest score for sure"


@constructor(proof="measurements/make_noisy_max", status="vetted")
def make_noisy_max(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    scale: Any,
    negate: bool = False,
) -> Measurement:
    """Return a measurement that selects the index of one of the highest scores.

    Guarantee: for score vectors x, x' at LInf distance at most d_in let r be
    2 d_in / s, or d_in / s if the metric is monotonic, where s is `scale`. Then

    * under MaxDivergence, P(M(x) = i) <= e^r P(M(x') = i) for every index i: the
      mechanism is permute-and-flip, which flips a coin of probability
      e^((x_i - max x)/s) for each i, and selects uniformly among the heads;
    * under ZeroConcentratedDivergence, D_alpha(M(x) || M(x')) <= alpha r^2 / 8 for
      every alpha > 1: the mechanism is the exponential one, which selects i with
      probability proportional to e^(x_i / s).

    Both laws are exact, for scores of any size. A score of minus infinity is never
    selected beside others, and where some are infinite, one of these is. At scale 0
    the selection is uniform among the greatest. The vector without scores has no
    index, and -1 is released.

    :param input_domain: vector_domain of int, float (nan=False) or Fraction
    :param input_metric: linf_distance; `monotonic=True` halves the loss
    :param output_measure: max_divergence() or zero_concentrated_divergence()
    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param negate: select one of the lowest scores instead. Pass True if the lowest
        scores are the best, as those of `make_quantile_score_candidates` are: chaining
        refuses False behind these

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    >>> select = space >> dp.m.then_noisy_max(dp.max_divergence(), scale=1.0)
    >>> select.map(1)
    2.0
    >>> select([1, 2, 10**6, 2, 1])
    2

    Proof: proofs/measurements/make_noisy_max.tex
    """
    atom, spread = _check_space(input_domain, input_metric)  # proof: space
    pure = _check_measure(output_measure)  # proof: measure
    scale = rational_argument(  # proof: scale
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    check_type(_MAKE, "negate", negate, bool, "Pass True or False")  # proof: negate
    sample = sample_permute_and_flip if pure else sample_exponential_mechanism

    def function(arg: Data) -> int:  # proof: function
        return _select(_scores(arg, negate), scale, sample)

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        loss = in_scales(spread * d_in, scale)  # proof: range
        if loss == math.inf:  # proof: infinite-loss
            return math.inf
        return loss if pure else mpq(loss) * mpq(loss) / 8  # proof: loss

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,  # proof: rationals
        selects="lowest" if negate else "highest",  # proof: selects
    )


then_noisy_max = then(make_noisy_max)


@constructor(proof="measurements/make_noisy_top_k", status="vetted")
def make_noisy_top_k(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    k: ExactNumber,
    scale: Any,
    negate: bool = False,
) -> Measurement:
    """Return a measurement that selects the indices of k of the highest scores.

    One index after the other is selected, as `make_noisy_max` does, from those that
    are left, and they are released in this order.

    Guarantee: for score vectors x, x' at LInf distance at most d_in let r be
    2 d_in / s, or d_in / s if the metric is monotonic, where s is `scale`; let m be k,
    or n - 1 if the domain has a size n = k, since the last of all indices is no
    choice. Then

    * under MaxDivergence, P(M(x) = v) <= e^(m r) P(M(x') = v) for every v;
    * under ZeroConcentratedDivergence, D_alpha(M(x) || M(x')) <= alpha m r^2 / 8 for
      every alpha > 1.

    Where there are fewer than k scores, all indices are released. Their number is no
    secret: vectors of different lengths are at an infinite distance.

    :param input_domain: vector_domain of int, float (nan=False) or Fraction
    :param input_metric: linf_distance; `monotonic=True` halves r
    :param output_measure: max_divergence() or zero_concentrated_divergence()
    :param k: how many indices to select, at most the size of the domain if it has one
    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param negate: select from the lowest scores instead. Pass True if the lowest
        scores are the best, as those of `make_quantile_score_candidates` are: chaining
        refuses False behind these

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    >>> select = space >> dp.m.then_noisy_top_k(dp.max_divergence(), k=2, scale=1.0)
    >>> select.map(1)
    4.0
    >>> select([1, 1000, 10**6, 2, 1])
    [2, 1]

    Proof: proofs/measurements/make_noisy_top_k.tex
    """
    atom, spread = _check_space(input_domain, input_metric)  # proof: space
    pure = _check_measure(output_measure)  # proof: measure
    size = input_domain.size if isinstance(input_domain, VectorDomain) else None
    k = integer_argument(  # proof: k
        _MAKE, "k", k, fix=_K_FIX, at_least=0, at_most=size
    )
    scale = rational_argument(  # proof: scale
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    check_type(_MAKE, "negate", negate, bool, "Pass True or False")  # proof: negate
    sample = sample_permute_and_flip if pure else sample_exponential_mechanism
    choices = k if size is None else min(k, size - 1)  # proof: choices

    def function(arg: Data) -> list[int]:  # proof: function
        scores = _copy(_scores(arg, negate))
        left = _indices(scores)
        found: list[int] = []
        while len(left) > 0 and len(found) < k:  # proof: rounds
            i = _select(scores, scale, sample)  # proof: select
            found.append(int(left[i]))  # proof: found
            scores, left = _without(scores, i), _without(left, i)
        return found

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        if choices == 0:  # proof: no-loss
            return 0
        loss = in_scales(spread * d_in, scale)  # proof: range
        if loss == math.inf:  # proof: infinite-loss
            return math.inf
        return choices * (loss if pure else mpq(loss) * mpq(loss) / 8)  # proof: loss

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,  # proof: rationals
        selects="lowest" if negate else "highest",  # proof: selects
    )


then_noisy_top_k = then(make_noisy_top_k)


def _scores(arg: Data, negate: bool) -> Any:
    """Numbers of one type with the gaps of the scores: an array, or a list."""
    if is_array(arg):
        import numpy

        wide = {"f": numpy.float64, "i": numpy.int64, "u": numpy.uint64}
        array: Any = numpy.asarray(arg, wide[arg.dtype.kind])  # proof: array
        if not negate:
            return array
        return -array if arg.dtype.kind == "f" else ~array  # proof: complement
    plain = set(map(type, arg)) in _PLAIN
    scores = arg if plain else [_number(native(x)) for x in arg]  # proof: plain
    if negate:  # proof: sign
        scores = [-x for x in scores]
    array = as_array(scores) if plain and len(scores) >= _MANY else None
    return scores if array is None else array  # proof: many


def _number(x: Data) -> Any:
    """An infinity, or the rational number that x is."""
    return x if x in _INFINITIES else to_mpq(x)  # proof: number


def _select(scores: Data, scale: mpq, sample: Any) -> int:
    """The index of a score; -1 if there is none."""
    if len(scores) == 0:  # proof: none
        return -1
    indices, finite = _candidates(scores)
    position = sample(finite, scale)  # proof: sample
    return position if indices is None else int(indices[position])


def _copy(items: Data) -> Any:
    """A copy of an array, or a list."""
    return items.copy() if is_array(items) else list(items)  # proof: copy


def _indices(scores: Data) -> Any:
    """The indices of the scores, in a container of the same kind."""
    if not is_array(scores):
        return list(range(len(scores)))  # proof: list
    import numpy

    return numpy.arange(len(scores))  # proof: range


def _without(items: Data, i: int) -> Any:
    """The items but that of index i, in whose place the last one is put."""
    items[i] = items[-1]  # proof: last
    return items[:-1]


def _candidates(scores: Data) -> tuple[Any, Any]:
    """The indices to select from (None: all), and finite scores for them."""
    if is_array(scores):
        if scores.dtype.kind != "f":  # proof: words
            return None, scores
        top, least = scores.max(), scores.min()
    else:
        top, least = max(scores), min(scores)
    if top in _INFINITIES:  # proof: infinite
        ties = [i for i, x in enumerate(scores) if x == top]
        return ties, [0] * len(ties)
    if least != -math.inf:  # proof: finite
        return None, scores
    indices = [i for i, x in enumerate(scores) if x != least]  # proof: minus-infinite
    kept = scores[indices] if is_array(scores) else [scores[i] for i in indices]
    return indices, kept


def _check_space(domain: Any, metric: object) -> tuple[AtomDomain, int]:
    """What `check_scores` returns, if there is room for a score."""
    space = check_scores(domain, metric)  # proof: scores
    if domain.size == 0:  # proof: candidates
        rule, fix = "must have room for a score", "Use a size of at least 1, or none"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    return space


def _check_measure(measure: object) -> bool:
    """Return whether privacy is pure; otherwise it is zero-concentrated."""
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = "must be MaxDivergence or ZeroConcentratedDivergence"
        fix = "Pass max_divergence() or zero_concentrated_divergence()"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)  # proof: measure
    return isinstance(measure, MaxDivergence)
