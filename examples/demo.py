"""The main job, end to end: three private releases from raw text, and a certificate.

Run it with `make demo`. The data is synthetic (see examples/survey.py). One person is
one row, so neighbouring data sets differ by one added or removed row: d_in = 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from survey import columns

import opendp_lite.prelude as dp
from opendp_lite import verify

answers = columns()
rows_of_text = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()

respondents = rows_of_text >> dp.t.then_count() >> dp.m.then_laplace(scale=4)
hours = (
    rows_of_text
    >> dp.t.then_cast_default(TOA=int)
    >> dp.t.then_clamp(bounds=(0, 60))
    >> dp.t.then_sum()
    >> dp.m.then_laplace(scale=120)
)
income = (
    rows_of_text
    >> dp.t.then_cast_default(TOA=float)
    >> dp.t.then_impute_constant(constant=0.0)
    >> dp.t.then_clamp(bounds=(0.0, 5000.0))
    >> dp.t.then_sum()
    >> dp.m.then_laplace(scale="20000")
)
discrete, real = dp.discrete_laplacian_scale_to_accuracy, dp.laplacian_scale_to_accuracy
questions = [
    ("respondents", respondents, "age", floor(discrete(4, alpha="0.05"))),
    ("hours worked, total", hours, "hours", floor(discrete(120, alpha="0.05"))),
    ("income, total", income, "income", ceil(real(20000, alpha="0.05"))),
]


def main() -> None:
    """Print pipelines, their cost before spending, releases, proofs, a certificate."""
    print("Pipelines\n")
    for title, pipeline, _, _ in questions:
        print(f"{title}:\n{pipeline!r}\n")

    print("Cost of one added or removed row, exactly, before anything is released\n")
    costs = [pipeline.map(1, exact=True) for _, pipeline, _, _ in questions]
    for (title, *_), cost in zip(questions, costs, strict=True):
        print(f"  {title:22} epsilon = {cost}")
    total = sum(costs, Fraction(0))
    print(f"  {'together':22} epsilon = {total}\n")

    print(
        "Releases, each within the stated distance of the truth in 95 % of all runs\n"
    )
    for title, pipeline, column, accuracy in questions:
        release = pipeline(answers[column])
        print(f"  {title:22} {release:>14,.0f} +- {accuracy:,}")

    print("\nThe chain of proofs behind the income pipeline\n")
    print(income.explain())

    print("\nThe bit tree: the hours pipeline on two neighbours, path by path\n")
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
