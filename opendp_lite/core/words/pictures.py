"""Pictures: figures of matplotlib, which is loaded when one is asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from opendp_lite.core.errors import OpenDPException, refusal
from opendp_lite.exact.rationals import to_mpq

if TYPE_CHECKING:
    from opendp_lite.core.aliases import ExactNumber
    from opendp_lite.core.measures.profiles import PrivacyProfile

__all__ = ["profile_picture"]

_POINTS = 200
_ROUNDED = Context(prec=4, rounding=ROUND_CEILING)
# The curve is drawn down to the first of these that it reaches.
_DEEPEST = (Fraction(1, 10**12), Fraction(1, 10**6), Fraction(1, 10**2))


def profile_picture(profile: PrivacyProfile, deltas: Sequence[ExactNumber]) -> Any:
    """Return a figure: delta over epsilon, and the epsilons of some deltas marked.

    :param profile: what is drawn
    :param deltas: where pairs (epsilon, delta) are marked, if epsilon is finite
    """
    if not issubclass(type(deltas), list | tuple):
        rule, fix = "must be a list or a tuple", "Pass for example deltas=[1e-9, 1e-6]"
        raise refusal("InvalidDistance", "deltas", deltas, rule, fix)
    pairs = [(profile.epsilon(delta), float(to_mpq(delta))) for delta in deltas]
    marked = [(float(epsilon), delta) for epsilon, delta in pairs if epsilon < math.inf]
    figure = _figure()
    axes = figure.subplots()
    end = _end(profile, [epsilon for epsilon, _ in marked])
    epsilons = [end * i / _POINTS for i in range(_POINTS + 1)]
    values = [float(profile.delta(epsilon)) for epsilon in epsilons]
    # A delta of 0 has no place on this axis: the line ends before it.
    drawn = [(float(x), y) for x, y in zip(epsilons, values, strict=True) if y > 0]
    if drawn:
        axes.plot(*zip(*drawn, strict=True), color="#3b6ea5")
        axes.set_yscale("log")
    else:
        axes.text(0.5, 0.5, "delta is 0", transform=axes.transAxes, ha="center")
    for epsilon, delta in marked if drawn else ():
        axes.plot(epsilon, delta, "o", color="#c25b4e", markersize=5)
        axes.annotate(
            f"({_ROUNDED.create_decimal(epsilon)}, {delta:.3g})",
            (epsilon, delta),
            xytext=(6, 6),
            textcoords="offset points",
        )
    axes.set_xlim(0, float(end) * 1.05)
    axes.set_xlabel("epsilon")
    axes.set_ylabel("delta")
    axes.grid(visible=True, color="#e6ebf1")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("Pairs (epsilon, delta) that hold", loc="left", fontsize=11)
    return figure


def _end(profile: PrivacyProfile, marked: list[float]) -> Fraction:
    """Return the epsilon up to which the curve is drawn: finite, and more than 0."""
    reached = [Fraction(x) for x in marked]
    for delta in _DEEPEST:
        epsilon = profile.epsilon(delta)
        if epsilon < math.inf:
            reached.append(Fraction(epsilon))
            break
    return max(reached, default=Fraction(10)) or Fraction(1)


def _figure() -> Any:
    """Return an empty figure, which needs no screen."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise OpenDPException(
            "FailedFunction",
            "pictures need matplotlib. Run pip install 'opendp-lite[plots]'.",
        ) from None
    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
