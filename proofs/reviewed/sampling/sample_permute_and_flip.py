# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_permute_and_flip; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.selection:sample_permute_and_flip ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.sampling.uniform import sample_uniform_below
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]

def sample_permute_and_flip(scores: Scores, scale: mpq) -> int:
    if not scores or scale < 0:
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    heads = _greatest(scores) if scale == 0 else _flip(scores, scale)
    return heads[sample_uniform_below(len(heads))]


# === opendp_lite.sampling.selection:_greatest ===

from collections.abc import Sequence
from gmpy2 import mpq
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]

def _greatest(scores: Scores) -> list[int]:
    top = max(scores)
    return [i for i, x in enumerate(scores) if x == top]


# === opendp_lite.sampling.selection:_flip ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.sampling.entropy import granularity
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]
_WORD = 32
_FEW = 64

def _flip(scores: Scores, scale: mpq) -> list[int]:
    top = mpq(max(scores))
    if granularity() == 1 or len(scores) < _FEW:
        gaps = [top - mpq(x) for x in scores]
        return [i for i, gap in enumerate(gaps) if _coin(gap / scale)]
    words = _words(len(scores))
    low, high = weight_bounds(scores, top, scale)
    shown = words < low
    for i in ((low <= words) & (words < high)).nonzero()[0].tolist():
        t = (top - mpq(scores[i])) / scale
        shown[i] = _coin(t, int(words[i]), _WORD)
    heads: list[int] = shown.nonzero()[0].tolist()
    return heads


# === opendp_lite.sampling.selection:_coin ===

from gmpy2 import mpq
from opendp_lite.sampling.lazy import LazyUniform

def _coin(t: mpq, word: int = 0, length: int = 0) -> bool:
    def decide(prefix: int, length: int) -> bool | None:
        unit = 1 << length
        return _is_below(mpq(prefix, unit), mpq(prefix + 1, unit), t, length)

    return LazyUniform(word, length).locate(decide)


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


# === opendp_lite.sampling.selection:_words ===

from opendp_lite.sampling.entropy import random_bits
from typing import Any

_WORD = 32

def _words(count: int) -> Any:
    import numpy

    data = random_bits(_WORD * count).to_bytes(4 * count, "big")
    return numpy.frombuffer(data, ">u4").astype(numpy.int64)


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
