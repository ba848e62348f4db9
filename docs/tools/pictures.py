"""The pictures of the concepts: drawn when the site is built, in light and in dark.

What a picture shows is computed by the library, or drawn by it: nothing is sketched.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

import opendp_lite.prelude as dp

__all__ = ["DRAWN", "low_bit", "pictures"]

# Ink and the two colours of a theme; the ground is that of the page.
THEMES = {
    "light": {"ink": "#333840", "one": "#00796b", "two": "#d84315"},
    "dark": {"ink": "#ccd0da", "one": "#4db6ac", "two": "#ff8a65"},
}
Colours = dict[str, str]


def low_bit(value: float) -> int:
    """Return the exponent of the lowest bit of a double that is set.

    :param value: a double other than 0

    >>> low_bit(0.75), low_bit(6.0), low_bit(1 + 2**-52)
    (-2, 1, -52)
    """
    numerator, denominator = value.as_integer_ratio()
    if denominator > 1:
        return 1 - denominator.bit_length()
    return (numerator & -numerator).bit_length() - 1


def neighbours(plt: Any, colours: Colours) -> Any:
    """Draw the laws of a noisy count on two neighbours."""
    figure, axes = plt.subplots(figsize=(6.4, 2.8))
    scale, reach = 2, range(92, 110)
    for count, colour, label in ((100, "one", "100 rows"), (101, "two", "101 rows")):
        weights = [math.exp(-abs(each - count) / scale) for each in reach]
        total = 1 + 2 / (math.exp(1 / scale) - 1)
        shift = -0.2 if colour == "one" else 0.2
        places = [each + shift for each in reach]
        heights = [weight / total for weight in weights]
        axes.bar(places, heights, 0.4, color=colours[colour], label=label)
    axes.set_xticks(reach[::2])
    axes.set_xlabel("released count")
    axes.set_ylabel("probability")
    axes.legend(frameon=False)
    return figure


def naive(plt: Any, colours: Colours) -> Any:
    """Draw the lowest bits of releases: of floats with numpy's noise, and of ours."""
    import numpy as np

    generator = np.random.default_rng(1)
    space = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.l1_distance(T=float),
    )
    exact = space >> dp.m.then_laplace(scale=1.0)
    figure, both = plt.subplots(1, 2, figsize=(6.4, 3.2), sharey=True)
    ways: list[tuple[str, Callable[[float], Any]]] = [
        ("x + numpy's Laplace noise", lambda x: x + generator.laplace(size=1500)),
        ("make_laplace", lambda x: exact(np.full(1500, x))),
    ]
    for axes, (title, release) in zip(both, ways, strict=True):
        for x, colour, size in ((1.0, "two", 5), (0.0, "one", 2)):
            shown = [float(y) for y in release(x) if 0 < y < 1]
            bits = [low_bit(y) for y in shown]
            style: dict[str, Any] = {
                "color": colours[colour],
                "markersize": size,
                "linestyle": "",
            }
            style |= {"markerfacecolor": "none"} if size > 2 else {}
            axes.plot(shown, bits, "o", label=f"x = {x:.0f}", **style)
        axes.axhline(-53.5, color=colours["ink"], linewidth=0.6, linestyle=":")
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("release")
        axes.set_ylim(-66, -42)
    both[0].set_ylabel("exponent of the lowest bit")
    both[0].legend(frameon=False, loc="lower right")
    return figure


def composition(plt: Any, colours: Colours) -> Any:
    """Draw what many questions cost: pure losses add up, concentrated ones less."""
    delta = 1e-6
    numbers = range(1, 101, 3)
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    noisy = space >> dp.m.then_gaussian(scale=40)

    def epsilon(k: int) -> float:
        many = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([noisy] * k))
        return float(dp.c.make_fix_delta(many, delta=delta).map(1)[0])

    one = epsilon(1)
    figure, axes = plt.subplots(figsize=(6.4, 3.0))
    axes.plot(numbers, [k * one for k in numbers], color=colours["two"])
    axes.plot(numbers, [epsilon(k) for k in numbers], color=colours["one"])
    axes.text(58, 60 * one, "epsilons added up", ha="right", color=colours["two"])
    axes.text(
        99, epsilon(100) * 1.5, "composed as rho", ha="right", color=colours["one"]
    )
    axes.set_xlabel("questions, each with Gaussian noise of scale 40")
    axes.set_ylabel("epsilon at delta 1e-6")
    axes.set_xlim(0, 100)
    axes.set_ylim(0)
    return figure


DRAWN = {"neighbours": neighbours, "naive": naive, "composition": composition}


def pictures() -> dict[str, bytes]:
    """Return all pictures as SVG, by their paths."""
    import matplotlib

    matplotlib.use("Agg", force=False)
    from matplotlib import pyplot as plt

    made = {}
    for theme, colours in THEMES.items():
        ink = colours["ink"]
        settings: dict[Any, Any] = dict.fromkeys(
            ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color"), ink
        )
        settings |= {"ytick.color": ink, "svg.fonttype": "path", "svg.hashsalt": "docs"}
        settings |= {"axes.spines.top": False, "axes.spines.right": False}
        with matplotlib.rc_context(settings):
            for name, draw in DRAWN.items():
                figure = draw(plt, colours)
                out = io.BytesIO()
                meta = {"Date": None, "Creator": None}
                figure.savefig(
                    out,
                    format="svg",
                    transparent=True,
                    bbox_inches="tight",
                    metadata=meta,
                )
                plt.close(figure)
                made[f"pictures/{name}-{theme}.svg"] = out.getvalue()
    return made
