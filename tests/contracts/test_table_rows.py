"""The contracts of the constructors that work on tables row by row."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

INT, TEXT, TRUTH = (dp.atom_domain(T=T) for T in (int, str, bool))
TABLES = dp.table_domain(
    {
        "id": dp.option_domain(dp.atom_domain(bounds=(0, 2))),
        "age": dp.option_domain(INT),
        "city": dp.option_domain(TEXT),
        "spend": dp.atom_domain(T=float),
        "member": TRUTH,
    }
)
METRICS = [
    dp.symmetric_distance(),
    dp.change_one_distance(),
    dp.symmetric_id_distance("id"),
]
AGE = dp.col("age").fill_null(0)
SPEND = dp.col("spend").fill_null(0.0).clip(-1.0, 2.5)
CITY = dp.col("city").fill_null("?")
PREDICATES = [
    AGE >= 18,
    dp.col("member"),
    ~dp.col("member") & (SPEND * SPEND + SPEND > 0.5),
    CITY.is_in(["", "0", "é"]) | dp.col("age").is_null(),
    AGE.clip(-3, 3) * 2 - 1 != AGE.cut([0, 17]),
]
COLUMNS: list[dict[str, Any]] = [
    {"age": AGE.clip(0, 120), "decade": AGE.cut([0, 10, 20])},
    {"city": CITY, "spend": SPEND * 2.0, "copy": dp.col("spend")},
    {"one": dp.lit(1), "gone": dp.col("spend").is_null()},
]
PUBLIC = {
    "city": ["", "0", "é"],
    "region": [1, None, 3],
    "half": [0.5, 1.5, float("nan")],
}
SPACE: dict[str, Any] = {"input_domain": TABLES, "input_metric": METRICS[0]}
WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"input_domain": dp.vector_domain(INT)}, ["input_domain", "TableDomain"]),
    ({"input_domain": dp.frame_domain({"age": INT})}, ["input_domain", "TableDomain"]),
    ({"input_metric": dp.l1_distance(T=int)}, ["input_metric", "Symmetric"]),
    ({"input_metric": dp.hamming_distance()}, ["input_metric", "Symmetric"]),
    ({"input_metric": dp.insert_delete_distance()}, ["input_metric", "Symmetric"]),
    ({"input_metric": dp.symmetric_id_distance("who")}, ["input_metric", "'who'"]),
    (
        {"input_metric": dp.symmetric_id_distance("spend")},
        ["input_metric", "int or str"],
    ),
]


def arguments(**given: list[Any]) -> Any:
    chosen = {name: st.sampled_from(values) for name, values in given.items()}
    return st.fixed_dictionaries(
        {"input_domain": st.just(TABLES), "input_metric": st.sampled_from(METRICS)}
        | chosen
    )


def refusals(good: dict[str, Any], *bad: tuple[dict[str, Any], list[str]]) -> Any:
    return [
        ({**SPACE, **good, **each}, "MakeTransformation", words)
        for each, words in [*WRONG, *bad]
    ]


def joined(**changed: Any) -> dict[str, Any]:
    return {"public": {**PUBLIC, **changed}}


CONTRACTS = [
    Contract(
        dp.t.make_table_filter,
        arguments(predicate=PREDICATES),
        refusals(
            {"predicate": PREDICATES[0]},
            ({"predicate": AGE}, ["predicate", "true or false"]),
            ({"predicate": dp.col("age") >= 18}, ["missing", ".fill_null"]),
            ({"predicate": dp.lit(1) == 1}, ["predicate", "no column"]),
            ({"predicate": dp.col("who")}, ["col('who')", "'age'"]),
            ({"predicate": True}, ["predicate", "expression"]),
            ({"predicate": "age >= 18"}, ["predicate", "dp.col"]),
            ({"predicate": lambda row: True}, ["predicate", "expression"]),
        ),
    ),
    Contract(
        dp.t.make_table_with_columns,
        arguments(columns=COLUMNS),
        refusals(
            {"columns": COLUMNS[0]},
            ({"columns": {}}, ["columns", "one at least"]),
            ({"columns": AGE}, ["columns", "dict"]),
            ({"columns": {1: AGE}}, ["columns", "text"]),
            ({"columns": {"a": 1}}, ["columns", "expression"]),
            ({"columns": {"a": AGE + 1}}, ["finite bounds", "Clip"]),
            (
                {"columns": {"id": AGE}, "input_metric": METRICS[2]},
                ["columns='id'", "people"],
            ),
        ),
    ),
    Contract(
        dp.t.make_table_join,
        arguments(public=[PUBLIC], on=["city", ["city"]], how=["left", "inner"]),
        refusals(
            {"public": PUBLIC, "on": "city"},
            ({"how": "outer"}, ["how='outer'", "inner"]),
            ({"how": None}, ["how"]),
            ({"on": []}, ["on", "name"]),
            ({"on": 1}, ["on=1"]),
            ({"on": ["city", "city"]}, ["on", "different"]),
            ({"on": "town"}, ["on='town'", "public"]),
            ({"on": "region"}, ["public", "both"]),
            ({"public": [1]}, ["public", "dict of lists"]),
            (joined(city="AB"), ["public", "'city'", "list"]),
            (joined(city=["", "0"]), ["public", "lengths"]),
            (joined(city=["", "", "é"]), ["on", "twice"]),
            (joined(city=["", None, "é"]), ["on", "not missing"]),
            (joined(city=[1, 2, 3]), ["on", "type"]),
            (joined(region=[1, "a", 2]), ["public", "one type"]),
            (joined(region=[None] * 3), ["public", "one at least"]),
            (joined(region=[1, 2, 2**63]), ["2^63"]),
            (joined(region=[1, 2, object()]), ["public", "text"]),
            (joined(id=[1, 2, 3]), ["public='id'"]),
            (joined(age=[1, 2, 3]), ["public='age'"]),
            ({"public": {"spend": [0.5]}, "on": "spend"}, ["on='spend'", "int, bool"]),
        ),
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
