"""Zero-concentrated differential privacy."""

from __future__ import annotations

import attrs

from opendp_lite.core.measures.measure import Measure

__all__ = [
    "ZeroConcentratedDivergence",
    "zero_concentrated_divergence",
]


@attrs.frozen(repr=False)
class ZeroConcentratedDivergence(Measure):
    """Zero-concentrated DP: D_alpha(P || P') <= rho alpha for every alpha > 1."""

    @property
    def processed(self) -> bool:
        """It obeys the data processing inequality."""
        return True


def zero_concentrated_divergence() -> ZeroConcentratedDivergence:
    """Return the measure of zero-concentrated differential privacy.

    >>> zero_concentrated_divergence()
    ZeroConcentratedDivergence()
    """
    return ZeroConcentratedDivergence()
