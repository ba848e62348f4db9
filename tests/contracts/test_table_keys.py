"""The contract of make_table_threshold."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

I64, TEXT = dp.atom_domain(T="i64"), dp.atom_domain(T=str)
PURE = dp.approximate(dp.max_divergence())
ZCDP = dp.approximate(dp.zero_concentrated_divergence())
PEOPLE = dp.symmetric_id_distance("id")
ROWS, CHANGES = dp.symmetric_distance(), dp.change_one_distance()
DOMAIN = dp.table_domain(
    {
        "id": I64,
        "item": TEXT,
        "shop": dp.atom_domain(T=bool),
        "v": dp.option_domain(I64),
        "w": dp.option_domain(dp.atom_domain(T=float)),
    }
)
PLAIN = dp.table_domain({"id": I64, "item": TEXT})
V = dp.col("v").fill_null(0).clip(-3, 5)
W = dp.col("w").fill_null(0.0).clip(0.0, 10.0)


def of(metric: Any, scales: Any, threshold: Any = 20, **more: Any) -> dict[str, Any]:
    return {
        "input_domain": more.pop("domain", DOMAIN),
        "input_metric": metric,
        "output_measure": more.pop("measure", PURE),
        "by": more.pop("by", ["item"]),
        "sums": more.pop("sums", {}),
        "scales": scales,
        "threshold": threshold,
        **more,
    }


GOOD = of(PEOPLE, [1, 2])
MAKE, PLAN = "MakeMeasurement", "MakeTransformation"
REFUSALS: list[Any] = [
    ({**GOOD, "input_domain": I64}, PLAN, ["input_domain", "TableDomain"]),
    ({**GOOD, "input_metric": dp.hamming_distance()}, PLAN, ["input_metric"]),
    (
        {**GOOD, "output_measure": dp.max_divergence()},
        MAKE,
        ["output_measure", "delta"],
    ),
    ({**GOOD, "output_measure": None}, MAKE, ["output_measure=None", "approximate"]),
    ({**GOOD, "by": []}, MAKE, ["by", "at least one column", "such as"]),
    ({**GOOD, "by": "item"}, MAKE, ["by", "must be a list"]),
    ({**GOOD, "by": ["nothing"]}, PLAN, ["by=<class", "names no column"]),
    ({**GOOD, "by": ["item", "item"]}, MAKE, ["by", "twice"]),
    ({**GOOD, "by": ["v"]}, PLAN, ["by='v'", "missing", "fill_null"]),
    ({**GOOD, "by": ["w"]}, PLAN, ["by='w'", "missing"]),
    ({**GOOD, "sums": {"v": dp.col("v")}}, PLAN, ["fill_null"]),
    ({**GOOD, "sums": [V]}, PLAN, ["sums", "dict"]),
    ({**GOOD, "rows": 0}, PLAN, ["rows=0", "at least 1"]),
    ({**GOOD, "groups": 0}, PLAN, ["groups=0", "at least 1"]),
    (of(ROWS, [1], groups=2), PLAN, ["groups=2", "no identifier"]),
    ({**GOOD, "scales": 1}, MAKE, ["scales=1", "list of 2"]),
    ({**GOOD, "scales": [1]}, MAKE, ["scales", "list of 2", "people, rows and sums"]),
    ({**GOOD, "scales": [1, 2, 3]}, MAKE, ["scales", "list of 2"]),
    ({**GOOD, "scales": [None, 1]}, MAKE, ["scales", "compared with the threshold"]),
    ({**GOOD, "scales": [1, -1]}, MAKE, ["scale=-1", "at least 0"]),
    ({**GOOD, "scales": [math.nan, 1]}, MAKE, ["scale", "nan"]),
    ({**GOOD, "threshold": 0}, MAKE, ["threshold=0", "above 0"]),
    ({**GOOD, "threshold": -5}, MAKE, ["threshold=-5", "at least 0"]),
    ({**GOOD, "threshold": None}, MAKE, ["threshold=None"]),
    ({**GOOD, "salt": 0.5}, PLAN, ["salt=0.5"]),
    ({**GOOD, "k": {"v": 1}}, PLAN, ["k=<dict>", "names what is no sum"]),
]
MADE = st.sampled_from(
    [
        of(PEOPLE, [1, 2], groups=2),
        of(PEOPLE, [1, None, 3, "1/2"], 3, sums={"v": V, "w": W}, rows=2, groups=3),
        of(PEOPLE, ["1/3", 1], 1, measure=ZCDP, by=["item", "shop"], salt=7),
        of(ROWS, [2, 3], 2, sums={"w": W}, k={"w": 0}),
        of(ROWS, [0, 0], 2, sums={"v": V}),
        of(CHANGES, [2, 3], 2, measure=ZCDP, sums={"v": V}, by=["shop"]),
    ]
)
TREE = {"domain": PLAIN, "threshold": 2}
ONE: dict[str, Any] = {"id": [1], "item": ["a"]}
NONE: dict[str, Any] = {"id": [], "item": []}
TWO: dict[str, Any] = {"id": [1, 2], "item": ["a", "b"]}
MOVED: dict[str, Any] = {"id": [1, 2], "item": ["a", "a"]}
SUMS: dict[str, Any] = {
    "id": [1, 1, 2],
    "item": ["a", "a", "b"],
    "shop": [True] * 3,
    "v": [3, 9, -9],
    "w": [None] * 3,
}
COUNTS = dp.map_domain(TEXT, dp.atom_domain(T=int))
DELTA = dp.m.make_laplace_threshold(
    COUNTS, dp.l01inf_distance(dp.absolute_distance(T=int)), scale=4, threshold=30
).map((3, 3, 1), exact=True)[1]


def inside(columns: dict[str, Any]) -> Any:
    return PLAIN.received(columns)


CONTRACTS = [
    Contract(
        dp.m.make_table_threshold,
        MADE,
        REFUSALS,
        certificates=[
            (of(PEOPLE, ["1/2", None], **TREE), inside(TWO), inside(ONE), 26),
            (of(PEOPLE, ["1/3", None], **TREE), inside(ONE), inside(NONE), 26),
            (of(CHANGES, ["1/3"], **TREE), inside(TWO), inside(MOVED), 26),
            (
                of(PEOPLE, ["1/2", None], measure=ZCDP, **TREE),
                inside(ONE),
                inside(NONE),
                26,
            ),
        ],
        limits=[
            (
                of(PEOPLE, [0, 0], 1, domain=PLAIN),
                inside(TWO),
                ([("a",), ("b",)], [[1, 1], [1, 1]]),
            ),
            (
                of(ROWS, [0], 2, domain=PLAIN),
                inside(MOVED),
                ([("a",)], [[2]]),
            ),
            (
                of(ROWS, [0, 0, None], 2, sums={"v": V, "w": W}),
                DOMAIN.received(SUMS),
                ([("a",)], [[2], [8], None]),
            ),
            (
                of(PEOPLE, [0, None, 0], 1, sums={"v": V}, rows=2),
                DOMAIN.received(SUMS),
                ([("a",), ("b",)], [[1, 1], None, [8, -3]]),
            ),
        ],
        map_values=[
            (of(PEOPLE, [0, None], 2), 1, (math.inf, 0)),
            (of(PEOPLE, [0, None], 2), 2, (math.inf, 1)),
            (of(ROWS, [0], 3), 2, (math.inf, 0)),
            (of(PEOPLE, [1, 2], 10**4), 0, (0, 0)),
            (
                of(PEOPLE, [4, None, 10], 30, sums={"v": V}, rows=2, groups=3),
                1,
                (Fraction(3, 4) + 3, DELTA),
            ),
        ],
        runs=4000,
        examples=30,
    ),
]


# What stays: a group that one person alone is in, one that moves, either measure.
LONG = CONTRACTS[0].certificates[0]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, LONG))
