"""A Parquet file, scanned by DuckDB: people, sums and means by city, under one budget.

The visits are synthetic, see examples/visits.py. A visitor may have many rows, and is
protected with all of them. Each query says how much of a visitor counts: `by_city`
counts 4 rows in each of 2 cities at most. The file is not loaded whole: DuckDB adds up
exact integers, and noise is drawn afterwards.

    python examples/tables_duckdb.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from visits import CITIES, visits

import opendp_lite.prelude as dp


def option(T: Any) -> Any:
    """Declare a column that may be missing: then only names and types are looked at."""
    return dp.option_domain(dp.atom_domain(T=T))


DOMAIN = dp.table_domain(
    {
        "visitor": option("i64"),
        "city": option(str),
        "age": option("i64"),
        "spend": option(float),
        "bought": option(str),
    }
)
AGE = dp.col("age").fill_null(40).clip(8, 100)
SPEND = dp.col("spend").fill_null(0.0).clip(0.0, 128.0)


def opened(data: Any) -> dp.Context:
    """Return the context: three queries share epsilon = 3 and delta = 1e-7."""
    return dp.Context.compositor(
        data=data,
        domain=DOMAIN,
        privacy_unit=dp.unit_of(contributions=1, identifier="visitor"),
        privacy_loss=dp.loss_of(epsilon=3.0, delta=1e-7),
        split_evenly_over=3,
    )


def by_city(context: dp.Context) -> Any:
    """Return the query with public keys: all come out, in their order."""
    return (
        context.table()
        .filter(AGE >= 18)
        .with_columns(city=dp.col("city").fill_null("?"))
        .group_by(keys={"city": [*CITIES, "?"]}, rows=4, groups=2)
        .agg(
            people=dp.people(),
            visits=dp.count(),
            revenue=SPEND.sum(),
            average=SPEND.mean(),
        )
    )


def by_item(context: dp.Context) -> Any:
    """Return the query with unknown keys: what enough people bought comes out."""
    named = context.table().with_columns(bought=dp.col("bought").fill_null("?"))
    grouped = named.group_by("bought", rows=1, groups=3)
    return grouped.agg(people=dp.people(), age=AGE.mean())


def ages(context: dp.Context) -> Any:
    """Return the query about the whole table: quartiles and a histogram of ages."""
    edges = list(range(10, 100, 5))
    return context.table(rows=2, groups=4).agg(  # each bin is a group of its own
        age=AGE.quantiles([0.25, 0.5, 0.75], edges), group=AGE.histogram([18, 65])
    )


def main() -> None:
    """Ask all three, and show what each would cost before it is asked."""
    with tempfile.TemporaryDirectory() as folder:
        context = opened(str(visits(Path(folder) / "visits.parquet")))
        for title, question in (
            ("by city", by_city),
            ("by item", by_item),
            ("ages", ages),
        ):
            query = question(context)
            print(f"--- {title}\n{query.preview()}\n")
            answer = query.release()
            for name in answer.column_names:
                if not name.endswith(("_low", "_high")):
                    print(f"{name:10} {answer[name].to_pylist()[:6]}")
            print()
        print(f"shares left: {context.remaining_privacy_loss()}")


if __name__ == "__main__":
    main()
