"""A picture of noise: how likely each release is, and the intervals of its accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.show.pictures.figures import (
    Axes,
    Theme,
    ThemeName,
    label_axes,
    new_figure,
    rounded_up,
    theme_argument,
    title_argument,
)
from opendp_lite.show.pictures.laws import Drawn, draw_law, noise_of, place_of

_FIX = "Pass a measurement, such as space >> then_laplace(scale=1.0)"
_ALPHAS_FIX = "Pass for example alphas=[0.5, 0.05]"
_SEEN = "0.005"  # what is drawn reaches to the accuracy at this level
_TICKS = 13  # bars that are named one by one
_MOST = 4  # intervals in one picture
_LARGEST = mpq(10) ** 100


def noise(
    measurement: Measurement,
    alphas: Sequence[ExactNumber] = ("0.05",),
    at: ExactNumber | None = None,
    theme: ThemeName = "light",
    ax: Axes | None = None,
    title: str | None = None,
) -> Any:
    """Return a picture of the noise of a measurement, with its intervals.

    What is drawn is the law of the release, where the exact number is `at`: a bar for
    each value that may be released, or cells whose areas are probabilities. Above it
    are the intervals that `measurement.accuracy(alpha)` tells, of canonical noise those
    between its quantiles: a release lies outside with probability at most alpha.

    :param measurement: a measurement that adds noise (Laplace, Gaussian, geometric,
        canonical, snapping, or noise that you state), or a chain that ends in one
    :param alphas: the levels of the intervals, each above 0 and at most 1, exact: int,
        float, Fraction, Decimal or text
    :param at: the number that noise is added to, exact likewise; by default 0, or the
        middle of the bounds. It is a guess or a public number, never the data
    :param theme: "light" or "dark"
    :param ax: the axes that are drawn into; those of a new figure by default
    :param title: in place of the usual one

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> figure = noise(space >> dp.m.then_laplace(scale=2), alphas=["0.05"])
    >>> figure.axes[0].get_title(loc="left")
    'Integer Laplace noise, scale 2'
    """
    colours = theme_argument(theme)
    check_type("Plot", "measurement", measurement, Measurement, _FIX)
    levels = _levels(alphas)
    law = noise_of(measurement)
    heading = title_argument(title, law.title)
    place = place_of(law, at)
    intervals = [(shown, measurement.accuracy(alpha)) for shown, alpha in levels]
    reach = _reach(measurement, place, [size for _, size in intervals])
    seen = draw_law(law, place, reach)
    figure, (axes,) = new_figure(colours, ax=ax)
    top = _draw(axes, seen, colours)
    _mark(axes, place, intervals, top, colours)
    label = f"release, where the number is {float(place):.6g}"
    what = "density" if seen.step is None and seen.edges else "probability"
    if seen.step is not None and seen.edges:
        what = "mean probability of a value"
    label_axes(axes, colours, heading, label, what)
    half = (seen.step or mpq(0)) / 2
    places = [place - reach, place + reach]
    places += [bar + side for bar, _ in seen.bars for side in (-half, half)]
    low, high = float(min(places)), float(max(places))
    axes.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))
    return figure


def _levels(alphas: Sequence[ExactNumber]) -> list[tuple[str, ExactNumber]]:
    """Return the levels with what is written of them, the narrowest interval first."""
    fitting = isinstance(alphas, list | tuple) and len(alphas) <= _MOST
    if not fitting:
        rule = f"must be a list or a tuple, of at most {_MOST} levels"
        raise refusal("Plot", "alphas", alphas, rule, _ALPHAS_FIX)
    try:
        order = sorted(alphas, key=to_mpq, reverse=True)
    except (TypeError, ValueError):
        rule = "each must be a number"
        raise refusal("Plot", "alphas", alphas, rule, _ALPHAS_FIX) from None
    return [(f"{float(100 - 100 * to_mpq(alpha)):.4g}", alpha) for alpha in order]


def _reach(measurement: Measurement, place: mpq, sizes: list[float]) -> mpq:
    """Return how far from the number the picture goes."""
    size = max([measurement.accuracy(_SEEN), *sizes])
    least = 3 * (noise_of(measurement).step or mpq(0))
    reach = max(mpq(size) * mpq(11, 10), least) if size <= _LARGEST else size
    if reach > _LARGEST or float(place - reach) >= float(place + reach):
        if reach == 0:
            return mpq(1)
        rule = "the noise is too large or too small to be drawn there"
        fix = "Pass a measurement with a scale nearer to 1, or another number for at"
        raise refusal("Plot", "measurement", measurement, rule, fix)
    return mpq(reach)


def _draw(axes: Axes, drawn: Drawn, theme: Theme) -> float:
    """Draw the law, and return how high it is."""
    colour = theme.colours[0]
    if drawn.edges:
        heights = [float(height) for height in drawn.heights]
        edges = [float(edge) for edge in drawn.edges]
        axes.stairs(heights, edges, fill=True, color=colour, alpha=0.3, linewidth=0)
        axes.stairs(heights, edges, color=colour, linewidth=1.6, baseline=0)
        return max(heights)
    places = [float(place) for place, _ in drawn.bars]
    masses = [float(mass) for _, mass in drawn.bars]
    axes.bar(
        places, masses, 0.75 * float(drawn.step or 0.125), color=colour, linewidth=0
    )
    if len(places) <= _TICKS:
        axes.set_xticks(places, [f"{place:.6g}" for place in places])
    elif drawn.step is not None and drawn.step.denominator == 1:
        axes.xaxis.get_major_locator().set_params(integer=True)
    return max(masses)


def _mark(
    axes: Axes,
    place: mpq,
    intervals: list[tuple[str, float]],
    top: float,
    theme: Theme,
) -> None:
    """Draw the intervals above the law, each with what it is."""
    colour = theme.colours[1]
    for i, (sure, size) in enumerate(intervals):
        height = top * (1.1 + 0.16 * i)
        ends = [float(place - mpq(size)), float(place + mpq(size))]
        axes.plot(ends, [height, height], "|-", color=colour, linewidth=1.8, ms=8)
        axes.vlines(ends, 0, height, color=colour, linewidth=1, linestyle=":")
        axes.annotate(
            f"within {rounded_up(size)} with probability \u2265 {sure} %",
            (float(place), height),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            va="bottom",
            color=theme.ink,
            fontsize=9.5,
            bbox={"facecolor": theme.paper, "edgecolor": "none", "pad": 0.5},
        )
    axes.set_ylim(0, top * (1.08 + 0.16 * len(intervals)))
