"""Ten jobs that people bring, each in at most five lines, and how near answers are.

The data are the diabetes study of Efron, Hastie, Johnstone and Tibshirani (2004), which
comes with scikit-learn, with each of its 442 persons taken 50 times: 22,100 rows are a
table of sensible size, and of 442 a covariance cannot be told from its noise. One row
is one person. So a neighbour is a data set with one row more or less; where the number
of persons is public, one with a row changed. Losses are for d_in = 1.

Each job returns what is released, and how near it is to the truth in 19 of 20 runs: a
distance, or for means an interval, which counts for the clamped data. Run it with
`python examples/ten_jobs.py`; `tests/test_ten_jobs.py` runs each job, counts its lines,
and compares what is released with the truth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import load_diabetes

import opendp_lite.prelude as dp

age, sex, bmi, pressure = np.tile(load_diabetes(scaled=False).data, (50, 1)).T[:4]


def count() -> Any:
    """How many persons there are: epsilon = 1/2."""
    rows = dp.space_of(list[float])
    noisy = rows >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
    return noisy(age), noisy.accuracy(alpha=0.05)


def mean() -> Any:
    """The mean age, where the number of persons is not public: epsilon = 1/2."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    mean = dp.m.then_private_mean(dp.max_divergence(), scale=2)
    found = (rows >> dp.t.then_clamp((20.0, 80.0)) >> mean)(age)
    return found.mean, found.interval(alpha=0.05)


def variance() -> Any:
    """The variance of the age, where that number is public: epsilon = 0.163."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=22_100)
    ages = (rows, dp.change_one_distance()) >> dp.t.then_clamp((20.0, 80.0))
    noisy = ages >> dp.t.then_variance() >> dp.m.then_laplace(scale=1)
    return noisy(age), noisy.accuracy(alpha=0.05)


def median_and_quartiles() -> Any:
    """The quartiles of the age, in whole years: epsilon = 2/3.

    A choice among candidates has no interval: the ranks are near those asked for.
    """
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    quantile, pure = dp.m.then_private_quantile, dp.max_divergence()
    years, levels = list(range(15, 95)), ["1/4", "1/2", "3/4"]
    parts = [rows >> quantile(pure, years, level, scale=6) for level in levels]
    return dp.c.make_composition(parts)(age), None


def histogram() -> Any:
    """How many persons there are below 30, in each decade, and from 70 on: 1/2."""
    rows = dp.space_of(list[float])
    decades = rows >> dp.t.then_histogram([30, 40, 50, 60, 70])
    noisy = decades >> dp.m.then_laplace(scale=2)
    return noisy(age), noisy.accuracy(alpha=0.05)


def grouped_means() -> Any:
    """The mean body mass index of each sex, which is public: epsilon = 1/2 a group.

    A person is in one of the groups, so that both together cost no more; but here the
    rows are parted by hand, where the library does not see it. Tables part them
    themselves (examples/tables_duckdb.py), and so does `make_parallel_composition`.
    """
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    mean = dp.m.then_private_mean(dp.max_divergence(), scale=2)
    clamped = rows >> dp.t.then_clamp((15.0, 45.0))
    found = [(clamped >> mean)(bmi[sex == key]) for key in (1.0, 2.0)]
    return [each.mean for each in found], [each.interval(alpha=0.05) for each in found]


def unknown_keys() -> Any:
    """How many persons there are in each decade that has many: (1/2, 3.83e-6)."""
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    noise = dp.m.then_laplace_threshold(scale=2, threshold=25)
    noisy = rows >> dp.t.then_count_by() >> noise
    return noisy((age // 10 * 10).astype(int)), noisy.accuracy(alpha=0.05)


def covariance() -> Any:
    """The covariance of body mass index and blood pressure: epsilon = 0.2172."""
    pair = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=2)
    rows = dp.vector_domain(pair, size=22_100), dp.change_one_distance()
    exact = rows >> dp.t.then_covariance((15.0, 45.0), (60.0, 140.0))
    noisy = exact >> dp.m.then_laplace(scale="1/2")
    return noisy(np.column_stack([bmi, pressure]).tolist()), noisy.accuracy(alpha=0.05)


def several_queries() -> Any:
    """A count, a sum and a histogram of the age, under one budget: epsilon = 1."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    ages, bins = rows >> dp.t.then_clamp((0.0, 80.0)), dp.t.then_histogram([40, 60])
    parts = (dp.t.then_count(), 4), (dp.t.then_sum(), 160), (bins, 4)
    noisy = dp.c.make_composition([ages >> x >> dp.m.then_laplace(b) for x, b in parts])
    return noisy(age), noisy.accuracy(alpha=0.05)


def report() -> Any:
    """Means of clamped data, by name: epsilon = 1."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    mean = dp.m.then_private_mean(dp.max_divergence(), scale=2)
    asked = [("age", age, (20.0, 80.0)), ("pressure", pressure, (60.0, 140.0))]
    found = {name: (rows >> dp.t.then_clamp(b) >> mean)(x) for name, x, b in asked}
    return found, {name: each.interval(alpha=0.05) for name, each in found.items()}


JOBS = [
    count,
    mean,
    variance,
    median_and_quartiles,
    histogram,
    grouped_means,
    unknown_keys,
    covariance,
    several_queries,
    report,
]


def shown(value: Any) -> str:
    """A release, a distance or an interval as text, with two digits after the point."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {shown(each)}" for key, each in value.items())
    if isinstance(value, list | np.ndarray):
        return ", ".join(map(shown, value))
    if isinstance(value, tuple):
        return " to ".join(map(shown, value))
    return f"{getattr(value, 'mean', value):.2f}".removesuffix(".00")


if __name__ == "__main__":
    for job in JOBS:
        release, near = job()
        print(f"{job.__name__.replace('_', ' ')}: {shown(release)}")
        if near is not None:
            print(f"    within, in 19 of 20 runs: {shown(near)}")
