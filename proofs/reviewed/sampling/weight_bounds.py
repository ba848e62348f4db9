# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/weight_bounds; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.selection:weight_bounds ===

from collections.abc import Sequence
from gmpy2 import mpq
from typing import Any
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]
_CELLS = 128
_LAST = 23 * _CELLS
_MARGIN = 2.0**-30

def weight_bounds(scores: Scores, top: mpq, scale: mpq) -> tuple[Any, Any]:
    import numpy

    lows, highs = _table()
    positions = _positions(scores, top, scale)
    before = numpy.clip(positions - _MARGIN, 0, _LAST).astype(numpy.int64)
    after = numpy.clip(positions + _MARGIN, 0, _LAST).astype(numpy.int64)
    return lows[after], highs[before]


# === opendp_lite.sampling.selection:_positions ===

from collections.abc import Sequence
from gmpy2 import mpq
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import to_double
from typing import Any
from typing import TypeAlias

Scores: TypeAlias = Sequence[int] | Sequence[float] | Sequence[mpq]
_CELLS = 128

def _positions(scores: Scores, top: mpq, scale: mpq) -> Any:
    import numpy

    factor, kind = mpq(_CELLS) / scale, type(scores[0])
    if power_of_two(-900) <= factor <= power_of_two(900):
        if kind is int and min(scores) >= -(2**61) and top <= 2**61:
            differences = int(top) - numpy.array(scores, numpy.int64)
            return differences.astype(numpy.float64) * to_double(factor)
        if kind is float:
            with numpy.errstate(over="ignore", under="ignore"):
                gaps = to_double(top) - numpy.array(scores, numpy.float64)
                return gaps * to_double(factor)
    exact = [(top - mpq(x)) * factor for x in scores]
    return numpy.array([to_double(each) for each in exact])


# === opendp_lite.sampling.selection:_table ===

from functools import lru_cache
from gmpy2 import mpq
from opendp_lite.exact.elementary import exp
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import floor_multiple
from typing import Any

_CELLS = 128
_LAST = 23 * _CELLS
_WORD = 32

@lru_cache(maxsize=1)
def _table() -> tuple[Any, Any]:
    import numpy

    edges = [exp(mpq(-c, _CELLS), 64) for c in range(_LAST + 1)]
    lows = [floor_multiple(mpq(edge.lo), -_WORD) for edge in edges[1:]]
    highs = [ceil_multiple(mpq(edge.hi), -_WORD) for edge in edges]
    return numpy.array([*lows, 0], numpy.int64), numpy.array(highs, numpy.int64)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq
import sys

def to_double(x: mpq | int) -> float:
    try:
        nearest = int(x.numerator) / int(x.denominator)
    except OverflowError:
        return sys.float_info.max if x > 0 else -sys.float_info.max
    return nearest + 0.0


# === opendp_lite.exact.grids:floor_multiple ===

from gmpy2 import mpq

def floor_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(n // d)


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
