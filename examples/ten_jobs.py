"""Ten jobs that people bring, on real data, each in at most five lines.

The data are the diabetes study of Efron, Hastie, Johnstone and Tibshirani (2004), which
comes with scikit-learn: 442 persons, one a row. So a neighbour is a data set with one
row more or less; where the number of persons is public, one with a row changed. Losses
are for d_in = 1. Run it with `python examples/ten_jobs.py`; `tests/test_ten_jobs.py`
runs each job, counts its lines, and compares what is released with the truth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import load_diabetes

import opendp_lite.prelude as dp

age, sex, bmi, pressure = load_diabetes(scaled=False).data.T[:4]


def count() -> Any:
    """How many persons there are: epsilon = 1/2."""
    rows = dp.space_of(list[float])
    return (rows >> dp.t.then_count() >> dp.m.then_laplace(scale=2))(age)


def mean() -> Any:
    """The mean age, where the number of persons is not public: epsilon = 1/2."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    mean = dp.m.then_private_mean(dp.max_divergence(), scale=2)
    return (rows >> dp.t.then_clamp((20.0, 80.0)) >> mean)(age).mean


def variance() -> Any:
    """The variance of the age, where that number is public: epsilon = 0.815."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=442)
    ages = (rows, dp.change_one_distance()) >> dp.t.then_clamp((20.0, 80.0))
    return (ages >> dp.t.then_variance() >> dp.m.then_laplace(scale=10))(age)


def median_and_quartiles() -> Any:
    """The quartiles of the age, in whole years: epsilon = 2/3."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    quantile, pure = dp.m.then_private_quantile, dp.max_divergence()
    years, levels = list(range(15, 95)), ["1/4", "1/2", "3/4"]
    parts = [rows >> quantile(pure, years, level, scale=6) for level in levels]
    return dp.c.make_composition(parts)(age)


def histogram() -> Any:
    """How many persons there are below 30, in each decade, and from 70 on: 1/2."""
    rows = dp.space_of(list[float])
    decades = rows >> dp.t.then_histogram([30, 40, 50, 60, 70])
    return (decades >> dp.m.then_laplace(scale=2))(age)


def grouped_means() -> Any:
    """The mean body mass index of each sex, which is public: epsilon = 1/2 a group.

    A person is in one of the groups, so that both together cost no more; but here the
    rows are parted by hand, where the library does not see it. Tables part them
    themselves (examples/tables_duckdb.py), and so does `make_parallel_composition`.
    """
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    mean = dp.m.then_private_mean(dp.max_divergence(), scale=2)
    grouped = rows >> dp.t.then_clamp((15.0, 45.0)) >> mean
    return {key: grouped(bmi[sex == key]).mean for key in (1.0, 2.0)}


def unknown_keys() -> Any:
    """How many persons there are in each decade that has many: (1/2, 3.83e-6)."""
    rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    noise = dp.m.then_laplace_threshold(scale=2, threshold=25)
    return (rows >> dp.t.then_count_by() >> noise)((age // 10 * 10).astype(int))


def covariance() -> Any:
    """The covariance of body mass index and blood pressure: epsilon = 0.272."""
    pair = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=2)
    rows = dp.vector_domain(pair, size=442), dp.change_one_distance()
    exact = rows >> dp.t.then_covariance((15.0, 45.0), (60.0, 140.0))
    data = np.column_stack([bmi, pressure]).tolist()
    return (exact >> dp.m.then_laplace(scale=20))(data)


def several_queries() -> Any:
    """A count, a sum and a histogram of the age, under one budget: epsilon = 1."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    number = rows >> dp.t.then_count() >> dp.m.then_laplace(scale=4)
    total = rows >> dp.t.then_clamp((0.0, 80.0)) >> dp.t.then_sum()
    bins = rows >> dp.t.then_histogram([40, 60]) >> dp.m.then_laplace(scale=4)
    return dp.c.make_composition([number, total >> dp.m.then_laplace(160), bins])(age)


def report() -> Any:
    """Means of clamped data, with intervals that miss 1 time in 20: epsilon = 1."""
    rows = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    mean = dp.m.then_private_mean(dp.max_divergence(), scale=2)
    asked = [("age", age, (20.0, 80.0)), ("pressure", pressure, (60.0, 140.0))]
    found = [(name, (rows >> dp.t.then_clamp(b) >> mean)(x)) for name, x, b in asked]
    return {name: (each.mean, *each.interval(alpha=0.05)) for name, each in found}


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

if __name__ == "__main__":
    for job in JOBS:
        print(f"{job.__name__.replace('_', ' '):22}", job())
