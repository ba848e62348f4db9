"""The contracts of make_is_equal, make_find and make_index."""

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

METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
# Domains of rows, and values of their types.
VALUES: list[tuple[Any, list[Any]]] = [
    (dp.atom_domain(T=bool), [True, False]),
    (dp.atom_domain(T=int), [0, -1, 2**63, 10**30]),
    (dp.atom_domain(T="u8"), [255, 256, -1]),
    (dp.atom_domain((0, 9)), [0, 9, 10]),
    (dp.atom_domain(T=float), [0.5, 0, math.inf, 1e308]),
    (dp.atom_domain((-1.0, 1.0)), [-1.0, 0, 1]),
    (dp.atom_domain(T="f32"), [0.5, 0.1]),
    (dp.atom_domain(T=str), ["", "a", "a\0"]),
    (dp.atom_domain(T=Fraction), [1, Fraction(1, 3)]),
]
ROWS = [
    *VALUES,
    *((dp.option_domain(row), values) for row, values in VALUES),
]
INTS, STRINGS = dp.atom_domain(T=int), dp.atom_domain(T=str)


def arguments(name: str, choices: list[tuple[Any, Any]]) -> Any:
    """Calls with each domain of rows, a size or none, a metric, and an argument."""
    return st.tuples(
        st.sampled_from(choices), st.sampled_from([None, 3]), st.sampled_from(METRICS)
    ).map(lambda chosen: call(name, *chosen[0], *chosen[1:]))


def call(
    name: str, row: Any, value: Any, size: Any = None, metric: Any = METRICS[0]
) -> dict[str, Any]:
    domain = dp.vector_domain(row, size)
    return {"input_domain": domain, "input_metric": metric, name: value}


def refused(name: str, row: Any, value: Any, *words: str) -> Any:
    return call(name, row, value), "MakeTransformation", [name, *words]


def bad_spaces(name: str, value: Any) -> list[Any]:
    """Refusals of what is no data set of single rows."""
    good = call(name, INTS, value)
    nested = dp.vector_domain(dp.vector_domain(INTS))
    return [
        ({**good, part: wrong}, "MakeTransformation", [part, word])
        for part, wrong, word in [
            ("input_domain", INTS, "VectorDomain"),
            ("input_domain", nested, "atom_domain"),
            ("input_metric", dp.discrete_distance(), "SymmetricDistance"),
            ("input_metric", dp.l1_distance(T=int), "SymmetricDistance"),
        ]
    ]


def table_call(categories: Any, null: Any, TOA: Any = None) -> dict[str, Any]:
    return {**call("categories", INTS, categories), "null": null, "TOA": TOA}


def no_table(name: str, **wrong: Any) -> Any:
    return table_call(**wrong), "MakeTransformation", [name]


TABLES: list[Any] = [
    {"categories": ["a", "b", "a"], "null": ""},
    {"categories": ["a\0"], "null": "b"},
    {"categories": [], "null": 0.5},
    {"categories": [1, 0.5], "null": math.nan},
    {"categories": [7, 2**63 - 1], "null": -1, "TOA": "i64"},
    {"categories": [7, 2**63], "null": -1},
    {"categories": [True], "null": False},
    {"categories": [0.5], "null": 2, "TOA": "f32"},
    {"categories": [Fraction(1, 3)], "null": 0},
]

CONTRACTS = [
    Contract(
        dp.t.make_is_equal,
        arguments=arguments(
            "value", [(row, value) for row, values in ROWS for value in values]
        ),
        examples=60,
        refusals=[
            *bad_spaces("value", 1),
            refused("value", INTS, None, "an int"),
            refused("value", INTS, True, "an int"),
            refused("value", INTS, 1.0, "an int"),
            refused("value", INTS, "1", "an int"),
            refused("value", dp.atom_domain(T=float), 2**53 + 1, "2^53"),
            refused("value", dp.atom_domain(T=bool), 1, "a bool"),
            refused("value", STRINGS, 1, "a str"),
            refused("value", STRINGS, ["a"], "a str"),
        ],
    ),
    Contract(
        dp.t.make_find,
        arguments=arguments("categories", [*ROWS, (STRINGS, []), (INTS, (7,))]),
        examples=60,
        refusals=[
            *bad_spaces("categories", [1]),
            refused("categories", INTS, 1, "a list"),
            refused("categories", STRINGS, "ab", "a list"),
            refused("categories", INTS, None, "a list"),
            refused("categories", INTS, [1, 2, 1], "no two"),
            refused("categories", INTS, [1, None], "an int"),
            refused("categories", INTS, [True], "an int"),
            refused("categories", STRINGS, ["a", 1], "a str"),
            refused("categories", dp.atom_domain(T=float), [0.0, -0.0], "no two"),
            refused("categories", dp.atom_domain(T=float), [math.nan], "no NaN"),
        ],
    ),
    Contract(
        dp.t.make_index,
        arguments=st.tuples(
            arguments("categories", [(INTS, []), (VALUES[2][0], [])]),
            st.sampled_from(TABLES),
        ).map(lambda chosen: {**chosen[0], **chosen[1]}),
        examples=60,
        refusals=[
            *(
                ({**bad, "null": 0}, variant, words)
                for bad, variant, words in bad_spaces("categories", [1])[::2]
            ),
            no_table("categories", categories="ab", null="c"),
            no_table("categories", categories=1, null=0),
            no_table("categories", categories=[1.5], null=0, TOA=int),
            no_table("categories", categories=[300], null=0, TOA="u8"),
            no_table("categories", categories=[0.1], null=0, TOA="f32"),
            no_table("categories", categories=[None], null=0, TOA=int),
            no_table("null", categories=["a"], null=0, TOA=str),
            no_table("null", categories=[1], null=None, TOA=int),
            no_table("TOA", categories=["a"], null=0),
            no_table("TOA", categories=[True], null=0),
            no_table("TOA", categories=[1], null=None),
            (table_call(categories=["a"], null="b", TOA="i7"), "TypeParse", ["TOA"]),
            (
                {**table_call(["a"], "b"), "input_domain": dp.vector_domain(STRINGS)},
                "MakeTransformation",
                ["input_domain", "int"],
            ),
            (
                {
                    **table_call(["a"], "b"),
                    "input_domain": dp.vector_domain(dp.option_domain(INTS)),
                },
                "MakeTransformation",
                ["input_domain", "then_impute_constant"],
            ),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, one_in=2))
