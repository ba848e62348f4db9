"""A histogram and quantiles of one column, three ways, and what each of them costs.

One question by itself is cheapest asked for itself. From a tree of counts any number of
quantiles can be read, and the whole curve with them, for the price of the tree.

The data are the diabetes study of Efron, Hastie, Johnstone and Tibshirani (2004), which
comes with scikit-learn: 442 persons, one a row.

    python examples/histogram_quantiles.py
"""

from __future__ import annotations

from typing import Any

from sklearn.datasets import load_diabetes

import opendp_lite.prelude as dp

ages = load_diabetes(scaled=False).data[:, 0]
rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
LEVELS = [0.25, 0.5, 0.75]


def decades() -> Any:
    """Count persons below 20, in each decade, and from 80 on: epsilon = 1/2."""
    edges = list(range(20, 90, 10))
    return rows >> dp.t.then_histogram(edges) >> dp.m.then_laplace(scale=2)


def single_quantiles() -> Any:
    """Choose each quartile among whole years, for itself: epsilon = 3 * 1/6."""
    years = list(range(15, 95))
    quantile, pure = dp.m.then_private_quantile, dp.max_divergence()
    parts = [rows >> quantile(pure, years, level, scale=8) for level in LEVELS]
    return dp.c.make_composition(parts)


def tree() -> Any:
    """Read the quartiles from a tree of noisy counts by 5 years: epsilon = 1/2."""
    edges = list(range(15, 100, 5))
    branching = 4
    leaves = len(edges) + 1
    layers = dp.t.then_b_ary_tree(leaves, branching)
    counts = rows >> dp.t.then_histogram(edges) >> layers
    noisy = counts >> dp.m.then_laplace(scale=2 * counts.map(1))
    return (
        noisy
        >> dp.t.make_consistent_b_ary_tree(branching)
        >> dp.t.make_quantiles_from_counts([10, *edges, 105], LEVELS)
    )


def main() -> None:
    """Print the releases, with the cost and the error of each."""
    histogram = decades()
    print(f"persons by decade, epsilon = {histogram.map(1)}, each within", end=" ")
    print(f"{histogram.accuracy(0.05)} in 95 % of all runs")
    names = ["below 20", *(f"{at} to {at + 9}" for at in range(20, 80, 10)), "above"]
    for name, number in zip(names, histogram(ages), strict=True):
        print(f"  {name:10} {number:5} {'#' * max(0, number // 4)}")
    for title, measurement in [
        ("quartiles, each asked for", single_quantiles()),
        ("quartiles, from a tree", tree()),
    ]:
        found = ", ".join(f"{float(each):.1f}" for each in measurement(ages))
        print(f"{title:26} epsilon = {measurement.map(1)}: {found}")


if __name__ == "__main__":
    main()
