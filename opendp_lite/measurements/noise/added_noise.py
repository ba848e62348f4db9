"""The noise that the Laplace, Gaussian and geometric mechanisms add to numbers."""

from __future__ import annotations

import math
from typing import Literal, Self

import attrs
from gmpy2 import mpq

from opendp_lite.exact.grids import (
    ceil_multiple,
    floor_multiple,
    nearest_multiple,
    power_of_two,
)
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.noise import LARGEST, Law, Noise, write_short
from opendp_lite.laws.tails import (
    discrete_gaussian_tail,
    discrete_laplace_tail,
    gaussian_tail,
    laplace_tail,
)
from opendp_lite.measurements.noise.accuracies import (
    discrete_gaussian_scale_to_accuracy,
    discrete_laplacian_scale_to_accuracy,
    gaussian_scale_to_accuracy,
    laplacian_scale_to_accuracy,
)
from opendp_lite.measurements.noise.additive import NumberSpace, spacing

_HALF = mpq(1, 2)
_INT64 = mpq(-(2**63)), mpq(2**63 - 1)


@attrs.frozen
class AddedNoise(Noise):
    """Noise of a law and scale that is added to the numbers of a space.

    It is discrete on integers and on a grid of multiples of 2^k, and real elsewhere.
    `bounds` clamp the integers before noise is added, and what is released. `keyed`
    says that the numbers are the values of a map. `array` says that they are the
    entries of an array, where integers are clamped to int64.

    >>> from opendp_lite.core.domains import AtomDomain
    >>> from opendp_lite.laws.noise import LAPLACE
    >>> number = NumberSpace(AtomDomain(T=int), vector=False, size=None)
    >>> AddedNoise(LAPLACE, number, mpq(1)).accuracy(mpq(1, 20))
    3.0
    >>> number = NumberSpace(AtomDomain(T=float, nan=False), vector=False, size=None)
    >>> AddedNoise(LAPLACE, number, mpq(1), k=-1).accuracy(mpq(1, 20))
    3.25

    Proof: proofs/measurements/AddedNoise.quantile.tex
    """

    law: Law
    space: NumberSpace
    scale: mpq
    k: int | None = None
    bounds: tuple[int, int] | None = None
    keyed: bool = attrs.field(default=False, kw_only=True)
    array: bool = attrs.field(default=False, kw_only=True)

    @property
    def title(self) -> str:
        """The law, the scale, the grid and the bounds."""
        name = f"{self.law.name} noise, scale {write_short(self.scale)}"
        if self.step == 1 and self.whole:
            name = f"Integer {name}"
        elif self.step is not None:
            name += f", on multiples of {write_short(self.step)}"
        if self.bounds is not None:
            lower, upper = map(mpq, self.bounds)
            name += f", bounds ({write_short(lower)}, {write_short(upper)})"
        return name

    @property
    def form(self) -> Literal["number", "vector", "map"]:
        """What is released, as the space says."""
        return "map" if self.keyed else "vector" if self.space.vector else "number"

    @property
    def size(self) -> int | None:
        """The number of entries of a vector, or None if it is not known."""
        return self.space.size

    @property
    def whole(self) -> bool:
        """Whether integers are released."""
        return self.space.atom.T is int

    @property
    def step(self) -> mpq | None:
        """The step of the grid: 1 for integers without a grid, None for real noise."""
        return power_of_two(self.k or 0) if self.whole or self.k is not None else None

    @property
    def ends(self) -> tuple[mpq, mpq] | None:
        """The bounds, the ends of int64 in arrays, and the last doubles."""
        if not self.whole:
            return -LARGEST, LARGEST  # proof: doubles
        if self.bounds is None:
            return _INT64 if self.array else None  # proof: unbounded
        lower, upper = map(mpq, self.bounds)
        if self.array:
            least, most = _INT64
            lower, upper = (min(max(x, least), most) for x in (lower, upper))
        return lower, upper  # proof: ends

    @property
    def shift(self) -> mpq:
        """Half a step, where numbers are rounded to the grid."""
        grid = self.step
        if grid is None or spacing(self.space.atom) >= grid:
            return mpq(0)  # proof: unrounded
        return grid * _HALF  # proof: rounded

    def in_array(self) -> Self:
        """Return the noise of an array."""
        return attrs.evolve(self, array=True)

    def start(self, number: mpq) -> mpq:
        """Return the number on the grid, and within the bounds."""
        if self.k is not None:
            grid = power_of_two(self.k)
            number = mpq(nearest_multiple(number, self.k)) * grid  # proof: grid
        if self.bounds is not None:
            lower, upper = self.bounds
            number = min(max(number, mpq(lower)), mpq(upper))  # proof: bounds
        return number

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        """Enclose P(N > distance)."""
        if self.scale == 0:
            return Enclosure(0, 0)  # proof: none
        is_laplace = self.law.power == 1
        if self.step is None:
            real = laplace_tail if is_laplace else gaussian_tail
            return real(distance / self.scale, precision)  # proof: real
        steps = floor_multiple(distance / self.step, 0) + 1  # proof: steps
        discrete = discrete_laplace_tail if is_laplace else discrete_gaussian_tail
        return discrete(steps, self.scale / self.step, precision)  # proof: discrete

    def quantile(self, level: mpq) -> mpq | float:
        """Return the least number that the noise passes in size so rarely.

        On a grid it is a whole number of steps. Beyond 2^53 of them it is rounded up,
        as doubles are; where no double counts them, it is a step more than for real
        noise. It is no more than the width of the bounds.
        """
        size = self._quantile(level)
        if self.bounds is None:
            return size
        lower, upper = self.bounds
        return min(size, mpq(upper - lower))  # proof: width

    def _quantile(self, level: mpq) -> mpq | float:
        is_laplace, grid = self.law.power == 1, self.step
        if grid is not None:
            ratio = self.scale / grid
            if is_laplace:
                steps = discrete_laplacian_scale_to_accuracy(ratio, level)
            else:
                steps = discrete_gaussian_scale_to_accuracy(ratio, level)
            if steps < math.inf:
                whole = max(ceil_multiple(mpq(steps), 0) - 1, 0)  # proof: whole
                return mpq(whole) * grid
        if is_laplace:
            real = laplacian_scale_to_accuracy(self.scale, level)  # proof: laplace
        else:
            real = gaussian_scale_to_accuracy(self.scale, level)  # proof: gaussian
        return math.inf if real == math.inf else mpq(real) + (grid or 0)  # proof: fine
