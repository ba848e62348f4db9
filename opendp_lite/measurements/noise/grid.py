"""Noise on the grid of multiples of 2^k: what rounding to it does to distances.

A number x is rounded to the multiple 2^k floor(x/2^k + 1/2). Two numbers that differ
by t grid steps are rounded to multiples at most ceil(t) steps apart.
"""

from __future__ import annotations

import math
from fractions import Fraction

from gmpy2 import mpq

from opendp_lite.core.domains import AtomDomain
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import Rooted, above

__all__ = ["absolute_sensitivity", "l1_sensitivity", "l2_sensitivity", "spacing"]

_SPACINGS = {int: mpq(1), float: power_of_two(-1074), Fraction: mpq(0)}


def spacing(domain: AtomDomain) -> mpq:
    """Return the number of which all members are multiples; 0 if there is none."""
    return _SPACINGS[domain.T]


def absolute_sensitivity(d_in: Extended, k: int, step: mpq) -> Extended:
    """Return the distance on the grid of numbers at distance `d_in`.

    `step` is the spacing of the numbers; where it is a multiple of the grid's,
    nothing is rounded.
    """
    if d_in == math.inf or step >= power_of_two(k):  # proof: unrounded
        return d_in
    return mpq(ceil_multiple(mpq(d_in), k)) * power_of_two(k)  # proof: steps


def l1_sensitivity(d_in: Extended, k: int, step: mpq, size: int) -> Extended:
    """Return the L1 distance on the grid of `size` numbers at L1 distance `d_in`.

    Each number that differs at all differs by at least `step`, and costs at most one
    grid step more than its share of the distance.
    """
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:  # proof: unrounded
        return d_in
    if d_in == 0 or size == 0:  # proof: zero
        return 0
    if mpq(d_in) < mpq(size) * step:  # proof: few
        return mpq(floor_multiple(mpq(d_in) / step, 0)) * grid
    rest = mpq(d_in) - mpq(size - 1) * step  # proof: rest
    return mpq(size - 1 + ceil_multiple(rest, k)) * grid  # proof: steps


def l2_sensitivity(d_in: Rooted, k: int, step: mpq, size: int) -> Rooted:
    """Return a bound of the L2 distance on the grid at the L2 distance `d_in`.

    It is d_in + sqrt(size) (2^k - step), with the square root of the size rounded up to
    a multiple of 2^-64 and, if d_in is a root, that to a multiple of 2^(k-64). Where
    nothing is rounded to the grid it is d_in itself.
    """
    grid = power_of_two(k)
    if d_in == math.inf or step >= grid:  # proof: unrounded
        return d_in
    if d_in == 0 or size == 0:  # proof: zero
        return 0
    root = math.isqrt((size << 128) - 1) + 1  # proof: root
    distance = above(d_in, k - 64)  # proof: distance
    return distance + mpq(root, 1 << 64) * (grid - step)  # proof: steps
