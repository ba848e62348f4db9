# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.finite_logarithm; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.exact.directed import Context
from opendp_lite.exact.directed import context
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
import attrs
import gmpy2
import math

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')
GUARD_BITS = 6
LEAST_PRECISION = 4
_CLOSE_WORD = 102
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float


# === FiniteLogarithm.__attrs_post_init__ with mpq, Context, context, attrs, gmpy2, ?,
#    GUARD_BITS, LEAST_PRECISION
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


# === FiniteLogarithm.close with attrs, _CLOSE_WORD
@attrs.frozen
class FiniteLogarithm:
    word: int = attrs.field(init=False, repr=False, eq=False)
    @property
    def close(self) -> bool:
        return self.word >= _CLOSE_WORD


# === FiniteLogarithm.magnitudes with End, attrs, math, opendp_lite.exact.intervals.End
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


# === FiniteLogarithm._magnitude with mpq, Context, power_of_two, attrs
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
