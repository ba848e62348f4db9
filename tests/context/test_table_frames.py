"""Frames of every kind: what comes in comes out, with declared types, equal numbers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import opendp_lite.prelude as dp

DOMAIN = dp.table_domain(
    {
        "id": dp.option_domain(dp.atom_domain(T="i64")),
        "city": dp.option_domain(dp.atom_domain(T=str)),
        "spend": dp.option_domain(dp.atom_domain(T=float)),
    }
)
N = 60
COLUMNS: dict[str, list[Any]] = {
    "id": [i // 2 for i in range(N)],
    "city": [("A", "ß", None)[i % 3] for i in range(N)],
    "spend": [None if i % 5 == 0 else float(i % 8) for i in range(N)],
}
ARROW = pyarrow.table(
    {
        "id": pyarrow.array(COLUMNS["id"], pyarrow.int64()),
        "city": pyarrow.array(COLUMNS["city"], pyarrow.string()),
        "spend": pyarrow.array(COLUMNS["spend"], pyarrow.float64()),
    }
)


@pytest.fixture(autouse=True)
def _drafts() -> Iterator[None]:
    dp.enable_features("contrib")
    logger = logging.getLogger("opendp_lite.context")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)
    dp.disable_features("contrib")


def parquet(folder: Path) -> str:
    path = folder / "visits.parquet"
    pyarrow.parquet.write_table(ARROW, path)
    return str(path)


CONNECTION = duckdb.connect()  # older relations end with theirs


def relation(folder: Path) -> Any:
    return CONNECTION.from_arrow(ARROW)


KINDS: list[tuple[str, Callable[[Path], Any], type]] = [
    ("dict", lambda _: COLUMNS, dict),
    (
        "pandas",
        lambda _: ARROW.to_pandas(types_mapper=pandas.ArrowDtype),
        pandas.DataFrame,
    ),
    ("polars", lambda _: polars.from_arrow(ARROW), polars.DataFrame),
    ("lazy", lambda _: polars.from_arrow(ARROW).lazy(), polars.DataFrame),
    ("pyarrow", lambda _: ARROW, pyarrow.Table),
    ("parquet", parquet, pyarrow.Table),
    ("relation", relation, pyarrow.Table),
]


def context(data: Any, epsilon: float = 1e7) -> Any:
    return dp.Context.compositor(
        data=data,
        domain=DOMAIN,
        privacy_unit=dp.unit_of(contributions=1, identifier="id"),
        privacy_loss=dp.loss_of(epsilon=epsilon),
        split_evenly_over=1,
    )


def query(opened: Any) -> Any:
    spend = dp.col("spend").fill_null(0.0).clip(0.0, 8.0)
    named = opened.table().with_columns(city=dp.col("city").fill_null("?"))
    grouped = named.group_by(keys={"city": ["?", "ß", "A", "Z"]}, rows=2, groups=2)
    return grouped.agg(
        people=dp.people(),
        visits=dp.count(),
        whole=(dp.col("spend").fill_null(0.0) >= 4.0).n_unique(),
        spend=spend.mean(),
    )


def as_dict(answer: Any) -> dict[str, list[Any]]:
    if isinstance(answer, pandas.DataFrame):
        return {str(name): answer[name].tolist() for name in answer.columns}
    if isinstance(answer, polars.DataFrame):
        return answer.to_dict(as_series=False)
    return answer if isinstance(answer, dict) else answer.to_pydict()


def answered(data: Any) -> Any:
    return query(context(data)).release()


@cache
def of_columns() -> Any:
    """What is answered of columns, with hardly any noise."""
    return answered(COLUMNS)


@pytest.mark.parametrize(("name", "make", "kind"), KINDS, ids=[k[0] for k in KINDS])
def test_the_frame_that_came_in_comes_out(
    name: str, make: Callable[[Path], Any], kind: type, tmp_path: Path
) -> None:
    found = query(context(make(tmp_path)))
    assert type(found.preview().to_frame()) is kind
    answer = found.release()
    assert type(answer) is kind
    told, expected = as_dict(answer), of_columns()
    assert list(told) == list(expected)
    for column in ("city", "people", "visits", "whole"):
        assert told[column] == expected[column]
    assert told["spend"] == pytest.approx(expected["spend"], abs=1e-3)


def test_types_are_declared() -> None:
    answer = answered(ARROW)
    whole = [pyarrow.string()] + [pyarrow.int64()] * 9
    assert answer.schema.types == whole + [pyarrow.float64()] * 3
    frame = answered(ARROW.to_pandas(types_mapper=pandas.ArrowDtype))
    assert [str(each) for each in frame.dtypes][1:] == ["int64"] * 9 + ["float64"] * 3
    lazy = answered(polars.from_arrow(ARROW).lazy())
    assert lazy.dtypes[1:] == [polars.Int64] * 9 + [polars.Float64] * 3


def test_a_public_table_may_be_a_frame_of_any_library() -> None:
    opened = context(ARROW, epsilon=1.0)
    for public in (
        polars.DataFrame({"city": ["A"], "zone": [1]}),
        pandas.DataFrame({"city": ["A"], "zone": [1]}),
        pyarrow.table({"city": ["A"], "zone": [1]}),
    ):
        opened.table().join(public, on="city").with_columns(z=dp.col("zone").is_null())
    for wrong in (ARROW, polars.LazyFrame({"city": ["A"], "zone": [1]})):
        with pytest.raises(dp.OpenDPException, match=r"Pass|Rename"):
            opened.table().join(wrong, on="city")
    assert opened.journal() == []


def test_a_missing_file_is_refused_by_its_path(tmp_path: Path) -> None:
    path = str(tmp_path / "nothing.parquet")
    with pytest.raises(dp.OpenDPException) as caught:
        context(path)
    assert f"there is no file at {path!r}" in str(caught.value)
