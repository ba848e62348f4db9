# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/FiniteLogarithm; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.finite_logarithm:FiniteLogarithm.__attrs_post_init__ ===

from gmpy2 import mpq
from opendp_lite.exact.directed import Context
from opendp_lite.exact.directed import context
import attrs
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')
GUARD_BITS = 6
LEAST_PRECISION = 4

@attrs.frozen
class FiniteLogarithm:
    scale: mpq
    precision: int
    word: int = attrs.field(init=False, repr=False, eq=False)
    nearest: Context = attrs.field(init=False, repr=False, eq=False)
    def __attrs_post_init__(self) -> None:
        if self.scale <= 0:
            raise ValueError("scale must be positive")
        if self.precision < LEAST_PRECISION:
            raise ValueError(f"precision must be at least {LEAST_PRECISION}")
        word = self.precision + GUARD_BITS
        object.__setattr__(self, "word", word)
        nearest = context(word, gmpy2.RoundToNearest)
        object.__setattr__(self, "nearest", nearest)


# === opendp_lite.sampling.finite_logarithm:FiniteLogarithm.magnitudes ===

from opendp_lite.exact.intervals import End
import attrs
import math

opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float

@attrs.frozen
class FiniteLogarithm:
    word: int = attrs.field(init=False, repr=False, eq=False)
    def magnitudes(self, prefix: int, length: int) -> tuple[End, End]:
        missing = max(self.word - prefix.bit_length(), 0)
        exponent = length + missing
        last = (prefix + 1 << missing) - 1
        least = self._magnitude(last, exponent)
        if prefix == 0:
            return least, math.inf
        if missing == 0:
            return least, least
        return least, self._magnitude(prefix << missing, exponent)


# === opendp_lite.sampling.finite_logarithm:FiniteLogarithm._magnitude ===

from gmpy2 import mpq
from opendp_lite.exact.directed import Context
from opendp_lite.exact.grids import power_of_two
import attrs

@attrs.frozen
class FiniteLogarithm:
    scale: mpq
    word: int = attrs.field(init=False, repr=False, eq=False)
    nearest: Context = attrs.field(init=False, repr=False, eq=False)
    def _magnitude(self, numerator: int, exponent: int) -> mpq:
        beyond = max(numerator.bit_length() - self.word, 0)
        mantissa = numerator >> beyond
        cut = self.nearest.div(mantissa, 1 << exponent - beyond)
        n, e = self.nearest.log(cut).as_mantissa_exp()
        product = self.nearest.div(-n * self.scale.numerator, self.scale.denominator)
        m, f = product.as_mantissa_exp()
        return mpq(m) * power_of_two(int(e) + int(f))


# === opendp_lite.sampling.finite_logarithm:FiniteLogarithm.close ===

import attrs

_CLOSE_WORD = 102

@attrs.frozen
class FiniteLogarithm:
    word: int = attrs.field(init=False, repr=False, eq=False)
    @property
    def close(self) -> bool:
        return self.word >= _CLOSE_WORD


# === opendp_lite.exact.directed:context ===

from functools import lru_cache
from typing import cast
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError(
        "opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round "
        "as its context says. Run pip install -U gmpy2."
    )

@lru_cache(maxsize=256)
def context(precision: int, direction: int) -> Context:
    made = gmpy2.context(
        precision=precision,
        round=direction,
        emin=gmpy2.get_emin_min(),
        emax=gmpy2.get_emax_max(),
    )
    return cast(Context, made)
