"""The contracts of the constructors of frames."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

INT, TEXT, TRUTH = (dp.atom_domain(T=T) for T in (int, str, bool))
MAYBE = dp.option_domain(dp.atom_domain(T=float))
FRAMES = dp.frame_domain({"a": INT, "b": TEXT, "t": TRUTH, 1: MAYBE})
METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
SPACE: dict[str, Any] = {"input_domain": FRAMES, "input_metric": METRICS[0]}
WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"input_domain": dp.vector_domain(INT)}, ["input_domain", "FrameDomain"]),
    ({"input_domain": TEXT}, ["input_domain", "FrameDomain"]),
    ({"input_metric": dp.l1_distance(T=int)}, ["input_metric", "Symmetric"]),
    ({"input_metric": None}, ["input_metric", "Symmetric"]),
]


def arguments(metrics: list[Any], **given: list[Any]) -> Any:
    chosen = {name: st.sampled_from(values) for name, values in given.items()}
    metric = st.sampled_from(metrics)
    return st.fixed_dictionaries(
        {"input_domain": st.just(FRAMES), "input_metric": metric, **chosen}
    )


def refusals(good: dict[str, Any], *bad: tuple[dict[str, Any], list[str]]) -> Any:
    return [
        ({**SPACE, **good, **each}, "MakeTransformation", words)
        for each, words in [*WRONG, *bad]
    ]


def records(_: Any) -> Any:
    return st.lists(st.lists(st.text("ab ", max_size=2), max_size=4), max_size=4)


VALUES: dict[Any, list[Any]] = {"a": [0, 2**63], "b": ["", " 1 "], 1: [0.0, 0.5]}
CONTRACTS = [
    Contract(
        dp.t.make_create_dataframe,
        st.sampled_from(
            [
                {"col_names": ["x"]},
                {"col_names": ("x", "y", "z"), "K": str},
                {"col_names": [2, 1], "K": "int"},
            ]
        ),
        [
            ({"col_names": names, **more}, "MakeTransformation", ["col_names", *words])
            for names, more, words in [
                ([], {}, ["one name"]),
                ("x", {}, ["list"]),
                (None, {}, ["list"]),
                (["x", "x"], {}, ["different"]),
                (["x", 0.5], {}, ["text or int"]),
                ([True], {}, ["text or int"]),
                (["x"], {"K": int}, ["type"]),
            ]
        ],
        data=data,
    )
    for data in (None, records)
]
CONTRACTS += [
    Contract(
        dp.t.make_df_cast_default,
        arguments(METRICS, column_name=[name], TIA=[T], TOA=[int, str, "u8", float]),
        refusals(
            {"column_name": "a", "TIA": int, "TOA": str},
            ({"column_name": "c"}, ["column_name='c'", "frame_domain"]),
            ({"column_name": "1"}, ["column_name"]),
            ({"column_name": None}, ["column_name"]),
            ({"TIA": str}, ["TIA", "another type"]),
        ),
    )
    for name, T in [("a", int), ("b", str), (1, float)]
]
CONTRACTS += [
    Contract(
        dp.t.make_df_is_equal,
        arguments(METRICS, column_name=[name], value=values),
        refusals(
            {"column_name": "a", "value": 1},
            ({"column_name": True}, ["column_name"]),
            ({"value": "x"}, ["value"]),
            ({"value": None}, ["value"]),
            ({"TIA": str}, ["TIA", "another type"]),
        ),
    )
    for name, values in VALUES.items()
]
CONTRACTS += [
    Contract(
        dp.t.make_frame_column,
        arguments(METRICS, key=["a", "b", "t", 1]),
        refusals(
            {"key": "a"},
            ({"key": "c"}, ["key='c'"]),
            ({"key": "1"}, ["key='1'"]),
            ({"TOA": str}, ["TOA", "then_df_cast_default"]),
        ),
    ),
    Contract(
        dp.t.make_frame_subset,
        arguments(
            METRICS[:2], indicator_column=["t"], keep_columns=[["a"], ["t", 1, "b"]]
        ),
        refusals(
            {"indicator_column": "t", "keep_columns": ["a"]},
            ({"indicator_column": "a"}, ["indicator_column", "bool"]),
            ({"indicator_column": 1}, ["indicator_column", "bool"]),
            ({"indicator_column": "c"}, ["indicator_column"]),
            ({"keep_columns": ["c"]}, ["keep_columns"]),
            ({"keep_columns": []}, ["keep_columns", "one name"]),
            ({"keep_columns": "a"}, ["keep_columns", "list"]),
            ({"keep_columns": ["a", "a"]}, ["keep_columns", "different"]),
            ({"input_metric": METRICS[2]}, ["input_metric", "symmetric"]),
            ({"input_metric": METRICS[3]}, ["input_metric", "symmetric"]),
        ),
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
