# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_exponential_mechanism; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.selection:sample_exponential_mechanism ===

from gmpy2 import mpq
from opendp_lite.sampling.bulk_selection import Scores
from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.uniform import sample_uniform_below

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any
_FEW = 64

def sample_exponential_mechanism(scores: Scores, scale: mpq) -> int:
    if len(scores) == 0 or scale < 0:
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale == 0:
        ties = _greatest(scores)
        return int(ties[sample_uniform_below(len(ties))])
    if granularity() > 1 and len(scores) >= _FEW:
        return _throw_many(scores, scale)
    return _throw(scores, scale)


# === opendp_lite.sampling.selection:_throw ===

from bisect import bisect_right
from gmpy2 import mpq
from itertools import accumulate
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.sampling.bulk_selection import Scores
from opendp_lite.sampling.lazy import LazyUniform

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any
_WORD = 32

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


# === opendp_lite.sampling.selection:_throw_many ===

from bisect import bisect_right
from gmpy2 import mpq
from itertools import accumulate
from opendp_lite.sampling.bulk_selection import DEPTH
from opendp_lite.sampling.bulk_selection import Scores
from opendp_lite.sampling.bulk_selection import near_levels
from opendp_lite.sampling.bulk_selection import near_scores
from opendp_lite.sampling.uniform import sample_uniform_below

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any
opendp_lite.sampling.bulk_selection.DEPTH = 64
_LONG = 1024

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


# === opendp_lite.sampling.selection:_visits ===

from typing import Any

_VISITS = 1024

def _visits(size: int) -> Any:
    from opendp_lite.sampling.bulk_coins import sample_uniforms_below

    return sample_uniforms_below(size, min(size // 8, _VISITS))


# === opendp_lite.sampling.selection:_kept ===

from gmpy2 import mpq
from opendp_lite.sampling.bulk_selection import DEPTH
from opendp_lite.sampling.bulk_selection import Scores
from opendp_lite.sampling.bulk_selection import near_levels
from opendp_lite.sampling.bulk_selection import random_words
from typing import Any

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any
opendp_lite.sampling.bulk_selection.DEPTH = 64

def _kept(scores: Scores, indices: Any, top: mpq, scale: mpq) -> Any:
    levels = near_levels(scores, indices, top, scale)
    words = random_words(len(indices))
    places = (words >> 1 >> DEPTH - 1 - levels == 0).nonzero()[0]
    return places, levels[places]


# === opendp_lite.sampling.selection:_coin ===

from gmpy2 import mpq
from opendp_lite.sampling.lazy import LazyUniform

def _coin(t: mpq, level: int = 0) -> bool:
    def decide(prefix: int, length: int) -> bool | None:
        length += level
        unit = 1 << length
        return _is_below(mpq(prefix, unit), mpq(prefix + 1, unit), t, length)

    return LazyUniform().locate(decide)


# === opendp_lite.sampling.selection:_top ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.sampling.bulk_selection import Scores

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any

def _top(scores: Scores) -> mpq:
    if isinstance(scores, Sequence):
        return mpq(max(scores))
    return mpq(scores.max().item())


# === opendp_lite.sampling.selection:_exact ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.sampling.bulk_selection import Scores

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any

def _exact(scores: Scores, i: int) -> mpq:
    x = scores[i]
    return mpq(x if isinstance(scores, Sequence) else x.item())


# === opendp_lite.sampling.selection:_greatest ===

from collections.abc import Sequence
from opendp_lite.sampling.bulk_selection import Scores
from typing import Any

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any

def _greatest(scores: Scores) -> Any:
    if not isinstance(scores, Sequence):
        return (scores == scores.max()).nonzero()[0]
    top = max(scores)
    return [i for i, x in enumerate(scores) if x == top]


# === opendp_lite.sampling.selection:_is_below ===

from gmpy2 import mpq

def _is_below(left: mpq, right: mpq, t: mpq, length: int) -> bool | None:
    bound = _decay(t, length + 64)
    if right <= bound.lo:
        return True
    if left >= bound.hi:
        return False
    return None


# === opendp_lite.sampling.selection:_decay ===

from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import Enclosure

def _decay(t: mpq, precision: int) -> Enclosure:
    if t >= precision:
        return Enclosure(0, power_of_two(-precision))
    return exp(-t, precision)


# === opendp_lite.sampling.bulk_selection:near_scores ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rounding import round_up
from typing import Any
from typing import TypeAlias

Scores: TypeAlias = Any
_FAR = 45

def near_scores(scores: Scores, top: mpq, scale: mpq) -> Any:
    import numpy

    bound = top - mpq(_FAR) * scale
    if isinstance(scores, Sequence):
        return numpy.array([x >= bound for x in scores])
    if scores.dtype.kind == "f":
        return scores >= round_up(bound)
    least = int(numpy.iinfo(scores.dtype).min)
    return scores >= max(ceil_multiple(bound, 0), least)


# === opendp_lite.sampling.bulk_selection:random_words ===

from opendp_lite.sampling.entropy import bulk
from typing import Any

def random_words(count: int) -> Any:
    with bulk() as stream:
        return stream.words(count, "<u8")


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length
