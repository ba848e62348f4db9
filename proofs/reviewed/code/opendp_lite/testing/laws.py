# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.laws; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.exact.elementary import expm1
from opendp_lite.exact.elementary import sqrt
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erf
from opendp_lite.laws.tails import discrete_gaussian_tail
from opendp_lite.laws.tails import discrete_laplace_tail
from opendp_lite.laws.tails import gaussian_tail
from opendp_lite.laws.tails import laplace_tail
from opendp_lite.measurements.noise.geometric import make_geometric
from opendp_lite.measurements.noise.laplace_gaussian import make_gaussian
from opendp_lite.measurements.noise.laplace_gaussian import make_laplace
from opendp_lite.measurements.snapping.snapping import make_snapping
from opendp_lite.testing.tolerances import complementary_gaussian_tolerance
from opendp_lite.testing.tolerances import complementary_laplace_tolerance
from opendp_lite.testing.tolerances import discrete_gaussian_tolerance
from opendp_lite.testing.tolerances import discrete_laplace_tolerance
from opendp_lite.testing.tolerances import gaussian_tolerance
from opendp_lite.testing.tolerances import laplace_tolerance
from typing import Any
import attrs

_HALF = mpq(1, 2)
_LAWS: dict[Any, NoiseLaw] = {
    make_laplace: LaplaceNoise(),
    make_gaussian: GaussianNoise(),
    make_geometric: LaplaceNoise(),
    make_snapping: LaplaceNoise(),
}


# === LaplaceNoise.tolerance with mpq, laplace_tolerance, Any, attrs
@attrs.frozen
class LaplaceNoise(NoiseLaw):
    def tolerance(self, scale: mpq, flakiness: Any) -> float:
        return laplace_tolerance(scale, flakiness)


# === LaplaceNoise.discrete_tolerance with mpq, discrete_laplace_tolerance, Any, attrs
@attrs.frozen
class LaplaceNoise(NoiseLaw):
    def discrete_tolerance(self, scale: mpq, flakiness: Any) -> int | float:
        return discrete_laplace_tolerance(scale, flakiness)


# === LaplaceNoise.complementary with mpq, complementary_laplace_tolerance, attrs
@attrs.frozen
class LaplaceNoise(NoiseLaw):
    def complementary(self, scale: mpq, flakiness: float) -> float:
        return complementary_laplace_tolerance(scale, flakiness)


# === LaplaceNoise.discrete_tail with mpq, Enclosure, discrete_laplace_tail, attrs
@attrs.frozen
class LaplaceNoise(NoiseLaw):
    def discrete_tail(self, steps: int, scale: mpq, precision: int) -> Enclosure:
        return discrete_laplace_tail(steps, scale, precision)


# === LaplaceNoise.central with mpq, expm1, Enclosure, laplace_tail, attrs, _HALF
@attrs.frozen
class LaplaceNoise(NoiseLaw):
    def central(self, u: mpq, precision: int) -> Enclosure:
        if u > 1:
            return _HALF - laplace_tail(u, precision)
        return -_HALF * expm1(-u, precision)


# === GaussianNoise.tolerance with mpq, gaussian_tolerance, Any, attrs
@attrs.frozen
class GaussianNoise(NoiseLaw):
    def tolerance(self, scale: mpq, flakiness: Any) -> float:
        return gaussian_tolerance(scale, flakiness)


# === GaussianNoise.discrete_tolerance with mpq, discrete_gaussian_tolerance, Any, attrs
@attrs.frozen
class GaussianNoise(NoiseLaw):
    def discrete_tolerance(self, scale: mpq, flakiness: Any) -> int | float:
        return discrete_gaussian_tolerance(scale, flakiness)


# === GaussianNoise.complementary with mpq, complementary_gaussian_tolerance, attrs
@attrs.frozen
class GaussianNoise(NoiseLaw):
    def complementary(self, scale: mpq, flakiness: float) -> float:
        return complementary_gaussian_tolerance(scale, flakiness)


# === GaussianNoise.discrete_tail with mpq, Enclosure, discrete_gaussian_tail, attrs
@attrs.frozen
class GaussianNoise(NoiseLaw):
    def discrete_tail(self, steps: int, scale: mpq, precision: int) -> Enclosure:
        return discrete_gaussian_tail(steps, scale, precision)


# === GaussianNoise.central with mpq, sqrt, Enclosure, erf, gaussian_tail, attrs, _HALF
@attrs.frozen
class GaussianNoise(NoiseLaw):
    def central(self, u: mpq, precision: int) -> Enclosure:
        if u > 1:
            return _HALF - gaussian_tail(u, precision)
        root = sqrt(u * u * _HALF, precision)
        return _HALF * erf(root, precision)


# === law_added_by with make_geometric, make_gaussian, make_laplace, make_snapping, Any,
#    _LAWS
def law_added_by(make: Any) -> NoiseLaw | None:
    return _LAWS.get(make)


# === state_noise with Callable, make_geometric, make_gaussian, make_laplace,
#    make_snapping, Any, _LAWS
def state_noise(make: Callable[..., Any], law: NoiseLaw) -> None:
    _LAWS.setdefault(make, law)
