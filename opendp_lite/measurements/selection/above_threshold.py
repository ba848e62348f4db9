"""Above threshold: the first answers that reach a threshold, at the cost of a few."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gmpy2 import iroot, mpq

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.containers import is_array, native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import MaxDivergence, Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.measurements.noise.additive import in_scales
from opendp_lite.measurements.selection.noisy_max import check_scores
from opendp_lite.measurements.selection.sparse_vector import sample_sparse_vector

_MAKE = "MakeMeasurement"
_SCALE_FIX = "Pass a scale such as scale=1.0; 0 compares without noise"
_THRESHOLD_FIX = "Pass a number such as threshold=100"


@constructor(proof="measurements/make_above_threshold", status="vetted")
def make_above_threshold(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    threshold: ExactNumber,
    scale: ExactNumber,
) -> Measurement:
    """Return a measurement that finds the first answer that reaches a threshold.

    The answers x_0, x_1, ... to queries are compared with the threshold T in order.
    What is released is the first index i with x_i + E_i >= R, where the level is
    R = T + N, or None if there is no such index. The noises N, E_0, E_1, ... are
    independent and exponential of the scale s = `scale`: P(N > t) = e^(-t/s), t >= 0.
    For integers R is ceil(T) + floor(N).

    Guarantee: for answers x, x' at LInf distance at most d_in,
    P(M(x) in S) <= e^r P(M(x') in S) for all sets S of releases, where r = 3 d_in / s,
    or r = 2 d_in / s if the metric is monotonic: however many answers there are. From
    two answers on no smaller r would do in general. The law is exact, for answers of
    any size. An infinite answer is at or above every level, or below it. At scale 0
    there is no noise.

    Accuracy: with n answers and a = s ln((n + 1)/alpha), with probability 1 - alpha at
    least, the answer at the index is above T - a, and all answers before it, or all if
    None is released, are below T + a.

    The time that a release takes depends on the index, and on how near to the
    threshold the answers before it are; do not show it to those who see the release.

    :param input_domain: vector_domain of int, float (nan=False) or Fraction
    :param input_metric: linf_distance; `monotonic=True` lowers the loss
    :param output_measure: max_divergence()
    :param threshold: T, exact: int, float, Fraction, Decimal or text
    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    >>> find = space >> dp.m.then_above_threshold(
    ...     dp.max_divergence(), threshold=1000, scale=3.0
    ... )
    >>> find.map(1)
    1.0
    >>> find([0, 200, 10**6, 300, 10**6])
    2
    >>> print(find([0, 200, 300]))
    None

    Proof: proofs/measurements/make_above_threshold.tex
    """
    several = make_sparse_vector(  # proof: several
        input_domain, input_metric, output_measure, threshold, scale, 1
    )

    def function(arg: Data) -> int | None:  # proof: function
        found = several.function(arg)
        return found[0] if found else None  # proof: first

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        several.privacy_map,  # proof: map
        covers_rationals=several.covers_rationals,  # proof: rationals
    )


@constructor(proof="measurements/make_sparse_vector", status="vetted")
def make_sparse_vector(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    threshold: Any,
    scale: Any,
    k: ExactNumber,
) -> Measurement:
    """Return a measurement that finds the first k answers that reach a threshold.

    The answers x_0, x_1, ... to queries are compared with the threshold T in order.
    What is released is the list of the first k indices i with x_i + E_i >= R, or of
    all if they are fewer, where the level R = T + N is the same for all. The noises
    N, E_0, E_1, ... are independent and exponential: that of an answer of the scale
    s = `scale`, P(E_i > t) = e^(-t/s), t >= 0, and N of the scale s/m. Here m is the
    integer nearest to the cube root of c k, with c = 2, or c = 1 if the metric is
    monotonic, which makes the variance of E_i - N about least for the loss. For
    integers R is ceil(T) + floor(N).

    Guarantee: for answers x, x' at LInf distance at most d_in,
    P(M(x) in S) <= e^r P(M(x') in S) for all sets S of releases, where
    r = (m + c k) d_in / s: however many answers there are. From k + 1 answers on no
    smaller r would do in general. The law is exact, for answers of any size. An
    infinite answer is at or above every level, or below it. At scale 0 there is no
    noise.

    Accuracy: with n answers and a = s ln((n + 1)/alpha), with probability 1 - alpha at
    least, all answers that are listed are above T - a, and all others up to the k-th of
    these, or to the end, are below T + a.

    The time that a release takes depends on the indices, and on how near to the
    threshold the answers are; do not show it to those who see the release.

    :param input_domain: vector_domain of int, float (nan=False) or Fraction
    :param input_metric: linf_distance; `monotonic=True` lowers the loss
    :param output_measure: max_divergence()
    :param threshold: T, exact: int, float, Fraction, Decimal or text
    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param k: the most indices to release, an integer of at least 1

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    >>> find = space >> dp.m.then_sparse_vector(
    ...     dp.max_divergence(), threshold=1000, scale=10.0, k=4
    ... )
    >>> find.map(1)
    1.0
    >>> find([0, 10**6, 200, 10**6, 300])
    [1, 3]

    Proof: proofs/measurements/make_sparse_vector.tex
    """
    atom, spread = check_scores(input_domain, input_metric)  # proof: space
    _check_measure(output_measure)
    threshold = rational_argument(  # proof: threshold
        _MAKE, "threshold", threshold, fix=_THRESHOLD_FIX
    )
    scale = rational_argument(  # proof: scale
        _MAKE, "scale", scale, fix=_SCALE_FIX, at_least=0
    )
    k = integer_argument(  # proof: most
        _MAKE, "k", k, fix="Pass a number of indices such as k=3", at_least=1
    )
    ratio = _cube_root(spread * k)  # proof: ratio
    whole = atom.T is int  # proof: whole

    def function(arg: Data) -> list[int]:  # proof: function
        answers = _answers(arg)
        return sample_sparse_vector(
            answers, threshold, scale, ratio, k, whole
        )  # proof: sample

    def privacy_map(d_in: ExactDistance) -> Any:  # proof: map
        distance = in_scales(d_in, scale)
        if distance == math.inf:  # proof: infinite-loss
            return math.inf
        return mpq(ratio + spread * k) * mpq(distance)  # proof: loss

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        privacy_map,
        covers_rationals=atom.T is float,  # proof: rationals
    )


then_above_threshold = then(make_above_threshold)
then_sparse_vector = then(make_sparse_vector)


def _cube_root(n: int) -> int:
    """The integer nearest to the cube root of n >= 1: (2m - 1)^3 <= 8 n < (2m + 1)^3.

    >>> [_cube_root(n) for n in (1, 2, 3, 4, 15, 16, 10**60)]
    [1, 1, 1, 2, 2, 3, 100000000000000000000]
    """
    return (int(iroot(8 * n, 3)[0]) + 1) // 2  # proof: root


def _answers(arg: Data) -> Sequence[Any]:
    """The answers as Python numbers."""
    if is_array(arg):
        answers: list[Any] = arg.tolist()  # proof: array
        return answers
    if set(map(type, arg)) <= {int, float, Fraction}:  # proof: plain
        return list(arg)
    return [native(x) for x in arg]  # proof: scalars


def _check_measure(measure: object) -> None:
    """Refuse a measure that is not that of pure privacy."""
    if not isinstance(measure, MaxDivergence):
        fix = "Pass max_divergence()"
        rule = "must be MaxDivergence"
        raise refusal(_MAKE, "output_measure", measure, rule, fix)  # proof: measure
