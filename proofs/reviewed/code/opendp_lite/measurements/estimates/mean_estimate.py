# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.estimates.mean_estimate; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from fractions import Fraction
from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.data.identity import Shown
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.noise.accuracies import discrete_gaussian_scale_to_accuracy
from opendp_lite.measurements.noise.accuracies import discrete_laplacian_scale_to_accuracy
import attrs
import math

_HALF = mpq(1, 2)
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber


# === MeanEstimate.count with mpq, Shown, to_double, attrs
@attrs.frozen(repr=False)
class MeanEstimate(Shown):
    above: int
    below: int
    steps: int
    @property
    def count(self) -> float:
        return to_double(mpq(self.above + self.below, self.steps))


# === MeanEstimate.sum with Fraction, Shown, to_mpq, to_double, attrs
@attrs.frozen(repr=False)
class MeanEstimate(Shown):
    above: int
    below: int
    bounds: tuple[Fraction, Fraction]
    steps: int
    @property
    def sum(self) -> float:
        L, U = map(to_mpq, self.bounds)
        return to_double((U * self.above + L * self.below) / self.steps)


# === MeanEstimate.mean with mpq, Shown, to_double, attrs, _HALF
@attrs.frozen(repr=False)
class MeanEstimate(Shown):
    above: int
    below: int
    @property
    def mean(self) -> float:
        above, below = max(self.above, 0), max(self.below, 0)
        share = mpq(above, above + below) if above + below else _HALF
        return to_double(self._at(share))


# === MeanEstimate.interval with Fraction, mpq, ExactNumber, rational_argument, refusal,
#    Shown, round_down, round_up, discrete_gaussian_scale_to_accuracy,
#    discrete_laplacian_scale_to_accuracy, attrs, math, ?,
#    opendp_lite.base.aliases.ExactNumber, _HALF
@attrs.frozen(repr=False)
class MeanEstimate(Shown):
    above: int
    below: int
    scale: Fraction
    gaussian: bool
    def interval(self, alpha: ExactNumber) -> tuple[float, float]:
        fix = "Pass the probability of missing the mean, such as alpha=0.05"
        level = rational_argument("InvalidDistance", "alpha", alpha, fix=fix)
        if not 0 < level < 1:
            rule = "must be above 0 and below 1"
            raise refusal("InvalidDistance", "alpha", alpha, rule, fix)
        bound = (
            discrete_gaussian_scale_to_accuracy
            if self.gaussian
            else discrete_laplacian_scale_to_accuracy
        )
        accuracy = bound(self.scale, level * _HALF)
        if accuracy == math.inf:
            return round_down(self._at(mpq(0))), round_up(self._at(mpq(1)))
        t = math.floor(accuracy)
        above, below = (
            (max(part - t, 0), max(part + t, 0)) for part in (self.above, self.below)
        )
        least = mpq(above[0], max(above[0] + below[1], 1))
        rest = mpq(below[0], max(above[1] + below[0], 1))
        lower, upper = self._at(least), self._at(1 - rest)
        return round_down(lower), round_up(upper)


# === MeanEstimate._at with Fraction, mpq, Shown, to_mpq, attrs
@attrs.frozen(repr=False)
class MeanEstimate(Shown):
    bounds: tuple[Fraction, Fraction]
    def _at(self, share: mpq) -> mpq:
        L, U = map(to_mpq, self.bounds)
        return L + share * (U - L)
