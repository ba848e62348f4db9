r"""What is made of noisy integers: numbers with intervals, for each key by itself.

All of it is post-processing: it sees releases, public bounds and the law of the noise,
and no data. An interval holds what it is about, *the exact statistic of the bounded and
rounded table*, with probability at least 1 - alpha, for every table and for each key by
itself. Ends are rounded outward. The reasons are short:

* A number with noise Z is within w of the exact one if \|Z\| <= w, and w is the least
  whole number with P(\|Z\| > w) <= alpha.
* A mean is s/n with n >= 1 rows. If s and n are in their intervals, each at its part of
  alpha, s/n lies between the corners, as it is monotone in s, and in n for each s.
* A variance is (q - s^2/n) / (n - ddof): here the ends are put together by interval
  arithmetic, which can only widen.
* A quantile: see `quantile_edges`.

Where no row is there, a mean, a variance and a quantile are not defined, and nothing is
said of them: they are then some number within the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import attrs
from gmpy2 import mpq

from opendp_lite.core.domains import AtomDomain
from opendp_lite.exact.elementary import ln, log1p, sqrt
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import round_down, round_up, to_double
from opendp_lite.laws.noise import LAPLACE, Law
from opendp_lite.measurements.utilities.release_accuracy import noise_accuracy

__all__ = [
    "INTEGER",
    "Noise",
    "mean",
    "quantile_edges",
    "real",
    "variance",
    "whole",
]

Ends: TypeAlias = tuple[Any, Any, Any]
"""An estimate with the lower and the upper end of its interval."""

INTEGER = AtomDomain(T=int)
_LEAST, _MOST = -(2**63), 2**63 - 1
_PRECISION = 64
_TRIES = 24  # of the exponents that Markov's inequality is used with


@attrs.frozen
class Noise:
    """The noise on a vector of integers: its law and its scale, and what a step is.

    A scale of 0 is no noise at all. `unit` is what 1 stands for: a power of two.
    """

    law: Law
    scale: mpq
    unit: mpq = attrs.field(factory=lambda: mpq(1))

    def width(self, alpha: mpq) -> Any:
        """Return the least w, in steps, with P(|Z| > w) <= alpha; it may be inf.

        :param alpha: above 0 and at most 1
        """
        if self.scale == 0:
            return mpq(0)
        steps = _width(self.law, self.scale, alpha)
        return steps if steps == math.inf else mpq(steps)


@lru_cache(maxsize=256)
def _width(law: Law, scale: mpq, alpha: mpq) -> float:
    exact = to_fraction(scale), None, to_fraction(alpha)
    return noise_accuracy(law, INTEGER, *exact)


def whole(value: int, width: Any) -> Ends:
    """Return an integer with its interval, saturated as int64 is.

    Saturating keeps the order, so that an exact number that fits int64 stays inside.

    >>> whole(7, mpq(3)), whole(2**70, mpq(3))[0] == 2**63 - 1
    ((7, 4, 10), True)
    """
    middle = min(max(value, _LEAST), _MOST)
    if width == math.inf:
        return middle, _LEAST, _MOST
    steps = int(width // 1)
    low, high = value - steps, value + steps
    return middle, max(min(low, _MOST), _LEAST), min(max(high, _LEAST), _MOST)


def real(value: int, width: Any, unit: mpq) -> Ends:
    """Return a number of steps as a float, with its interval.

    >>> real(3, mpq(1), mpq(1, 4))
    (0.75, 0.5, 1.0)
    """
    if width == math.inf:
        return to_double(value * unit), -math.inf, math.inf
    ends = (value - width) * unit, (value + width) * unit
    return to_double(value * unit), round_down(ends[0]), round_up(ends[1])


def mean(total: Ends, rows: Ends, centre: mpq, bounds: tuple[mpq, mpq]) -> Ends:
    """Return a mean with its interval, within the bounds of what is averaged.

    :param total: the sum of what lies beside the centre, with its interval, exact
    :param rows: how many rows, likewise
    :param centre: what was subtracted from each row
    :param bounds: of a row

    >>> mean((20, 10, 30), (10, 8, 12), mpq(5), (mpq(0), mpq(10)))
    (7.0, 5.83..., 8.75)
    """
    shift = mpq(total[0]) / max(rows[0], 1)
    fewest, most = max(rows[1], mpq(1)), rows[2]
    if most < 1 or math.inf in (total[2], most):
        return _kept((centre + shift, *bounds), bounds)
    corners = [mpq(s) / n for s in total[1:] for n in (fewest, most)]
    ends = centre + min(corners), centre + max(corners)
    return _kept((centre + shift, *ends), bounds)


def variance(squares: Ends, total: Ends, rows: Ends, ddof: int, most: mpq) -> Ends:
    """Return a variance with its interval, from 0 to the greatest that there can be.

    :param squares: the sum of squares around a centre, with its interval, exact
    :param total: the sum of what lies beside it, likewise
    :param rows: how many rows, likewise
    :param ddof: 1 for the estimate from a sample, 0 for the variance of the rows
    :param most: the greatest square

    >>> variance((40, 40, 40), (0, 0, 0), (10, 10, 10), 0, mpq(25))
    (4.0, 4.0, 4.0)
    """
    bounds = mpq(0), most * (1 + ddof)  # n / (n - 1) is at most 2
    n = mpq(max(rows[0], 1 + ddof))
    middle = (mpq(squares[0]) - mpq(total[0]) ** 2 / n) / (n - ddof)
    ends: tuple[Any, Any] = bounds
    fewest, largest = max(rows[1], mpq(1 + ddof)), rows[2]
    if largest > ddof and math.inf not in (squares[2], total[2], largest):
        sizes = [mpq(end) ** 2 for end in total[1:]]
        least = mpq(0) if total[1] <= 0 <= total[2] else min(sizes)
        low = max(squares[1] - max(sizes) / fewest, mpq(0))
        high = max(squares[2] - least / largest, mpq(0))
        ends = low / (largest - ddof), high / (fewest - ddof)
    return _kept((middle, *ends), bounds)


def quantile_edges(
    counts: Sequence[int],
    edges: Sequence[Any],
    level: mpq,
    noise: Noise,
    alpha: mpq,
) -> tuple[Any, Any]:
    r"""Return two of the edges, between which the quantile lies.

    The p-quantile x of n > 0 rows is the least row with at least p n rows at or below
    it. For an inner edge e let c rows be below e and r not: then x < e just if
    D = (1 - p) c - p r >= 0. The noisy counts give D with the noise W, the sum of w_i
    Z_i with a weight of 1 - p for each bin below e, and of -p for each other. Let t be
    a number with P(\|W\| > t) <= alpha / m for each of the m inner edges. Then with
    probability 1 - alpha all are within, and so the noisy D says for sure that x < e
    where it is at least t, and that x >= e where it is less than -t.

    :param counts: noisy numbers of rows, for each bin
    :param edges: of the bins, the outermost ones included: one more than bins
    :param level: p, above 0 and below 1
    :param noise: of each count
    :param alpha: how rarely the quantile may lie outside

    >>> quantile_edges([50, 50], [0, 5, 10], mpq(1, 4), Noise(LAPLACE, mpq(1)), mpq(.1))
    (0, 5)
    """
    least, most = 0, len(edges) - 1
    p, q = int(level.numerator), int(level.denominator)
    below, rest = 0, sum(counts)
    for place, sure in enumerate(_sure(noise, len(counts), level, alpha), 1):
        below, rest = below + counts[place - 1], rest - counts[place - 1]
        side = (q - p) * below - p * rest
        if side >= sure:
            most = min(most, place)
        elif side < -sure:
            least = place
    if least >= most:  # only where some noise was larger than it is with 1 - alpha
        return edges[0], edges[-1]
    return edges[least], edges[most]


@lru_cache(maxsize=256)
def _sure(noise: Noise, bins: int, level: mpq, alpha: mpq) -> tuple[mpq, ...]:
    """Return q t for each inner edge, where q is the denominator of the level."""
    if noise.scale == 0:
        return (mpq(0),) * (bins - 1)
    return tuple(
        _tail(noise.law, (place, bins - place), level, alpha / (bins - 1))
        * noise.scale
        * level.denominator
        for place in range(1, bins)
    )


@lru_cache(maxsize=4096)
def _tail(law: Law, bins: tuple[int, int], level: mpq, alpha: mpq) -> mpq:
    r"""Return a t with P(\|W\| > t b) <= alpha, where b is the scale of each Z_i.

    Markov's inequality: P(W > t b) <= e^(-u t) E e^(u W / b) for each u > 0, and W is
    symmetric. For discrete Laplace noise E e^(v Z) = 1 / (1 - sinh^2(v/2) /
    sinh^2(1/(2b))) <= 1 / (1 - (b v)^2) for b |v| < 1, as sinh(x)/x increases. For
    discrete Gaussian noise E e^(v Z) <= e^(b^2 v^2 / 2): shifting the sum of
    e^(-z^2/(2b^2)) over the integers does not increase it. So t is at most (ln(2/alpha)
    - sum of ln(1 - u^2 w_i^2)) / u for a u with u |w_i| < 1, and sqrt(2 V ln(2/alpha))
    with V the sum of w_i^2.
    """
    weights = (1 - level, bins[0]), (level, bins[1])
    room = mpq(ln(2 / alpha, _PRECISION).hi)
    if law != LAPLACE:
        spread = sum(w * w * n for w, n in weights)
        return mpq(sqrt(2 * spread * room, _PRECISION).hi)
    largest = max(w for w, _ in weights)
    found = []
    for step in range(1, _TRIES):
        u = mpq(step, _TRIES) / largest
        parts = (n * mpq(log1p(-((u * w) ** 2), _PRECISION).lo) for w, n in weights)
        found.append((room - sum(parts)) / u)
    return min(found)


def _kept(numbers: Ends, bounds: tuple[mpq, mpq]) -> Ends:
    """Return an estimate and its ends within bounds, as floats, rounded outward."""
    low, high = bounds
    value, least, most = (min(max(each, low), high) for each in numbers)
    return to_double(value), round_down(least), round_up(most)
