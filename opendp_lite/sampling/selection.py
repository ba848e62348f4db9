"""Selection of an index by score: permute-and-flip, and the exponential mechanism.

Both compare uniform numbers with e^(-t), where t = (greatest score - score)/scale.
A table holds integers around 2^32 e^(-c/128) for c = 0, 1, ..., and 128 t is computed
in doubles, well enough to place 2^32 e^(-t) between two of them. Almost always that
decides 32 bits. Where it does not, more bits are revealed and e^(-t) is enclosed more
tightly, so that nothing is approximated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypeAlias

from gmpy2 import mpq

from opendp_lite.exact.enclosures import Enclosure, exp
from opendp_lite.exact.grids import ceil_multiple, floor_multiple, power_of_two
from opendp_lite.exact.rounding import to_double
from opendp_lite.sampling.entropy import granularity, random_bits
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.uniform import sample_uniform_below

__all__ = ["Scores", "sample_exponential_mechanism", "sample_permute_and_flip"]

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]
"""Exact scores of one type; floats are finite and mean their binary values."""

_CELLS = 128  # edges of the table in a unit of t
_LAST = 23 * _CELLS  # the last edge: e^-23 < 2^-32
_MARGIN = 2.0**-30  # more than the error of a position
_WORD = 32  # bits that are read for a coin at once
_FEW = 64  # scores for which no table is worth while


def sample_permute_and_flip(scores: Scores, scale: mpq) -> int:
    """The index that permute-and-flip selects, mostly one of a high score.

    A coin is flipped for each index i: heads with probability e^(-t_i), where
    t_i = (max_j x_j - x_i)/scale and x are the `scores`. The index is uniform among
    the heads. That is the law of visiting the indices in a random order, flipping
    coins until the first heads. At scale 0 it is uniform among the greatest scores.

    >>> sample_permute_and_flip([3, 10**400, -1], mpq(5))
    1
    """
    if not scores or scale < 0:  # proof: range
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    heads = _greatest(scores) if scale == 0 else _flip(scores, scale)  # proof: heads
    return heads[sample_uniform_below(len(heads))]  # proof: select


def sample_exponential_mechanism(scores: Scores, scale: mpq) -> int:
    """An index i with probability proportional to e^(x_i/scale), x the `scores`.

    Darts are thrown at strips that lie side by side, of integer widths w_i with
    w_i >= 2^32 e^(-t_i), until one hits the first 2^32 e^(-t_i) of a strip. At scale 0
    the index is uniform among the greatest scores.

    >>> sample_exponential_mechanism([3, 10**400, -1], mpq(5))
    1
    """
    if not scores or scale < 0:  # proof: range
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale == 0:  # proof: zero
        ties = _greatest(scores)
        return ties[sample_uniform_below(len(ties))]
    top = mpq(max(scores))
    widths = _widths(scores, top, scale)  # proof: widths
    ends = list(accumulate(widths))  # proof: ends
    total = ends[-1]

    def decide(prefix: int, length: int) -> int | None:
        left, right = prefix * total, (prefix + 1) * total  # proof: dart
        i = bisect_right(ends, left >> length)  # proof: strip
        if right > ends[i] << length:  # proof: straddles
            return None
        start = ends[i] - widths[i] << length  # proof: start
        t, unit = (top - mpq(scores[i])) / scale, 1 << length + _WORD
        hit = _is_below(mpq(left - start, unit), mpq(right - start, unit), t, length)
        return None if hit is None else i if hit else -1  # proof: hit

    first = max(64, total.bit_length() + 32)
    while (index := LazyUniform().locate(decide, first)) < 0:  # proof: again
        pass
    return index


def _greatest(scores: Scores) -> list[int]:
    """The indices of the greatest score."""
    top = max(scores)
    return [i for i, x in enumerate(scores) if x == top]  # proof: greatest


def _flip(scores: Scores, scale: mpq) -> list[int]:
    """The indices whose coins show heads; that of a greatest score always does."""
    top = mpq(max(scores))
    if granularity() == 1 or len(scores) < _FEW:  # proof: few
        gaps = [top - mpq(x) for x in scores]
        return [i for i, gap in enumerate(gaps) if _coin(gap / scale)]  # proof: each
    words = _words(len(scores))
    low, high = weight_bounds(scores, top, scale)
    shown = words < low  # proof: low
    for i in ((low <= words) & (words < high)).nonzero()[0].tolist():  # proof: between
        t = (top - mpq(scores[i])) / scale
        shown[i] = _coin(t, int(words[i]), _WORD)  # proof: coin
    heads: list[int] = shown.nonzero()[0].tolist()
    return heads


def _widths(scores: Scores, top: mpq, scale: mpq) -> list[int]:
    """Integers that are at least 2^32 e^(-t), and little more."""
    if len(scores) < _FEW:
        bounds = [_decay((top - mpq(x)) / scale, 64).hi for x in scores]
        return [ceil_multiple(mpq(hi), -_WORD) for hi in bounds]  # proof: few
    widths: list[int] = weight_bounds(scores, top, scale)[1].tolist()  # proof: many
    return widths


def _coin(t: mpq, word: int = 0, length: int = 0) -> bool:
    """Whether U < e^(-t), where `word` holds the first `length` bits of U."""

    def decide(prefix: int, length: int) -> bool | None:
        unit = 1 << length
        return _is_below(mpq(prefix, unit), mpq(prefix + 1, unit), t, length)

    return LazyUniform(word, length).locate(decide)  # proof: continue


def _is_below(left: mpq, right: mpq, t: mpq, length: int) -> bool | None:
    """Whether v < e^(-t): the same for all v in [left, right), or None."""
    bound = _decay(t, length + 64)  # proof: enclose
    if right <= bound.lo:  # proof: below
        return True
    if left >= bound.hi:  # proof: above
        return False
    return None


def _decay(t: mpq, precision: int) -> Enclosure:
    """An enclosure of e^(-t), without small numbers of many digits."""
    if t >= precision:  # then e^-t < 2^-t <= 2^-precision
        return Enclosure(0, power_of_two(-precision))  # proof: tiny
    return exp(-t, precision)  # proof: exp


def _words(count: int) -> Any:
    """An array of independent uniform integers below 2^32."""
    import numpy

    data = random_bits(_WORD * count).to_bytes(4 * count, "big")
    return numpy.frombuffer(data, ">u4").astype(numpy.int64)  # proof: words


def weight_bounds(scores: Scores, top: mpq, scale: mpq) -> tuple[Any, Any]:
    """Arrays of integers low <= 2^32 e^(-t) <= high, for the t of each score."""
    import numpy

    lows, highs = _table()
    positions = _positions(scores, top, scale)
    before = numpy.clip(positions - _MARGIN, 0, _LAST).astype(numpy.int64)
    after = numpy.clip(positions + _MARGIN, 0, _LAST).astype(numpy.int64)
    return lows[after], highs[before]  # proof: bounds


def _positions(scores: Scores, top: mpq, scale: mpq) -> Any:
    """Doubles p near 128 t: |p - 128 t| <= 2^-50 (128 t) + 2^-100, or both above 2^100.

    Where the scores are words or doubles, two roundings and that of the factor lose
    no more. Otherwise the exact values are rounded.
    """
    import numpy

    factor, kind = mpq(_CELLS) / scale, type(scores[0])
    if power_of_two(-900) <= factor <= power_of_two(900):  # proof: moderate
        if kind is int and min(scores) >= -(2**61) and top <= 2**61:  # proof: words
            differences = int(top) - numpy.array(scores, numpy.int64)
            return differences.astype(numpy.float64) * to_double(factor)
        if kind is float:  # proof: doubles
            with numpy.errstate(over="ignore", under="ignore"):
                gaps = to_double(top) - numpy.array(scores, numpy.float64)
                return gaps * to_double(factor)
    exact = [(top - mpq(x)) * factor for x in scores]
    return numpy.array([to_double(each) for each in exact])  # proof: others


@lru_cache(maxsize=1)
def _table() -> tuple[Any, Any]:
    """Arrays: lows[c] <= 2^32 e^(-t) <= highs[c] wherever c <= 128 t < c + 1.

    The last low is 0, as nothing bounds t from above there.
    """
    import numpy

    edges = [exp(mpq(-c, _CELLS), 64) for c in range(_LAST + 1)]
    lows = [floor_multiple(mpq(edge.lo), -_WORD) for edge in edges[1:]]  # proof: lows
    highs = [ceil_multiple(mpq(edge.hi), -_WORD) for edge in edges]  # proof: highs
    return numpy.array([*lows, 0], numpy.int64), numpy.array(highs, numpy.int64)
