"""What assertions ask of the laws of noise: how large noise is, and how close to 0.

One class for each law. The bounds are mathematics of this layer, and the samplers lie
below it; so what noise a constructor adds is stated here, by `state_noise`, and the law
that its sampler has knows nothing of tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import attrs
from gmpy2 import mpq

from opendp_lite.exact.enclosures import expm1, sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erf
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.laws.tails import (
    discrete_gaussian_tail,
    discrete_laplace_tail,
    gaussian_tail,
    laplace_tail,
)
from opendp_lite.measurements.noise.geometric import make_geometric
from opendp_lite.measurements.noise.laplace_gaussian import make_gaussian, make_laplace
from opendp_lite.measurements.snapping.snapping import make_snapping
from opendp_lite.testing.tolerances import (
    complementary_gaussian_tolerance,
    complementary_laplace_tolerance,
    discrete_gaussian_tolerance,
    discrete_laplace_tolerance,
    gaussian_tolerance,
    laplace_tolerance,
)

_HALF = mpq(1, 2)


@attrs.frozen
class NoiseLaw:
    """A law of noise that is symmetric about 0: real, and discrete on the integers."""

    law: ClassVar[Law]

    def tolerance(self, scale: mpq, flakiness: Any) -> float:
        """A number that real noise exceeds in size with at most this probability."""
        raise TypeError(f"{type(self).__name__} does not say how large noise is")

    def discrete_tolerance(self, scale: mpq, flakiness: Any) -> int | float:
        """As `tolerance`, for discrete noise."""
        raise TypeError(f"{type(self).__name__} does not say how large noise is")

    def complementary(self, scale: mpq, flakiness: float) -> float:
        """A number below which real noise stays with at most this probability."""
        raise TypeError(f"{type(self).__name__} does not say how small noise is")

    def discrete_tail(self, steps: int, scale: mpq, precision: int) -> Enclosure:
        """P(Z >= steps) for discrete noise Z."""
        raise TypeError(f"{type(self).__name__} does not say how large noise is")

    def central(self, u: mpq, precision: int) -> Enclosure:
        """P(0 <= Y <= u) for real noise Y of scale 1."""
        raise TypeError(f"{type(self).__name__} does not say how small noise is")


@attrs.frozen
class LaplaceNoise(NoiseLaw):
    """Laplace noise."""

    law = LAPLACE

    def tolerance(self, scale: mpq, flakiness: Any) -> float:
        """As `laplace_tolerance`."""
        return laplace_tolerance(scale, flakiness)

    def discrete_tolerance(self, scale: mpq, flakiness: Any) -> int | float:
        """As `discrete_laplace_tolerance`."""
        return discrete_laplace_tolerance(scale, flakiness)

    def complementary(self, scale: mpq, flakiness: float) -> float:
        """As `complementary_laplace_tolerance`."""
        return complementary_laplace_tolerance(scale, flakiness)

    def discrete_tail(self, steps: int, scale: mpq, precision: int) -> Enclosure:
        """As `discrete_laplace_tail`."""
        return discrete_laplace_tail(steps, scale, precision)

    def central(self, u: mpq, precision: int) -> Enclosure:
        """P(0 <= Y <= u) for Y of the density e^(-|y|)/2."""
        if u > 1:
            return _HALF - laplace_tail(u, precision)  # proof: far
        return -_HALF * expm1(-u, precision)  # proof: near


@attrs.frozen
class GaussianNoise(NoiseLaw):
    """Gaussian noise."""

    law = GAUSSIAN

    def tolerance(self, scale: mpq, flakiness: Any) -> float:
        """As `gaussian_tolerance`."""
        return gaussian_tolerance(scale, flakiness)

    def discrete_tolerance(self, scale: mpq, flakiness: Any) -> int | float:
        """As `discrete_gaussian_tolerance`."""
        return discrete_gaussian_tolerance(scale, flakiness)

    def complementary(self, scale: mpq, flakiness: float) -> float:
        """As `complementary_gaussian_tolerance`."""
        return complementary_gaussian_tolerance(scale, flakiness)

    def discrete_tail(self, steps: int, scale: mpq, precision: int) -> Enclosure:
        """As `discrete_gaussian_tail`."""
        return discrete_gaussian_tail(steps, scale, precision)

    def central(self, u: mpq, precision: int) -> Enclosure:
        """P(0 <= Y <= u) for Y standard normal."""
        if u > 1:
            return _HALF - gaussian_tail(u, precision)  # proof: far
        root = sqrt(u * u * _HALF, precision)
        return _HALF * erf(root, precision)  # proof: near


_LAWS: dict[Any, NoiseLaw] = {
    make_laplace: LaplaceNoise(),
    make_gaussian: GaussianNoise(),
    make_geometric: LaplaceNoise(),
    make_snapping: LaplaceNoise(),
}


def law_added_by(make: Any) -> NoiseLaw | None:
    """Return the law of the noise that a constructor adds, if it is stated."""
    return _LAWS.get(make)


def state_noise(make: Callable[..., Any], law: NoiseLaw) -> None:
    """Register the law of the noise that a constructor of one's own adds.

    It takes the arguments `input_domain`, `input_metric` and `scale`, and maybe `k` and
    `bounds`, as `make_laplace` and `make_geometric` do. What is stated of the
    library's constructors stays.
    """
    _LAWS.setdefault(make, law)
