# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/snapping-lattice; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.lattice:Lattice.__attrs_post_init__ ===

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
import attrs

_HALF = mpq(1, 2)

@attrs.frozen
class Lattice:
    lower: mpq
    upper: mpq
    scale: mpq
    middle: mpq = attrs.field(init=False, repr=False, eq=False)
    half: mpq = attrs.field(init=False, repr=False, eq=False)
    exponent: int = attrs.field(init=False, repr=False, eq=False)
    step: mpq = attrs.field(init=False, repr=False, eq=False)
    least: float = attrs.field(init=False, repr=False, eq=False)
    greatest: float = attrs.field(init=False, repr=False, eq=False)
    unit: int = attrs.field(init=False, repr=False, eq=False)
    def __attrs_post_init__(self) -> None:
        if not self.lower < self.upper:
            raise ValueError("lower must be less than upper")
        exponent = exponent_at_least(self.scale)
        step = power_of_two(exponent)
        middle = (self.lower + self.upper) * _HALF
        half = (self.upper - self.lower) * _HALF
        unit = middle.denominator * step.denominator
        derived = {
            "middle": middle,
            "half": half,
            "exponent": exponent,
            "step": step,
            "last": ceil_multiple(half, exponent),
            "least": round_up(self.lower) + 0.0,
            "greatest": round_down(self.upper) + 0.0,
            "unit": int(unit),
            "start": int((middle * unit).numerator),
            "stride": int((step * unit).numerator),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        if not self.least <= self.greatest:
            raise ValueError("there must be a double from lower to upper")


# === opendp_lite.sampling.lattice:Lattice.clamped ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class Lattice:
    lower: mpq
    upper: mpq
    least: float = attrs.field(init=False, repr=False, eq=False)
    greatest: float = attrs.field(init=False, repr=False, eq=False)
    def clamped(self, x: float) -> mpq:
        if x > self.greatest:
            return self.upper
        if x < self.least:
            return self.lower
        return mpq(*x.as_integer_ratio())


# === opendp_lite.sampling.lattice:Lattice.offset ===

from gmpy2 import mpq
import attrs

@attrs.frozen
class Lattice:
    lower: mpq
    upper: mpq
    middle: mpq = attrs.field(init=False, repr=False, eq=False)
    def offset(self, x: mpq) -> mpq:
        return min(max(x, self.lower), self.upper) - self.middle


# === opendp_lite.sampling.lattice:Lattice.index ===

from gmpy2 import mpq
from opendp_lite.exact.grids import nearest_multiple
import attrs

@attrs.frozen
class Lattice:
    exponent: int = attrs.field(init=False, repr=False, eq=False)
    last: int = attrs.field(init=False, repr=False, eq=False)
    def index(self, z: mpq) -> int:
        nearest = nearest_multiple(z, self.exponent)
        return min(max(nearest, -self.last), self.last)


# === opendp_lite.sampling.lattice:Lattice.released ===

from opendp_lite.exact.rounding import divide_to_double
import attrs

@attrs.frozen
class Lattice:
    last: int = attrs.field(init=False, repr=False, eq=False)
    least: float = attrs.field(init=False, repr=False, eq=False)
    greatest: float = attrs.field(init=False, repr=False, eq=False)
    unit: int = attrs.field(init=False, repr=False, eq=False)
    start: int = attrs.field(init=False, repr=False, eq=False)
    stride: int = attrs.field(init=False, repr=False, eq=False)
    def released(self, index: int) -> float:
        if index >= self.last:
            return self.greatest
        if index <= -self.last:
            return self.least
        nearest = divide_to_double(
            self.start + index * self.stride, self.unit
        )
        return min(max(nearest, self.least), self.greatest)


# === opendp_lite.exact.grids:exponent_at_least ===

from gmpy2 import mpq

def exponent_at_least(x: mpq) -> int:
    if x <= 0:
        raise ValueError("must be positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    reached = n <= d << k if k >= 0 else n << -k <= d
    return k if reached else k + 1


# === opendp_lite.exact.grids:power_of_two ===

from gmpy2 import mpq
from gmpy2 import mpz

def power_of_two(k: int) -> mpq:
    return mpq(mpz(1) << k) if k >= 0 else mpq(1, mpz(1) << -k)


# === opendp_lite.exact.grids:nearest_multiple ===

from gmpy2 import mpq

def nearest_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(((n << 1) + d) // (d << 1))


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


# === opendp_lite.exact.rounding:round_up ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_up(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


# === opendp_lite.exact.rounding:round_down ===

from opendp_lite.exact.rationals import Extended
import math

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def round_down(x: Extended) -> float:
    if isinstance(x, float):
        return _infinity(x)
    nearest = to_double(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


# === opendp_lite.exact.rounding:to_double ===

from gmpy2 import mpq

def to_double(x: mpq | int) -> float:
    return divide_to_double(int(x.numerator), int(x.denominator))


# === opendp_lite.exact.rounding:_infinity ===

import math

def _infinity(x: float) -> float:
    if not math.isinf(x):
        raise TypeError("must be an int, a rational, or an infinity, got a float")
    return x
