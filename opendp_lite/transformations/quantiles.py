"""Scores that tell how near each of several candidates is to a quantile."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.metrics import LInfDistance, Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.transformations.counts.tallies import ranks
from opendp_lite.transformations.datasets import (
    changed_rows,
    changes_rows,
    check_dataset,
    check_numbers,
)

_MAKE = "MakeTransformation"
_ALPHA_FIX = "Pass for example alpha=0.5 for the median"
_FINEST = 10**6


@constructor(proof="transformations/make_quantile_score_candidates", status="vetted")
def make_quantile_score_candidates(
    input_domain: Domain,
    input_metric: Metric,
    candidates: Iterable[ExactNumber],
    alpha: ExactNumber,
) -> Transformation:
    """Return the transformation that scores how far candidates are from a quantile.

    With p/q the fraction `alpha`, the score of the candidate c on the data set x is the
    integer |(q - p) #(x < c) - p #(x > c)|: 0 at an alpha-quantile, and at most q for
    each row between c and one. So a low score is good: `make_noisy_max` and
    `make_noisy_top_k` need `negate=True` behind this transformation, and chaining
    refuses them without it.

    Guarantee: the scores of data sets x, x' at distance at most d_in differ by at most

    * d_in max(p, q - p) under the symmetric and the insert-delete distance,
    * min(floor(d_in / 2), n) q under these where the number n of rows is public,
    * d_in q, or min(d_in, n) q, under the change-one and the Hamming distance.

    :param input_domain: vector_domain of int, float (no NaN) or Fraction
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param candidates: numbers of the type of the rows, strictly increasing, in a list,
        a tuple or an array
    :param alpha: which quantile, from 0 to 1: the fraction with the least denominator
        up to 10^6 that is nearest. So 0.1 is 1/10

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> score = space >> dp.t.then_quantile_score_candidates([0, 10, 20], alpha=0.5)
    >>> score([1, 5, 9, 11, 12, 20]), score.map(1)
    ([6, 0, 5], 1)
    >>> pure = dp.max_divergence()
    >>> median = score >> dp.m.then_noisy_max(pure, scale=0, negate=True)
    >>> median([1, 5, 9, 11, 12, 20])
    1

    Raises `MakeTransformation` for another space, for candidates that do not increase
    strictly and where alpha is not between 0 and 1.

    Proof: proofs/transformations/make_quantile_score_candidates.tex
    """
    domain = check_dataset(input_domain, input_metric)  # proof: space
    element, n = check_numbers(domain), domain.size  # proof: numbers
    cuts = check_candidates(candidates, element)  # proof: cuts
    level = quantile_level(alpha)  # proof: alpha
    p, q = level.numerator, level.denominator  # proof: level

    def function(arg: Data) -> list[int]:  # proof: function
        size = len(arg)
        below, up_to = ranks(arg, cuts, ("left", "right"), element.T)  # proof: ranks
        return [
            abs((q - p) * less - p * (size - most))  # proof: score
            for less, most in zip(below, up_to, strict=True)
        ]

    def stability_map(d_in: ExactDistance) -> Any:  # proof: map
        changed = changes_rows(input_metric)
        if n is not None:  # proof: sized
            return changed_rows(input_metric, n, d_in) * q
        if d_in == math.inf:  # proof: infinite
            return math.inf
        return d_in * (q if changed else max(p, q - p))  # proof: unsized

    return Transformation(
        input_domain,
        VectorDomain(AtomDomain(T=int), len(cuts)),
        function,
        input_metric,
        LInfDistance(int),
        stability_map,
        reads_floats=element.T is float,  # proof: reads
        lower_is_better=True,  # proof: lowest
    )


then_quantile_score_candidates = then(make_quantile_score_candidates)


def quantile_level(alpha: ExactNumber) -> Fraction:
    """Return alpha as a fraction from 0 to 1, of a denominator up to 10^6."""
    exact = rational_argument(  # proof: alpha
        _MAKE, "alpha", alpha, fix=_ALPHA_FIX, at_least=0, at_most=1
    )
    return to_fraction(exact).limit_denominator(_FINEST)  # proof: limit


def check_candidates(
    candidates: Iterable[ExactNumber], element: AtomDomain
) -> list[Any]:
    """Return the candidates as a new list of Python numbers, or refuse them."""
    fix = "Pass a list such as candidates=[0, 10, 20], of the type of the rows"
    T = element.T
    listed = isinstance(candidates, list | tuple)
    values = list(candidates) if listed else []
    if not values:  # proof: some
        rule = "must be a list, a tuple or an array, of at least one candidate"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    number = AtomDomain(T=T, nan=False) if T is float else AtomDomain(T=T)
    if not all(map(number.member, values)):  # proof: members
        rule = f"each must be of type {T.__name__}, and not NaN"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    cuts = [T(native(each)) for each in values]  # proof: cuts
    if any(a >= b for a, b in pairwise(cuts)):  # proof: increasing
        rule = "must be strictly increasing"
        raise refusal(_MAKE, "candidates", candidates, rule, fix)
    return cuts
