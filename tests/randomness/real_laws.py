"""The laws of rounded real noise, enclosed: of one trial, and of a whole draw."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import inf

import gmpy2
from gmpy2 import mpq

from opendp_lite.exact import enclosures
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import erfc
from opendp_lite.exact.rounding import FloatFormat, round_nearest
from opendp_lite.laws.noise import LAPLACE, Law
from opendp_lite.randomness.real import RealNoise
from tests.randomness.laws import PRECISION, exponential

ROOT_HALF = enclosures.sqrt(mpq(1, 2), PRECISION)
_ULP = mpq(1, 2 ** (PRECISION - 4))
_PI = mpq(gmpy2.const_pi(PRECISION))
ROOT_HALF_PI = Enclosure(
    enclosures.sqrt((_PI - _ULP) / 2, PRECISION).lo,
    enclosures.sqrt((_PI + _ULP) / 2, PRECISION).hi,
)


def values(fmt: FloatFormat) -> list[mpq]:
    """All values m 2^e of the format, in order."""
    m = 1 << fmt.significand_bits
    exponents = range(fmt.min_exponent, fmt.max_exponent + 1)
    return sorted({k * mpq(2) ** e for k in range(1 - m, m) for e in exponents})


@cache
def above(law: Law, x: mpq | float) -> Enclosure:
    """P(Y > x) at scale 1, for x >= 0."""
    if isinstance(x, float):
        return Enclosure(0, 0)
    if law is LAPLACE:
        return exponential(-x) * mpq(1, 2)
    return mpq(1, 2) * erfc(x * ROOT_HALF, PRECISION)


def between(law: Law, x: mpq | float, y: mpq | float) -> Enclosure:
    """P(x < Y < y) at scale 1, from tails that are small."""
    if x >= 0:
        return above(law, x) - above(law, y)
    if y <= 0:
        return above(law, -y) - above(law, -x)
    return 1 - above(law, y) - above(law, -x)


def cells(
    law: Law, shift: mpq, scale: mpq, fmt: FloatFormat
) -> dict[mpq | None, Enclosure]:
    """The probability of each value: that of the reals between two midpoints.

    The cells of the extreme values reach to infinity. Whether a midpoint belongs to
    the cell below or above does not matter, as it has probability 0.
    """
    ordered = values(fmt)
    middles = [(a + b) / 2 for a, b in pairwise(ordered)]
    edges = [-inf, *((b - shift) / scale for b in middles), inf]
    return {y: between(law, *edges[i : i + 2]) for i, y in enumerate(ordered)}  # type: ignore[arg-type]


@cache
def acceptance(law: Law, block_bits: int) -> Enclosure:
    """The probability that a trial accepts: an integral over a sum.

    With the weights e^(-rate t^power) in units of a block it is the integral over t > 0
    divided by the sum over t = 0, 1, 2, ...; rate is that of scale 2^block_bits.
    """
    unit = mpq(2) ** block_bits
    if law is LAPLACE:
        return unit * (1 - exponential(-1 / unit))
    count = 40 << block_bits
    rate = 1 / (2 * unit * unit)
    total = sum((exponential(-rate * y * y) for y in range(count)), Enclosure(0, 0))
    # The terms behind are less than those of a geometric series of ratio 1/2.
    total += Enclosure(0, 2 * exponential(-rate * count * count).hi)
    return unit * ROOT_HALF_PI / total


def trial_law(
    law: Law, shift: mpq, scale: mpq, fmt: FloatFormat, block_bits: int
) -> dict[mpq | None, Enclosure]:
    """The law of one trial, rounded; None stands for a rejected one."""
    accepted = acceptance(law, block_bits)
    found = {y: p * accepted for y, p in cells(law, shift, scale, fmt).items()}
    return {**found, None: 1 - accepted}


def thin_noise(law: Law, scale: mpq) -> RealNoise:
    """The noise with blocks of an eighth of the scale, and not of a 64th.

    The law is the same, and the bit tree of a whole draw is a tenth of the size: blocks
    are found in fewer bits, and few trials are refused.
    """
    return RealNoise(law, scale, 3)


@cache
def rounder(fmt: FloatFormat) -> Callable[[int, int], mpq]:
    """How a/b is rounded to the format; a tree asks for the same again and again."""
    return cache(lambda a, b: round_nearest(mpq(a, b), fmt))


def rounded_trial(noise: RealNoise, shift: mpq, fmt: FloatFormat) -> mpq | None:
    """One trial, rounded as `sample` does it."""
    found = noise.trial()
    if found is None:
        return None
    n, d = int(shift.numerator), int(shift.denominator)
    return noise.finish(n, d, *found, rounder(fmt))
