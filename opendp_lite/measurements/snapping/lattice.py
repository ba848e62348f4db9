"""The lattice of the snapping mechanism: which values it releases, and where."""

from __future__ import annotations

import attrs
from gmpy2 import mpq

from opendp_lite.exact.grids import (
    ceil_multiple,
    exponent_at_least,
    nearest_multiple,
    power_of_two,
)
from opendp_lite.exact.rounding import divide_to_double, round_down, round_up

_HALF = mpq(1, 2)


@attrs.frozen
class Lattice:
    """The multiples of Lambda around the middle of [L, U], clamped to [L, U].

    With scale lambda > 0, Lambda is the least power of two that is at least lambda.
    m = (L + U)/2 is the middle and h = (U - L)/2 the half width. A number z, measured
    from the middle, has the index of the nearest multiple of Lambda, ties upward,
    clamped to -last, ..., last. The index j is released as m + clamp(j Lambda, -h, h),
    rounded once to a double inside of [L, U]. Both functions are nondecreasing.

    >>> lattice = Lattice(mpq(-2), mpq(3), mpq(3, 4))
    >>> lattice.step, lattice.last
    (mpq(1,1), 3)
    >>> [lattice.index(mpq(n, 2)) for n in (-9, -1, 1, 9)]
    [-3, 0, 1, 3]
    >>> [lattice.released(j) for j in (-3, -2, 0, 3)]
    [-2.0, -1.5, 0.5, 3.0]
    """

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
        if not self.lower < self.upper:  # proof: order
            raise ValueError("lower must be less than upper")
        exponent = exponent_at_least(self.scale)  # proof: exponent
        step = power_of_two(exponent)
        middle = (self.lower + self.upper) * _HALF  # proof: middle
        half = (self.upper - self.lower) * _HALF  # proof: half
        unit = middle.denominator * step.denominator  # proof: unit
        derived = {
            "middle": middle,
            "half": half,
            "exponent": exponent,
            "step": step,
            "last": ceil_multiple(half, exponent),  # proof: last
            "least": round_up(self.lower) + 0.0,  # proof: least
            "greatest": round_down(self.upper) + 0.0,  # proof: greatest
            # m + j Lambda is (start + j stride)/unit, in integers.
            "unit": int(unit),
            "start": int((middle * unit).numerator),  # proof: start
            "stride": int((step * unit).numerator),  # proof: stride
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        if not self.least <= self.greatest:  # proof: doubles
            raise ValueError("there must be a double from lower to upper")

    def clamped(self, x: float) -> mpq:
        """clamp(x, L, U) for a double x, which may be infinite."""
        if x > self.greatest:
            return self.upper  # proof: above
        if x < self.least:
            return self.lower  # proof: below
        return mpq(*x.as_integer_ratio())  # proof: within

    def offset(self, x: mpq) -> mpq:
        """clamp(x, L, U) - m."""
        return min(max(x, self.lower), self.upper) - self.middle  # proof: offset

    def index(self, z: mpq) -> int:
        """The index of z: that of the nearest multiple, ties upward, clamped."""
        nearest = nearest_multiple(z, self.exponent)  # proof: nearest
        return min(max(nearest, -self.last), self.last)  # proof: clamped

    def released(self, index: int) -> float:
        """The double that is released for an index; never -0.0."""
        if index >= self.last:
            return self.greatest  # proof: top
        if index <= -self.last:
            return self.least  # proof: bottom
        nearest = divide_to_double(  # proof: rounded
            self.start + index * self.stride, self.unit
        )
        return min(max(nearest, self.least), self.greatest)  # proof: inside
