r"""Bounds for the snapping mechanism that rarely bind.

Where a statistic lies in [-B', B'], bounds (-B, B) with B > B' leave room for the
noise: the clamp *binds* if the snapped number lies outside of them. In exact arithmetic

.. math:: B = B' + \Lambda/2 + \lambda \ln(1/\gamma)

makes that as likely as gamma, at most. In finite arithmetic lambda depends on B, and
the source takes, with d the distance of neighbours,

.. math:: B = B' + \tfrac k2 (1 + 2 \ln(1/\gamma)), \quad
          k = d\,\frac{2 + 24 \cdot 2^{-52}}{\epsilon - 2^{-117}},

where k is at least 2 lambda if :math:`B 2^{-p} \le 2^{-52} d`. Half of that is asked
for here, so that lambda may be rounded up to a double. Statistics that lie around
another middle are shifted, and so are the bounds.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import alpha_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.doubles import least_double
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.grids import exponent_at_least, power_of_two
from opendp_lite.exact.intervals import Enclosure, decide
from opendp_lite.measurements.snapping.arguments import (
    level_argument,
    positive_argument,
)
from opendp_lite.measurements.snapping.precision import precision_argument
from opendp_lite.measurements.snapping.snapping_accuracy import (
    greatest_snapping_scale,
)
from opendp_lite.measurements.snapping.snapping_budget import (
    double_scale,
    epsilon_argument,
)

_VARIANT = "InvalidDistance"
_ONE = mpq(1)
_TINY = power_of_two(-117)
_WIDER = _ONE + mpq(12) * power_of_two(-52)


def snapping_bounds(
    statistic_bound: ExactNumber,
    gamma: ExactNumber,
    *,
    epsilon: ExactNumber | None = None,
    accuracy: ExactNumber | None = None,
    alpha: ExactNumber | None = None,
    d_in: ExactNumber = 1,
    precision: ExactNumber | None = None,
) -> float:
    """Return a B so that bounds (-B, B) bind with probability at most `gamma`.

    Guarantee: for every number in [-B', B'], where B' is `statistic_bound`, the snapped
    number of `make_snapping` with the bounds (-B, B) and the scale lambda lies outside
    of them with probability at most `gamma`. Here lambda is any number up to

    * `snapping_epsilon_to_scale(epsilon, d_in, (-B, B), precision)`, or
    * the greatest scale that has the `accuracy` at level `alpha`.

    Without `precision` B is B' + Lambda/2 + lambda ln(1/gamma) for the greatest such
    double, d_in/epsilon rounded up in the first case. With it B is that of the source
    notes, about twice as far from B', and a precision p with B 2^-p above 2^-53 `d_in`
    is refused. B is rounded up, once.

    :param statistic_bound: B' >= 0, exact: int, float, Fraction, Decimal or text
    :param gamma: above 0 and at most 1, exact likewise
    :param epsilon: above 0, exact likewise; this, or `accuracy` and `alpha`
    :param accuracy: above 0, exact likewise
    :param alpha: above 0 and below 1, exact likewise
    :param d_in: above 0, the greatest distance of neighbours
    :param precision: as given to `make_snapping`; none means exact arithmetic

    >>> snapping_bounds(5, "0.05", epsilon=1)
    8.495732273553992
    >>> snapping_bounds(5, "0.05", epsilon=1, precision=118)
    11.991464547108002
    >>> snapping_bounds(5, "0.05", accuracy=3, alpha="0.05")
    8.0

    Proof: proofs/measurements/snapping_bounds.tex
    """
    fix = "Pass the largest size of the statistic, such as statistic_bound=5.0"
    inner: mpq = rational_argument(  # proof: inner
        _VARIANT, "statistic_bound", statistic_bound, fix=fix, at_least=0
    )
    fix = "Pass how likely the bounds may bind, such as gamma=0.05"
    share = level_argument(_VARIANT, "gamma", gamma, fix)  # proof: share
    fix = "Pass the greatest distance of neighbours, such as d_in=1"
    distance = positive_argument(_VARIANT, "d_in", d_in, fix)  # proof: distance
    if epsilon is not None and accuracy is None and alpha is None:  # proof: epsilon
        target = epsilon_argument(epsilon)  # proof: loss
        scale = double_scale(distance / target, epsilon)  # proof: budget

        def rate(bits: int) -> Enclosure:
            return Enclosure(target, target)  # proof: target

    elif epsilon is None and accuracy is not None and alpha is not None:
        fix = "Pass how far the release may lie from the number, such as accuracy=3.0"
        a = positive_argument(_VARIANT, "accuracy", accuracy, fix)  # proof: accuracy
        level = alpha_argument(alpha, below_one=True)  # proof: level
        scale = greatest_snapping_scale(a, level)  # proof: greatest
        if scale == 0:  # proof: scale
            rule = "must be greater: no double above 0 is a scale of that accuracy"
            raise refusal(_VARIANT, "accuracy", accuracy, rule, fix)

        def rate(bits: int) -> Enclosure:
            return distance * ln(_ONE / level, bits) / a  # proof: implied

    else:  # proof: choice
        rule = "must be given alone, or be left out where accuracy and alpha are given"
        fix = "Pass epsilon=1.0, or accuracy=3.0 and alpha=0.05"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, fix)
    if precision is None:  # proof: arithmetic
        bound = _exact_bound(inner, share, mpq(scale))
    else:
        digits = precision_argument(_VARIANT, precision)  # proof: precision
        if scale <= sys.float_info.min:  # proof: normal
            rule = "needs a scale of at most 2^-1022, where doubles are coarse"
            fix = "Leave precision out: the exact arithmetic costs nothing"
            raise refusal(_VARIANT, "precision", precision, rule, fix)
        bound = _finite_bound(inner, share, distance, rate, digits)
    if bound == math.inf:  # proof: finite
        rule = "needs bounds beyond the largest double"
        fix = "Pass a smaller statistic_bound, or a greater gamma or epsilon"
        raise refusal(_VARIANT, "statistic_bound", statistic_bound, rule, fix)
    return bound


def _exact_bound(inner: mpq, share: mpq, scale: mpq) -> float:
    """B' + Lambda/2 + lambda ln(1/gamma), rounded up."""
    half = power_of_two(exponent_at_least(scale) - 1)  # proof: half
    return least_double(  # proof: exact
        lambda bits: inner + half + scale * ln(_ONE / share, bits)
    )


def _finite_bound(
    inner: mpq,
    share: mpq,
    distance: mpq,
    rate: Callable[[int], Enclosure],
    digits: int,
) -> float:
    """B' + k/2 (1 + 2 ln(1/gamma)), rounded up, if the precision is fine enough."""
    if not decide(rate, _above_tiny):  # proof: rate
        rule = "the finite arithmetic needs a loss above 2^-117"
        fix = "Leave precision out: the exact arithmetic costs nothing"
        raise refusal(_VARIANT, "precision", digits, rule, fix)

    def bound(bits: int) -> Enclosure:
        half = distance * _WIDER / (rate(bits) - _TINY)  # proof: half
        return inner + half * (_ONE + mpq(2) * ln(_ONE / share, bits))  # proof: bound

    least = least_double(bound)  # proof: least
    if least < math.inf:
        needed = 53 + exponent_at_least(mpq(least) / distance)  # proof: needed
        if digits < needed:  # proof: fine
            rule = f"must be at least {needed} for bounds of this width"
            fix = f"Pass precision={needed}, or that of snapping_precision"
            raise refusal(_VARIANT, "precision", digits, rule, fix)
    return least


def _above_tiny(rate: Enclosure) -> bool | None:
    return True if rate.lo > _TINY else False if rate.hi <= _TINY else None
