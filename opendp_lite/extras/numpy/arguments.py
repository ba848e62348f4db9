"""What the functions on noisy counts are told, made exact or refused."""

from __future__ import annotations

import math
import sys
from typing import TypeAlias

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber, Loss, Release
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rounding import to_double
from opendp_lite.extras.numpy.noisy_binomial import NoisyBinomial
from opendp_lite.measurements.canonical.canonical_noise import check_target

Cell: TypeAlias = tuple[mpq | None, mpq | None]
"""The ends of an interval; None where it is unbounded."""

_VARIANT = "FailedFunction"
_HALF = mpq(1, 2)


def law_argument(d_in: ExactNumber, d_out: Loss, size: ExactNumber) -> NoisyBinomial:
    """Return the law of the noisy count, from the parameters of its release."""
    fix = "Pass the d_in of make_canonical_noise, such as 1 for a count"
    scale: mpq = rational_argument(  # proof: d-in
        _VARIANT, "d_in", d_in, fix=fix, at_least=0
    )
    if scale == 0:  # proof: noise
        rule = "must be positive: without noise, use a binomial test"
        raise refusal(_VARIANT, "d_in", d_in, rule, fix)
    epsilon, delta = check_target(d_out)  # proof: target
    fix = "Pass the number of records that were counted, such as size=1000"
    trials = integer_argument(  # proof: size
        _VARIANT, "size", size, fix=fix, at_least=1
    )
    return NoisyBinomial(trials, scale, epsilon, delta)  # proof: law


def cell_argument(release: Release) -> Cell:
    """Return the ends of an interval that holds X + d_in N, given its release.

    A double was released of all that it is nearest to; the last ones, of all beyond.
    Text, or a number that is no double, stands for the double nearest to it.

    >>> cell_argument(1.0) == (1 - mpq(1, 2**54), 1 + mpq(1, 2**53))
    True
    """
    fix = "Pass what the measurement released"
    value: mpq = rational_argument(_VARIANT, "Z", release, fix=fix)  # proof: release
    nearest, largest = to_double(value), sys.float_info.max  # proof: nearest

    def middle(neighbour: float) -> mpq:
        return (mpq(nearest) + mpq(neighbour)) * _HALF  # proof: middle

    before, after = (math.nextafter(nearest, end) for end in (-math.inf, math.inf))
    return (
        None if nearest == -largest else middle(before),  # proof: first
        None if nearest == largest else middle(after),  # proof: last
    )


def mirrored(cell: Cell, size: int) -> Cell:
    """Return the interval of n - z for the z of a cell."""
    least, most = cell
    return (
        None if most is None else mpq(size) - most,
        None if least is None else mpq(size) - least,
    )


def rate_argument(name: str, value: object) -> mpq:
    """Return a success rate."""
    fix = "Pass a success rate, such as 0.5"
    rate: mpq = rational_argument(  # proof: rate
        _VARIANT, name, value, fix=fix, at_least=0, at_most=1
    )
    return rate


def level_argument(alpha: ExactNumber) -> mpq:
    """Return the level of a test, or of what an interval may miss."""
    fix = "Pass the probability of an error that is allowed, such as 0.05"
    level: mpq = rational_argument(  # proof: alpha
        _VARIANT, "alpha", alpha, fix=fix, at_least=0, at_most=1
    )
    if level in (0, 1):  # proof: level
        rule = "must be above 0 and below 1"
        raise refusal(_VARIANT, "alpha", alpha, rule, fix)
    return level


def side_argument(name: str, value: object, sides: tuple[str, str]) -> str:
    """Return one of two sides."""
    if not isinstance(value, str) or value not in sides:  # proof: side
        rule = f'must be "{sides[0]}" or "{sides[1]}"'
        raise refusal(_VARIANT, name, value, rule, f'Pass {name}="{sides[0]}"')
    return value
