# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.snapping.lattice; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.grids import exponent_at_least
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.rounding import divide_to_double
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
import attrs

_HALF = mpq(1, 2)


# === Lattice.__attrs_post_init__ with mpq, ceil_multiple, exponent_at_least,
#    power_of_two, round_down, round_up, attrs, _HALF
@attrs.frozen
class Lattice:
    lower: mpq
    upper: mpq
    scale: mpq
    middle: mpq = attrs.field(init=False, repr=False, eq=False)
    half: mpq = attrs.field(init=False, repr=False, eq=False)
    exponent: int = attrs.field(init=False, repr=False, eq=False)
    step: mpq = attrs.field(init=False, repr=False, eq=False)
    last: int = attrs.field(init=False, repr=False, eq=False)
    least: float = attrs.field(init=False, repr=False, eq=False)
    greatest: float = attrs.field(init=False, repr=False, eq=False)
    unit: int = attrs.field(init=False, repr=False, eq=False)
    start: int = attrs.field(init=False, repr=False, eq=False)
    stride: int = attrs.field(init=False, repr=False, eq=False)
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


# === Lattice.clamped with mpq, attrs
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


# === Lattice.offset with mpq, attrs
@attrs.frozen
class Lattice:
    lower: mpq
    upper: mpq
    middle: mpq = attrs.field(init=False, repr=False, eq=False)
    def offset(self, x: mpq) -> mpq:
        return min(max(x, self.lower), self.upper) - self.middle


# === Lattice.index with mpq, nearest_multiple, attrs
@attrs.frozen
class Lattice:
    exponent: int = attrs.field(init=False, repr=False, eq=False)
    last: int = attrs.field(init=False, repr=False, eq=False)
    def index(self, z: mpq) -> int:
        nearest = nearest_multiple(z, self.exponent)
        return min(max(nearest, -self.last), self.last)


# === Lattice.released with divide_to_double, attrs
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
