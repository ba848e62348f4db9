"""First guesses: those with one meaning work, and errors say what to write instead."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each
from tests.tables.samples import connected

LARGE = 1e7  # an epsilon whose noise is 0, but with e^-1000
N = 40
DATA: dict[str, list[Any]] = {
    "id": [i // 4 for i in range(N)],
    "species": ["ab"[i % 2] for i in range(N)],
    "year": [2007 + i % 3 for i in range(N)],
    "mass": [None if i % 5 == 0 else 2000.0 + 100 * i for i in range(N)],
    "flag": [i % 4 == 1 for i in range(N)],
    "maybe": [None if i % 2 else True for i in range(N)],
}
DOMAIN = dp.table_domain(
    {
        "id": dp.option_domain(dp.atom_domain(T=int)),
        "species": dp.atom_domain(T=str),
        "year": dp.atom_domain(T=int),
        "mass": dp.option_domain(dp.atom_domain(T=float)),
        "flag": dp.atom_domain(T=bool),
        "maybe": dp.option_domain(dp.atom_domain(T=bool)),
    }
)
FRAMES: dict[str, Any] = {
    "dict": lambda: DATA,
    "pandas": lambda: (
        pl.DataFrame(DATA).to_arrow().to_pandas(types_mapper=pd.ArrowDtype)
    ),
    "polars": lambda: pl.DataFrame(DATA),
    "duckdb": lambda: connected().from_arrow(pl.DataFrame(DATA).to_arrow()),
}
MASS = dp.col("mass").fill_null(0)
FLAG = dp.col("flag")


def context(data: Any = DATA, identifier: str | None = None, **loss: Any) -> dp.Context:
    named: dict[str, Any] = {} if identifier is None else {"identifier": identifier}
    return dp.Context.compositor(
        data=data,
        domain=DOMAIN,
        privacy_unit=dp.unit_of(contributions=1, **named),
        privacy_loss=dp.loss_of(**(loss or {"epsilon": LARGE})),
        split_evenly_over=1,
    )


def release(query: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = query.release(alpha=None)
    return found


# --- numbers ----------------------------------------------------------------------


@for_each(
    ("written", "meant"),
    [
        (MASS.clip(2000, 7000), MASS.clip(2000.0, 7000.0)),
        (MASS > 3000, MASS > 3000.0),
        (dp.lit(3000) <= MASS, dp.lit(3000.0) <= MASS),
        (MASS.cut([2000, 3000]), MASS.cut([2000.0, 3000.0])),
        (MASS.clip(0, 9) * 2 + 1, MASS.clip(0.0, 9.0) * 2.0 + 1.0),
        ((MASS > 1) & ~(MASS < 9), (MASS > 1.0) & ~(MASS < 9.0)),
        (dp.col("year").clip(0, 3000) + 1, dp.col("year").clip(0, 3000) + 1),
    ],
)
def test_whole_numbers_beside_floats_are_floats(written: Any, meant: Any) -> None:
    told = repr(context().table().with_columns(new=written))
    expected = repr(meant).replace("fill_null(0)", "fill_null(0.0)")
    assert told == f"table().with_columns(new={expected})"


def test_what_is_no_double_is_refused_and_not_rounded() -> None:
    table = context().table()
    for wrong in (MASS > 2**53 + 1, dp.col("year") > 2007.5):
        with pytest.raises(dp.OpenDPException, match="are not of one type"):
            table.filter(wrong)


def test_edges_of_floats_may_be_whole() -> None:
    query = context().table().agg(h=MASS.histogram([2000, 3000.5, 4000]))
    assert "edges=[2000.0, 3000.5, 4000.0]" in repr(query)
    numbers = [0.0 if x is None else x for x in DATA["mass"]]
    edges = [-1, 2000, 3000.5, 4000, 1e9]
    counts = [each[0] for each in release(query).values()]
    assert counts == list(np.histogram(numbers, edges)[0])
    quantiles = dp.col("mass").fill_null(0).clip(0, 9).quantiles([0.5], [2, 4, 8])
    assert "edges=[2.0, 4.0, 8.0]" in repr(context().table().agg(q=quantiles))


# --- keys, edges, public tables -----------------------------------------------------

LISTS: dict[str, Any] = {
    "list": [2007, 2008],
    "tuple": (2007, 2008),
    "range": range(2007, 2009),
    "array": np.array([2007, 2008]),
    "array.array": array.array("q", [2007, 2008]),
    "pandas": pd.Series([2007, 2008]),
    "index": pd.Index([2007, 2008]),
    "unique": pd.Series([2007, 2008], dtype="Int64").unique(),
    "polars": pl.Series([2007, 2008]),
    "pyarrow": pa.array([2007, 2008]),
}


@for_each("kind", LISTS)
def test_what_does_for_a_list_of_public_values(kind: str) -> None:
    listed, year = LISTS[kind], dp.col("year")
    for query in (
        context().table().group_by("year", keys=listed),
        context().table().group_by(keys={"year": listed}),
        context().table().group_by("year", keys={"year": listed}),
    ):
        assert release(query.agg(dp.count())) == {
            "year": [2007, 2008],
            "count": [14, 13],
        }
    cut = context().table().with_columns(y=year.cut(listed))
    assert repr(cut) == "table().with_columns(y=col('year').cut([2007, 2008]))"
    assert repr(year.histogram(listed)) == repr(year.histogram([2007, 2008]))


def test_a_column_of_data_that_was_passed_as_edges_is_not_shown() -> None:
    year = dp.col("year")
    for wrong in (pd.Series([777, 31]), np.array([777, 777]), pl.Series(["777"])):
        for made in (year.cut, year.histogram):
            with pytest.raises(dp.OpenDPException, match="edges=<") as caught:
                made(wrong)
            assert "777" not in str(caught.value)
        with pytest.raises(dp.OpenDPException) as caught:
            context().table().group_by("flag", keys=wrong)
        assert "777" not in str(caught.value)
        with pytest.raises(dp.OpenDPException, match="keys=<") as caught:
            context().table().group_by("species", "year", keys=wrong)
        assert "777" not in str(caught.value)
        with pytest.raises(dp.OpenDPException, match="alphas=<") as caught:
            year.quantiles(wrong, [0, 1])
        assert "777" not in str(caught.value)


def test_keys_of_two_columns_are_still_tuples() -> None:
    table = context().table()
    keys = [("a", 2007), ("b", 2008)]
    query = table.group_by("species", "year", keys=keys).agg(dp.count())
    assert release(query)["count"] == [7, 7]
    with pytest.raises(dp.OpenDPException, match="a tuple of 2 values"):
        table.group_by("species", "year", keys=["a", "b"])
    with pytest.raises(dp.OpenDPException, match="must be a dict of columns"):
        table.group_by("species", keys="ab")


@for_each(
    "public",
    [
        pd.DataFrame({"species": ["a", "b"], "zone": [1, 2]}),
        pl.DataFrame({"species": ["a", "b"], "zone": [1, 2]}),
        pa.table({"species": ["a", "b"], "zone": [1, 2]}),
        {"species": np.array(["a", "b"]), "zone": range(1, 3)},
    ],
)
def test_a_frame_is_a_public_table(public: Any) -> None:
    joined = (
        context()
        .table()
        .join(public, on="species")
        .agg(total=dp.col("zone").fill_null(0).sum())
    )
    assert release(joined) == {"total": [20 * 1 + 20 * 2]}


# --- aggregates ---------------------------------------------------------------------


def test_count_and_people_name_themselves() -> None:
    for each in ((dp.count(), dp.people()), ([dp.count(), dp.people()],)):
        query = context(identifier="id").table(rows=4).agg(*each)
        assert release(query) == {"count": [N], "people": [10]}
    query = context().table().select(dp.count(), n=dp.count())
    assert release(query) == {"count": [N], "n": [N]}


@for_each(
    ("unnamed", "named", "told"),
    [
        ((FLAG.sum(),), {}, "has no name of its own. Pass for example people="),
        ((dp.col("flag"),), {}, "has no name of its own"),
        ((dp.count(), dp.count()), {}, "two aggregates of this name"),
        ((dp.count(),), {"count": dp.people()}, "two aggregates of this name"),
        ((), {"n": 5}, "must be an aggregate"),
        ((), {}, "nothing is asked for"),
    ],
)
def test_aggregates_that_need_a_name(unnamed: Any, named: Any, told: str) -> None:
    with pytest.raises(dp.OpenDPException, match=told):
        context().table().agg(*unnamed, **named)


@for_each("kind", FRAMES)
def test_sums_and_means_of_bools_are_counts_and_proportions(kind: str) -> None:
    asked = {
        "flags": FLAG.sum(),
        "share": FLAG.mean(),
        "late": (dp.col("year") >= 2008).sum(),
        "heavy": (MASS > 3000).mean(),
        "spread": FLAG.variance(ddof=0),
    }
    heavy = [x is not None and x > 3000 for x in DATA["mass"]]
    query = context(FRAMES[kind]()).table().agg(**asked)  # type: ignore[arg-type]
    answer = query.release(alpha=None)
    found = {name: next(iter(answer[name])) for name in asked}
    found = {n: getattr(x, "as_py", lambda x=x: x)() for n, x in found.items()}
    assert found["flags"] == sum(DATA["flag"]) == 10
    assert found["share"] == 0.25
    assert found["late"] == sum(year >= 2008 for year in DATA["year"])
    assert found["heavy"] == pytest.approx(sum(heavy) / N)
    assert found["spread"] == pytest.approx(0.25 * 0.75)
    assert repr(query).startswith("table().agg(flags=col('flag').sum(), share=col(")


def test_bools_in_groups_with_an_identifier() -> None:
    """A person has four rows, of which the second is true; the others are averaged."""
    query = context(identifier="id").table(rows=2, groups=2)
    query = query.group_by("species", keys=["a", "b"])
    answer = release(query.agg(dp.count(), flags=FLAG.sum(), share=FLAG.mean()))
    assert answer["count"] == [20, 20]
    assert answer["flags"] == pytest.approx([0, 10], abs=1e-3)
    assert answer["share"] == pytest.approx([0.0, 0.5], abs=1e-3)
    one = context(identifier="id").table(rows=1)
    answer = release(one.agg(dp.count(), flags=FLAG.sum(), share=FLAG.mean()))
    found = [each[0] for each in answer.values()]
    assert found == pytest.approx([10, 2.5, 0.25], abs=1e-3)


def test_bools_where_keys_are_unknown() -> None:
    opened = context(epsilon=LARGE, delta=1e-9)
    query = opened.table().group_by("species").agg(flags=FLAG.sum())
    assert release(query) == {"species": ["a", "b"], "flags": [0, 10]}


def test_bools_that_may_be_missing_are_to_be_filled() -> None:
    table = context().table()
    with pytest.raises(dp.OpenDPException, match=r"may be missing.*fill_null"):
        table.agg(n=dp.col("maybe").sum())
    filled = dp.col("maybe").fill_null(False)
    assert release(table.agg(n=filled.sum())) == {"n": [20]}


# --- what is not there --------------------------------------------------------------


@for_each(
    ("name", "told"),
    [
        ("count", ".agg(dp.count()) for rows"),
        ("groupby", ".group_by('city', keys=["),
        ("where", ".filter(dp.col("),
        ("sum", ".agg(total=dp.col('x')"),
        ("collect", ".release()"),
        ("head", "preview()"),
        ("relase", "Did you mean .release?"),
        ("zzz", "It has agg, "),
    ],
)
def test_methods_that_are_not_there_say_what_to_write(name: str, told: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(context().table(), name)
    assert told in str(caught.value)
    assert f"has no method {name!r}" in str(caught.value)


def test_items_are_columns() -> None:
    with pytest.raises(dp.OpenDPException, match=r"Name a column by dp.col\(name\)"):
        context().table()["species"]  # type: ignore[index]


def test_a_query_about_a_table_begins_with_table() -> None:
    with pytest.raises(dp.OpenDPException, match=r"context.table\(epsilon=0.1\).agg"):
        context().query().count()
    rows = dp.Context.compositor(
        [1, 2], dp.unit_of(contributions=1), dp.loss_of(epsilon=1.0)
    )
    with pytest.raises(dp.OpenDPException) as caught:
        rows.query(epsilon=1.0).sum()
    assert "table" not in str(caught.value)
