r"""Scales of the snapping mechanism to accuracies and back, certified.

With scale lambda > 0, Lambda the least power of two that is at least lambda, and bounds
(L, U), the noise of size more than lambda ln(1/alpha) has probability alpha, and
snapping moves a number by at most Lambda/2. So the accuracy

.. math:: a(\lambda) = \min(\lambda \ln(1/\alpha) + \Lambda/2,\ U - L)

holds: the release r for a number x has P(\|r - c\| > a + u) <= alpha, where c is x
clamped to [L, U] and u is what rounding to a double may move: 0 if all that can be
released are doubles before it, half an ulp of the larger of \|L\| and \|U\| if L and U
are doubles, and one ulp otherwise, as long as the larger is at most the largest double.
This is for the exact arithmetic (`precision` left out), and for each entry of a vector
by itself. a jumps by half of lambda where lambda is a power of two.
"""

from __future__ import annotations

import math

from gmpy2 import mpq

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import alpha_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.doubles import greatest_double, least_double
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.grids import exponent_at_least, power_of_two
from opendp_lite.exact.intervals import Enclosure, decide
from opendp_lite.measurements.snapping.arguments import (
    bounds_argument,
    lattice_argument,
)
from opendp_lite.measurements.snapping.lattice import Lattice

_VARIANT = "InvalidDistance"
_HALF, _ONE = mpq(1, 2), mpq(1)


def snapping_scale_to_accuracy(
    scale: ExactNumber, bounds: Bounds, alpha: ExactNumber
) -> float:
    """Return the accuracy at level `alpha` of the snapping mechanism.

    Guarantee: P(|r - c| > a + u) <= alpha for the release r of any number x, where a is
    returned, c is x clamped to `bounds` (L, U), and u is what rounding r to a double
    may move it: 0 if all that may be released are doubles before that, else at most an
    ulp of the larger of |L| and |U|, if that is in the range of doubles. a is the least
    double that is at least min(lambda ln(1/alpha) + Lambda/2, U - L), where lambda is
    `scale` and Lambda the least power of two that is at least lambda; inf beyond the
    largest double. This is for `make_snapping` without `precision`, and for each entry
    of a vector by itself.

    :param scale: lambda > 0, exact: int, float, Fraction, Decimal or text
    :param bounds: (L, U), L < U, exact likewise
    :param alpha: above 0 and at most 1, exact likewise

    >>> snapping_scale_to_accuracy(scale=1, bounds=(-100, 100), alpha="0.05")
    3.4957322735539913

    Proof: proofs/measurements/snapping_scale_to_accuracy.tex
    """
    lattice = lattice_argument(_VARIANT, scale, bounds)  # proof: lattice
    return lattice_accuracy(lattice, alpha_argument(alpha), mpq(0))  # proof: level


def lattice_accuracy(lattice: Lattice, level: mpq, error: mpq) -> float:
    """Return the accuracy at a level, from the lattice of a scale and bounds.

    With `error` e, 2^-w for words of w bits and 0 for the exact arithmetic, it is the
    least double that is at least (lambda ln(1/alpha) + 2 e lambda) / (1 - 2 e) +
    Lambda/2, or at least U - L, if that is less.
    """
    width = lattice.upper - lattice.lower
    spread, more = _ONE - 2 * error, 2 * error * lattice.scale

    def accuracy(precision: int) -> Enclosure:
        noise = lattice.scale * ln(_ONE / level, precision)  # proof: noise
        reach = (noise + more) / spread + _HALF * lattice.step
        return _at_most(reach, width)  # proof: accuracy

    return least_double(accuracy)  # proof: least


def accuracy_to_snapping_scale(
    accuracy: ExactNumber, bounds: Bounds, alpha: ExactNumber
) -> float:
    """Return the greatest double scale whose accuracy is at most the one asked for.

    It is the greatest double lambda with lambda ln(1/alpha) + Lambda/2 <= a, where a is
    `accuracy` and Lambda the least power of two that is at least lambda; and 0 if no
    double above 0 will do. From U - L on every scale has the accuracy, so that is
    refused.

    :param accuracy: a, at least 0 and below U - L, exact: int, float, Fraction, Decimal
        or text
    :param bounds: (L, U), L < U, exact likewise
    :param alpha: above 0 and below 1, exact likewise

    >>> accuracy_to_snapping_scale(accuracy=3, bounds=(-100, 100), alpha="0.05")
    0.834520501738335
    >>> accuracy_to_snapping_scale(accuracy="3.8", bounds=(-100, 100), alpha="0.05")
    1.0

    Proof: proofs/measurements/snapping_scale_to_accuracy.tex
    """
    fix = "Pass an accuracy that is less than the width of the bounds"
    a: mpq = rational_argument(  # proof: accuracy
        _VARIANT, "accuracy", accuracy, fix=fix, at_least=0
    )
    lower, upper = bounds_argument(_VARIANT, bounds)  # proof: bounds
    level = alpha_argument(alpha, below_one=True)  # proof: level
    if a >= upper - lower:  # proof: width
        rule = "must be below the width of the bounds: every scale has that accuracy"
        raise refusal(_VARIANT, "accuracy", accuracy, rule, fix)
    return greatest_snapping_scale(a, level)  # proof: scale


def greatest_snapping_scale(accuracy: mpq, level: mpq) -> float:
    """Return the greatest double lambda, or 0, with lambda ln(1/alpha) + Lambda/2 <= a.

    a >= 0 is the accuracy and alpha, above 0 and below 1, the level. With
    c = ln(1/alpha) and 2^(k-1) (c + 1) < a <= 2^k (c + 1), the scales that will do are
    those up to the lesser of 2^k and (a - 2^(k-1))/c.

    >>> greatest_snapping_scale(mpq(4), mpq(1, 20))
    1.001424602086002
    """
    if accuracy == 0:  # proof: zero
        return 0.0

    def exponent(value: Enclosure) -> int | None:
        if value.lo <= 0 or value.hi == math.inf:  # proof: wide
            return None
        least, most = exponent_at_least(mpq(value.lo)), exponent_at_least(mpq(value.hi))
        return least if least == most else None  # proof: same

    k = decide(  # proof: band
        lambda precision: accuracy / (ln(_ONE / level, precision) + _ONE), exponent
    )
    rest = accuracy - power_of_two(k - 1)  # proof: rest
    return greatest_double(  # proof: greatest
        lambda precision: _at_most(rest / ln(_ONE / level, precision), power_of_two(k))
    )


def _at_most(value: Enclosure, most: mpq) -> Enclosure:
    """The lesser of a number and another, from an enclosure of the first."""
    return Enclosure(min(value.lo, most), min(value.hi, most))  # proof: lesser
