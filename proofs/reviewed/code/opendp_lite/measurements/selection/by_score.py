# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.selection.by_score; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from bisect import bisect_right
from collections.abc import Sequence
from gmpy2 import mpq
from itertools import accumulate
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.measurements.selection.bulk_levels import DEPTH
from opendp_lite.measurements.selection.bulk_levels import Scores
from opendp_lite.measurements.selection.bulk_levels import near_levels
from opendp_lite.measurements.selection.bulk_levels import near_scores
from opendp_lite.measurements.selection.bulk_levels import random_words
from opendp_lite.randomness.draws import sample_uniform_below
from opendp_lite.randomness.entropy import granularity
from opendp_lite.randomness.lazy import LazyUniform
from typing import Any

opendp_lite.measurements.selection.bulk_levels.Scores: typing.TypeAlias = typing.Any
_FEW = 64
opendp_lite.measurements.selection.bulk_levels.DEPTH = 64
_LONG = 1024
_WORD = 32
_VISITS = 1024


# === sample_permute_and_flip with mpq, Scores, sample_uniform_below, granularity,
#    opendp_lite.measurements.selection.bulk_levels.Scores, _FEW
def sample_permute_and_flip(scores: Scores, scale: mpq) -> int:
    if len(scores) == 0 or scale < 0:
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale > 0 and granularity() > 1 and len(scores) >= _FEW:
        return _flip_many(scores, scale)
    heads = _greatest(scores) if scale == 0 else _flip(scores, scale)
    return int(heads[sample_uniform_below(len(heads))])


# === sample_exponential_mechanism with mpq, Scores, sample_uniform_below, granularity,
#    opendp_lite.measurements.selection.bulk_levels.Scores, _FEW
def sample_exponential_mechanism(scores: Scores, scale: mpq) -> int:
    if len(scores) == 0 or scale < 0:
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale == 0:
        ties = _greatest(scores)
        return int(ties[sample_uniform_below(len(ties))])
    if granularity() > 1 and len(scores) >= _FEW:
        return _throw_many(scores, scale)
    return _throw(scores, scale)


# === _flip with mpq, Scores, opendp_lite.measurements.selection.bulk_levels.Scores
def _flip(scores: Scores, scale: mpq) -> list[int]:
    top = _top(scores)
    gaps = [top - _exact(scores, i) for i in range(len(scores))]
    return [i for i, gap in enumerate(gaps) if _coin(gap / scale)]


# === _flip_many with mpq, DEPTH, Scores, near_scores, sample_uniform_below, Any,
#    opendp_lite.measurements.selection.bulk_levels.Scores,
#    opendp_lite.measurements.selection.bulk_levels.DEPTH, _LONG
def _flip_many(scores: Scores, scale: mpq) -> int:
    top, size = _top(scores), len(scores)
    tails: Any = ()
    if size >= _LONG:
        visits = _visits(size)
        places, levels = _kept(scores, visits, top, scale)
        for place, level in zip(places.tolist(), levels.tolist(), strict=True):
            i = int(visits[place])
            t = (top - _exact(scores, i)) / scale
            if i not in visits[:place] and _coin(t, level):
                return i
        tails = visits
    near = near_scores(scores, top, scale)
    indices = near.nonzero()[0]
    places, levels = _kept(scores, indices, top, scale)
    left = list(zip(indices[places].tolist(), levels.tolist(), strict=True))
    for place in _sparse_heads(size - len(indices)):
        left.append((int((~near).nonzero()[0][place]), DEPTH))
    while True:
        place = sample_uniform_below(len(left))
        left[place], left[-1] = left[-1], left[place]
        i, level = left.pop()
        t = (top - _exact(scores, i)) / scale
        if i not in tails and _coin(t, level):
            return int(i)


# === _throw with bisect_right, mpq, accumulate, ceil_multiple, Scores, LazyUniform,
#    opendp_lite.measurements.selection.bulk_levels.Scores, _WORD
def _throw(scores: Scores, scale: mpq) -> int:
    top = _top(scores)
    gaps = [top - _exact(scores, i) for i in range(len(scores))]
    bounds = [mpq(_decay(gap / scale, 64).hi) for gap in gaps]
    widths = [ceil_multiple(hi, -_WORD) for hi in bounds]
    ends = list(accumulate(widths))
    total = ends[-1]

    def decide(prefix: int, length: int) -> int | None:
        left, right = prefix * total, (prefix + 1) * total
        i = bisect_right(ends, left >> length)
        if right > ends[i] << length:
            return None
        start = ends[i - 1] << length if i else 0
        t, unit = gaps[i] / scale, 1 << length + _WORD
        hit = _is_below(mpq(left - start, unit), mpq(right - start, unit), t, length)
        return None if hit is None else i if hit else -1

    first = max(64, total.bit_length() + 32)
    while (index := LazyUniform().locate(decide, first)) < 0:
        pass
    return index


# === _throw_many with bisect_right, mpq, accumulate, DEPTH, Scores, near_levels,
#    near_scores, sample_uniform_below,
#    opendp_lite.measurements.selection.bulk_levels.Scores,
#    opendp_lite.measurements.selection.bulk_levels.DEPTH, _LONG
def _throw_many(scores: Scores, scale: mpq) -> int:
    import numpy

    top, size = _top(scores), len(scores)
    if size >= _LONG:
        visits = _visits(size)
        places, levels = _kept(scores, visits, top, scale)
        for place, level in zip(places.tolist(), levels.tolist(), strict=True):
            i = int(visits[place])
            if _coin((top - _exact(scores, i)) / scale, level):
                return i
    near = near_scores(scores, top, scale)
    indices = near.nonzero()[0]
    levels = near_levels(scores, indices, top, scale)
    counts = numpy.bincount(levels.astype(numpy.int64), minlength=DEPTH).tolist()
    counts.append(size - len(indices))
    ends = list(accumulate(c << DEPTH - j for j, c in enumerate(counts)))
    while True:
        dart = sample_uniform_below(ends[-1])
        level = bisect_right(ends, dart)
        place = dart - (ends[level - 1] if level else 0) >> DEPTH - level
        alike = indices[levels == level] if level < DEPTH else (~near).nonzero()[0]
        i = int(alike[place])
        if _coin((top - _exact(scores, i)) / scale, level):
            return i


# === _visits with Any, _VISITS
def _visits(size: int) -> Any:
    from opendp_lite.randomness.bulk_draws import sample_uniforms_below

    return sample_uniforms_below(size, min(size // 8, _VISITS))


# === _kept with mpq, DEPTH, Scores, near_levels, random_words, Any,
#    opendp_lite.measurements.selection.bulk_levels.Scores,
#    opendp_lite.measurements.selection.bulk_levels.DEPTH
def _kept(scores: Scores, indices: Any, top: mpq, scale: mpq) -> Any:
    levels = near_levels(scores, indices, top, scale)
    words = random_words(len(indices))
    places = (words >> 1 >> DEPTH - 1 - levels == 0).nonzero()[0]
    return places, levels[places]


# === _sparse_heads with sample_uniform_below
def _sparse_heads(size: int) -> set[int]:
    count = _count_heads(size) if size > 0 else 0
    found: set[int] = set()
    while len(found) < count:
        found.add(sample_uniform_below(size))
    return found


# === _count_heads with mpq, power_of_two, DEPTH, LazyUniform,
#    opendp_lite.measurements.selection.bulk_levels.DEPTH
def _count_heads(size: int) -> int:
    p = power_of_two(-DEPTH)

    def decide(prefix: int, length: int) -> int | None:
        left, right = mpq(prefix, 1 << length), mpq(prefix + 1, 1 << length)
        if right <= 1 - size * p:
            return 0
        count, mass = 0, (1 - p) ** size
        end = mass
        while end <= left:
            mass *= mpq(size - count, count + 1) * p / (1 - p)
            count, end = count + 1, end + mass
        return count if right <= end else None

    return LazyUniform().locate(decide)


# === _top with Sequence, mpq, Scores,
#    opendp_lite.measurements.selection.bulk_levels.Scores
def _top(scores: Scores) -> mpq:
    if isinstance(scores, Sequence):
        return mpq(max(scores))
    return mpq(scores.max().item())


# === _exact with Sequence, mpq, Scores,
#    opendp_lite.measurements.selection.bulk_levels.Scores
def _exact(scores: Scores, i: int) -> mpq:
    x = scores[i]
    return mpq(x if isinstance(scores, Sequence) else x.item())


# === _greatest with Sequence, Scores, Any,
#    opendp_lite.measurements.selection.bulk_levels.Scores
def _greatest(scores: Scores) -> Any:
    if not isinstance(scores, Sequence):
        return (scores == scores.max()).nonzero()[0]
    top = max(scores)
    return [i for i, x in enumerate(scores) if x == top]


# === _coin with mpq, LazyUniform
def _coin(t: mpq, level: int = 0) -> bool:
    def decide(prefix: int, length: int) -> bool | None:
        length += level
        unit = 1 << length
        return _is_below(mpq(prefix, unit), mpq(prefix + 1, unit), t, length)

    return LazyUniform().locate(decide)


# === _is_below with mpq
def _is_below(left: mpq, right: mpq, t: mpq, length: int) -> bool | None:
    bound = _decay(t, length + 64)
    if right <= bound.lo:
        return True
    if left >= bound.hi:
        return False
    return None


# === _decay with mpq, exp, power_of_two, Enclosure
def _decay(t: mpq, precision: int) -> Enclosure:
    if t >= precision:
        return Enclosure(0, power_of_two(-precision))
    return exp(-t, precision)
