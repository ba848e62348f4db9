"""The noise of the canonical mechanisms, and enclosures of its quantiles."""

from __future__ import annotations

import math
import sys
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure, decide
from opendp_lite.laws.noise import Noise, write_short
from opendp_lite.laws.tradeoff import (
    ApproximateTradeoff,
    EnclosedPowers,
    Tradeoff,
)
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_FINE = mpq(2**60)


@attrs.frozen
class CanonicalNoise(Noise):
    """`d_in` times canonical noise for a tradeoff; the release is rounded.

    `whole` says that the release is the nearest integer, and not the nearest double.

    Proof: proofs/measurements/CanonicalNoise.quantile.tex
    """

    d_in: mpq
    tradeoff: Tradeoff
    whole: bool

    @property
    def title(self) -> str:
        """The distance of neighbours, and the tradeoff."""
        name = "Integer canonical noise" if self.whole else "Canonical noise"
        about = type(self.tradeoff).__name__
        if isinstance(self.tradeoff, ApproximateTradeoff):
            powers, delta = self.tradeoff.exponential, self.tradeoff.delta
            if isinstance(powers, EnclosedPowers):
                pair = f"{write_short(powers.epsilon)}, {write_short(delta)}"
                about = f"(epsilon, delta) = ({pair})"
        return f"{name} at distance {write_short(self.d_in)}, {about}"

    @property
    def step(self) -> mpq | None:
        """1 where integers are released."""
        return _ONE if self.whole else None

    def replace_infinity(self, number: Any) -> Any:
        """Return the last double in the place of an infinite number."""
        if number in (math.inf, -math.inf):
            return math.copysign(sys.float_info.max, number)  # proof: infinite
        return number

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        """Enclose P(N > distance)."""
        if self.d_in == 0:
            return Enclosure(_ZERO, _ZERO)  # proof: none
        law = _law_of(self.tradeoff, self.d_in)
        return law.cdf(-distance, precision)  # proof: law

    def quantile(self, level: mpq) -> mpq:
        """Return the quantile of the noise at 1 - level/2, or a little more.

        Where integers are released it is the integer nearest to that, ties upward.
        """
        if self.d_in == 0 or level == 1:
            return _ZERO  # proof: zero
        found = enclose_quantile(self.tradeoff, self.d_in, _ONE - level / _TWO)
        bound = mpq(found.hi)  # proof: bound
        return mpq(nearest_multiple(bound, 0)) if self.whole else bound  # proof: whole


def enclose_quantile(tradeoff: Tradeoff, scale: mpq, u: mpq) -> Enclosure:
    """Enclose the quantile at u of scale N, 1/2 < u < 1, to 60 bits or more.

    N is canonical noise for the tradeoff, and the scale is above 0.
    """
    noise = _law_of(tradeoff, scale)  # proof: law

    def narrow(value: Enclosure) -> Enclosure | None:
        return value if mpq(value.width) * _FINE <= value.lo else None  # proof: narrow

    return decide(
        lambda precision: noise.quantile(u, precision), narrow
    )  # proof: decide


def _law_of(tradeoff: Tradeoff, scale: mpq) -> CanonicalRV:
    """Return the law of scale N."""
    return CanonicalRV(_ZERO, scale, tradeoff, tradeoff.fixed_point)
