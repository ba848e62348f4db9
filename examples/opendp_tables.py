"""OpenDP's Polars context and ours, side by side, query by query.

OpenDP's column needs the one version of Polars that its plans are read by (OpenDP 0.16:
Polars 1.36.1). With another one the example says so, and shows ours: here the engine
adds up integers by public operations, and any version of any engine will do.

    python examples/opendp_tables.py

To see both, run it in an environment of its own, where pip finds that version:

    python -m venv both
    both/bin/pip install 'opendp[polars]==0.16.*' '.[tables]'
    both/bin/python examples/opendp_tables.py

Both then answer all six, and agree up to noise: north's hours above 10 are 29042, and
were 29087 on average over 252 of our answers (noise of scale 540, so give or take 48),
and 29001 over 12 of OpenDP's. The noise is not the same, since bounds are not: OpenDP
keeps 3 rows of a person in all, whatever their region, where we keep 3 in each of 3
regions; and it counts people as if each of these rows could be another one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import polars as pl

import opendp_lite.prelude as ours

# The survey is made up: no person is behind a row.
ROWS = 3000
SURVEY = pl.DataFrame(
    {
        "person": [i // 3 for i in range(ROWS)],
        "region": [("north", "south", "west")[i * i % 3] for i in range(ROWS)],
        "hours": [i * 7 % 61 for i in range(ROWS)],
    }
)
DOMAIN = ours.table_domain(
    {
        "person": ours.atom_domain(T="i64"),
        "region": ours.atom_domain(T=str),
        "hours": ours.atom_domain(T="i64"),
    }
)
HOURS = ours.col("hours").clip(0, 60)
KEYS = ["north", "south", "west"]


def our_context() -> Any:
    """Return ours: the columns are declared, and public keys are passed to a query."""
    return ours.Context.compositor(
        data=SURVEY,
        domain=DOMAIN,
        privacy_unit=ours.unit_of(contributions=1, identifier="person"),
        privacy_loss=ours.loss_of(epsilon=6.0, delta=1e-7),
        split_evenly_over=6,
    )


def their_context(theirs: Any) -> Any:
    """Return OpenDP's: what is public of groups is said in margins."""
    margin = theirs.polars.Margin
    return theirs.Context.compositor(
        data=SURVEY.lazy(),
        privacy_unit=theirs.unit_of(contributions=1, identifier=pl.col("person")),
        privacy_loss=theirs.loss_of(epsilon=6.0, delta=1e-7),
        split_evenly_over=6,
        margins=[margin(by=(), max_length=ROWS)],
    )


def truncated(context: Any) -> Any:
    """Begin a query of OpenDP with what a person may add."""
    return context.query().truncate_per_group(3)


Question = Callable[..., Any]
QUESTIONS: list[tuple[str, Question, Question]] = [
    (
        "rows",
        lambda context: context.table(rows=3).agg(len=ours.count()),
        lambda context, dp: truncated(context).select(dp.len(signed=True)),
    ),
    (
        "people",
        lambda context: context.table().agg(people=ours.people()),
        lambda context, dp: truncated(context).select(
            pl.col("person").dp.n_unique(signed=True)
        ),
    ),
    (
        "a sum",
        lambda context: context.table(rows=3).agg(hours=HOURS.sum()),
        lambda context, dp: truncated(context).select(
            pl.col("hours").fill_null(0).dp.sum((0, 60))
        ),
    ),
    (
        "a filter and a sum by public keys",
        lambda context: (
            context.table()
            .filter(HOURS > 10)
            .group_by(keys={"region": KEYS}, rows=3, groups=3)
            .agg(hours=HOURS.sum())
        ),
        lambda context, dp: (
            truncated(context)
            .filter(pl.col("hours") > 10)
            .group_by("region")
            .agg(pl.col("hours").fill_null(0).dp.sum((0, 60)))
            .with_keys(pl.LazyFrame({"region": KEYS}))
        ),
    ),
    (
        "unknown keys",
        lambda context: (
            context.table().group_by("region", rows=3, groups=3).agg(len=ours.count())
        ),
        lambda context, dp: (
            truncated(context).group_by("region").agg(dp.len(signed=True))
        ),
    ),
    (
        "a median",
        lambda context: context.table(
            rows=3, groups=3
        ).agg(  # each bin is a group of its own
            hours=HOURS.quantiles([0.5], [10, 20, 30, 40, 50])
        ),
        lambda context, dp: truncated(context).select(
            pl.col("hours").fill_null(0).dp.median([10, 20, 30, 40, 50])
        ),
    ),
]


def asked_of_theirs() -> list[str]:
    """Return what OpenDP answers to each, or why it does not."""
    try:
        import opendp.prelude as theirs
    except ImportError:
        return ["OpenDP is not installed"] * len(QUESTIONS)
    theirs.enable_features("contrib")
    told = []
    try:
        context = their_context(theirs)
    except Exception as error:
        return [_short(error)] * len(QUESTIONS)
    for _, _, question in QUESTIONS:
        try:
            told.append(str(question(context, theirs).release().collect().to_dicts()))
        except Exception as error:
            told.append(_short(error))
    return told


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    if "expected version" in text:
        return "not answered: it needs another version of Polars"
    return f"not answered: {text[:60]}"


def main() -> None:
    """Ask both, query by query."""
    logging.getLogger().setLevel(logging.ERROR)  # epsilon = 6 is unusually large
    context = our_context()
    for (title, question, _), told in zip(QUESTIONS, asked_of_theirs(), strict=True):
        query = question(context)
        scales = [round(row.scale, 3) for row in query.preview().rows]
        print(f"{title}: noise of scale {scales}")
        print(f"    ours    {query.release(alpha=None).to_dicts()}")
        print(f"    OpenDP  {told}")
    print(f"shares left of ours: {context.remaining_privacy_loss()}")


if __name__ == "__main__":
    main()
