"""The bundled survey as a job in Python: what examples/jobs/survey.toml asks, by code.

opendp-lite release examples/jobs/survey.py --data examples/data/survey.csv
"""

from __future__ import annotations

from typing import Any

import opendp_lite.prelude as dp

# With these a CSV file comes to `context` as Parquet, line by line.
COLUMNS = {
    "age": dp.option_domain(dp.atom_domain(T=int)),
    "hours": dp.option_domain(dp.atom_domain(T=float)),
    "income": dp.option_domain(dp.atom_domain(T=float)),
}
LEDGER = {"epsilon": 5}  # what all releases together may lose, with --ledger


def context(data: str) -> dp.Context:
    """Open the data; nothing is released yet."""
    return dp.Context.compositor(
        data=data,
        domain=dp.table_domain(COLUMNS),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )


def queries(context: dp.Context) -> dict[str, Any]:
    """Return what is asked, by name: previewed first, and released once."""
    hours = dp.col("hours").fill_null(0.0).clip(0.0, 60.0)
    income = dp.col("income").fill_null(0.0).clip(0.0, 6000.0)
    decade = dp.col("age").fill_null(0).cut([30, 50, 70])
    return {
        "everybody": context.table(epsilon=0.5).agg(
            answers=dp.count(), hours=hours.mean()
        ),
        "by_age": context.table(epsilon=0.5)
        .with_columns(decade=decade)
        .group_by(keys={"decade": [0, 1, 2, 3]})
        .agg(answers=dp.count(), income=income.mean()),
    }
