"""What is drawn of noise: probabilities of single values, and of cells between edges.

All numbers come from the laws of the library, by enclosures: a cell is as high as its
probability over its width, so that the areas are probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.measurement import NOISE_FIX, Measurement
from opendp_lite.exact.grids import ceil_multiple, floor_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.laws.noise import Noise

_ZERO, _HALF, _ONE = mpq(0), mpq(1, 2), mpq(1)
_PRECISION = 128
_CELLS = 400  # of real noise
_BARS = 121  # integers that are drawn one by one
_SINGLE = "Pass one measurement of those it is composed of"


@attrs.frozen
class Drawn:
    """Bars at single values, with their probabilities, or cells with their heights.

    `edges` are one more than `heights`. `step` is the distance of values, None for real
    noise; the height of a cell is the mean probability of its values, or density.
    """

    bars: tuple[tuple[mpq, mpq], ...] = ()
    edges: tuple[mpq, ...] = ()
    heights: tuple[mpq, ...] = ()
    step: mpq | None = None


def noise_of(measurement: Measurement) -> Noise:
    """Return the noise that is drawn, or refuse what releases several, or a map.

    :param measurement: a measurement whose `noise` is stated
    """
    noise = measurement.noise
    if isinstance(noise, tuple):
        rule = "it releases several, and one law is drawn"
        raise refusal("Plot", "measurement", measurement, rule, _SINGLE)
    if not isinstance(noise, Noise) or noise.form == "map":
        rule = "does not say which noise is added to a number"
        raise refusal("Plot", "measurement", measurement, rule, NOISE_FIX)
    return noise


def place_of(noise: Noise, at: ExactNumber | None) -> mpq:
    """Return the number to which noise is added in the picture, within the ends.

    :param noise: what is drawn
    :param at: the number; by default 0, or the middle of the bounds
    """
    if at is None:
        middle = mpq(0) if noise.ends is None else sum(noise.ends) * _HALF
        return mpq(floor_multiple(middle, 0)) if noise.whole else middle
    if noise.whole:
        fix = "Pass an integer, such as at=0; noise is added to integers"
        number = mpq(integer_argument("Plot", "at", at, fix=fix))
    else:
        fix = "Pass the number to which noise is added, such as at=0"
        number = rational_argument("Plot", "at", at, fix=fix)
    return noise.clamp_to_ends(number)


def draw_law(noise: Noise, place: mpq, reach: mpq) -> Drawn:
    """Return what is to be seen of a release, up to so far from a number."""
    start = noise.start(place)
    if noise.is_zero:
        return Drawn(bars=((start, _ONE),), step=noise.step)

    def beyond(distance: mpq) -> Enclosure:
        """P(N > distance), at a distance that is no atom."""
        if distance < 0:
            return 1 - noise.tail(-distance, _PRECISION)
        return noise.tail(distance, _PRECISION)

    if noise.step is None:
        edges = [reach * mpq(2 * i - _CELLS, _CELLS) for i in range(_CELLS + 1)]
        sides = pairwise(zip(edges, map(beyond, edges), strict=True))
        heights = [_middle(high - low) / (b - a) for (a, high), (b, low) in sides]
        return Drawn((), tuple(place + y for y in edges), tuple(heights))
    step, origin = noise.step, noise.origin(start)
    first = ceil_multiple((place - reach - origin) / step, 0)
    last = floor_multiple((place + reach - origin) / step, 0)
    lowest, highest = -math.inf, math.inf
    if noise.ends is not None:
        lower, upper = noise.ends
        lowest = floor_multiple((lower - origin) / step, 0)
        highest = ceil_multiple((upper - origin) / step, 0)

    def tail(n: int) -> Enclosure:
        """P(what is released is n steps from the origin, or more)."""
        if not lowest < n <= highest:
            return Enclosure(n <= lowest, n <= lowest)
        return beyond(origin + (n - _HALF) * step - start)

    return _in_steps(
        noise,
        origin,
        (int(max(first, lowest)), int(min(last, highest))),
        tail,
    )


def _in_steps(
    noise: Noise,
    origin: mpq,
    ends: tuple[int, int],
    tail: Callable[[int], Enclosure],
) -> Drawn:
    """Return a bar for each step, or cells of many; `tail` is the mass from a step on.

    `ends` are the first and the last step.
    """
    first, last = ends
    step = noise.step or _ONE
    size = -(-(last - first + 1) // _BARS)  # steps in a cell
    counts = [*range(first, last + 1, size), last + 1]
    beyond = [tail(n) for n in counts]
    masses = [_middle(p - q) for p, q in pairwise(beyond)]
    if size == 1:
        places = [noise.clamp_to_ends(origin + n * step) for n in counts[:-1]]
        return Drawn(bars=tuple(zip(places, masses, strict=True)), step=step)
    widths = [n - m for m, n in pairwise(counts)]
    edges = tuple(origin + (n - _HALF) * step for n in counts)
    heights = tuple(p / n for p, n in zip(masses, widths, strict=True))
    return Drawn((), edges, heights, step)


def _middle(mass: Enclosure) -> mpq:
    """The middle of an enclosure, between 0 and 1: a place on paper."""
    return min(max((mpq(mass.lo) + mpq(mass.hi)) / 2, _ZERO), _ONE)
