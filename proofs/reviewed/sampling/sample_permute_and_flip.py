# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_permute_and_flip; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.selection:sample_permute_and_flip ===

from gmpy2 import mpq
from opendp_lite.sampling.bulk_selection import Scores
from opendp_lite.sampling.entropy import granularity
from opendp_lite.sampling.uniform import sample_uniform_below

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any
_FEW = 64

def sample_permute_and_flip(scores: Scores, scale: mpq) -> int:
    if len(scores) == 0 or scale < 0:
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale > 0 and granularity() > 1 and len(scores) >= _FEW:
        return _flip_many(scores, scale)
    heads = _greatest(scores) if scale == 0 else _flip(scores, scale)
    return int(heads[sample_uniform_below(len(heads))])


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


# === opendp_lite.sampling.selection:_flip ===

from gmpy2 import mpq
from opendp_lite.sampling.bulk_selection import Scores

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any

def _flip(scores: Scores, scale: mpq) -> list[int]:
    top = _top(scores)
    gaps = [top - _exact(scores, i) for i in range(len(scores))]
    return [i for i, gap in enumerate(gaps) if _coin(gap / scale)]


# === opendp_lite.sampling.selection:_flip_many ===

from gmpy2 import mpq
from opendp_lite.sampling.bulk_selection import DEPTH
from opendp_lite.sampling.bulk_selection import Scores
from opendp_lite.sampling.bulk_selection import near_scores
from opendp_lite.sampling.uniform import sample_uniform_below
from typing import Any

opendp_lite.sampling.bulk_selection.Scores: typing.TypeAlias = typing.Any
opendp_lite.sampling.bulk_selection.DEPTH = 64
_LONG = 1024

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


# === opendp_lite.sampling.selection:_sparse_heads ===

from opendp_lite.sampling.uniform import sample_uniform_below

def _sparse_heads(size: int) -> set[int]:
    count = _count_heads(size) if size > 0 else 0
    found: set[int] = set()
    while len(found) < count:
        found.add(sample_uniform_below(size))
    return found


# === opendp_lite.sampling.selection:_count_heads ===

from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.sampling.bulk_selection import DEPTH
from opendp_lite.sampling.lazy import LazyUniform

opendp_lite.sampling.bulk_selection.DEPTH = 64

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


# === opendp_lite.sampling.selection:_coin ===

from gmpy2 import mpq
from opendp_lite.sampling.lazy import LazyUniform

def _coin(t: mpq, level: int = 0) -> bool:
    def decide(prefix: int, length: int) -> bool | None:
        length += level
        unit = 1 << length
        return _is_below(mpq(prefix, unit), mpq(prefix + 1, unit), t, length)

    return LazyUniform().locate(decide)


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
