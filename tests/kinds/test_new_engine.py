"""A new kind of engine is one file: a Context asks tables that the engine holds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pytest

import opendp_lite.prelude as dp
from benchmarks.house import Bits
from opendp_lite.randomness.entropy import use_source
from opendp_lite.tables.engines import selftest
from opendp_lite.tables.engines.door import enter
from opendp_lite.tables.engines.lazy import LazyEngine
from tests.kinds.shelf_engine import SHELVES, Shelf, ShelfEngine

DATA: dict[str, list[Any]] = {
    "id": [1, 1, 2, 3, 3],
    "city": ["A", "B", "A", None, "A"],
    "spend": [9.5, None, 20.0, 1e9, -3.0],
}
COLUMNS = {
    "id": dp.atom_domain(T=int),
    "city": dp.option_domain(dp.atom_domain(T=str)),
    "spend": dp.option_domain(dp.atom_domain(T=float)),
}


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Allow kinds of one's own, and forget that an engine was tested."""
    monkeypatch.setattr(SHELVES, "tested", set())
    dp.enable_features("honest-but-curious")
    yield
    dp.disable_features("honest-but-curious")


def context_of(data: Any) -> dp.Context:
    return dp.Context.compositor(
        data=data,
        domain=dp.table_domain(COLUMNS),
        privacy_unit=dp.unit_of(contributions=1, identifier="id"),
        privacy_loss=dp.loss_of(epsilon=4.0),
    )


def release_from(context: dp.Context) -> Any:
    """Release a query that takes each step of an engine, with the same noise always."""
    spend = dp.col("spend").fill_null(0.0).clip(-8.0, 64.0)
    public = {"city": ["A", "B"], "weight": [2, 3]}
    query = (
        context.table(epsilon=1.0)
        .filter(spend >= -4.0)
        .join(public, on="city", how="left")
        .with_columns(city=dp.col("city").fill_null("?"))
        .group_by(keys={"city": ["A", "B", "?"]}, rows=2, groups=1)
        .agg(people=dp.people(), total=spend.sum())
    )
    with use_source(Bits(Random(0))):
        return query.release()


@pytest.mark.usefixtures("trusting")
def test_a_context_asks_a_table_of_a_new_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs: list[str] = []
    agrees = selftest.agrees

    def count_runs(engine: Any, frame: Any) -> bool:
        runs.append(engine.name)
        return agrees(engine, frame)

    monkeypatch.setattr(selftest, "agrees", count_runs)
    context, expected = context_of(Shelf(DATA)), release_from(context_of(DATA))
    for _ in range(2):
        assert release_from(context).to_pydict() == expected
    assert runs == ["Shelf"]
    assert context.remaining_privacy_loss() == 2.0


@pytest.mark.usefixtures("trusting")
def test_a_new_engine_that_computes_something_else_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def rank(self: Any, frame: Any, name: str, new: str) -> Any:
        codes = pl.col(name).rank("dense").cast(pl.Int64)
        return nw.from_native(nw.to_native(frame).with_columns(codes.alias(new)))

    monkeypatch.setattr(ShelfEngine, "text_code", rank)
    with pytest.raises(dp.OpenDPException, match="64 rows") as caught:
        release_from(context_of(Shelf(DATA)))
    assert caught.value.variant == "FailedEngine"


def test_a_new_engine_stays_unproved() -> None:
    """Without the feature, nothing is asked of an engine that is not the library's."""
    with pytest.raises(dp.OpenDPException, match="Shelf was passed, which is no table"):
        context_of(Shelf(DATA))


@pytest.mark.usefixtures("trusting")
def test_an_engine_of_ones_own_is_not_asked_about_frames_of_the_library() -> None:
    asked: list[Any] = []

    class PolarsEngine(LazyEngine):  # the name of one of the library's
        @classmethod
        def open_frame(cls, data: Any) -> None:
            asked.append(data)

    columns = {"g": dp.atom_domain(T=str)}
    for data in (pl.DataFrame({"g": ["a"]}), duckdb.sql("SELECT 'a' AS g")):
        assert enter(data, columns).rows() == [{"g": "a"}]
    assert asked == []
    with pytest.raises(dp.OpenDPException, match="an int was passed"):
        enter(1, columns)
    assert asked == [1]
    dp.disable_features("honest-but-curious")
    with pytest.raises(dp.OpenDPException, match="an int was passed"):
        enter(2, columns)
    assert asked == [1]
