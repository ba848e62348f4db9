# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/PartialSample; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.canonical:PartialSample.__init__ ===

from opendp_lite.sampling.lazy import LazyUniform

class PartialSample:
    def __init__(self, variable: RandomVariable) -> None:
        self.variable = variable
        self.uniform = LazyUniform()


# === opendp_lite.sampling.canonical:RandomVariable ===

from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from typing import Protocol

class RandomVariable(Protocol):
    def quantile(self, u: mpq, precision: int = 64) -> Enclosure:
        ...


# === opendp_lite.sampling.canonical:PartialSample.value ===

from opendp_lite.exact.rounding import BINARY64
from opendp_lite.exact.rounding import to_double

opendp_lite.exact.rounding.BINARY64 = opendp_lite.exact.rounding.FloatFormat(53, -1074, 971)

class PartialSample:
    def value(self) -> float:
        return to_double(self.rounded(BINARY64))


# === opendp_lite.sampling.canonical:PartialSample.rounded ===

from gmpy2 import mpq
from opendp_lite.exact.rounding import FloatFormat
from opendp_lite.exact.rounding import round_nearest

class PartialSample:
    def rounded(self, fmt: FloatFormat) -> mpq:
        def test(lo: mpq, hi: mpq) -> mpq | None:
            least, most = round_nearest(lo, fmt), round_nearest(hi, fmt)
            return least if least == most else None

        return self._ask(test)


# === opendp_lite.sampling.canonical:PartialSample.greater_than ===

from gmpy2 import mpq

class PartialSample:
    def greater_than(self, threshold: mpq) -> bool:
        def test(lo: mpq, hi: mpq) -> bool | None:
            if lo > threshold:
                return True
            return False if hi <= threshold else None

        return self._ask(test)


# === opendp_lite.sampling.canonical:PartialSample._ask ===

from collections.abc import Callable
from gmpy2 import mpq
from gmpy2 import mpz
from opendp_lite.exact.grids import power_of_two
from typing import TypeVar

T = TypeVar("T")
_GUARD = 96

class PartialSample:
    def _ask(self, test: Callable[[mpq, mpq], T | None]) -> T:
        quantile = self.variable.quantile

        def decide(prefix: int, length: int) -> T | None:
            precision = length + _GUARD
            unit = power_of_two(-length)
            lo = quantile(unit * mpz(prefix), precision).lo
            hi = quantile(unit * mpz(prefix + 1), precision).hi
            if isinstance(lo, float) or isinstance(hi, float):
                return None
            return test(lo, hi)

        return self.uniform.locate(decide)


# === opendp_lite.sampling.lazy:LazyUniform.__init__ ===

class LazyUniform:
    def __init__(self, prefix: int = 0, length: int = 0) -> None:
        if length < 0 or not 0 <= prefix < 1 << length:
            raise ValueError(f"prefix must have at most length={length} bits")
        self.prefix = prefix
        self.length = length


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))
