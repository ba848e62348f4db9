"""Drafts of table domains: made from names and types, and never from a value."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each
from tests.tables.samples import connected

TABLE = pa.table(
    {
        "id": pa.array([777], pa.int32()),
        "city": ["secret 777"],
        "kind": pa.array(["secret"]).dictionary_encode(),
        "mass": [1.5],
        "member": [True],
        "day": [datetime.date(2020, 1, 1)],
        "seen": [datetime.datetime(2020, 1, 1)],
        "code": pa.array([777], pa.uint64()),
    }
)
DRAFT = """\
domain = dp.table_domain({
    'id': dp.option_domain(dp.atom_domain(T=int)),
    'city': dp.option_domain(dp.atom_domain(T=str)),
    'kind': dp.option_domain(dp.atom_domain(T=str)),
    'mass': dp.option_domain(dp.atom_domain(T=float)),
    'member': dp.option_domain(dp.atom_domain(T=bool)),
    'day': dp.option_domain(dp.atom_domain(T=int)),  # dates, as days since 1970-01-01
    # 'seen': datetime. Time stamps cannot be declared. Pass dates, which are declared \
as T=int and count as days since 1970-01-01, or seconds since 1970 as integers.
    # 'code': uint64. Cast it to int64, and declare T=int.
})"""
UNIT, LOSS = dp.unit_of(contributions=1), dp.loss_of(epsilon=1.0)


def frames(folder: Path) -> dict[str, Any]:
    path = folder / "x.parquet"
    pq.write_table(TABLE, path)
    return {
        "PyArrow": TABLE,
        "Parquet": path,
        "list": [str(path)],
        "pandas": TABLE.to_pandas(types_mapper=pd.ArrowDtype),
        "Polars": pl.from_arrow(TABLE),
        "lazy": pl.from_arrow(TABLE).lazy(),
        "DuckDB": connected().from_arrow(TABLE),
    }


def test_a_draft_of_every_kind_of_frame_can_be_pasted(tmp_path: Path) -> None:
    for kind, frame in frames(tmp_path).items():
        draft = dp.draft_table_domain(frame)
        assert repr(draft) == DRAFT, kind
        pasted: dict[str, Any] = {"dp": dp}
        exec(repr(draft), pasted)
        assert pasted["domain"] == draft.domain
        dp.Context.compositor(frame, UNIT, LOSS, domain=pasted["domain"])


def test_no_value_is_looked_at() -> None:
    def fails(column: Any) -> Any:
        raise ValueError("a row was read")

    lazy = pl.LazyFrame({"x": [777]}).with_columns(
        pl.col("x").map_batches(fails, return_dtype=pl.Int64)
    )
    assert "'x': dp.option_domain(dp.atom_domain(T=int))" in repr(
        dp.draft_table_domain(lazy)
    )
    texts = set()
    for values in (["a"], [777], [None], [b"x"], []):
        frame = pd.DataFrame({"x": pd.Series(values, dtype=object)})
        texts.add(repr(dp.draft_table_domain(frame)))
    (text,) = texts
    assert "T=str)),  # objects: text, or convert them first" in text


@for_each(
    ("frame", "told"),
    [
        (
            pd.DataFrame(
                {"x": pd.period_range("2020-01", periods=1, freq="M"), "y": [1]}
            ),
            "    # 'x': PeriodDtype, which is not read. Convert it first.\n    'y': ",
        ),
        (
            pd.DataFrame([[1, 2, 3]], columns=["x", "x", "y"]),
            "    # 'x': there more than once. Rename one of these columns.\n    'y': ",
        ),
        (pl.DataFrame({"x": [[1]], "y": [1]}), "# 'x': list. Such a column cannot"),
        (pd.DataFrame([[1, 2]], columns=["x", 1]), "{\n    'x': dp"),
    ],
)
def test_notes(frame: Any, told: str) -> None:
    assert told in repr(dp.draft_table_domain(frame))


def test_a_text_file_is_drafted_by_its_first_line(tmp_path: Path) -> None:
    source = tmp_path / "survey.csv"
    source.write_text('\ufeffage;"home town"\n31;secret\n')
    draft = dp.draft_table_domain(source, separator=";")
    assert "secret" not in repr(draft)
    assert repr(draft).startswith(
        "# A text file does not say the types of its columns: write T=int, T=float or "
        "T=bool\n# where a column holds no text. Its first line is read for the names: "
        "if it is a\n# row, these are data, and csv_to_parquet needs a first line with "
        "names.\ncolumns = {\n    'age': dp.option_domain(dp.atom_domain(T=str)),\n"
    )
    pasted: dict[str, Any] = {"dp": dp}
    exec(
        repr(draft).replace(
            "'age': dp.option_domain(dp.atom_domain(T=str",
            "'age': dp.option_domain(dp.atom_domain(T=int",
        ),
        pasted,
    )  # as the note says
    assert list(pasted["domain"].declared) == ["age", "home town", "age_misfit"]
    dp.Context.compositor(pasted["data"], UNIT, LOSS, domain=pasted["domain"])
    assert pq.read_table(pasted["data"])["age"].to_pylist() == [31]


@for_each("content", [b"age\r31\rsecret\r", "age\n31\n".encode("utf-16"), b"\n"])
def test_a_text_file_without_a_line_of_names_shows_no_row(
    content: bytes, tmp_path: Path
) -> None:
    source = tmp_path / "survey.csv"
    source.write_bytes(content)
    with pytest.raises(dp.OpenDPException, match="names of columns in") as caught:
        dp.draft_table_domain(source)
    assert "31" not in str(caught.value)


@for_each("path", ["secret\0.csv", "secret\ud800.csv", "name\nsecret,31\nx.csv"])
def test_a_text_that_names_no_file_is_not_shown(path: str) -> None:
    with pytest.raises(dp.OpenDPException, match="data=this path: there") as caught:
        dp.draft_table_domain(path)
    assert "secret" not in str(caught.value)


@for_each("data", [5, {"a": [1]}, "none.csv", pd.DataFrame(), [1], "none.parquet"])
def test_what_no_draft_can_be_made_of(data: Any) -> None:
    with pytest.raises(dp.OpenDPException, match=r"Pass|a table is"):
        dp.draft_table_domain(data)


def test_dates_are_refused_with_what_to_declare_instead() -> None:
    for T in (datetime.date, datetime.datetime, "date"):
        with pytest.raises(dp.OpenDPException) as caught:
            dp.atom_domain(T=T)
        assert "dates of a table are declared as T=int" in str(caught.value)


def test_a_frame_without_a_domain_names_the_draft() -> None:
    with pytest.raises(dp.OpenDPException, match="draft_table_domain"):
        dp.Context.compositor(pd.DataFrame({"x": [1]}), UNIT, LOSS)
