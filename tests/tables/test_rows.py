"""Tables row by row: every distance of all small tables, and faults that are seen."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.metrics import Metric
from opendp_lite.tables import rows as subject
from opendp_lite.tables.engines.engine import Table
from opendp_lite.tables.expressions import Expr
from tests.rows import for_each

TABLES = dp.table_domain(
    {
        "id": dp.option_domain(dp.atom_domain(T=int)),
        "v": dp.option_domain(dp.atom_domain(T=int)),
    }
)
ROWS = [{"id": p, "v": v} for p in (1, 2, None) for v in (0, 1)]
ALL = [
    TABLES.of_rows(list(each))
    for size in range(3)
    for each in combinations_with_replacement(ROWS, size)
]
SYMMETRIC, CHANGE = dp.symmetric_distance(), dp.change_one_distance()
PEOPLE = dp.symmetric_id_distance("id")
V = dp.col("v").fill_null(0)


pytestmark = pytest.mark.usefixtures("contrib")


def worst(made: dp.Transformation) -> dict[Any, Any]:
    """The farthest outputs at each distance of inputs, over all pairs of tables."""
    outputs = [made(x) for x in ALL]
    found: dict[Any, Any] = {}
    for (x, fx), (y, fy) in product(zip(ALL, outputs, strict=True), repeat=2):
        d_in = made.input_metric.distance(x, y)
        d_out = made.output_metric.distance(fx, fy)
        found[d_in] = max(found.get(d_in, 0), d_out)
    return found


def stable(made: dp.Transformation) -> bool:
    """Whether no two outputs are farther apart than the map says."""
    return all(d_out <= made.map(d_in) for d_in, d_out in worst(made).items())


PREDICATE = V >= 1
PUBLIC: dict[str, list[Any]] = {"v": [0], "w": [0.5]}


@pytest.mark.parametrize("metric", [SYMMETRIC, CHANGE, PEOPLE], ids=repr)
def test_a_filter_is_stable_and_its_map_is_met(metric: Metric) -> None:
    made = dp.t.make_table_filter(TABLES, metric, PREDICATE)
    assert stable(made)
    found = worst(made)
    changed = metric == CHANGE
    assert made.output_metric == (SYMMETRIC if changed else metric)
    assert made.map(1) == (2 if changed else 1)
    assert found[1] == made.map(1)


def test_a_filter_of_changed_rows_may_move_two() -> None:
    three = dp.table_domain({"v": dp.atom_domain(T=int)})
    made = dp.t.make_table_filter(three, CHANGE, dp.col("v") != 0)
    x, y = made({"v": [1]}), made({"v": [2]})
    assert SYMMETRIC.distance(x, y) == 2 == made.map(1)


@pytest.mark.parametrize("metric", [SYMMETRIC, CHANGE, PEOPLE], ids=repr)
def test_new_columns_are_stable(metric: Metric) -> None:
    made = dp.t.make_table_with_columns(TABLES, metric, {"v": V, "w": V == 0})
    assert made.output_metric == metric
    assert stable(made)


@for_each("metric", [SYMMETRIC, CHANGE, PEOPLE], ids=repr)
@for_each("how", ["left", "inner"])
def test_a_public_join_is_stable(metric: Metric, how: str) -> None:
    made = dp.t.make_table_join(TABLES, metric, PUBLIC, "v", how)
    assert stable(made)
    doubled = how == "inner" and metric == CHANGE
    assert made.output_metric == (SYMMETRIC if doubled else metric)
    assert made.map(3) == (6 if doubled else 3)


def test_a_join_brings_what_the_keys_say() -> None:
    public: dict[str, list[Any]] = {"v": [0, 2], "w": [0.5, None], "t": ["a", "b"]}
    left = dp.t.make_table_join(TABLES, SYMMETRIC, public, ["v"])
    data = {"id": [1, 2, 3], "v": [2, None, 0]}
    assert left(data).rows() == [
        {"id": 1, "v": 2, "w": None, "t": "b"},
        {"id": 2, "v": None, "w": None, "t": None},
        {"id": 3, "v": 0, "w": 0.5, "t": "a"},
    ]
    inner = dp.t.make_table_join(TABLES, SYMMETRIC, public, ["v"], "inner")
    assert [row["id"] for row in inner(data).rows()] == [1, 3]
    assert isinstance(inner.output_domain, dp.TableDomain)
    columns = inner.output_domain.declared
    assert columns["t"] == dp.atom_domain(T=str)
    assert columns["w"] == dp.option_domain(dp.atom_domain(bounds=(0.5, 0.5)))


def test_every_nan_of_a_public_table_is_missing() -> None:
    nan = float("nan")
    for missing in (None, nan, np.float64(nan), np.float32(nan), np.float16(nan)):
        public: dict[str, list[Any]] = {"v": [0, 1], "w": [0.5, missing]}
        made = dp.t.make_table_join(TABLES, SYMMETRIC, public, "v", "inner")
        assert made({"id": [1], "v": [1]}).rows() == [{"id": 1, "v": 1, "w": None}]
    public = {"v": [0, missing], "w": [0.5, 1.5]}
    with pytest.raises(dp.OpenDPException, match="keys are int"):
        dp.t.make_table_join(TABLES, SYMMETRIC, public, "v", "inner")


def test_arguments_that_change_later_change_nothing() -> None:
    new: dict[str, Expr] = {"w": V}
    public: dict[str, list[Any]] = {"v": [0], "u": [1]}
    on = ["v"]
    columns = dp.t.make_table_with_columns(TABLES, SYMMETRIC, new)
    join = dp.t.make_table_join(TABLES, SYMMETRIC, public, on)
    new["w"] = new["z"] = dp.lit(9)
    public["v"].append(0)
    public["u"][0] = 7
    on[0] = "id"
    assert columns({"id": [1], "v": [0]}).rows() == [{"id": 1, "v": 0, "w": 0}]
    assert join({"id": [1], "v": [0]}).rows() == [{"id": 1, "v": 0, "u": 1}]


def test_columns_are_computed_from_those_before() -> None:
    new = {"v": V.clip(0, 1), "old": dp.col("v")}
    made = dp.t.make_table_with_columns(TABLES, SYMMETRIC, new)
    assert made({"id": [1], "v": [9]}).rows() == [{"id": 1, "v": 1, "old": 9}]
    assert isinstance(made.output_domain, dp.TableDomain)
    assert list(made.output_domain.declared) == ["id", "v", "old"]


def test_steps_chain_and_explain() -> None:
    steps = (
        (TABLES, PEOPLE)
        >> dp.t.then_table_filter(PREDICATE)
        >> dp.t.then_table_with_columns({"w": V.cut([1])})
        >> dp.t.then_table_join({"w": [0, 1], "name": ["no", "yes"]}, "w")
    )
    assert steps.map(2) == 2
    assert steps({"id": [1, 2], "v": [1, 0]}).rows() == [
        {"id": 1, "v": 1, "w": 1, "name": "yes"}
    ]
    assert "proofs/tables/make_table_join.tex" in str(steps.explain())
    assert "then_table_filter(predicate=(col('v').fill_null(0) >= 1))" in repr(steps)
    assert dp.deserialize(dp.serialize(steps)) == steps


def test_frames_come_in_by_the_door_and_what_does_not_fit_is_refused() -> None:
    import pandas as pd
    import polars as pl

    made = dp.t.make_table_filter(TABLES, PEOPLE, PREDICATE)
    columns = {"id": [1, 2], "v": [1, 0]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), columns):
        assert made(frame).rows() == [{"id": 1, "v": 1}]
    texts = set()
    for wrong in (
        {"id": [8675309]},
        {"id": ["8675309"], "v": [1]},
        {"id": [1, 2], "v": [8675309]},
    ):
        with pytest.raises(dp.OpenDPException) as error:
            made(wrong)
        texts.add(str(error.value))
    assert len(texts) == 1
    assert "8675309" not in texts.pop()


# Planted faults: each is a constructor that says too little, and all pairs show it.


def test_a_filter_that_keeps_the_change_one_distance_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subject, "_filtered", lambda metric: (metric, 1))
    made = dp.t.make_table_filter(TABLES, CHANGE, PREDICATE)
    assert not stable(made)


def test_a_filter_that_counts_a_changed_row_once_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subject, "_filtered", lambda metric: (SYMMETRIC, 1))
    three = dp.table_domain({"v": dp.atom_domain(T=int)})
    made = dp.t.make_table_filter(three, CHANGE, dp.col("v") != 0)
    x, y = ({"v": [1]}, {"v": [2]})
    assert SYMMETRIC.distance(made(x), made(y)) > made.map(1)


def test_an_identifier_computed_anew_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    new: dict[str, Expr] = {"id": V, "v": V}
    with pytest.raises(dp.OpenDPException, match="people"):
        dp.t.make_table_with_columns(TABLES, PEOPLE, new)
    monkeypatch.setattr(subject, "_is_identifier", lambda metric, name: False)
    assert not stable(dp.t.make_table_with_columns(TABLES, PEOPLE, new))


def test_a_join_with_a_key_twice_is_seen() -> None:
    """Were the keys not different, a row would come out twice."""
    with pytest.raises(dp.OpenDPException, match="twice"):
        dp.t.make_table_join(TABLES, SYMMETRIC, {"v": [0, 0], "w": [1, 2]}, "v")
    table = ALL[1]
    twice = [{**row, "w": w} for row in table.rows() for w in (1, 2)]
    wide = TABLES.with_columns({"w": dp.atom_domain(T=int)})
    assert SYMMETRIC.distance(wide.of_rows(twice), wide.of_rows([])) == 2


def test_a_function_of_other_rows_is_seen() -> None:
    """A rank, or a code by first appearance, is no function of a row."""
    made = dp.t.make_table_with_columns(TABLES, SYMMETRIC, {"w": V})

    wide = made.output_domain
    assert isinstance(wide, dp.TableDomain)

    def ranked(arg: Table) -> Table:
        new = [{**row, "w": i} for i, row in enumerate(arg.rows())]
        return wide.of_rows(new)

    x, y = TABLES.of_rows(ROWS[:3]), TABLES.of_rows(ROWS[1:3])
    assert SYMMETRIC.distance(x, y) == 1
    assert SYMMETRIC.distance(ranked(x), ranked(y)) > made.map(1)
