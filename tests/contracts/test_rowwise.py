"""The contract of make_row_by_row."""

from __future__ import annotations

import math
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
INTS, FLOATS = dp.atom_domain(T=int), dp.atom_domain(T=float)
STRINGS, DIGITS = dp.atom_domain(T=str), dp.atom_domain((0, 9))
SPACE = {"input_domain": dp.vector_domain(INTS), "input_metric": METRICS[0]}
CALL: dict[str, Any] = {
    **SPACE,
    "output_row_domain": DIGITS,
    "row_function": abs,
    "default": 0,
}
# Rows, new rows, functions that fail for some rows, and defaults.
CHOICES: list[tuple[Any, Any, Any, Any]] = [
    (INTS, DIGITS, abs, 0),
    (FLOATS, INTS, math.floor, -1),
    (FLOATS, dp.atom_domain(T=float, nan=False), math.sin, 0),
    (FLOATS, dp.atom_domain(T="f32"), float, math.nan),
    (STRINGS, dp.option_domain(FLOATS), float, None),
    (STRINGS, STRINGS, str.upper, ""),
    (dp.option_domain(INTS), dp.atom_domain(T=bool), bool, False),
    (dp.atom_domain(T=bool), STRINGS, str, "?"),
]


def chosen(choice: tuple[Any, Any, Any, Any], size: Any, metric: Any) -> dict[str, Any]:
    rows, new_rows, function, default = choice
    return {
        "input_domain": dp.vector_domain(rows, size),
        "input_metric": metric,
        "output_row_domain": new_rows,
        "row_function": function,
        "default": default,
    }


def refused(name: str, value: Any, *words: str) -> Any:
    return {**CALL, name: value}, "MakeTransformation", [name, *words]


CONTRACTS = [
    Contract(
        dp.t.make_row_by_row,
        arguments=st.builds(
            chosen,
            st.sampled_from(CHOICES),
            st.sampled_from([None, 3]),
            st.sampled_from(METRICS),
        ),
        examples=60,
        features=("honest-but-curious",),
        refusals=[
            refused("default", 10, "from 0 to 9"),
            refused("default", None, "an int"),
            refused("default", True, "an int"),
            refused("row_function", 1, "function"),
            refused("row_function", "abs", "function"),
            refused("output_row_domain", dp.vector_domain(INTS), "atom_domain"),
            refused("output_row_domain", int, "atom_domain"),
            refused("output_row_domain", None, "atom_domain"),
            refused("input_domain", INTS, "VectorDomain"),
            refused("input_domain", dp.vector_domain(dp.vector_domain(INTS)), "atom"),
            refused("input_metric", dp.discrete_distance(), "SymmetricDistance"),
        ],
    )
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
