"""How much of one person counts: it has to be said, and it is repeated everywhere."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import opendp_lite.prelude as dp
from opendp_lite.solving.refused import ContextError

PLANES, EACH = 40, 30
ORIGINS = ["EWR", "JFK", "LGA"]
FLIGHTS: dict[str, list[Any]] = {
    "tailnum": [i % PLANES for i in range(PLANES * EACH)],
    "origin": [ORIGINS[i // PLANES % 3] for i in range(PLANES * EACH)],
    "delay": [i // PLANES % 10 for i in range(PLANES * EACH)],
}
DOMAIN = dp.table_domain(
    {
        "tailnum": dp.atom_domain(T="i64"),
        "origin": dp.atom_domain(T=str),
        "delay": dp.atom_domain(T="i64"),
    }
)
DELAY = dp.col("delay").clip(0, 10)
BINS = [2, 4, 6, 8]
LOSS: dict[str, Any] = {"epsilon": 0.5, "delta": 1e-9}
LARGE: dict[str, Any] = {"epsilon": 1e7}  # noise of it is 0, but with e^-1000


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logger = logging.getLogger("opendp_lite.context")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)


def opened(data: Any = FLIGHTS, identifier: str | None = "tailnum", **loss: Any) -> Any:
    return dp.Context.compositor(
        data=data,
        domain=DOMAIN,
        privacy_unit=dp.unit_of(contributions=1, identifier=identifier),
        privacy_loss=dp.loss_of(**(loss or {"epsilon": 1.0, "delta": 1e-9})),
    )


AGGREGATES: dict[str, Any] = {
    "people": dp.people(),
    "count": dp.count(),
    "sum": DELAY.sum(),
    "mean": DELAY.mean(),
    "variance": DELAY.variance(),
    "quantiles": DELAY.quantiles([0.5], BINS),
    "histogram": DELAY.histogram(BINS),
    "n_unique": dp.col("delay").n_unique(),
}
KEYS: dict[str, Any] = {
    "public": {"keys": {"origin": ORIGINS}},
    "hidden": {"by": ["origin"]},
    "none": None,
}
# Bins and different values are cells of a person within a key, and need public keys.
CELLS = ("quantiles", "histogram", "n_unique")
CASES = [
    (kind, keys)
    for kind, keys in itertools.product(AGGREGATES, KEYS)
    if not (keys == "hidden" and kind in CELLS)
]


def due(kind: str, keys: str) -> set[str]:
    """The bounds without which a query would leave out data silently."""
    rows = {"rows"} if kind not in ("people", "n_unique") else set()
    return rows | ({"groups"} if keys != "none" or kind in CELLS else set())


def grouped(query: Any, keys: str, **bounds: int) -> Any:
    """The query with its groups; the bounds stand in group_by, if there is one."""
    if KEYS[keys] is None:
        return query.group_by(**bounds) if bounds else query
    given = dict(KEYS[keys])
    return query.group_by(*given.pop("by", ()), **given, **bounds)


def lacking() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for kind, keys in CASES:
        needed = sorted(due(kind, keys))
        for number in range(1, len(needed) + 1):
            for missing in itertools.combinations(needed, number):
                yield kind, keys, missing


@pytest.mark.parametrize(("kind", "keys", "missing"), [*lacking()])
@pytest.mark.parametrize("place", ["table", "group_by"])
def test_a_query_without_a_bound_that_it_needs_is_refused(
    kind: str, keys: str, missing: tuple[str, ...], place: str
) -> None:
    context = opened()
    before = context.remaining_privacy_loss()
    given = {name: 2 for name in ("rows", "groups") if name not in missing}
    outside, inside = (given, {}) if place == "table" else ({}, given)
    query = grouped(context.table(**LOSS, **outside), keys, **inside)
    with pytest.raises(ContextError) as caught:
        query.agg(other=dp.people(), x=AGGREGATES[kind])
    said = caught.value.message
    needing, _, meaning = said.partition(". ")
    for name in ("rows", "groups"):
        assert (f" {name} for " in needing) is (name in missing)
        assert f"`{name}` is " in meaning  # both are explained, whichever is missing
    if "rows" in missing or keys == "none":
        assert f"for x ({kind})" in needing
    else:
        assert "groups for the keys (origin)" in needing
    assert "no interval shows that" in meaning
    assert context.journal() == []
    assert context.remaining_privacy_loss() == before


@pytest.mark.parametrize(("kind", "keys"), CASES)
@pytest.mark.parametrize("place", ["table", "group_by", "both"])
def test_a_query_with_the_bounds_that_it_needs_is_answered(
    kind: str, keys: str, place: str
) -> None:
    context = opened()
    given = dict.fromkeys(sorted(due(kind, keys)), 2)
    outside = given if place != "group_by" else {}
    inside = given if place != "table" else {}
    query = grouped(context.table(**LOSS, **outside), keys, **inside)
    query = query.agg(x=AGGREGATES[kind])
    query.release()
    (entry,) = context.journal()
    for name in ("rows", "groups"):
        assert (f"{name}=2" in entry.text) is (name in given)
    assert (query.preview().bounds is None) is (not given)


def test_a_table_without_an_identifier_takes_no_bounds() -> None:
    context = opened(identifier=None)
    for name in ("rows", "groups"):
        with pytest.raises(ContextError, match=f"{name}=1: .*has no identifier"):
            context.table(epsilon=0.5, **{name: 1})
    told = context.table(epsilon=0.5).agg(n=dp.count()).preview()
    assert told.bounds is None


def test_a_bound_is_given_once_or_twice_the_same() -> None:
    context = opened()
    table = context.table(**LOSS, rows=2)
    same = table.group_by(rows=2).agg(n=dp.count())
    assert repr(same) == "table(rows=2).group_by(rows=2).agg(n=count())"
    with pytest.raises(ContextError, match="rows=3: the query was given rows=2 before"):
        table.group_by(rows=3)
    # What table() left out group_by may give, and the other way round.
    both = table.group_by("origin", groups=3).agg(n=dp.count()).preview()
    assert both.bounds == "at most 2 rows in each of 3 groups of each tailnum count"


@pytest.mark.parametrize("name", ["rows", "groups"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "x", float("nan"), [1], True, 10**50])
def test_bounds_that_are_no_numbers_are_refused(name: str, value: Any) -> None:
    context = opened()
    with pytest.raises(dp.OpenDPException, match=f"{name}="):
        context.table(**LOSS, **{name: value}).agg(people=dp.people())
    with pytest.raises(dp.OpenDPException, match=f"{name}="):
        context.table(**LOSS).group_by(**{name: value})
    assert context.journal() == []


# --- the choices that a refusal offers ------------------------------------------------

CHOICES: list[tuple[str, list[str]]] = [
    (
        "T.agg(n=dp.count())",
        ["context.table(..., rows=1)", "context.table(..., rows=10)"],
    ),
    (
        "T.agg(n=AGGREGATES['histogram'])",
        [
            "context.table(..., rows=1, groups=1)",
            "context.table(..., rows=10, groups=5)",
        ],
    ),
    (
        "T.agg(n=AGGREGATES['n_unique'])",
        ["context.table(..., groups=1)", "context.table(..., groups=5)"],
    ),
    (
        "T.group_by('origin').agg(n=dp.count())",
        [
            ".group_by('origin', rows=1, groups=1)",
            ".group_by('origin', rows=10, groups=5)",
        ],
    ),
    (
        "T.group_by(keys={'origin': ORIGINS}, rows=3).agg(n=dp.count())",
        [
            ".group_by('origin', keys=..., rows=3, groups=1)",
            ".group_by('origin', keys=..., rows=3, groups=5)",
        ],
    ),
    (
        "T.group_by(groups=4).agg(n=dp.count())",
        [".group_by(rows=1, groups=4)", ".group_by(rows=10, groups=4)"],
    ),
]


@pytest.mark.parametrize(("code", "choices"), CHOICES)
def test_a_refusal_offers_two_usual_choices_that_fit(
    code: str, choices: list[str]
) -> None:
    context = opened()
    names = {**globals(), "T": context.table(**LOSS), "context": context}
    with pytest.raises(ContextError) as caught:
        eval(code, names)
    first, second = choices
    assert caught.value.message.endswith(
        f"Write {first} if each person has one row, or {second} if a person may have "
        "many rows."
    )
    assert "one value of 'tailnum'" in caught.value.message
    for choice in choices:  # which is taken as it stands
        call, _, aggregates = code.rpartition(".agg")
        written = choice.replace("keys=...", "keys={'origin': ORIGINS}")
        if written.startswith("context"):
            written = written.replace("...", "**LOSS")
        else:
            call = call.partition(".group_by")[0]
            written = call + written
        assert eval(f"{written}.agg{aggregates}", names).preview().answered


# --- what is said of a query that bounds people ---------------------------------------

SENTENCES: list[tuple[str, str | None]] = [
    ("T.agg(n=dp.people())", None),
    ("T.agg(n=dp.count())", "at most 2 rows of each tailnum count"),
    ("O.agg(n=dp.count())", "at most 1 row of each tailnum counts"),
    ("G.agg(n=dp.people())", "at most 3 groups of each tailnum count"),
    ("g.agg(n=dp.people())", "at most 1 group of each tailnum counts"),
    ("G.agg(n=dp.count())", "at most 2 rows in each of 3 groups of each tailnum count"),
    ("g.agg(n=dp.count())", "at most 2 rows in 1 group of each tailnum count"),
    (
        "O.group_by('origin', groups=1).agg(n=dp.count())",
        "at most 1 row in 1 group of each tailnum counts",
    ),
    (
        "T.group_by(groups=1).agg(n=AGGREGATES['n_unique'])",
        "at most 1 group of each tailnum counts, where each value of n is a group of "
        "its own",
    ),
    (
        "G.agg(n=AGGREGATES['histogram'])",
        "at most 2 rows in each of 3 groups of each tailnum count, where each bin of n "
        "is a group of its own",
    ),
]


@pytest.mark.parametrize(("code", "sentence"), SENTENCES)
def test_the_sentence_names_the_bounds_that_matter(
    code: str, sentence: str | None
) -> None:
    context = opened()
    T, O = (context.table(**LOSS, rows=rows) for rows in (2, 1))  # noqa: E741
    G, g = (T.group_by(keys={"origin": ORIGINS}, groups=n) for n in (3, 1))
    told = eval(code, {**globals(), "T": T, "O": O, "G": G, "g": g}).preview()
    assert told.bounds == sentence
    shown = [f"; {sentence}"] if sentence else ["of the bounded data"]
    for text in (repr(told), told._repr_html_()):
        assert all(each in text for each in shown)
        assert ("tailnum" in text) is (sentence is not None)


def test_flights_of_planes_are_not_counted_once_each_in_silence() -> None:
    """As in the review: 40 planes flew 1,200 times, and 40 came out for flights."""
    frame = pandas.DataFrame(FLIGHTS)
    context = opened(frame, **LARGE)
    with pytest.raises(ContextError, match="rows for flights \\(count\\)"):
        context.table(**LARGE).agg(flights=dp.count())
    with pytest.raises(ContextError, match="groups for the keys \\(origin\\)"):
        context.table(**LARGE, rows=1).group_by(keys={"origin": ORIGINS}).agg(
            people=dp.people()
        )
    assert context.journal() == []

    query = context.table(**LARGE, rows=2).group_by(keys={"origin": ORIGINS}, groups=1)
    query = query.agg(flights=dp.count())
    sentence = "at most 2 rows in 1 group of each tailnum count"
    told = query.preview()
    assert repr(told).endswith(f"of the bounded data; {sentence}")
    assert told.to_frame().attrs["bounds"] == sentence
    answer = query.release()
    assert answer.attrs["bounds"] == sentence
    assert list(answer.columns)[:2] == ["origin", "flights"]  # and none is added
    assert sum(answer["flights"]) == 2 * PLANES
    assert "rows=2, groups=1" in context.journal()[0].text

    whole = opened(frame, **LARGE).table(**LARGE, rows=EACH).agg(flights=dp.count())
    assert whole.release(alpha=None)["flights"].tolist() == [PLANES * EACH]


LEVEL = {b"alpha": b"0.05", b"released by": b"opendp_lite"}


def test_answers_carry_the_sentence_where_their_kind_allows_it() -> None:
    sentence = "at most 2 rows of each tailnum count"
    arrow = pyarrow.table(FLIGHTS)
    for data in (arrow, FLIGHTS, polars.DataFrame(FLIGHTS)):
        context = opened(data, **LARGE)
        answer = context.table(**LARGE, rows=2).agg(n=dp.count()).release()
        names = getattr(answer, "column_names", getattr(answer, "columns", answer))
        assert list(names) == ["n", "n_low", "n_high"]
        if data is arrow:
            assert answer.schema.metadata == {**LEVEL, b"bounds": sentence.encode()}
        assert context.journal()[0].text == "table(rows=2).agg(n=count())"
    for alpha, told in ((0.05, LEVEL), (None, {b"released by": b"opendp_lite"})):
        free = opened(arrow, identifier=None, **LARGE).table(**LARGE).agg(n=dp.count())
        assert free.release(alpha).schema.metadata == told


def test_bins_of_a_person_count_as_groups() -> None:
    """Without keys too: a person with rows in ten bins counted in one, in silence."""
    for groups in (1, 3):
        query = opened(**LARGE).table(**LARGE, rows=EACH, groups=groups)
        found = query.agg(n=AGGREGATES["histogram"]).release(alpha=None)
        bins = [found[f"n_{i}"][0] for i in range(len(BINS) + 1)]
        # Six of a plane's thirty flights are in each bin.
        assert sum(bins) == PLANES * groups * EACH // (len(BINS) + 1)
