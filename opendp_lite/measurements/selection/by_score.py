"""Selection of an index by score: permute-and-flip, and the exponential mechanism.

Both flip coins of probability e^(-t), where t = (greatest score - score)/scale: they
compare uniform numbers with enclosures of e^(-t), and reveal more bits until that
decides, so that nothing is approximated. Of many scores few coins need be flipped. A
coin of probability e^(-t) <= 2^(-j) is one of 2^(-j) and one of 2^j e^(-t), and the
first ones are cheap to flip together. Of very many scores some are visited at random
first, and where one of these is selected, the others are not looked at.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from gmpy2 import mpq

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.grids import ceil_multiple, power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.selection.bulk_levels import (
    DEPTH,
    Scores,
    near_levels,
    near_scores,
    random_words,
)
from opendp_lite.randomness.draws import sample_uniform_below
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.lazy import LazyUniform

__all__ = ["Scores", "sample_exponential_mechanism", "sample_permute_and_flip"]

_WORD = 32  # the strips of few scores are integers over 2^32
_FEW = 64  # scores for which no array is worth while
_LONG = 1024  # scores of which some are visited first
_VISITS = 1024  # at most so many, before all are looked at


def sample_permute_and_flip(scores: Scores, scale: mpq) -> int:
    """Return the index that permute-and-flip selects, mostly one of a high score.

    A coin is flipped for each index i: heads with probability e^(-t_i), where
    t_i = (max_j x_j - x_i)/scale and x are the `scores`. The index is uniform among
    the heads. That is the law of visiting the indices in a random order, flipping
    coins until the first heads. At scale 0 it is uniform among the greatest scores.

    >>> sample_permute_and_flip([3, 10**400, -1], mpq(5))
    1
    """
    if len(scores) == 0 or scale < 0:  # proof: range
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale > 0 and granularity() > 1 and len(scores) >= _FEW:  # proof: many
        return _flip_many(scores, scale)
    heads = _greatest(scores) if scale == 0 else _flip(scores, scale)  # proof: heads
    return int(heads[sample_uniform_below(len(heads))])  # proof: select


def sample_exponential_mechanism(scores: Scores, scale: mpq) -> int:
    """Return an index i with probability proportional to e^(x_i/scale), x the `scores`.

    Darts are thrown at strips that lie side by side, of widths w_i >= e^(-t_i), until
    one hits the first e^(-t_i) of a strip. At scale 0 the index is uniform among the
    greatest scores.

    >>> sample_exponential_mechanism([3, 10**400, -1], mpq(5))
    1
    """
    if len(scores) == 0 or scale < 0:  # proof: range
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale == 0:  # proof: zero
        ties = _greatest(scores)
        return int(ties[sample_uniform_below(len(ties))])
    if granularity() > 1 and len(scores) >= _FEW:  # proof: many
        return _throw_many(scores, scale)
    return _throw(scores, scale)


def _flip(scores: Scores, scale: mpq) -> list[int]:
    """The indices whose coins show heads; that of a greatest score always does."""
    top = _top(scores)
    gaps = [top - _exact(scores, i) for i in range(len(scores))]
    return [i for i, gap in enumerate(gaps) if _coin(gap / scale)]  # proof: each


def _flip_many(scores: Scores, scale: mpq) -> int:
    """The first index with heads in a random order of all."""
    top, size = _top(scores), len(scores)
    tails: Any = ()
    if size >= _LONG:  # proof: long
        visits = _visits(size)
        places, levels = _kept(scores, visits, top, scale)
        for place, level in zip(places.tolist(), levels.tolist(), strict=True):
            i = int(visits[place])
            t = (top - _exact(scores, i)) / scale
            if i not in visits[:place] and _coin(t, level):  # proof: first
                return i
        tails = visits  # proof: tails
    near = near_scores(scores, top, scale)
    indices = near.nonzero()[0]
    places, levels = _kept(scores, indices, top, scale)
    left = list(zip(indices[places].tolist(), levels.tolist(), strict=True))
    for place in _sparse_heads(size - len(indices)):  # proof: far
        left.append((int((~near).nonzero()[0][place]), DEPTH))
    while True:
        place = sample_uniform_below(len(left))  # proof: order
        left[place], left[-1] = left[-1], left[place]
        i, level = left.pop()
        t = (top - _exact(scores, i)) / scale
        if i not in tails and _coin(t, level):  # proof: second
            return int(i)


def _throw(scores: Scores, scale: mpq) -> int:
    """The strip in whose first part a dart lands: each has its own width."""
    top = _top(scores)
    gaps = [top - _exact(scores, i) for i in range(len(scores))]
    bounds = [mpq(_decay(gap / scale, 64).hi) for gap in gaps]
    widths = [ceil_multiple(hi, -_WORD) for hi in bounds]  # proof: widths
    ends = list(accumulate(widths))  # proof: ends
    total = ends[-1]

    def decide(prefix: int, length: int) -> int | None:
        left, right = prefix * total, (prefix + 1) * total  # proof: dart
        i = bisect_right(ends, left >> length)  # proof: strip
        if right > ends[i] << length:  # proof: straddles
            return None
        start = ends[i - 1] << length if i else 0  # proof: start
        t, unit = gaps[i] / scale, 1 << length + _WORD
        hit = _is_below(mpq(left - start, unit), mpq(right - start, unit), t, length)
        return None if hit is None else i if hit else -1  # proof: hit

    first = max(64, total.bit_length() + 32)
    while (index := LazyUniform().locate(decide, first)) < 0:  # proof: again
        pass
    return index


def _throw_many(scores: Scores, scale: mpq) -> int:
    """The same, where the strip of a score of level j has the width 2^-j."""
    import numpy

    top, size = _top(scores), len(scores)
    if size >= _LONG:  # proof: long
        visits = _visits(size)
        places, levels = _kept(scores, visits, top, scale)
        for place, level in zip(places.tolist(), levels.tolist(), strict=True):
            i = int(visits[place])
            if _coin((top - _exact(scores, i)) / scale, level):  # proof: first
                return i
    near = near_scores(scores, top, scale)
    indices = near.nonzero()[0]
    levels = near_levels(scores, indices, top, scale)
    counts = numpy.bincount(levels.astype(numpy.int64), minlength=DEPTH).tolist()
    counts.append(size - len(indices))  # proof: counts
    ends = list(accumulate(c << DEPTH - j for j, c in enumerate(counts)))  # proof: ends
    while True:
        dart = sample_uniform_below(ends[-1])  # proof: dart
        level = bisect_right(ends, dart)  # proof: level
        place = dart - (ends[level - 1] if level else 0) >> DEPTH - level
        alike = indices[levels == level] if level < DEPTH else (~near).nonzero()[0]
        i = int(alike[place])  # proof: strip
        if _coin((top - _exact(scores, i)) / scale, level):  # proof: hit
            return i


def _visits(size: int) -> Any:
    """Some independent uniform integers below `size`."""
    from opendp_lite.randomness.bulk_draws import sample_uniforms_below

    return sample_uniforms_below(size, min(size // 8, _VISITS))  # proof: visits


def _kept(scores: Scores, indices: Any, top: mpq, scale: mpq) -> Any:
    """The places of the indices whose coins of 2^-level show heads; these levels."""
    levels = near_levels(scores, indices, top, scale)
    words = random_words(len(indices))
    places = (words >> 1 >> DEPTH - 1 - levels == 0).nonzero()[0]  # proof: kept
    return places, levels[places]


def _sparse_heads(size: int) -> set[int]:
    """Each integer below `size` with probability 2^-64, independently."""
    count = _count_heads(size) if size > 0 else 0  # proof: count
    found: set[int] = set()
    while len(found) < count:  # proof: subset
        found.add(sample_uniform_below(size))
    return found


def _count_heads(size: int) -> int:
    """How many of so many coins of probability p = 2^-64 show heads, by inversion."""
    p = power_of_two(-DEPTH)

    def decide(prefix: int, length: int) -> int | None:
        left, right = mpq(prefix, 1 << length), mpq(prefix + 1, 1 << length)
        if right <= 1 - size * p:  # proof: none
            return 0
        count, mass = 0, (1 - p) ** size  # proof: mass
        end = mass
        while end <= left:  # proof: search
            mass *= mpq(size - count, count + 1) * p / (1 - p)  # proof: next
            count, end = count + 1, end + mass
        return count if right <= end else None  # proof: cell

    return LazyUniform().locate(decide)


def _top(scores: Scores) -> mpq:
    """The greatest score."""
    if isinstance(scores, Sequence):  # proof: top
        return mpq(max(scores))
    return mpq(scores.max().item())  # proof: top-of-array


def _exact(scores: Scores, i: int) -> mpq:
    """The score of index i."""
    x = scores[i]
    return mpq(x if isinstance(scores, Sequence) else x.item())  # proof: score


def _greatest(scores: Scores) -> Any:
    """The indices of the greatest score."""
    if not isinstance(scores, Sequence):  # proof: greatest-of-array
        return (scores == scores.max()).nonzero()[0]
    top = max(scores)
    return [i for i, x in enumerate(scores) if x == top]  # proof: greatest


def _coin(t: mpq, level: int = 0) -> bool:
    """Whether U < 2^level e^(-t), for a uniform U; that is at most 1."""

    def decide(prefix: int, length: int) -> bool | None:
        length += level
        unit = 1 << length
        return _is_below(mpq(prefix, unit), mpq(prefix + 1, unit), t, length)

    return LazyUniform().locate(decide)  # proof: decide


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
