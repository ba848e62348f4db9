"""A law of noise that the library does not have, and a constructor that adds it.

P(Z = z) is proportional to e^(-2|z|/b): Laplace noise of half the scale. What the
sampler asks of it is its rate, and what the assertions of tests ask are five bounds.
"""

from __future__ import annotations

from typing import Any

import attrs
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import constructor
from opendp_lite.laws.noise import Law
from opendp_lite.laws.tails import discrete_laplace_tail
from opendp_lite.measurements.noise.additive import (
    check_scale,
    check_space,
    in_scales,
    releaser,
)
from opendp_lite.testing.laws import NoiseLaw, state_noise
from opendp_lite.testing.tolerances import (
    complementary_laplace_tolerance,
    discrete_laplace_tolerance,
)


@attrs.frozen
class SteepLaw(Law):
    """Two sides with the weights e^(-2|t|/b)."""

    def rate(self, scale: mpq) -> mpq:
        """Twice that of Laplace noise."""
        return mpq(2) / scale


STEEP = SteepLaw("steep", 1, 2)


class SteepNoise(NoiseLaw):
    """The bounds of the law on integers."""

    law = STEEP

    def discrete_tolerance(self, scale: mpq, flakiness: Any) -> int | float:
        """That of half the scale."""
        return discrete_laplace_tolerance(scale / 2, flakiness)

    def complementary(self, scale: mpq, flakiness: float) -> float:
        """That of half the scale."""
        return complementary_laplace_tolerance(scale / 2, flakiness)

    def discrete_tail(self, steps: int, scale: mpq, precision: int) -> Any:
        """That of half the scale."""
        return discrete_laplace_tail(steps, scale / 2, precision)


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

    function = releaser(STEEP, space, b, None)
    return Measurement(domain, function, metric, dp.max_divergence(), privacy_map)


state_noise(make_steep, SteepNoise())
