"""What is released of a mean whose size is not public: estimates and intervals."""

from __future__ import annotations

import math
from fractions import Fraction

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.data.identity import Shown
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_down, round_up, to_double
from opendp_lite.measurements.noise.accuracies import (
    discrete_gaussian_scale_to_accuracy,
    discrete_laplacian_scale_to_accuracy,
)

_HALF = mpq(1, 2)


@attrs.frozen(repr=False)
class MeanEstimate(Shown):
    """A release of `make_private_mean`: a noisy mean, with the sum and count behind it.

    With [L, U] the `bounds` and w `steps` of them, each row x has (x - L) w / (U - L)
    steps above L and the others below U; `above` and `below` are the totals of these
    over all rows, each with noise of `scale`, in steps. All else is computed from them.
    """

    above: int
    below: int
    bounds: tuple[Fraction, Fraction]
    steps: int
    scale: Fraction
    gaussian: bool

    @property
    def count(self) -> float:
        """The number of rows, estimated without bias."""
        return to_double(mpq(self.above + self.below, self.steps))  # proof: count

    @property
    def sum(self) -> float:
        """The sum of the rows, estimated without bias."""
        L, U = map(to_mpq, self.bounds)
        return to_double((U * self.above + L * self.below) / self.steps)  # proof: sum

    @property
    def mean(self) -> float:
        """The mean of the rows: the double next to a number within the bounds.

        It is their middle if no row is seen.
        """
        above, below = max(self.above, 0), max(self.below, 0)  # proof: parts
        share = mpq(above, above + below) if above + below else _HALF  # proof: share
        return to_double(self._at(share))  # proof: mean

    def interval(self, alpha: ExactNumber) -> tuple[float, float]:
        """Return an interval that misses the bounded data's mean with chance <= alpha.

        The chance is that of the noise, for fixed data, with a row at least: P(lower
        <= m <= upper) >= 1 - alpha, where m is the exact mean of the rows of the data
        set, brought into the bounds, and floats onto the grid. What a sample says of a
        population is not part of it. Noise beyond the accuracy at alpha / 2 in `above`
        or in `below` is what alpha is spent on.

        :param alpha: above 0 and below 1, exact: int, float, Fraction, Decimal or text
        """
        fix = "Pass the probability of missing the mean, such as alpha=0.05"
        level = rational_argument("InvalidDistance", "alpha", alpha, fix=fix)
        if not 0 < level < 1:  # proof: level
            rule = "must be above 0 and below 1"
            raise refusal("InvalidDistance", "alpha", alpha, rule, fix)
        bound = (
            discrete_gaussian_scale_to_accuracy
            if self.gaussian
            else discrete_laplacian_scale_to_accuracy
        )
        accuracy = bound(self.scale, level * _HALF)  # proof: accuracy
        if accuracy == math.inf:  # proof: nothing
            return round_down(self._at(mpq(0))), round_up(self._at(mpq(1)))
        t = math.floor(accuracy)  # proof: whole
        above, below = (
            (max(part - t, 0), max(part + t, 0)) for part in (self.above, self.below)
        )  # proof: ranges
        least = mpq(above[0], max(above[0] + below[1], 1))  # proof: least
        rest = mpq(below[0], max(above[1] + below[0], 1))  # proof: rest
        lower, upper = self._at(least), self._at(1 - rest)
        return round_down(lower), round_up(upper)  # proof: ends

    def _at(self, share: mpq) -> mpq:
        """Return the number that has this share of the bounds below it."""
        L, U = map(to_mpq, self.bounds)
        return L + share * (U - L)  # proof: at

    def __repr__(self) -> str:
        return f"MeanEstimate(mean={self.mean}, sum={self.sum}, count={self.count})"
