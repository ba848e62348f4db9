r"""Scales of the snapping mechanism to privacy losses and back.

The loss of n entries at the distance d, with bounds (L, U), is in exact arithmetic

.. math:: \min(d, n(U - L))/\lambda,

and more in the finite arithmetic of a precision, see
:mod:`opendp_lite.measurements.snapping.precision`. Scales are rounded up, and so are
losses.
"""

from __future__ import annotations

import math

from gmpy2 import mpq

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import (
    distance_argument,
    integer_argument,
    rational_argument,
)
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rationals import Extended, to_loss
from opendp_lite.exact.rounding import round_up
from opendp_lite.measurements.snapping.arguments import (
    bounds_argument,
    lattice_argument,
)
from opendp_lite.measurements.snapping.precision import (
    finite_epsilon,
    finite_scale,
    precision_argument,
)

_VARIANT = "InvalidDistance"
_HALF = mpq(1, 2)


def snapping_epsilon_to_scale(
    epsilon: ExactNumber,
    d_in: ExactNumber,
    bounds: Bounds,
    precision: ExactNumber | None = None,
    *,
    size: ExactNumber = 1,
) -> float:
    """Return the least double scale of the snapping mechanism with loss `epsilon`.

    Guarantee: the map of `make_snapping` with this scale, these `bounds` and this
    `precision` is at most `epsilon` at `d_in`; and no smaller double has that. With
    exact arithmetic it is min(d, n(U - L))/epsilon, where d is `d_in` and n is `size`,
    rounded up. So `check(d_in, epsilon)` is True; `map(d_in)`, which is rounded up, may
    be a float just above a float `epsilon`. For vectors of unknown size the map is
    d/lambda: pass a `size` of at least d/(U - L), and no `precision`.

    :param epsilon: above 0, exact: int, float, Fraction, Decimal or text; a float means
        the larger of the number it stores and the decimal it prints as
    :param d_in: above 0, the greatest distance of neighbours; may be infinite
    :param bounds: (L, U), L < U, exact
    :param precision: as given to `make_snapping`; none means exact arithmetic
    :param size: 1 for a number, or the size of a vector

    >>> snapping_epsilon_to_scale(epsilon="0.5", d_in=1, bounds=(0, 100))
    2.0
    >>> snapping_epsilon_to_scale(0.5, 1, (0, 100), precision=118)
    2.0000000000000004

    Proof: proofs/measurements/snapping_epsilon_to_scale.tex
    """
    target = epsilon_argument(epsilon)  # proof: epsilon
    distance, half, count = _extent(d_in, bounds, size)  # proof: extent
    if distance == 0:  # proof: apart
        rule = "must be above 0: at distance 0 every scale has the loss 0"
        raise refusal(_VARIANT, "d_in", d_in, rule, "Pass d_in=1")
    if precision is None:
        exact = _moved(distance, half, count) / target  # proof: exact
    else:
        digits = precision_argument(_VARIANT, precision)  # proof: precision
        exact = finite_scale(target, half, distance, digits, count)  # proof: finite
    return double_scale(exact, epsilon)  # proof: scale


def snapping_scale_to_epsilon(
    scale: ExactNumber,
    d_in: ExactNumber,
    bounds: Bounds,
    precision: ExactNumber | None = None,
    *,
    size: ExactNumber = 1,
) -> float:
    """Return the loss of the snapping mechanism at the distance `d_in`.

    It is the map of `make_snapping` with this `scale`, these `bounds` and this
    `precision` at `d_in`, rounded up; inf beyond the largest double. With exact
    arithmetic that is min(d, n(U - L))/lambda, where d is `d_in`, n is `size` and
    lambda is `scale`. For vectors of unknown size it is d/lambda: pass a `size` of at
    least d/(U - L).

    :param scale: lambda > 0, exact: int, float, Fraction, Decimal or text
    :param d_in: at least 0; may be infinite
    :param bounds: (L, U), L < U, exact
    :param precision: as given to `make_snapping`; none means exact arithmetic
    :param size: 1 for a number, or the size of a vector

    >>> snapping_scale_to_epsilon(scale=2, d_in=1, bounds=(0, 100))
    0.5

    Proof: proofs/measurements/snapping_epsilon_to_scale.tex
    """
    lattice = lattice_argument(_VARIANT, scale, bounds)  # proof: lattice
    within = lattice.lower, lattice.upper
    distance, half, count = _extent(d_in, within, size)  # proof: extent
    if precision is None:
        return round_up(_moved(distance, half, count) / lattice.scale)  # proof: exact
    digits = precision_argument(_VARIANT, precision)  # proof: precision
    return round_up(  # proof: finite
        finite_epsilon(lattice.scale, half, distance, digits, count)
    )


def double_scale(exact: mpq, epsilon: object) -> float:
    """Return the least double that is at least a scale; refuse if there is none."""
    scale = round_up(exact)  # proof: rounded
    if scale == math.inf:  # proof: finite
        rule = "needs a scale beyond the largest double"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, "Pass a greater epsilon")
    return scale


def epsilon_argument(epsilon: object) -> mpq:
    """Return a budget above 0, read as losses are, or refuse it."""
    fix = "Pass the privacy loss that is allowed, such as epsilon=1.0"
    target: Extended = rational_argument(  # proof: number
        _VARIANT, "epsilon", epsilon, fix=fix, convert=to_loss
    )
    if isinstance(target, float) or target <= 0:  # proof: positive
        rule = "must be above 0 and finite"
        raise refusal(_VARIANT, "epsilon", epsilon, rule, fix)
    return mpq(target)


def _extent(
    d_in: ExactNumber, bounds: Bounds, size: ExactNumber
) -> tuple[Extended, mpq, int]:
    """The distance, half the width of the bounds, and the number of entries."""
    fix = "Pass the greatest distance of neighbours, such as d_in=1"
    distance = distance_argument("d_in", d_in, fix, whole=False)  # proof: distance
    lower, upper = bounds_argument(_VARIANT, bounds)  # proof: bounds
    fix = "Pass size=1 for a number, or the size of the vector"
    count = integer_argument(_VARIANT, "size", size, fix=fix, at_least=1)  # proof: size
    return distance, _HALF * (upper - lower), count  # proof: half


def _moved(distance: Extended, half: mpq, count: int) -> mpq:
    """The lesser of a distance, which may be infinite, and n(U - L)."""
    most = mpq(2 * count) * half  # proof: most
    return most if distance >= most else mpq(distance)  # proof: lesser
