"""A law of noise that the library does not have, and a constructor that adds it.

P(Z = z) is proportional to e^(-2|z|/b): Laplace noise of half the scale. The sampler
asks the law for its rate. Accuracies, the assertions of tests and pictures ask the
noise for its tail and its quantile.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import attrs
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import constructor
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.noise import Law, Noise
from opendp_lite.laws.tails import discrete_laplace_tail
from opendp_lite.measurements.noise.accuracies import (
    discrete_laplacian_scale_to_accuracy,
)
from opendp_lite.measurements.noise.additive import (
    NumberSpace,
    check_scale,
    check_space,
    in_scales,
    releaser,
)


@attrs.frozen
class SteepLaw(Law):
    """Two sides with the weights e^(-2|t|/b)."""

    def rate(self, scale: mpq) -> mpq:
        """Twice that of Laplace noise."""
        return mpq(2) / scale


STEEP = SteepLaw("steep", 1, 2)


@attrs.frozen
class SteepNoise(Noise):
    """Noise of the law, which is added to integers, one by one."""

    scale: mpq
    space: NumberSpace

    @property
    def title(self) -> str:
        """The law and the scale."""
        return f"Steep noise, scale {self.scale}"

    @property
    def form(self) -> Literal["number", "vector", "map"]:
        """A number or a vector, as the space says."""
        return "vector" if self.space.vector else "number"

    @property
    def size(self) -> int | None:
        """The number of entries, as the space says."""
        return self.space.size

    @property
    def whole(self) -> bool:
        """Integers are released."""
        return True

    @property
    def step(self) -> mpq:
        """Integers are 1 apart."""
        return mpq(1)

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        """That of Laplace noise of half the scale."""
        if self.scale == 0:
            return Enclosure(0, 0)
        steps = floor_multiple(distance, 0) + 1
        return discrete_laplace_tail(steps, self.scale / 2, precision)

    def quantile(self, level: mpq) -> mpq | float:
        """The least integer that Laplace noise of half the scale passes so rarely."""
        reach = discrete_laplacian_scale_to_accuracy(self.scale / 2, level)
        return reach if reach == math.inf else mpq(max(math.ceil(reach) - 1, 0))


@constructor(status="draft")
def make_steep(input_domain: Any, input_metric: Any, scale: Any) -> Measurement:
    """Return a measurement that adds steep noise to integers; epsilon is 2 d / b."""
    return _measurement(input_domain, input_metric, scale, 2)


@constructor(status="draft")
def make_too_steep(input_domain: Any, input_metric: Any, scale: Any) -> Measurement:
    """As `make_steep`, but with the map of Laplace noise of the whole scale: wrong."""
    return _measurement(input_domain, input_metric, scale, 1)


def _measurement(domain: Any, metric: Any, scale: Any, rate: int) -> Measurement:
    space = check_space(STEEP, domain, metric)
    b = check_scale(scale)

    def privacy_map(d_in: Any) -> Any:
        return in_scales(rate * d_in, b)

    return Measurement(
        domain,
        releaser(STEEP, space, b, None),
        metric,
        dp.max_divergence(),
        privacy_map,
        noise=SteepNoise(b, space) if rate == 2 else None,
    )
