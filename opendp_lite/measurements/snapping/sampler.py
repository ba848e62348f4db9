"""Laplace noise, snapped to a lattice: the sampler of the snapping mechanism.

One number is drawn here; arrays are in `bulk_sampler`, by the same rules.
"""

from __future__ import annotations

import math
from typing import Protocol

from gmpy2 import mpq

from opendp_lite.exact.grids import power_of_two
from opendp_lite.exact.intervals import End
from opendp_lite.laws.weights import (
    SLACK,
    UNIT_BITS,
    bound_exponential,
    near_exponential,
)
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.randomness.entropy import granularity, random_bits
from opendp_lite.randomness.lanes import Array
from opendp_lite.randomness.lazy import LazyUniform

PLACE_BITS = 63
"""How many bits of U are read together with the sign."""

_PLACE_MASK = (1 << PLACE_BITS) - 1
_GUARD_BITS = 32  # of an enclosure of ln U, beyond the known bits of U


class Magnitude(Protocol):
    """The size M of noise, a nonincreasing function of a uniform number U.

    `close` says that M is within 2^-100 (1 + E) `scale` of `scale` E for every U of at
    least 2^-64, where E = -ln U.
    """

    @property
    def scale(self) -> mpq: ...

    @property
    def close(self) -> bool: ...

    def magnitudes(self, prefix: int, length: int) -> tuple[End, End]:
        """Bounds of M for all U in [w/2^n, (w+1)/2^n), w and n being the arguments."""
        ...


class ExactLogarithm:
    """M = -scale ln U, in real arithmetic: enclosed, never rounded.

    >>> low, high = ExactLogarithm(mpq(2)).magnitudes(1, 1)
    >>> low == 0, bool(mpq("1.386") < high < 2 + mpq(1, 1000))
    (True, True)
    """

    __slots__ = ("scale",)

    close = True

    def __init__(self, scale: mpq) -> None:
        if scale <= 0:  # proof: range
            raise ValueError(f"scale must be positive, got {scale}")
        self.scale = scale

    def magnitudes(self, prefix: int, length: int) -> tuple[End, End]:
        """Bounds of M for U in [w/2^n, (w+1)/2^n); the upper one is inf at w = 0."""
        precision = length + _GUARD_BITS
        low, high = bound_exponential(prefix, length, precision)  # proof: enclosed
        unit = self.scale * power_of_two(-precision)  # proof: unit
        far = math.inf if high is None else mpq(high) * unit  # proof: unbounded
        return mpq(low) * unit, far  # proof: ends


class Snapping:
    """The lattice's release of v + S M: S a fair sign, M the size of the noise.

    v is a number measured from the middle of the lattice. U is revealed bit by bit. M
    is monotone in U and so is the index in M, so that an interval of which both ends
    have one index has it whole.

    >>> lattice = Lattice(mpq(-2), mpq(3), mpq(3, 4))
    >>> snapping = Snapping(lattice, ExactLogarithm(lattice.scale))
    >>> -3 <= snapping.sample(mpq(1)) <= 3
    True
    >>> snapping.release(0.3) in (-2.0, -1.5, -0.5, 0.5, 1.5, 2.5, 3.0)
    True
    """

    __slots__ = ("_origin", "_origin_unit", "_ratio", "_ratio_unit", "lattice", "noise")

    def __init__(self, lattice: Lattice, noise: Magnitude) -> None:
        if noise.scale != lattice.scale:  # proof: scales
            raise ValueError("lattice and noise must have the same scale")
        self.lattice = lattice
        self.noise = noise
        # The index of x + y lambda, before it is clamped, is the floor of
        # x/Lambda + origin + y ratio.
        origin = mpq(1, 2) - lattice.middle / lattice.step  # proof: origin
        self._origin = int(origin.numerator)
        self._origin_unit = int(origin.denominator)
        ratio = lattice.scale / lattice.step  # proof: ratio
        self._ratio, self._ratio_unit = int(ratio.numerator), int(ratio.denominator)

    def sample(self, offset: mpq) -> int:
        """The index of v + S M, where v is the offset."""
        if granularity() == 1:
            return self.finish(offset, random_bits(1), LazyUniform())  # proof: plain
        return self.continued(offset, random_bits(1 + PLACE_BITS))  # proof: word

    def continued(self, offset: mpq, word: int) -> int:
        """The index of v + S M, of whose bits the first 64, S and U, are the word."""
        place = LazyUniform(word & _PLACE_MASK, PLACE_BITS)  # proof: place
        return self.finish(offset, word >> PLACE_BITS, place)

    def finish(self, offset: mpq, negative: int, place: LazyUniform) -> int:
        """The index of v + S M, where U is the place."""
        lattice = self.lattice

        def index(magnitude: End) -> int:
            if isinstance(magnitude, float):
                return -lattice.last if negative else lattice.last  # proof: infinite
            z = offset - magnitude if negative else offset + magnitude  # proof: sum
            return lattice.index(z)

        def decide(prefix: int, length: int) -> int | None:
            low, high = self.noise.magnitudes(prefix, length)  # proof: bounds
            near, far = index(low), index(high)  # proof: ends
            return near if near == far else None  # proof: equal

        return place.locate(decide, PLACE_BITS)  # proof: locate

    def release(self, x: float) -> float:
        """The release for a double x, which is clamped first; it may be infinite."""
        lattice = self.lattice
        if lattice.least <= x <= lattice.greatest:
            n, d = x.as_integer_ratio()
            return lattice.released(self._index(n, d))  # proof: double
        return self.release_rational(lattice.clamped(x))  # proof: beyond

    def release_rational(self, x: mpq) -> float:
        """The release for a rational x, which is clamped first."""
        lattice = self.lattice
        clamped = lattice.offset(x) + lattice.middle  # proof: clamped
        n, d = int(clamped.numerator), int(clamped.denominator)
        return lattice.released(self._index(n, d))  # proof: rational

    def add(self, values: Array) -> Array:
        """The release of each entry of a float64 array; entries may be infinite.

        >>> import numpy as np
        >>> lattice = Lattice(mpq(-2), mpq(3), mpq(1, 10**6))
        >>> snapping = Snapping(lattice, ExactLogarithm(lattice.scale))
        >>> np.abs(snapping.add(np.array([0.5, np.inf])) - [0.5, 3.0]) < 0.001
        array([ True,  True])
        """
        from opendp_lite.measurements.snapping.bulk_sampler import add_snapping

        return add_snapping(self, values)  # proof: bulk

    def _index(self, n: int, d: int) -> int:
        """The index for x = n/d within the bounds."""
        if granularity() == 1 or not self.noise.close:
            return self.sample(mpq(n, d) - self.lattice.middle)  # proof: plain
        word = random_bits(1 + PLACE_BITS)  # proof: word
        index = self._at_once(n, d, word)  # proof: at-once
        if index is None:
            offset = mpq(n, d) - self.lattice.middle
            return self.continued(offset, word)  # proof: same-word
        return index

    def _at_once(self, n: int, d: int, word: int) -> int | None:
        """What `continued` returns for this word, if it is clear; or None.

        x/Lambda + origin +- E ratio is put over one denominator.
        """
        place = near_exponential(word & _PLACE_MASK, PLACE_BITS)  # proof: near-e
        if place is None:
            return None  # proof: small
        k = self.lattice.exponent
        if k >= 0:
            d <<= k  # proof: steps
        else:
            n <<= -k
        product = d * self._origin_unit
        slope = product * self._ratio  # proof: slope
        base = (n * self._origin_unit + self._origin * d) * self._ratio_unit
        base <<= UNIT_BITS  # proof: base
        unit = product * self._ratio_unit << UNIT_BITS
        middle = base - slope * place if word >> PLACE_BITS else base + slope * place
        low = (middle - slope * SLACK) // unit  # proof: low
        high = (middle + slope * SLACK) // unit  # proof: high
        last = self.lattice.last
        if low == high:
            return min(max(low, -last), last)  # proof: inside
        if low >= last:
            return last  # proof: above
        return -last if high <= -last else None  # proof: below
