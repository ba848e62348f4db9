"""Tolerances of canonical noise, at a stated flakiness, and what tests know of it."""

from __future__ import annotations

import math
import sys
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber, Loss, Release, Value
from opendp_lite.base.arguments import rational_argument
from opendp_lite.exact.doubles import last_index
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.measurements.canonical.canonical_accuracy import enclose_quantile
from opendp_lite.measurements.canonical.canonical_noise import check_target
from opendp_lite.measurements.canonical.canonical_sampler import (
    ApproximateTradeoff,
    CanonicalRV,
)
from opendp_lite.testing.ledger import check_flakiness
from opendp_lite.testing.rounding import LARGEST, margins, without_rounding

_HALF = mpq(1, 2)
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_PRECISION = 256


def canonical_tolerance(
    d_in: ExactNumber, d_out: Loss, flakiness: ExactNumber
) -> float:
    """Return a double t with P(|Y| > t) <= f, Y the noise of `make_canonical_noise`.

    It is the quantile of Y at 1 - f/2, where f is `flakiness`, rounded up. The rounding
    of a release to a double comes on top.

    :param d_in: the sensitivity, >= 0, exact: int, float, Fraction, Decimal or text
    :param d_out: (epsilon, delta), as in `make_canonical_noise`
    :param flakiness: above 0 and below 1, exact likewise

    >>> canonical_tolerance(1, (1, 0), "1e-23")
    52.95523219312151...

    Proof: proofs/testing/canonical_tolerance.tex
    """
    level = check_flakiness(flakiness)  # proof: level
    return round_up(_quantile(d_in, d_out, _ONE - level / _TWO).hi)  # proof: rounded


def complementary_canonical_tolerance(
    d_in: ExactNumber, d_out: Loss, flakiness: ExactNumber
) -> float:
    """Return a double t with P(|Y| <= t) <= f, Y the noise of `make_canonical_noise`.

    It is the quantile of Y at (1 + f)/2, where f is `flakiness`, rounded down.

    :param d_in: the sensitivity, >= 0, exact: int, float, Fraction, Decimal or text
    :param d_out: (epsilon, delta), as in `make_canonical_noise`
    :param flakiness: above 0 and below 1, exact likewise

    >>> complementary_canonical_tolerance(1, (0, "0.05"), "1/10")
    1.0

    Proof: proofs/testing/complementary_canonical_tolerance.tex
    """
    level = check_flakiness(flakiness)  # proof: level
    return round_down(
        _quantile(d_in, d_out, (_ONE + level) / _TWO).lo
    )  # proof: rounded


def _quantile(d_in: ExactNumber, d_out: Loss, u: mpq) -> Enclosure:
    """Enclose the quantile at u of the noise, 1/2 < u < 1, to 60 bits or more."""
    fix = "Pass the sensitivity of the data, such as d_in=1.0"
    scale: mpq = rational_argument(  # proof: d-in
        "InvalidDistance", "d_in", d_in, fix=fix, at_least=0
    )
    tradeoff = ApproximateTradeoff(*check_target(d_out))  # proof: d-out
    if scale == 0:
        return Enclosure(_ZERO, _ZERO)  # proof: none
    return enclose_quantile(tradeoff, scale, u)  # proof: quantile


@attrs.frozen
class CanonicalNoise:
    """The noise of `make_canonical_noise`, which is real; the release is rounded.

    `scale` is its `d_in` and `target` its `d_out`. `whole` says that the release is
    the nearest integer, and not the nearest double. One number is released, so `array`
    has no meaning here.
    """

    scale: mpq
    target: tuple[mpq, mpq]
    whole: bool = False
    array: bool = False
    vector: bool = attrs.field(default=False, init=False)
    size: int | None = attrs.field(default=None, init=False)

    def meant(self, expected: Value) -> Any:
        """What is expected: an infinite number stands for the last double."""
        if expected in (math.inf, -math.inf):
            return math.copysign(sys.float_info.max, expected)  # proof: infinite
        return expected

    def start(self, expected: Release) -> mpq:
        """The number to which noise is added."""
        return to_mpq(expected)

    def released(self, number: mpq) -> mpq:
        """The number, moved into the range of what can be released."""
        if self.whole:
            return number  # proof: unmoved
        moved: mpq = min(max(number, -LARGEST), LARGEST)  # proof: moved
        return moved

    def tolerance(self, flakiness: ExactNumber) -> mpq | float:
        """A number that noise exceeds in size with at most this probability.

        Where integers are released, it is one that the rounded noise exceeds so rarely.
        """
        size = canonical_tolerance(self.scale, self.target, flakiness)  # proof: size
        if size == math.inf:
            return size
        if self.whole:
            return mpq(nearest_multiple(mpq(size), 0))  # proof: integer
        return mpq(size)

    def quiet(self, start: mpq, flakiness: float) -> mpq | None:
        """A t for which P(|release - start| <= t) is at most this; None if none is.

        It is the greatest one for integers. For doubles it allows for the rounding of
        the release, or is 0, which stands for the double nearest to the start.
        """
        if self.same(start) > flakiness:  # proof: same
            return None
        far = complementary_canonical_tolerance(self.scale, self.target, flakiness)
        if self.whole:
            steps = last_index(lambda i: self._stays(i) <= flakiness, int(far))
            return mpq(steps)  # proof: steps
        return without_rounding(start, mpq(far))  # proof: far

    def same(self, start: mpq) -> float:
        """P(the release is what it would be without noise), rounded up."""
        if self.whole:
            return self._stays(0)  # proof: whole
        down, up = margins(start)
        inside = self._central(down) + self._central(up)  # proof: sides
        return round_up(inside.hi)

    def _stays(self, steps: int) -> float:
        """P(|release - start| <= so many), for integers; rounded up."""
        inside = _TWO * self._central(mpq(steps) + _HALF)  # proof: stays
        return round_up(inside.hi)

    def _central(self, distance: mpq | None) -> Enclosure:
        """P(0 <= noise <= distance); None stands for infinity."""
        if distance is None:
            return Enclosure(_HALF, _HALF)  # proof: unbounded
        tradeoff = ApproximateTradeoff(*self.target)
        noise = CanonicalRV(_ZERO, self.scale, tradeoff, tradeoff.fixed_point)
        return noise.cdf(distance, _PRECISION) - _HALF  # proof: law
