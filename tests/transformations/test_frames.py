from __future__ import annotations

from itertools import product
from typing import Any

import numpy
import opendp.prelude as oracle
import pandas as pd
import polars as pl
import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each
from tests.transformations.small_data import data_sets, suprema

TEXT = "ann, 31, yes\r\nbob, x, no\ncay, 40\n\ndan, 1, yes, more\n"
NAMES = ["name", "age", "vote"]


pytestmark = pytest.mark.usefixtures("contrib")


def votes(library: Any) -> Any:
    """The ages of those who said yes, in either library."""
    return (
        library.t.make_split_dataframe(",", col_names=NAMES)
        >> library.t.then_df_cast_default("age", TIA=str, TOA=int)
        >> library.t.then_df_is_equal("vote", "yes")
        >> library.t.make_subset_by("vote", keep_columns=["age", "name"])
        >> library.t.make_select_column("age", TOA=int)
    )


def test_a_script_of_opendp() -> None:
    oracle.enable_features("contrib")
    with pytest.warns(DeprecationWarning, match="Use Polars"):
        theirs = votes(oracle)
    ours = votes(dp)
    assert ours(TEXT) == theirs(TEXT) == [31, 1]
    assert ours.map(3) == theirs.map(3) == 3
    total = ours >> dp.t.then_clamp((0, 30)) >> dp.t.then_sum()
    assert total(TEXT) == 31
    assert (total >> dp.m.then_laplace(scale=30.0)).map(1) == 1.0


def test_frames_of_libraries() -> None:
    domain = dp.frame_domain(
        {"age": dp.atom_domain(T=int), "votes": dp.atom_domain(T=bool)}
    )
    chain = (
        (domain, dp.symmetric_distance())
        >> dp.t.then_frame_subset("votes", ["age"])
        >> dp.t.then_frame_column("age", int)
    )
    data: dict[str, list[Any]] = {
        "age": [31, 27, 99],
        "votes": [True, False, True],
        "x": ["a", None, "c"],
    }
    arrays = {"age": numpy.array(data["age"]), "votes": numpy.array(data["votes"])}
    for frame in (data, arrays, pd.DataFrame(data), pl.DataFrame(data)):
        assert chain(frame) == [31, 99]
    assert chain.map(4) == 4


def test_columns_that_are_not_touched_stay_as_they_are() -> None:
    domain = dp.frame_domain({"a": dp.atom_domain(T=int)})
    cast = (domain, dp.hamming_distance()) >> dp.t.then_df_cast_default("a", int, str)
    other = object()
    frame = {"b": [other], "a": numpy.array([1])}
    assert cast(frame) == {"b": [other], "a": ["1"]}
    assert list(frame) == list(cast(frame)) == ["b", "a"]
    assert frame["a"].tolist() == [1]  # type: ignore[attr-defined]
    assert cast.output_domain == dp.frame_domain({"a": dp.atom_domain(T=str)})


@pytest.mark.parametrize(
    "metric", [dp.symmetric_distance(), dp.insert_delete_distance()]
)
def test_the_maps_are_the_greatest_distances(metric: Any) -> None:
    """Over all frames of three rows at most."""
    domain = dp.frame_domain({"a": dp.atom_domain(T=int), "t": dp.atom_domain(T=bool)})
    rows = list(product((0, 1), (False, True)))
    data: Any = [
        {"a": [a for a, _ in each], "t": [t for _, t in each]}
        for each in data_sets(rows, range(4))
    ]
    for step in (
        dp.t.then_frame_subset("t", ["a"]),
        dp.t.then_frame_column("a"),
        dp.t.then_df_cast_default("a", int, bool),
        dp.t.then_df_is_equal("a", 1),
    ):
        made = (domain, metric) >> step
        assert suprema(made, data, [0, 1, 2]) == [0, 1, 2]
        assert [made.map(d) for d in (0, 1, 2)] == [0, 1, 2]


def test_records_that_are_too_long_or_too_short() -> None:
    made = dp.t.make_create_dataframe([1, 2], K=int)
    records = [["a"], ["b", "c", "d"], [], numpy.array(["e", "f"])]
    assert made(records) == {1: ["a", "b", "", "e"], 2: ["", "c", "", "f"]}
    assert made([]) == {1: [], 2: []}


@for_each(
    "make",
    [
        lambda: dp.t.make_select_column(0.5, TOA=int),
        lambda: dp.t.make_select_column("a", TOA=int, K=int),
        lambda: dp.t.make_subset_by("a", keep_columns=[]),
        lambda: dp.t.make_subset_by(None, keep_columns=["a"]),
        lambda: dp.t.make_subset_by("a", keep_columns=["a"], TK=int),
        lambda: dp.t.make_split_dataframe("", ["a"]),
        lambda: dp.t.make_split_dataframe(",", []),
    ],
)
def test_bad_names_are_refused_before_anything_happens(make: Any) -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        make()
    assert caught.value.variant == "MakeTransformation"
