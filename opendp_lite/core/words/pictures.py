"""Pictures of privacy profiles: delta over epsilon, of one or of several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from opendp_lite.core.errors import refusal
from opendp_lite.core.words.figures import (
    Axes,
    Theme,
    ThemeName,
    label_axes,
    new_figure,
    put_legend,
    rounded_up,
    theme_argument,
)
from opendp_lite.exact.rationals import to_mpq

if TYPE_CHECKING:
    from opendp_lite.core.aliases import ExactNumber
    from opendp_lite.core.measures.profiles import PrivacyProfile

__all__ = ["profile_end", "profile_picture"]

_POINTS = 200
# The curve is drawn down to the first of these that it reaches.
_DEEPEST = (Fraction(1, 10**12), Fraction(1, 10**6), Fraction(1, 10**2))


def profile_picture(
    profiles: Mapping[str, PrivacyProfile],
    deltas: Sequence[ExactNumber],
    theme: ThemeName = "light",
) -> Any:
    """Return a figure: delta over epsilon, and the epsilons of some deltas marked.

    :param profiles: what is drawn, by names; a single one may have an empty name
    :param deltas: where pairs (epsilon, delta) are marked, if epsilon is finite
    :param theme: "light" or "dark"
    """
    colours = theme_argument(theme)
    if not issubclass(type(deltas), list | tuple):
        rule, fix = "must be a list or a tuple", "Pass for example deltas=[1e-9, 1e-6]"
        raise refusal("InvalidDistance", "deltas", deltas, rule, fix)
    marked = {name: _marked(each, deltas) for name, each in profiles.items()}
    reached = [epsilon for pairs in marked.values() for epsilon, _ in pairs]
    end = max(profile_end(each, reached) for each in profiles.values())
    curves = {name: _curve(each, end) for name, each in profiles.items()}
    below = 0.24 * len(curves) if len(curves) > 1 else 0  # for the names
    figure, (axes,) = new_figure(colours, (6.4, 4.2 + below))
    lines = []
    for i, (name, drawn) in enumerate(curves.items()):
        if drawn:
            axes.set_yscale("log")
            (line,) = axes.plot(*zip(*drawn, strict=True), **colours.line(i))
            told = [f"({rounded_up(e)}, {d:.3g})" for e, d in marked[name]]
            line.set_label(": ".join([name, *([", ".join(told)] if told else [])]))
            lines.append(line)
            _mark(axes, marked[name], line.get_color(), colours, write=len(curves) == 1)
    if not lines:
        axes.text(
            *(0.5, 0.5, "delta is 0"),
            transform=axes.transAxes,
            ha="center",
            color=colours.ink,
        )
    elif len(curves) > 1:
        put_legend(figure, colours, lines, loc="outside lower left")
    axes.set_xlim(0, float(end) * 1.05)
    title = "Pairs (epsilon, delta) that hold"
    label_axes(axes, colours, title, "epsilon", "delta (upper bound)")
    return figure


def profile_end(profile: PrivacyProfile, marked: Sequence[float] = ()) -> Fraction:
    """Return the epsilon up to which a curve is drawn: finite, and more than 0.

    :param profile: the curve
    :param marked: epsilons that are to be seen
    """
    reached = [Fraction(x) for x in marked]
    for delta in _DEEPEST:
        epsilon = profile.epsilon(delta)
        if epsilon < math.inf:
            reached.append(Fraction(epsilon))
            break
    return max(reached, default=Fraction(10)) or Fraction(1)


def _curve(profile: PrivacyProfile, end: Fraction) -> list[tuple[float, float]]:
    """Return the points of a curve, from 0 to that epsilon.

    A delta of 0 has no place on the axis: the line ends before it, and there it falls
    so fast that points are needed closer and closer to each other.
    """
    epsilons = [end * i / _POINTS for i in range(_POINTS + 1)]
    last = profile.epsilon(0)
    if last < math.inf:
        nearer = [Fraction(last) * (1 - Fraction(1, 2**i)) for i in range(1, 41)]
        epsilons = sorted([*epsilons, *nearer])
    values = [(float(x), float(profile.delta(x))) for x in epsilons]
    return [(x, y) for x, y in values if y > 0]


def _marked(
    profile: PrivacyProfile, deltas: Sequence[ExactNumber]
) -> list[tuple[float, float]]:
    """Return the pairs (epsilon, delta) of these deltas, where epsilon is finite."""
    pairs = [(float(profile.epsilon(each)), float(to_mpq(each))) for each in deltas]
    return [(epsilon, delta) for epsilon, delta in pairs if epsilon < math.inf]


def _mark(
    axes: Axes,
    pairs: list[tuple[float, float]],
    colour: str,
    theme: Theme,
    *,
    write: bool,
) -> None:
    """Draw the pairs on the curve, and what they are if there is room."""
    for epsilon, delta in pairs:
        axes.plot(epsilon, delta, "o", color=colour, markersize=6)
        if write:
            axes.annotate(
                f"({rounded_up(epsilon)}, {delta:.3g})",
                (epsilon, delta),
                xytext=(7, 7),
                textcoords="offset points",
                color=theme.ink,
                fontsize=10,
            )
