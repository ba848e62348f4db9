"""Values of a text that do not fit their column: marked in the file, and counted."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pyarrow import parquet

import opendp_lite.prelude as dp
from opendp_lite.jobs.previews import plain
from tests.rows import for_each

LARGE = 1e7  # an epsilon whose noise is 0, but with e^-1000
LINES = """\
id,age,income,city
1,31.0,4100.5,Bern
1,old,none,Basel
1,?,,Basel
1,young,1e3,Bern
2,44,NA,Bern
x,none,none,Basel
3,,,
"""
COLUMNS = {
    name: dp.option_domain(dp.atom_domain(T=T))
    for name, T in {"id": int, "age": int, "income": float, "city": str}.items()
}
MARKED = dp.declare_misfits(COLUMNS)
ROWS = dp.unit_of(contributions=1)
PEOPLE = dp.unit_of(contributions=1, identifier="id")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logger = logging.getLogger("opendp_lite.context")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)


@pytest.fixture
def path(tmp_path: Path) -> str:
    source = tmp_path / "people.csv"
    source.write_text(LINES)
    return dp.csv_to_parquet(source, tmp_path / "people.parquet", COLUMNS)


def opened(data: Any, unit: Any = ROWS, columns: Any = None, **loss: Any) -> Any:
    return dp.Context.compositor(
        data=data,
        domain=dp.table_domain(columns or MARKED),
        privacy_unit=unit,
        privacy_loss=dp.loss_of(**(loss or {"epsilon": LARGE})),
    )


def bounded(context: Any, rows: int, **loss: Any) -> Any:
    """Return a query in which so many rows of a person count."""
    return context.table(**loss, rows=rows)


def numbers(answer: Any) -> dict[str, Any]:
    """Return the numbers of an answer of one row, without intervals."""
    return {
        name: each[0]
        for name, each in plain(answer).items()
        if not name.endswith(("_low", "_high"))
    }


FRAMES: dict[str, Any] = {
    "files": str,
    "dict": lambda path: parquet.read_table(path).to_pydict(),
    "arrow": parquet.read_table,
    "polars": pl.read_parquet,
}


@pytest.mark.parametrize("kind", FRAMES)
def test_each_column_has_its_number_of_misfits(path: str, kind: str) -> None:
    context = opened(FRAMES[kind](path))
    found = numbers(context.table(epsilon=LARGE).count_misfits().release())
    assert found == {"id_misfits": 1, "age_misfits": 4, "income_misfits": 3}


def test_the_cost_is_that_of_counts_and_stands_in_the_journal(path: str) -> None:
    context = opened(path, epsilon=1.0)
    query = context.table(epsilon=0.25).count_misfits()
    rows = query.preview().rows
    assert [row.aggregate for row in rows] == ["misfits"] * 3
    assert [row.distribution for row in rows] == ["Integer Laplace"] * 3
    assert [(row.sensitivity, row.scale) for row in rows] == [(1.0, 12.0)] * 3
    found = query.release().to_pydict()
    for name in ("id_misfits", "age_misfits", "income_misfits"):
        width = rows[0].accuracy
        (value,), (low,), (high,) = (found[f"{name}{e}"] for e in ("", "_low", "_high"))
        assert (value - low, high - value) == (width, width)
    assert context.remaining_privacy_loss() == 0.75
    (entry,) = context.journal()
    assert "age_misfits=col('age').misfits()" in str(entry)


def test_a_person_counts_with_few_misfits_and_never_with_a_part(path: str) -> None:
    for rows, due in ((1, 1), (2, 2), (3, 3), (9, 3)):
        context = opened(path, PEOPLE)
        query = bounded(context, rows, epsilon=LARGE).count_misfits()
        preview = query.preview()
        assert [row.sensitivity for row in preview.rows] == [rows, rows]
        assert str(preview.bounds).startswith(f"at most {rows} row")
        # Person 1 has three ages that do not fit; nobody knows whose row "x" is.
        assert numbers(query.release()) == {"age_misfits": due, "income_misfits": 2}


def test_misfits_are_counted_in_groups_beside_other_aggregates(path: str) -> None:
    query = (
        opened(path)
        .table(epsilon=LARGE)
        .with_columns(city=dp.col("city").fill_null("?"))
        .group_by(keys={"city": ["Basel", "Bern", "?"]})
        .agg(bad=dp.col("age").misfits(), rows=dp.count())
    )
    found = query.release().to_pydict()
    assert found["bad"] == [3, 1, 0]
    assert found["rows"] == [3, 3, 1]


def test_one_row_in_place_of_another_is_one_misfit(path: str) -> None:
    context = opened(path, dp.unit_of(changes=1))
    query = context.table(epsilon=LARGE).agg(bad=dp.col("age").misfits())
    assert [row.sensitivity for row in query.preview().rows] == [1.0]
    assert numbers(query.release()) == {"bad": 4}


def test_gaussian_noise_too(path: str) -> None:
    query = opened(path, rho=1.0).table(rho=0.5).count_misfits()
    assert {row.distribution for row in query.preview().rows} == {"Integer Gaussian"}
    assert set(numbers(query.release())) == {
        *("id_misfits", "age_misfits", "income_misfits"),
    }


REFUSED: list[tuple[str, Any, Any, str]] = [
    ("T.count_misfits()", ROWS, COLUMNS, "declares no column that marks misfits"),
    ("T.agg(n=dp.col('age').misfits())", ROWS, COLUMNS, "declare_misfits(columns)"),
    ("T.agg(n=dp.col('city').misfits())", ROWS, None, "declare_misfits(columns)"),
    (
        "T.agg(n=dp.col('age').fill_null(0).misfits())",
        *(ROWS, None, "n: col('age').fill_null(0).misfits() needs a column of bools"),
    ),
    (
        "T.agg(n=dp.col('age').misfits())",
        *(ROWS, {**COLUMNS, "age_misfit": COLUMNS["id"]}, "needs a column of bools"),
    ),
    ("T.agg(n=dp.col('age').misfits(k=1))", ROWS, None, "has no argument 'k'"),
    (
        "bounded(context, 1, epsilon=0.5).agg(n=dp.col('id').misfits())",
        *(PEOPLE, None, "'id' says whose row it is"),
    ),
    (
        "T.with_columns(city=dp.col('city').fill_null('?')).group_by('city')"
        ".agg(n=dp.col('age').misfits())",
        *(ROWS, None, "delta greater than 0 is needed"),
    ),
    (
        "T.count_misfits()",
        *(PEOPLE, None, "does not give rows for age_misfits (misfits)"),
    ),
    ("T.agg(age=dp.count()).count_misfits()", ROWS, None, "agg comes once"),
    ("T.count_misfits().filter(dp.lit(True))", ROWS, None, "comes before"),
    (
        "context.table(epsilon=2.0).count_misfits().release()",
        *(ROWS, None, "Nothing was spent"),
    ),
]


@for_each(("code", "unit", "columns", "told"), REFUSED)
def test_what_does_not_fit_is_refused_and_nothing_is_spent(
    code: str, unit: Any, columns: Any, told: str
) -> None:
    data = dict[str, list[Any]]((name, []) for name in columns or MARKED)
    context = opened(data, unit, columns, epsilon=1.0)
    with pytest.raises(dp.OpenDPException) as caught:
        eval(code, {**globals(), "context": context, "T": context.table(epsilon=0.5)})
    assert told in str(caught.value)
    assert context.journal() == []
    assert context.remaining_privacy_loss() == 1.0


def test_public_keys_are_needed(path: str) -> None:
    context = opened(path, epsilon=1.0, delta=1e-6)
    query = context.table(epsilon=0.5, delta=1e-6).with_columns(
        city=dp.col("city").fill_null("?")
    )
    with pytest.raises(dp.OpenDPException, match="misfits needs public keys"):
        query.group_by("city").count_misfits()


def test_a_file_without_marks_is_to_be_written_anew(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    source.write_text(LINES)
    old = dp.csv_to_parquet(source, tmp_path / "old.parquet", COLUMNS, misfits=False)
    assert "age_misfit" not in parquet.read_schema(old).names
    with pytest.raises(dp.OpenDPException) as caught:
        opened(old)
    for name in ("id", "age", "income"):
        assert f"The column '{name}_misfit' is not there. " in str(caught.value)
    assert "must be written anew" in str(caught.value)
    with pytest.raises(dp.OpenDPException) as caught:
        opened(old, columns={**COLUMNS, "more": COLUMNS["age"]})
    assert "anew" not in str(caught.value)  # where no mark is declared


def test_marks_are_left_out_where_nobody_declares_them(path: str) -> None:
    context = opened(path, columns=COLUMNS)
    assert numbers(context.table(epsilon=LARGE).agg(n=dp.count()).release()) == {"n": 7}


@for_each(
    ("ask", "error"),
    [
        (lambda query: query.group_by("age"), AttributeError),
        (lambda query: query.select("age"), AttributeError),
        (lambda query: query.count(), dp.OpenDPException),
        (lambda query: query.clamp((0, 1)), dp.OpenDPException),
    ],
)
def test_a_query_about_a_table_is_told_where_to_begin(ask: Any, error: Any) -> None:
    context = dp.Context.compositor(
        data={"age": [31, 48]},
        domain=dp.table_domain({"age": dp.atom_domain(T=int)}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    with pytest.raises(error, match=r"begin with context\.table\(\.\.\.\)"):
        ask(context.query(epsilon=0.5))
    assert context.remaining_privacy_loss() == 1.0


def test_a_query_about_rows_is_not_told_of_tables() -> None:
    query: Any = dp.Query(dp.space_of(list[int]), dp.max_divergence(), 1, 0.5)
    for ask in (lambda: query.group_by("age"), lambda: query.sum()):
        with pytest.raises((AttributeError, dp.OpenDPException)) as caught:
            ask()
        assert "context.table" not in str(caught.value)
