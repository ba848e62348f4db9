"""The laws of noise, and what the noise of a measurement says of its releases."""

from __future__ import annotations

import math
import sys
from typing import Any, Final, Literal, Self, TypeAlias

import attrs
from gmpy2 import mpfr, mpq

from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_up, to_double

LARGEST = mpq(sys.float_info.max)
_HALF = mpq(1, 2)


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


class Noise:
    """The noise N of a measurement, which a derived class describes.

    A number x is moved to `start(x)`, N is added, and the sum is rounded to what can be
    released. The law of N is symmetric about 0 and does not depend on x. The entries of
    a vector, and the values of a map, have independent noise of this law.

    A derived class gives `title`, `tail` and `quantile`. It says otherwise where these
    are not true: doubles are released, each the nearest to x + N, and N has no atoms.
    Accuracies, the assertions of `opendp_lite.testing` and pictures follow from that.

    Proof: proofs/lemmas/noise-laws.tex
    """

    @property
    def title(self) -> str:
        """The name of the noise and its parameters, for people."""
        raise NotImplementedError

    @property
    def scale(self) -> mpq | None:
        """The scale, or None for noise that has none."""
        return None

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        """Enclose P(N > distance), for a distance of at least 0.

        The enclosure becomes narrower as the precision grows.
        """
        raise NotImplementedError

    def quantile(self, level: mpq) -> mpq | float:
        """Return a t, maybe infinite, with P(|r - c| > t) <= level, for every x.

        Here r is the release, before it is rounded to a double, and c is `start(x)`,
        moved to the ends. The level is above 0 and at most 1.
        """
        raise NotImplementedError

    @property
    def form(self) -> Literal["number", "vector", "map"]:
        """What is released: a number, a vector, or the values of some keys."""
        return "number"

    @property
    def size(self) -> int | None:
        """The number of entries of a vector, or None if it is not known."""
        return None

    @property
    def whole(self) -> bool:
        """Whether integers are released, and not doubles."""
        return False

    @property
    def step(self) -> mpq | None:
        """The distance of two values that can be released; None for any double.

        Noise that has atoms is added on multiples of this step.
        """
        return None

    @property
    def ends(self) -> tuple[mpq, mpq] | None:
        """The least and the greatest number: what is beyond is released as the end."""
        return None if self.whole else (-LARGEST, LARGEST)

    @property
    def shift(self) -> mpq:
        """How far `start(x)` is from x at most, if x is not beyond the ends."""
        return mpq(0)

    def in_array(self) -> Self:
        """Return the noise of a release that is an array of numpy."""
        return self

    def replace_infinity(self, number: Any) -> Any:
        """Return the number to which noise is added in the place of an infinite one."""
        return number

    def start(self, number: mpq) -> mpq:
        """Return the number to which noise is added."""
        return number

    def origin(self, start: mpq) -> mpq:
        """Return a number from which all that is released is whole steps away."""
        return start

    def clamp_to_ends(self, number: mpq) -> mpq:
        """Return the number, moved to the nearer end if it is beyond the ends."""
        if self.ends is None:
            return number  # proof: free
        lower, upper = self.ends
        moved: mpq = min(max(number, lower), upper)  # proof: ends
        return moved

    def measure_rounding(self, start: mpq) -> mpq:
        """Return how far from the start a release without noise is, or 0.

        Of doubles next to each other it is 0: the nearest is meant.
        """
        return mpq(0)

    def margins(self, start: mpq, reach: mpq) -> tuple[mpq | None, mpq | None]:
        """Return how far down and up N may go and leave the release within reach.

        None stands for any distance. Where doubles next to each other are released, the
        reach is 0, and the release is left the double nearest to the start.
        """
        if self.whole:
            if start != self.clamp_to_ends(start):  # proof: saturated
                return None, None
            far = reach + (self.step or mpq(1)) * _HALF  # proof: half-step
            lower, upper = self.ends or (-math.inf, math.inf)
            down = far if start - reach > lower else None  # proof: below
            up = far if start + reach < upper else None  # proof: above
            return down, up
        double = to_double(start)
        lower, upper = self.ends or (-LARGEST, LARGEST)
        down = up = None
        if double > lower:
            down = start - _middle(double, -math.inf)  # proof: down
        if double < upper:
            up = _middle(double, math.inf) - start  # proof: up
        return down, up

    def enclose_within(self, start: mpq, reach: mpq, precision: int) -> Enclosure:
        """Enclose the probability that the release is within the `margins`."""
        inside = Enclosure(1, 1)
        for margin in self.margins(start, reach):
            if margin is not None:
                inside -= self.tail(margin, precision)  # proof: beyond
        return inside

    @property
    def is_zero(self) -> bool:
        """Whether no noise is added at all."""
        return bool(self.tail(mpq(0), 64).hi == 0)  # proof: zero

    def accuracy(self, level: mpq) -> float:
        """Return how near a release is to the number, see `Measurement.accuracy`."""
        bound = self.quantile(level)  # proof: bound
        return math.inf if bound == math.inf else round_up(mpq(bound) + self.shift)


UNRELEASED: Final = "unreleased"
"""The noise of a part of a tuple of which nothing is released."""

Noises: TypeAlias = Noise | tuple[Any, ...] | None
"""The noise of a release, or of each of several; None where it is not stated."""


def _middle(double: float, direction: float) -> mpq:
    """Return the middle between a double and the next one in a direction."""
    neighbour = math.nextafter(double, direction)
    return (mpq(double) + mpq(neighbour)) * _HALF  # proof: middle


def write_short(number: mpq) -> str:
    """Return a number as text of six digits, also beyond the range of doubles.

    >>> write_short(mpq(1, 3)), write_short(mpq(10**400)), write_short(mpq(1, 10**400))
    ('0.333333', '1e+400', '1e-400')
    """
    if number == 0 or 1 / LARGEST <= abs(number) <= LARGEST:
        return f"{float(number):.6g}"
    return f"{mpfr(number):.6g}"
