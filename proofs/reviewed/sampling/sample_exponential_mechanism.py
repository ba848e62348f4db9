# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_exponential_mechanism; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.selection:sample_exponential_mechanism ===

from bisect import bisect_right
from collections.abc import Sequence
from gmpy2 import mpq
from itertools import accumulate
from opendp_lite.sampling.lazy import LazyUniform
from opendp_lite.sampling.uniform import sample_uniform_below
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]
_WORD = 32

def sample_exponential_mechanism(scores: Scores, scale: mpq) -> int:
    if not scores or scale < 0:
        raise ValueError(f"needs scores and a scale of at least 0, got scale {scale}")
    if scale == 0:
        ties = _greatest(scores)
        return ties[sample_uniform_below(len(ties))]
    top = mpq(max(scores))
    widths = _widths(scores, top, scale)
    ends = list(accumulate(widths))
    total = ends[-1]

    def decide(prefix: int, length: int) -> int | None:
        left, right = prefix * total, (prefix + 1) * total
        i = bisect_right(ends, left >> length)
        if right > ends[i] << length:
            return None
        start = ends[i] - widths[i] << length
        t, unit = (top - mpq(scores[i])) / scale, 1 << length + _WORD
        hit = _is_below(mpq(left - start, unit), mpq(right - start, unit), t, length)
        return None if hit is None else i if hit else -1

    first = max(64, total.bit_length() + 32)
    while (index := LazyUniform().locate(decide, first)) < 0:
        pass
    return index


# === opendp_lite.sampling.selection:_widths ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]
_WORD = 32
_FEW = 64

def _widths(scores: Scores, top: mpq, scale: mpq) -> list[int]:
    if len(scores) < _FEW:
        bounds = [_decay((top - mpq(x)) / scale, 64).hi for x in scores]
        return [ceil_multiple(mpq(hi), -_WORD) for hi in bounds]
    widths: list[int] = weight_bounds(scores, top, scale)[1].tolist()
    return widths


# === opendp_lite.sampling.selection:_greatest ===

from collections.abc import Sequence
from gmpy2 import mpq
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]

def _greatest(scores: Scores) -> list[int]:
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
