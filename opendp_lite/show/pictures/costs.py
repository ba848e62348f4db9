"""A picture of accuracies: how near releases are, for the epsilon that they cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, TypeAlias

from gmpy2 import mpq

from opendp_lite.base.aliases import Distance, ExactNumber
from opendp_lite.base.arguments import (
    alpha_argument,
    check_type,
    pair_argument,
    rational_argument,
)
from opendp_lite.base.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import approximate, max_divergence
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.exact.rationals import to_fraction, to_mpq, to_target
from opendp_lite.show.pictures.figures import (
    Axes,
    ThemeName,
    label_axes,
    new_figure,
    put_legend,
    several_argument,
    theme_argument,
    title_argument,
)
from opendp_lite.solving.casts import cast, casts_to
from opendp_lite.solving.search import binary_search_chain

_PURE, _PAIR = max_divergence(), approximate(max_divergence())
_POINTS = 16
_STRAIGHT = 1.04  # by this factor the square of a middle may miss that of its ends
_WHOLE = 25  # beyond this steps of 1 are not seen
_NARROW = 1.003  # between points that are nearer nothing more is looked for
_FIX = "Pass for example {'Laplace': lambda scale: space >> then_laplace(scale)}"
_DELTA_FIX = "Pass a probability above 0, such as delta=1e-6"
_RANGE_FIX = "Pass for example epsilons=(0.1, 10)"
Made: TypeAlias = Callable[[Any], Measurement]
Point: TypeAlias = tuple[float, float]


def accuracies(
    mechanisms: Made | Mapping[str, Made],
    d_in: Distance,
    epsilons: tuple[ExactNumber, ExactNumber] = (0.1, 10),
    alpha: ExactNumber = "0.05",
    delta: ExactNumber | None = None,
    theme: ThemeName = "light",
    ax: Axes | None = None,
    title: str | None = None,
) -> Any:
    """Return a picture of accuracies against epsilon, of one mechanism or of several.

    At each epsilon the parameter is found with which a mechanism loses so much and no
    more, by `binary_search_chain`, and what is drawn is the accuracy that the
    measurement then tells. Where an accuracy jumps, as that of snapping does where its
    steps double, the curve is upright.

    :param mechanisms: a function from a parameter, such as a scale, to a measurement,
        or a mapping from names to functions
    :param d_in: the distance of the inputs
    :param epsilons: the least and the greatest epsilon, exact numbers above 0
    :param alpha: the level of the accuracy, above 0 and at most 1, exact
    :param delta: what may be lost besides epsilon; without it measurements must be pure
    :param theme: "light" or "dark"
    :param ax: the axes of matplotlib that are drawn into; those of a new figure by
        default
    :param title: in place of the usual one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> figure = accuracies(lambda scale: dp.m.make_laplace(*space, scale), d_in=1)
    >>> figure.axes[0].get_xlabel()
    'epsilon'
    """
    colours = theme_argument(theme)
    compared = _made(mechanisms)
    alpha_argument(alpha)
    least, most = _range(epsilons)
    share = None if delta is None else _delta(delta)
    usual = f"Accuracy at alpha = {_number(alpha)}"
    if share is not None:
        usual += f", with delta = {_number(share)}"
    heading = title_argument(title, usual)
    curves = {
        name: _curve(_Asked(name, make, d_in, alpha, share), least, most)
        for name, make in compared.items()
    }
    figure, (axes,) = new_figure(colours, ax=ax)
    lines = []
    for i, (name, points) in enumerate(curves.items()):
        (line,) = axes.plot(*zip(*points, strict=True), **colours.line(i))
        line.set_label(name)
        lines.append(line)
    axes.set(xscale="log", yscale="log", xlim=(least, most))
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(subs=(1, 2, 5))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")
    if "" not in curves:
        put_legend(axes, colours, lines)
    label_axes(
        axes, colours, heading, "epsilon", "accuracy: how far off a release may be"
    )
    return figure


class _Asked:
    """A mechanism, asked for its accuracy at an epsilon."""

    def __init__(
        self, name: str, make: Made, d_in: Distance, alpha: ExactNumber, delta: Any
    ) -> None:
        self.name, self.make, self.d_in = name, make, d_in
        self.alpha, self.delta = alpha, delta

    def __call__(self, epsilon: float) -> float:
        d_out = epsilon if self.delta is None else (epsilon, self.delta)
        found = binary_search_chain(self.made, self.d_in, d_out)
        size = found.accuracy(self.alpha)
        if isinstance(size, list):
            rule = f"that of {self.name!r} makes several releases, and one is drawn"
            raise refusal("Plot", "mechanisms", self.make, rule, _FIX)
        return float(size)

    def made(self, param: float) -> Measurement:
        """Return the measurement of a parameter, under the measure that is asked."""
        found = self.make(param)
        check_type("Plot", "mechanisms", found, Measurement, _FIX)
        measure = found.output_measure
        if self.delta is not None and casts_to(measure, _PAIR):
            return cast(found, _PAIR, (None, self.delta))
        if self.delta is None and measure == _PURE:
            return found
        rule = f"that of {self.name!r} measures loss by {measure!r}"
        fix = _DELTA_FIX if self.delta is None else _FIX
        raise refusal("Plot", "mechanisms", self.make, rule, fix)


def _curve(ask: _Asked, least: float, most: float) -> list[Point]:
    """Return points of a curve, which are close to each other where it jumps."""
    width = mpq(ln(to_mpq(most) / to_mpq(least), 64).lo)
    factors = [exp(width * i / _POINTS, 64).lo for i in range(_POINTS)]
    places = [*(float(to_mpq(least) * factor) for factor in factors), most]
    points = [(place, ask(place)) for place in places]
    found = points[:1]
    for left, right in pairwise(points):
        found += [*_between(ask, left, right), right]
    return [(x, y) for x, y in found if 0 < y < math.inf]


def _between(ask: _Asked, left: Point, right: Point) -> list[Point]:
    """Return points between two, ever closer where the curve bends or jumps."""
    if right[0] <= left[0] * _NARROW:
        return []
    place = (left[0] + right[0]) / 2
    middle = place, ask(place)
    if _straight(left[1], middle[1], right[1]):
        return [middle]
    return [*_between(ask, left, middle), middle, *_between(ask, middle, right)]


def _straight(left: float, middle: float, right: float) -> bool:
    """Return whether nothing more is to be seen between three values."""
    if middle.is_integer() and right < _WHOLE and left.is_integer():
        return left == right  # of integers each step is seen
    ends, square = left * right, middle * middle
    return max(ends, square) <= min(ends, square) * _STRAIGHT


def _made(mechanisms: Any) -> dict[str, Made]:
    """Return the functions that are compared, by name, or refuse them."""
    if callable(mechanisms):
        return {"": mechanisms}
    found = several_argument("mechanisms", mechanisms, ())
    for name, make in found.items():
        if not callable(make):
            rule = f"that of {name!r} must be a function"
            raise refusal("Plot", "mechanisms", make, rule, _FIX)
    return found


def _range(epsilons: Any) -> tuple[float, float]:
    """Return the least and the greatest epsilon as doubles, or refuse them."""
    ends = pair_argument("Plot", "epsilons", epsilons, _RANGE_FIX)
    least, most = (
        float(rational_argument("Plot", "epsilons", end, fix=_RANGE_FIX))
        for end in ends
    )
    if not 0 < least < most:
        rule = "the first must be above 0, and the second above the first"
        raise refusal("Plot", "epsilons", epsilons, rule, _RANGE_FIX)
    return least, most


def _delta(delta: ExactNumber) -> Any:
    """Return the delta as an exact number above 0, or refuse it."""
    share = rational_argument(
        "Plot", "delta", delta, fix=_DELTA_FIX, convert=to_target, at_most=1
    )
    if share <= 0:
        raise refusal("Plot", "delta", delta, "must be above 0", _DELTA_FIX)
    return to_fraction(share)


def _number(number: ExactNumber) -> str:
    return f"{float(to_mpq(number)):.4g}"
