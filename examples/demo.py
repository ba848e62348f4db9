"""The main job, end to end: a survey under one budget, and a certificate.

Run it with `make demo`. The data is synthetic (see examples/survey.py). One person is
one row, so neighbouring data sets differ by one added or removed row: d_in = 1.
"""

from __future__ import annotations

from typing import Any

from survey import COLUMNS, columns

import opendp_lite.prelude as dp
from opendp_lite import verify

context = dp.Context.compositor(
    data=columns(),
    privacy_unit=dp.unit_of(contributions=1),
    privacy_loss=dp.loss_of(epsilon=1.0),
    domain=dp.frame_domain(dict.fromkeys(COLUMNS, dp.atom_domain(T=str))),
)


def asking(epsilon: float, column: str) -> Any:
    """Begin a question about a column of the survey, which is text."""
    return context.query(epsilon=epsilon).frame_column(column)


whole = asking(0.25, "hours").cast_default(int).clamp((0, 60))
numbers = asking(0.25, "income").cast_default(float).impute_constant(0.0)
questions = [
    ("respondents", asking(0.1, "age").count().laplace()),
    ("hours worked, total", whole.sum().laplace()),
    ("income, total", numbers.clamp((0.0, 5000.0)).sum().laplace()),
]


def main() -> None:
    """Print previews, releases, what was spent, the proofs, and a certificate."""
    print("One budget for all that is asked, exactly: epsilon = 1\n")
    print("Before anything is spent: the noise, its cost, and how near an answer is")
    print("to the truth in 95 % of all runs\n")
    previews = [query.preview(alpha=0.05) for _, query in questions]
    for (title, query), told in zip(questions, previews, strict=True):
        exact = query.resolve().map(1, exact=True)
        print(f"  {title:22} epsilon = {exact!s:5} scale = {told.param:<9,.0f}", end="")
        print(f" within {told.accuracy:,.0f}")

    print("\nReleases\n")
    for (title, query), told in zip(questions, previews, strict=True):
        print(f"  {title:22} {query.release():>12,.0f} +- {told.accuracy:,.0f}")

    print("\nThen, knowing these, another question; and one that no longer fits\n")
    median = asking(0.25, "age").cast_default(int)
    median = median.private_quantile(list(range(18, 90)), 0.5)
    print(f"  {'median age':22} {median.release():>12}")
    refused = asking(0.5, "age").count().laplace().preview()
    print(f"  once more, for 1/2: {refused.reason}")

    print("\nThe journal: every charge, exactly\n")
    print(context.journal())
    print(f"\n  spent {context.current_privacy_loss():.6g},", end=" ")
    print(f"left {context.remaining_privacy_loss():.6g}")

    print("\nThe chain of proofs behind the income query\n")
    print(questions[2][1].resolve().explain())

    print("\nThe bit tree: a sum of hours on two neighbours, path by path\n")
    rows_of_text = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    small = (
        rows_of_text
        >> dp.t.then_cast_default(TOA=int)
        >> dp.t.then_clamp(bounds=(0, 2))
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=2)
    )
    print(verify.privacy(small, ["1", "two", "2"], ["1", "two"], d_in=1, depth=26))


if __name__ == "__main__":
    main()
