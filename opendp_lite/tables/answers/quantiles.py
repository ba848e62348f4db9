"""Quantiles of noisy numbers of rows by bin, each between two edges of the bins.

As all of `tables/answers/estimates.py`, it is post-processing: an interval holds the
quantile of the bounded data with probability at least 1 - alpha, if it has a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from gmpy2 import mpq

from opendp_lite.exact.enclosures import ln, log1p, sqrt
from opendp_lite.exact.rationals import to_fraction, to_mpq
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.laws.noise import LAPLACE, Law
from opendp_lite.tables.answers.estimates import Ends, Noise, down, up, whole_numbers

_PRECISION = 64
_TRIES = 24  # of the exponents that Markov's inequality is used with


def quantiles(
    levels: Sequence[mpq], edges: Sequence[Any], noise: Noise, alpha: mpq
) -> Callable[[Sequence[int]], Ends]:
    """Return what makes quantiles of noisy numbers of rows, each between two edges.

    The estimates are those of `make_quantiles_from_counts`.

    :param levels: above 0 and below 1
    :param edges: of the bins, the outermost ones included: one more than bins
    :param noise: of each count
    :param alpha: how rarely a quantile may lie outside

    >>> law = Noise(LAPLACE, mpq(1))
    >>> quantiles([mpq(1, 4)], [0, 5, 10], law, mpq(1, 10))([50, 50])
    (2.5, 0.0, 5.0)
    """
    marks, d = whole_numbers(*map(to_mpq, edges))
    lows, highs = [down(each, d) for each in marks], [up(each, d) for each in marks]
    given = [
        (int(p.numerator), int(p.denominator), _sure(noise, len(edges) - 1, p, alpha))
        for p in levels
    ]

    def make(counts: Sequence[int]) -> Ends:
        shares = [0, *accumulate(max(count, 0) for count in counts)]
        if not shares[-1]:
            shares = list(range(len(edges)))
        *sums, total = accumulate(counts)
        found: list[float] = []
        for p, q, sure in given:
            goal = p * total
            sides = [q * below - goal for below in sums]
            least, most = _between(sides, sure)
            found += _quantile(marks, d, shares, p, q), lows[least], highs[most]
        return tuple(found)

    return make


def _between(sides: list[int], sure: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return between which two of the edges the quantile lies: see `_sure`."""
    least, most = 0, len(sides) + 1
    for place, (side, (below, above)) in enumerate(zip(sides, sure, strict=True), 1):
        if side < below:
            least = place
        elif side >= above and place < most:
            most = place
    if least >= most:  # only where some noise was larger than it is with 1 - alpha
        return 0, len(sides) + 1
    return least, most


def _quantile(marks: list[int], d: int, shares: list[int], p: int, q: int) -> float:
    """Return the p/q-quantile by linear interpolation; `marks` are d times the edges.

    It is in the first bin that is not empty and with which its share is reached.
    """
    goal = p * shares[-1]
    bin = next(i for i, right in enumerate(shares) if q * right >= goal)
    left, width = shares[bin - 1], shares[bin] - shares[bin - 1]
    part = (goal - q * left) * (marks[bin] - marks[bin - 1])
    below = q * width
    return divide_to_double(marks[bin - 1] * below + part, below * d)


@lru_cache(maxsize=256)
def _sure(
    noise: Noise, bins: int, level: mpq, alpha: mpq
) -> tuple[tuple[int, int], ...]:
    r"""Return for each inner edge which sides of it are beyond doubt.

    The p-quantile x of n > 0 rows is the least row with at least p n rows at or below
    it. For an inner edge e let c rows be below e: then x < e just if D = c - p n >= 0.
    The noisy counts give D with the noise W, the sum of w_i Z_i with a weight of 1 - p
    for each bin below e, and of -p for each other. Let t be a number with P(\|W\| > t)
    <= alpha / m for each of the m inner edges. Then with probability 1 - alpha all are
    within, and so the noisy D says for sure that x < e where it is at least t, and that
    x >= e where it is less than -t.

    Returned are integers (a, b) such that an integer, q times D where q is the
    denominator of the level, is less than -q t just if less than a, and at least q t
    just if at least b.
    """
    if noise.scale == 0:
        return ((0, 0),) * (bins - 1)
    sure = []
    for place in range(1, bins):
        t = _tail(noise.law, (place, bins - place), level, alpha / (bins - 1))
        limit = to_fraction(t * noise.scale * level.denominator)
        sure.append((-math.floor(limit), math.ceil(limit)))
    return tuple(sure)


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
