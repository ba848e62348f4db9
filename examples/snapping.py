"""Snapping beside Laplace noise: accuracy, bias and loss, known before any data.

Both mechanisms add Laplace noise of the same scale. Snapping also rounds to a lattice
and clamps, so its releases never leave the bounds, at the price of accuracy and of a
bias. With the path of a file, `python examples/snapping.py snapping.png`, the two laws
are drawn there, if matplotlib is installed.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from importlib.util import find_spec
from math import exp

import opendp_lite.prelude as dp

BOUNDS = dp.mean_bounds(lower=0, upper=100)
D_IN = "0.5"  # one of 200 people moves the mean of values from 0 to 100 by 1/2
PLACES = ("0", "10.3", "50", "90", "99.9", "100")
GUESS = 90  # a guess of the mean, not a look at the data


def compare() -> None:
    """Print accuracies at 95 % and losses of both mechanisms, at several budgets."""
    print("epsilon   scale    95 % accuracy: Laplace   snapping    loss of each")
    numbers = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    for epsilon in ("0.05", "0.1", "0.25", "1"):
        scale = dp.snapping_epsilon_to_scale(epsilon, D_IN, BOUNDS)
        laplace = numbers >> dp.m.then_laplace(scale=scale)
        snapping = numbers >> dp.m.then_snapping(scale=scale, bounds=BOUNDS)
        wide = dp.laplacian_scale_to_accuracy(scale, alpha="0.05")
        snapped = dp.snapping_scale_to_accuracy(scale, BOUNDS, alpha="0.05")
        losses = f"{laplace.map(0.5):.4f} {snapping.map(0.5):.4f}"
        print(f"{epsilon:>7} {scale:>7} {wide:>24.3f} {snapped:>10.3f}   {losses:>13}")


def show_bias(scale: float) -> None:
    """Print the exact bias of snapping at several places; Laplace noise has none."""
    print(f"\nBias of snapping at the scale {scale}, with the bounds {BOUNDS}")
    for place in PLACES:
        lower, _ = dp.snapping_bias(scale, BOUNDS, place)
        print(f"  at {place:>5}: {lower:+.3e}")


def show_room(epsilon: str) -> None:
    """Print wider bounds, which seldom bind, and the bias that is left with them."""
    # In fractions: 50 + half, rounded to a double, may be less.
    half = Fraction(dp.snapping_bounds(50, gamma="0.01", epsilon=epsilon, d_in=D_IN))
    bounds = (50 - half, 50 + half)
    scale = dp.snapping_epsilon_to_scale(epsilon, D_IN, bounds)
    shown = f"({float(bounds[0]):.3f}, {float(bounds[1]):.3f})"
    print(f"\nBounds that bind in 1 of 100 releases at most: {shown}")
    for place in ("0", "90", "100"):
        lower, _ = dp.snapping_bias(scale, bounds, place)
        print(f"  bias at {place:>3}: {lower:+.3e}")


def draw(scale: float, path: str) -> None:
    """Draw both laws for the guess: bars of probability, and a density beside them."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    law = dp.snapping_distribution(scale, BOUNDS, GUESS)
    grid = [GUESS + 10 * scale * (k / 500 - 1) for k in range(1001)]
    density = [exp(-abs(y - GUESS) / scale) / (2 * scale) for y in grid]
    figure, axes = pyplot.subplots()
    axes.bar(list(law), [float(p.lo) for p in law.values()], 0.4, label="snapping")
    axes.plot(grid, density, color="black", label="density of Laplace noise")
    axes.set(xlim=(grid[0], 105), xlabel="release", ylabel="probability")
    axes.legend()
    figure.savefig(path)
    print(f"\nDrawn: {path}")


if __name__ == "__main__":
    compare()
    show_bias(scale=2.0)
    show_room(epsilon="0.25")
    if len(sys.argv) > 1:
        if find_spec("matplotlib"):
            draw(2.0, sys.argv[1])
        else:
            print("\nNothing is drawn: matplotlib is not installed.")
