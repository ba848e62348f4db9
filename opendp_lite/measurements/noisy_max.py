"""Noisy max: the index of one of the highest scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.arguments import check_type, rational_argument
from opendp_lite.core.containers import is_array, native
from opendp_lite.core.domain import AtomDomain, Domain, VectorDomain
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import (
    MaxDivergence,
    Measure,
    ZeroConcentratedDivergence,
)
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metric import LInfDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.sampling.selection import (
    sample_exponential_mechanism,
    sample_permute_and_flip,
)

__all__ = ["make_noisy_max", "then_noisy_max"]

_MAKE = "MakeMeasurement"
_PLAIN = ({int}, {float})
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
    :param negate: select one of the lowest scores instead

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
    pure = _check_measure(output_measure)
    scale = rational_argument(  # proof: scale
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    check_type(_MAKE, "negate", negate, bool, "Pass True or False")  # proof: negate
    sample = sample_permute_and_flip if pure else sample_exponential_mechanism

    def function(arg: Any) -> int:  # proof: function
        indices, scores = _candidates(arg, negate)
        if not indices:  # proof: empty
            return -1
        return int(indices[sample(scores, scale)])  # proof: sample

    def privacy_map(d_in: Any) -> Any:  # proof: map
        if d_in == 0:  # proof: zero-distance
            return 0
        if d_in == math.inf or scale == 0:  # proof: infinite-loss
            return math.inf
        loss = spread * mpq(d_in) / scale  # proof: range
        return loss if pure else loss * loss / 8  # proof: loss

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,  # proof: rationals
    )


then_noisy_max = then(make_noisy_max)


def _candidates(arg: Any, negate: bool) -> tuple[Sequence[int], Any]:
    """Return the indices to select from, and finite scores for them, of one type."""
    scores = arg.tolist() if is_array(arg) else arg
    indices: Sequence[int] = range(len(scores))
    if not scores:  # proof: none
        return indices, scores
    kinds = set(map(type, scores))
    if kinds not in _PLAIN:  # proof: plain
        scores = [native(x) for x in scores]
    if negate:  # proof: sign
        scores = [-x for x in scores]
    if kinds == {int}:  # proof: integers
        return indices, scores
    top = max(scores)
    if top in (math.inf, -math.inf):  # proof: infinite
        ties = [i for i in indices if scores[i] == top]
        return ties, [0] * len(ties)
    if min(scores) == -math.inf:  # proof: minus-infinite
        indices = [i for i in indices if scores[i] != -math.inf]
        scores = [scores[i] for i in indices]
    if set(map(type, scores)) not in _PLAIN:  # proof: mixed
        scores = [to_mpq(x) for x in scores]
    return indices, scores


def _check_space(domain: Any, metric: Any) -> tuple[AtomDomain, int]:
    """Return the domain of a score, and by how many distances two gaps may differ."""
    fix = "Pass vector_domain(atom_domain(T=int)) and linf_distance(T=int)"
    atom = domain.element_domain if isinstance(domain, VectorDomain) else None
    if not isinstance(atom, AtomDomain) or atom.T not in (int, float, Fraction):
        rule = "must be a vector_domain of int, float or Fraction"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)  # proof: numbers
    if atom.nan:  # proof: nan
        rule = "must not hold NaN"
        fix = "Use atom_domain(T=float, nan=False), after make_impute_constant"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if domain.size == 0:  # proof: candidates
        rule, fix = "must have room for a score", "Use a size of at least 1, or none"
        raise refusal(_MAKE, "input_domain", domain, rule, fix)
    if not isinstance(metric, LInfDistance):  # proof: metric
        raise refusal(_MAKE, "input_metric", metric, "must be LInfDistance", fix)
    return atom, 1 if metric.monotonic else 2  # proof: spread


def _check_measure(measure: Any) -> bool:
    """Return whether privacy is pure; otherwise it is zero-concentrated."""
    if not isinstance(measure, MaxDivergence | ZeroConcentratedDivergence):
        rule = "must be MaxDivergence or ZeroConcentratedDivergence"
        fix = "Pass max_divergence() or zero_concentrated_divergence()"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)  # proof: measure
    return isinstance(measure, MaxDivergence)
