"""What is drawn of noise: probabilities of single values, and of cells between edges.

All numbers come from the laws of the library, by enclosures: a cell is as high as its
probability over its width, so that the areas are probabilities.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import Arguments, ExactNumber, Value
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.exact.grids import (
    ceil_multiple,
    floor_multiple,
    nearest_multiple,
    power_of_two,
)
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.laws.tails import (
    discrete_gaussian_tail,
    discrete_laplace_tail,
    gaussian_tail,
    laplace_tail,
)
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.measurements.canonical.canonical_noise import check_target
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.measurements.noise.additive import check_grid, check_scale, check_space
from opendp_lite.measurements.snapping.arguments import lattice_argument
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.snapping_law import index_probability
from opendp_lite.show.releases import noise_of

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


@attrs.frozen
class _Added:
    """Noise of a law and scale, added to `start`: real, or a number of steps.

    What lies beyond the ends, if there are any, is released as the end. `place` is the
    number before it was rounded to the grid.
    """

    law: Law
    scale: mpq
    step: mpq | None
    place: mpq
    start: mpq
    ends: tuple[mpq, mpq] | None
    whole: bool

    @property
    def title(self) -> str:
        name = f"{self.law.name} noise, scale {_short(self.scale)}"
        if self.whole and self.step == 1:
            name = f"Integer {name}"
        elif self.step is not None:
            name += f", on multiples of {_short(self.step)}"
        return name + ("" if self.ends is None else f", bounds {_pair(self.ends)}")

    def drawn(self, reach: mpq) -> Drawn:
        """Return what is to be seen up to so far from the place."""
        if self.scale == 0:
            return Drawn(bars=((self.start, _ONE),), step=self.step)
        if self.step is None:
            edges = _even(reach)
            heights = _heights(edges, lambda y: self._tail(y / self.scale))
            return Drawn((), tuple(self.place + y for y in edges), heights)
        return self._steps(self.step, reach)

    def _steps(self, step: mpq, reach: mpq) -> Drawn:
        """Return a bar for each step, or cells of many steps."""
        first = ceil_multiple((self.place - reach - self.start) / step, 0)
        last = floor_multiple((self.place + reach - self.start) / step, 0)
        low, high = self._last_steps(step)
        if low is not None:
            first, last = max(first, low), min(last, high)

        def tail(n: int) -> Enclosure:
            if low is not None and not low < n <= high:
                return Enclosure(n <= low, n <= low)
            return self._count(n)

        return _in_steps(self.start, step, (first, last), tail)

    def _last_steps(self, step: mpq) -> tuple[int | None, int]:
        """Return the steps that lead to the ends; without ends, none."""
        if self.ends is None:
            return None, 0
        lower, upper = self.ends
        return int((lower - self.start) / step), int((upper - self.start) / step)

    def _tail(self, u: mpq) -> Enclosure:
        """P(Y >= u) for real noise Y of scale 1."""
        tail = laplace_tail if self.law.power == 1 else gaussian_tail
        return tail(u, _PRECISION)

    def _count(self, n: int) -> Enclosure:
        """P(Z >= n) for noise of Z steps."""
        tail = discrete_laplace_tail if self.law.power == 1 else discrete_gaussian_tail
        return tail(n, self.scale / (self.step or _ONE), _PRECISION)


@attrs.frozen
class _Canonical:
    """Canonical noise for a tradeoff; `unit` is the sensitivity, which may be 0."""

    unit: mpq
    tradeoff: Any
    place: mpq
    about: str
    step: mpq | None

    @property
    def title(self) -> str:
        name = "Canonical noise" if self.step is None else "Integer canonical noise"
        return f"{name} at distance {_short(self.unit)}, {self.about}"

    @property
    def noise(self) -> CanonicalRV:
        """The law, around 0."""
        return CanonicalRV(_ZERO, self.unit, self.tradeoff, self.tradeoff.fixed_point)

    def drawn(self, reach: mpq) -> Drawn:
        """Return what is to be seen up to so far from the place."""
        if self.unit == 0:
            return Drawn(bars=((self.place, _ONE),), step=self.step)
        noise = self.noise
        if self.step is not None:  # the noise is rounded to integers
            most = floor_multiple(reach, 0)
            ends = -most, most
            return _in_steps(
                self.place, self.step, ends, lambda n: noise.cdf(_HALF - n, _PRECISION)
            )
        steps = floor_multiple(reach / self.unit + _HALF, 0)
        # That of (epsilon, delta) has a constant density from each edge to the next.
        if type(self.tradeoff) is ApproximateTradeoff and 2 * steps <= _CELLS:
            inner = [self.unit * mpq(2 * i - 1, 2) for i in range(1 - steps, steps + 1)]
            end = min(mpq(reach), *_finite(noise.support(_PRECISION)[1]))
            edges = [-end, *(y for y in inner if abs(y) < end), end]
        else:
            edges = _even(reach)
        heights = _heights(edges, lambda y: noise.cdf(-y, _PRECISION))
        return Drawn((), tuple(self.place + y for y in edges), heights)


@attrs.frozen
class _Snapped:
    """The snapping mechanism, in exact arithmetic."""

    lattice: Lattice
    place: mpq

    @property
    def step(self) -> mpq:
        """The distance of what is released."""
        return self.lattice.step

    @property
    def title(self) -> str:
        lattice = self.lattice
        steps = f"steps of {_short(lattice.step)}"
        ends = _pair((lattice.lower, lattice.upper))
        return f"Snapping, scale {_short(lattice.scale)}, {steps}, bounds {ends}"

    def drawn(self, reach: mpq) -> Drawn:
        """Return what is to be seen up to so far from the place."""
        lattice = self.lattice
        offset = lattice.offset(self.place)
        found: dict[float, Enclosure] = {}
        first, last = (lattice.index(offset + y) for y in (-reach, reach))
        for index in range(first, last + 1):
            value = lattice.released(index)
            mass = index_probability(lattice, offset, index, _PRECISION)
            found[value] = found[value] + mass if value in found else mass
        bars = tuple((to_mpq(value), _middle(mass)) for value, mass in found.items())
        return Drawn(bars=bars, step=lattice.step)


def noise_law(measurement: Measurement, at: ExactNumber | None) -> Any:
    """Return the law of what a measurement releases, where the exact number is `at`.

    :param measurement: a measurement that adds noise, or a chain that ends in it
    :param at: the number; by default 0, or the middle of the bounds
    """
    found = noise_of(measurement, _LAWS)
    if isinstance(found, list):
        rule = "it releases several, and one law is drawn"
        raise refusal("Plot", "measurement", measurement, rule, _SINGLE)
    make, given = found
    return _LAWS[make](given, at)


def _number(at: ExactNumber | None, otherwise: mpq, *, whole: bool = False) -> mpq:
    """Return the number to which noise is added, or refuse it."""
    if at is None:
        return otherwise
    if whole:
        fix = "Pass an integer, such as at=0; noise is added to integers"
        return mpq(integer_argument("Plot", "at", at, fix=fix))
    fix = "Pass the number to which noise is added, such as at=0"
    number: mpq = rational_argument("Plot", "at", at, fix=fix)
    return number


def _added(law: Law, given: Arguments, at: ExactNumber | None) -> _Added:
    space = check_space(law, given["input_domain"], given["input_metric"])
    whole, ends = space.atom.T is int, None
    k = check_grid(given.get("k"), space)
    if given.get("bounds") is not None:
        lower, upper = map(to_mpq, given["bounds"])
        ends = lower, upper
    middle = _ZERO
    if ends is not None:
        middle = mpq(floor_multiple((ends[0] + ends[1]) * _HALF, 0))
    place = _number(at, middle, whole=whole)
    if ends is not None:
        place = min(max(place, ends[0]), ends[1])
    step = power_of_two(k or 0) if whole or k is not None else None
    start = place if k is None else mpq(nearest_multiple(place, k)) * power_of_two(k)
    scale = check_scale(given["scale"])
    return _Added(law, scale, step, place, start, ends, whole)


def _laplace(given: Arguments, at: ExactNumber | None) -> _Added:
    return _added(LAPLACE, given, at)


def _gaussian(given: Arguments, at: ExactNumber | None) -> _Added:
    return _added(GAUSSIAN, given, at)


def _measured(given: Arguments, at: ExactNumber | None) -> _Added:
    pure = given["output_measure"] == max_divergence()
    return _added(LAPLACE if pure else GAUSSIAN, given, at)


def _snapped(given: Arguments, at: ExactNumber | None) -> _Snapped:
    lattice = lattice_argument("Plot", given["scale"], given["bounds"])
    place = _number(at, lattice.middle)
    return _Snapped(lattice, lattice.offset(place) + lattice.middle)


def _canonical(given: Arguments, at: ExactNumber | None) -> _Canonical:
    target = check_target(given["d_out"])
    about = f"(epsilon, delta) = {_pair(target)}"
    return _for_tradeoff(ApproximateTradeoff(*target), about, given, at)


def _tradeoff(given: Arguments, at: ExactNumber | None) -> _Canonical:
    tradeoff = given["tradeoff"]
    return _for_tradeoff(tradeoff, type(tradeoff).__name__, given, at)


def _for_tradeoff(
    tradeoff: Any, about: str, given: Arguments, at: ExactNumber | None
) -> _Canonical:
    whole = given["input_domain"].T is int
    place = _number(at, _ZERO, whole=whole)
    step = _ONE if whole else None
    return _Canonical(to_mpq(given["d_in"]), tradeoff, place, about, step)


_LAWS: dict[str, Callable[[dict[str, Any], ExactNumber | None], Any]] = {
    "make_canonical_noise": _canonical,
    "make_gaussian": _gaussian,
    "make_geometric": _laplace,
    "make_laplace": _laplace,
    "make_noise": _measured,
    "make_snapping": _snapped,
    "make_tradeoff_noise": _tradeoff,
    "make_user_tradeoff_noise": _tradeoff,
}


def _in_steps(
    start: mpq, step: mpq, ends: tuple[int, int], tail: Callable[[int], Enclosure]
) -> Drawn:
    """Return a bar for each step, or cells of many; `tail` is the mass from a step on.

    `ends` are the first and the last step.
    """
    first, last = ends
    size = -(-(last - first + 1) // _BARS)  # steps in a cell
    counts = [*range(first, last + 1, size), last + 1]
    beyond = [tail(n) for n in counts]
    masses = [_middle(p - q) for p, q in pairwise(beyond)]
    if size == 1:
        places = [start + n * step for n in counts]
        return Drawn(bars=tuple(zip(places, masses, strict=False)), step=step)
    widths = [n - m for m, n in pairwise(counts)]
    edges = tuple(start + (n - _HALF) * step for n in counts)
    heights = tuple(p / n for p, n in zip(masses, widths, strict=True))
    return Drawn((), edges, heights, step)


def _even(reach: mpq) -> list[mpq]:
    """Edges of cells of one width, around 0."""
    return [reach * mpq(2 * i - _CELLS, _CELLS) for i in range(_CELLS + 1)]


def _heights(edges: list[mpq], tail: Callable[[mpq], Enclosure]) -> tuple[mpq, ...]:
    """Return the probabilities of the cells over their widths, by those of tails."""
    sides = pairwise(zip(edges, map(tail, edges), strict=True))
    return tuple(_middle(high - low) / (b - a) for (a, high), (b, low) in sides)


def _middle(mass: Enclosure) -> mpq:
    """The middle of an enclosure, between 0 and 1: a place on paper."""
    return min(max((mpq(mass.lo) + mpq(mass.hi)) / 2, _ZERO), _ONE)


def _finite(end: Value) -> tuple[mpq, ...]:
    return () if isinstance(end, float) else (mpq(end),)


def _short(number: mpq) -> str:
    return f"{float(number):.6g}"


def _pair(numbers: tuple[mpq, mpq]) -> str:
    return f"({_short(numbers[0])}, {_short(numbers[1])})"
