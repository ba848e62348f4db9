"""The laws of noise: Laplace, Gaussian and geometric."""

from __future__ import annotations

import attrs
from gmpy2 import mpq


@attrs.frozen
class Law:
    """Noise with the weights e^(-rate |t|^power), on both sides of 0 or t >= 0 only.

    The rate is 1/scale where the power is 1, and 1/(2 scale^2) where it is 2.
    """

    name: str
    power: int
    sides: int

    def rate(self, scale: mpq) -> mpq:
        """The rate of this scale, which is positive."""
        if self.power == 1:
            return mpq(1) / scale  # proof: linear-rate
        return mpq(1) / (mpq(2) * scale * scale)  # proof: square-rate


LAPLACE = Law("Laplace", 1, 2)
GAUSSIAN = Law("Gaussian", 2, 2)
GEOMETRIC = Law("geometric", 1, 1)
