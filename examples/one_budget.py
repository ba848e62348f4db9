"""One budget and ten questions: what each costs, how near it is, and what is left.

The survey (synthetic, see examples/survey.py) is one table of text. One person is one
row of it. All that is asked comes out of epsilon = 1, in ten equal shares, which are
exact: after the tenth nothing is left, and nothing is missing. The noise is found for
the share, so that no scale is written down.

    python examples/one_budget.py
"""

from __future__ import annotations

from typing import Any

from survey import COLUMNS, columns

import opendp_lite.prelude as dp

context = dp.Context.compositor(
    data=columns(),
    privacy_unit=dp.unit_of(contributions=1),
    privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=10,
    domain=dp.frame_domain(dict.fromkeys(COLUMNS, dp.atom_domain(T=str))),
)


def whole(column: str) -> Any:
    """Begin a question about a column of whole numbers; what is none becomes 0."""
    return context.query().frame_column(column).cast_default(int)


def income() -> Any:
    """Begin a question about incomes between 0 and 5000; what is none becomes 0."""
    numbers = context.query().frame_column("income").cast_default(float)
    return numbers.impute_constant(0.0).clamp((0.0, 5000.0))


YEARS, HOURS = list(range(18, 90)), list(range(61))
QUESTIONS: list[tuple[str, Any]] = [
    ("how many people", lambda: whole("age").count().laplace()),
    ("median age", lambda: whole("age").private_quantile(YEARS, 0.5)),
    (
        "a quarter is younger than",
        lambda: whole("age").private_quantile(YEARS, 0.25),
    ),
    (
        "below 30, 45, 60, and above",
        lambda: whole("age").histogram([30, 45, 60]).laplace(),
    ),
    ("hours, all together", lambda: whole("hours").clamp((0, 60)).sum().laplace()),
    ("median of the hours", lambda: whole("hours").private_quantile(HOURS, 0.5)),
    (
        "below 20 and 40 hours, above",
        lambda: whole("hours").histogram([20, 40]).laplace(),
    ),
    ("income, all together", lambda: income().sum().laplace()),
    ("mean income", lambda: income().private_mean()),
    ("incomes below 2000, above", lambda: income().histogram([2000.0]).laplace()),
]


def main() -> None:
    """Ask all of them, and show what was spent."""
    for title, question in QUESTIONS:
        query = question()
        told = query.preview(alpha=0.05, about=2000)  # a mean is of about 2000
        near = "" if told.accuracy is None else f"+- {told.accuracy:,.0f}"
        answer = query.release()
        answer = getattr(answer, "mean", answer)
        shown = f"{answer:,.0f}" if isinstance(answer, float) else answer
        print(f"{title:30} {shown!s:>22} {near}")
    print(f"\nspent {sum(context.current_privacy_loss()):.6g}, shares left:", end=" ")
    print(context.remaining_privacy_loss())
    try:
        context.query()
    except ValueError as error:
        print(f"one more: {error}")
    print(f"\n{context.journal()}")


if __name__ == "__main__":
    main()
