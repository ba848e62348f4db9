"""The contracts of make_table_group_by and make_table_count_distinct."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.roots import root
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

MAKE = "MakeTransformation"
WHOLE = dp.atom_domain(T="i64")
DOMAIN = dp.table_domain(
    {
        "id": dp.option_domain(dp.atom_domain(bounds=(1, 3))),
        "g": dp.atom_domain(bounds=(0, 2)),
        "w": dp.atom_domain(T=str),
        "a": dp.option_domain(WHOLE),
        "x": dp.atom_domain(T=float),
    }
)
A = dp.col("a").fill_null(0).clip(-3, 5)
X = dp.col("x").fill_null(0.0).clip(-0.3, 1.7)
ID = dp.symmetric_id_distance("id")
BY_WORD = dp.symmetric_id_distance("w")
ROWS, CHANGED = dp.symmetric_distance(), dp.change_one_distance()

KEYS: list[dict[Any, Any]] = [
    {},
    {"g": [0]},
    {"g": [1, 0], "w": ["", "é"]},
    {("w", "g"): [("", 0), ("a", 1), ("", 2)]},
]
SUMS: list[dict[str, Any]] = [{}, {"a": A}, {"x": X, "a": A}]
PEOPLE = {"rows": st.integers(1, 3), "groups": st.integers(1, 3)}
SHARED: dict[str, Any] = {"p": st.sampled_from([1, 2]), "salt": st.integers(-9, 9)}


def arguments(more: dict[str, Any], bounds: dict[str, Any]) -> Any:
    """The arguments; bounds of a person go with metrics of people only."""
    every = {
        "input_domain": st.just(DOMAIN),
        "keys": st.sampled_from(KEYS),
        **more,
        **SHARED,
    }
    people = st.fixed_dictionaries(
        {**every, "input_metric": st.sampled_from([ID, BY_WORD]), **bounds}
    )
    rows = st.fixed_dictionaries(
        {**every, "input_metric": st.sampled_from([ROWS, CHANGED])}
    )
    return people | rows


SPACE: dict[str, Any] = {"input_domain": DOMAIN, "input_metric": ID, "keys": {"g": [0]}}
TOTALS: dict[str, Any] = {**SPACE, "sums": {"a": A}}
VALUES: dict[str, Any] = {**SPACE, "column": "w"}
TWO = {"keys": {"g": [0, 1]}}
VECTORS = dp.vector_domain(dp.atom_domain(T=int))


def refused(good: dict[str, Any]) -> list[Any]:
    """What both refuse."""
    return [
        ({**good, "input_domain": VECTORS}, MAKE, ["input_domain", "table_domain"]),
        ({**good, "input_metric": dp.l1_distance(T=int)}, MAKE, ["input_metric"]),
        ({**good, "keys": ["g"]}, MAKE, ["keys", "dict"]),
        ({**good, "keys": {"a": [0]}}, MAKE, ["keys", "fill_null"]),
        ({**good, "keys": {"x": [0.5]}}, MAKE, ["keys", "fill_null"]),
        ({**good, "keys": {"z": [0]}}, MAKE, ["keys", "no column"]),
        ({**good, "keys": {"g": [0, 0]}}, MAKE, ["keys", "no two"]),
        ({**good, "keys": {"g": [0.5]}}, MAKE, ["keys", "float"]),
        ({**good, "p": 0}, MAKE, ["p=0"]),
        ({**good, "groups": 0}, MAKE, ["groups=0"]),
        ({**good, "salt": "salt"}, MAKE, ["salt="]),
        ({**good, "groups": 2, "input_metric": ROWS}, MAKE, ["no identifier"]),
    ]


CONTRACTS = [
    Contract(
        dp.t.make_table_group_by,
        arguments=arguments({"sums": st.sampled_from(SUMS)}, PEOPLE),
        refusals=[
            *refused(TOTALS),
            ({**TOTALS, "sums": {"a": dp.col("a")}}, MAKE, ["sums", "fill_null"]),
            ({**TOTALS, "sums": [A]}, MAKE, ["sums", "dict"]),
            ({**TOTALS, "rows": 0}, MAKE, ["rows=0"]),
            (
                {**TOTALS, "rows": 2**40, "sums": {"a": A.clip(0, 1) * 2**12}},
                MAKE,
                ["2^50"],
            ),
            ({**TOTALS, "k": {"a": 0}}, MAKE, ["k=0"]),
        ],
        map_values=[
            ({**TOTALS, **TWO, "rows": 2, "groups": 2}, 3, (6, 12, 60)),
            ({**TOTALS, **TWO, "groups": 2, "p": 2}, 1, (root(2), root(2), root(50))),
            ({**TOTALS, **TWO, "input_metric": CHANGED, "p": 2}, 1, (root(2), 8)),
            ({**TOTALS, "keys": {}, "input_metric": CHANGED}, 2, (0, 16)),
            ({**TOTALS, "input_metric": ROWS}, math.inf, (math.inf, math.inf)),
        ],
    ),
    Contract(
        dp.t.make_table_count_distinct,
        arguments=arguments(
            {"column": st.just("g")}, {"groups": st.integers(1, 3)}
        ).map(
            lambda given: {**given, "keys": {"w": ["", "é"]} if given["keys"] else {}}
        ),
        refusals=[
            *refused(VALUES),
            ({**VALUES, "column": "g"}, MAKE, ["column", "key"]),
            ({**VALUES, "column": "a"}, MAKE, ["column", "fill_null"]),
            ({**VALUES, "column": "z"}, MAKE, ["column", "no column"]),
        ],
        map_values=[
            ({**VALUES, "groups": 3, "p": 2}, 2, 6),
            ({**VALUES, **TWO, "input_metric": CHANGED, "p": 2}, 1, root(2)),
            ({**VALUES, "input_metric": CHANGED}, 4, 4),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
