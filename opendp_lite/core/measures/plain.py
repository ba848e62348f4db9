"""Pure and zero-concentrated differential privacy: the loss is one exact number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.core.measures.measure import Measure
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import Extended


@attrs.frozen(repr=False)
class MaxDivergence(Measure):
    """Pure differential privacy: P(S) <= e^epsilon P'(S) for every event S."""

    @property
    def processed(self) -> bool:
        """It obeys the data processing inequality."""
        return True

    def divergence(self, p: Mapping[Any, mpq], q: Mapping[Any, mpq]) -> Extended:
        """Return a certified upper bound on max ln(p(y)/q(y)) for finite laws.

        >>> from gmpy2 import mpq
        >>> MaxDivergence().divergence({0: mpq(1)}, {0: mpq(1)})
        0
        """
        worst = mpq(0)
        for outcome, mass in p.items():
            if mass > 0:
                other = q.get(outcome, mpq(0))
                if other <= 0:
                    return math.inf
                worst = max(worst, mass / other)
        if worst <= 1:
            return 0
        return upper_bound(lambda precision: ln(worst, precision))


def max_divergence() -> MaxDivergence:
    """Return the measure of pure differential privacy.

    >>> max_divergence()
    MaxDivergence()
    """
    return MaxDivergence()


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
