"""Two open issues of OpenDP about tables, each beside what this library does.

OpenDP's lines are those of the issues. They need the one version of Polars that its
plans are read by (OpenDP 0.16: Polars 1.36.1); with another one the example says so,
and shows ours. To see both, run it in an environment of its own:

    python -m venv both
    both/bin/pip install 'opendp[polars]==0.16.*' '.[tables]'
    both/bin/python examples/opendp_issues.py
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import polars as pl

import opendp_lite.prelude as ours

RUNS = 2000
ROWS = {value: pl.DataFrame({"A": ["a"] * 3, "B": [value] * 3}) for value in (10, -10)}
PEOPLE = {
    people: pl.DataFrame(
        {
            "id": [n for n in range(people) for _ in range(100)],
            "g": list(range(100)) * people,
        }
    )
    for people in (1, 2)
}


def lost(often: int, seldom: int) -> str:
    """Return the loss that two frequencies of one event show, out of RUNS each."""
    return f"{often} and {seldom} of {RUNS}: {math.log(often / max(seldom, 1)):.2f}"


def our_sum() -> str:
    """A sum of at most three rows, all of which change: scale 30."""
    kinds = {"A": ours.atom_domain(T=str), "B": ours.atom_domain(T="i64")}
    space = ours.table_domain(kinds), ours.symmetric_distance()
    b = {"B": ours.col("B").clip(-10, 10)}
    sums = space >> ours.t.then_table_group_by({"A": ["a"]}, b)
    noisy = sums >> ours.c.then_product([None, ours.m.then_laplace(30)])
    # The exact sums once, and the same noise often: a table is read for each release.
    numbers = ours.atom_domain(T=int), ours.absolute_distance(T=int)
    noise, exact = (
        ours.m.make_laplace(*numbers, 30),
        [sums(ROWS[v])[1][0] for v in ROWS],
    )
    high = [sum(noise(each) >= 0 for _ in range(RUNS)) for each in exact]
    return f"claimed {noisy.map(6)}, seen at least 0 in {lost(*high)}"


def their_sum(dp: Any) -> str:
    """The same, where a margin says that a group has at most three rows."""
    query = ROWS[10].clear().lazy().group_by("A")
    query = query.agg(pl.col("B").dp.sum((-10, 10), scale=30.0))
    series = [
        dp.series_domain("A", dp.atom_domain(T=str)),
        dp.series_domain("B", dp.atom_domain(T="i64")),
    ]
    margin = dp.polars.Margin(by=["A"], max_length=3, max_groups=1, invariant="keys")
    domain = dp.with_margin(dp.lazyframe_domain(series), margin)
    noisy = dp.m.make_private_lazyframe(
        domain, dp.symmetric_distance(), dp.max_divergence(), query
    )
    high = [
        sum(noisy(ROWS[v].lazy()).collect()["B"].item() >= 0 for _ in range(RUNS))
        for v in (10, -10)
    ]
    return f"claimed {noisy.map(6)}, seen at least 0 in {lost(*high)}"


def our_count() -> str:
    """Rows by person, at most one in each of 100 groups, all merged into one group."""
    kinds = {"id": ours.atom_domain(T="i64"), "g": ours.atom_domain(T="i64")}
    space = ours.table_domain(kinds), ours.symmetric_id_distance("id")
    merged = space >> ours.t.then_table_with_columns({"g": ours.lit(0)})
    counts = merged >> ours.t.then_table_group_by(
        {"g": [0]}, {}, p=2, rows=1, groups=100
    )
    first, second = (counts(PEOPLE[people])[1][0] for people in (2, 1))
    claimed = counts.map(1)[1]
    return f"claimed {claimed} apart; counts of two people, of one: {first}, {second}"


def their_count(dp: Any) -> str:
    """The same: bounded by group, and merged afterwards."""
    one_a_group = pl.int_range(pl.len()).over("id", "g") < 1
    counts = (
        PEOPLE[1]
        .clear()
        .lazy()
        .filter(one_a_group)
        .filter(pl.struct("g").rank("dense").over("id") < 101)
        .with_columns(g=pl.lit(0, dtype=pl.Int64))
        .group_by("g")
        .agg(dp.len(scale=1.0))
    )
    query = pl.LazyFrame({"g": [0]}).join(counts, on="g", how="left")
    series = [dp.series_domain(n, dp.atom_domain(T="i64")) for n in ("id", "g")]
    noisy = dp.m.make_private_lazyframe(
        dp.lazyframe_domain(series),
        dp.symmetric_id_distance(identifier=pl.col("id")),
        dp.zero_concentrated_divergence(),
        query,
    )
    first, second = (
        round(
            sum(noisy(PEOPLE[n].lazy()).collect()["len"].item() for _ in range(99)) / 99
        )
        for n in (2, 1)
    )
    claimed = math.sqrt(2 * noisy.map(1))  # rho = (sensitivity / scale)^2 / 2
    return f"claimed {claimed} apart; counts of two people, of one: {first}, {second}"


ISSUES: list[tuple[str, Callable[[], str], Callable[[Any], str]]] = [
    ("#2945, max_length", our_sum, their_sum),
    ("#2949, a column is redefined", our_count, their_count),
]


def asked(question: Callable[[Any], str]) -> str:
    """Return what OpenDP answers, or why it does not."""
    try:
        import opendp.prelude as theirs

        theirs.enable_features("contrib")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return question(theirs)
    except Exception as error:
        told = " ".join(str(error).split())
        if "expected version" in told:
            told = "it needs another version of Polars"
        return f"not answered: {told[:60]}"


if __name__ == "__main__":
    for title, mine, their in ISSUES:
        print(title)
        print(f"    OpenDP  {asked(their)}")
        print(f"    ours    {mine()}")
