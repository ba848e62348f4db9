"""An analyst who looks at each answer before asking the next, under one budget.

Nothing is planned: each question says what it may lose, and later ones depend on the
answers to earlier ones. The session adds the losses up, exactly, and refuses what
does not fit; a refusal costs nothing. Many small questions are cheaper with Gaussian
noise and a budget of rho, for which a part of (epsilon, delta) can be set aside.

    python examples/adaptive_session.py
"""

from __future__ import annotations

from survey import columns

import opendp_lite.prelude as dp

CONCENTRATED = dp.zero_concentrated_divergence()
YEARS = list(range(18, 90))


def younger(query: dp.Query, age: int) -> dp.Query:
    """Count those who are younger than this, and those who are not."""
    return query.cast_default(int).histogram([age], MO=dp.l2_distance(T=int))


def main() -> None:
    """Ask, look, ask again."""
    context = dp.Context.compositor(
        data=columns()["age"],
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0, delta=1e-6),
        domain=dp.vector_domain(dp.atom_domain(T=str)),
    )

    print("How many people are there?")
    count = context.query(epsilon=0.05).count().laplace()
    near = count.preview(alpha=0.05).accuracy
    people = count.release()
    print(f"  {people}, give or take {near:g}\n")

    print("Half of them are younger than")
    ages = context.query(epsilon=0.1).cast_default(int)
    median = ages.private_quantile(YEARS, alpha=0.5).release()
    print(f"  {median}\n")

    print("So ask 24 times, how many are younger than an age around it. A part of the")
    print("budget is counted by rho for that, under which small noise adds up slowly:")
    part = context.query(epsilon=0.3, delta=5e-7)
    with part.compositor(24, output_measure=CONCENTRATED).release() as counts:
        noisy = younger(counts.query(), median).gaussian()
        print(f"  each within {noisy.preview(alpha=0.05).accuracy:g};", end=" ")
        alone = context.query(epsilon=0.3 / 24)
        plain = alone.cast_default(int).histogram([median]).laplace()
        print(f"it were {plain.preview(alpha=0.05).accuracy:g} by epsilon")
        answers = [
            younger(counts.query(), age).gaussian().release()[0]
            for age in range(median - 12, median + 12)
        ]
    print(f"  {answers}\n")

    print("A part for a colleague, who asks twice, and returns the rest:")
    with context.query(epsilon=0.4, delta=0).compositor().release() as colleague:
        old = colleague.query(epsilon=0.1, delta=0).cast_default(int)
        print(f"  {old.histogram([65]).laplace().release()} below and above 65")
        total = colleague.query(epsilon=0.1, delta=0).cast_default(int)
        print(f"  {total.clamp((0, 90)).sum().laplace().release():,} years together")
    print(f"  left: {context.remaining_privacy_loss()}\n")

    print("Too much is refused, and costs nothing:")
    told = context.query(epsilon=2.0).count().laplace().preview()
    print(f"  answered: {told.answered}; {told.reason}\n")

    print(context)


if __name__ == "__main__":
    main()
