"""A first pipeline: from ages to a private mean, its cost, its error and its proofs.

The data are the diabetes study of Efron, Hastie, Johnstone and Tibshirani (2004), which
comes with scikit-learn: 442 persons, one a row.

    python examples/first_pipeline.py
"""

from __future__ import annotations

from sklearn.datasets import load_diabetes

import opendp_lite.prelude as dp

ages = load_diabetes(scaled=False).data[:, 0]

# What may come in: columns of numbers, of any length. What is near: a column with one
# row, which is one person, more or less.
space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()

# Nobody counts for more than 90 years, whoever comes. So one person moves the sum by at
# most 90, and noise of scale 180 hides that for epsilon = 1/2.
total = (
    space
    >> dp.t.then_clamp((0.0, 90.0))
    >> dp.t.then_sum()
    >> dp.m.then_laplace(scale=180.0)
)
# The number of persons is private as well. A mean needs both; this one costs as much
# as a noisy count alone, and comes with an interval for the mean of the clamped ages.
mean = (
    space
    >> dp.t.then_clamp((0.0, 90.0))
    >> dp.m.then_private_mean(dp.max_divergence(), scale=2)
)


def main() -> None:
    """Print the pipelines, what they cost, what they release, and why to believe it."""
    print("The pipeline\n")
    print(total)
    print("\nBefore anything is spent")
    print(f"  its cost for one person: epsilon = {total.map(1)}")
    print(f"  noise in 95 % of all runs: at most {total.accuracy(0.05):.1f}")

    print("\nA release")
    print(f"  years of life, all together: {total(ages):,.0f}")
    found = mean(ages)
    low, high = found.interval(alpha=0.05)
    print(f"  mean age: {found.mean:.1f}, between {low:.1f} and {high:.1f}")
    print(f"  (which cost another epsilon = {mean.map(1)})")

    print("\nThe derivation, step by step\n")
    print(total.explain(d_in=1))


if __name__ == "__main__":
    main()
