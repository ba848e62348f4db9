"""The contract of make_find_bin."""

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
INTS = dp.atom_domain(T=int)
NUMBERS = [
    INTS,
    dp.atom_domain(T="u8"),
    dp.atom_domain((0, 9)),
    dp.atom_domain(T=float),
    dp.atom_domain((-1.0, 1.0)),
    dp.atom_domain(T="f32"),
    dp.atom_domain(T=Fraction),
]
EDGES: list[Any] = [
    [0],
    [-1, 0.5, 2**63],
    (-math.inf, "1/3", math.inf),
    [Fraction(j, 7) for j in range(-20, 20)],
]


def call(
    row: Any, edges: Any, size: int | None = None, metric: Any = METRICS[0]
) -> dict[str, Any]:
    domain = dp.vector_domain(row, size)
    return {"input_domain": domain, "input_metric": metric, "edges": edges}


def no_edges(edges: Any, *words: str) -> Any:
    return call(INTS, edges), "MakeTransformation", ["edges", *words]


def no_rows(row: Any, *words: str) -> Any:
    return call(row, [1]), "MakeTransformation", ["input_domain", *words]


def no_metric(metric: Any) -> Any:
    words = ["input_metric", "SymmetricDistance"]
    return call(INTS, [1], metric=metric), "MakeTransformation", words


CONTRACTS = [
    Contract(
        dp.t.make_find_bin,
        arguments=st.builds(
            call,
            st.sampled_from(NUMBERS),
            st.sampled_from(EDGES),
            st.sampled_from([None, 3]),
            st.sampled_from(METRICS),
        ),
        examples=60,
        refusals=[
            (
                {**call(INTS, [1]), "input_domain": INTS},
                "MakeTransformation",
                ["input_domain", "VectorDomain"],
            ),
            no_metric(dp.discrete_distance()),
            no_metric(dp.l1_distance(T=int)),
            no_edges(1, "a list"),
            no_edges("12", "a list"),
            no_edges([], "at least one"),
            no_edges([1, 1], "increasing"),
            no_edges([2, 1], "increasing"),
            no_edges([1, None], "number"),
            no_edges([False, True], "number"),
            no_edges([0.0, math.nan], "not NaN"),
            no_rows(dp.atom_domain(T=str), "numbers"),
            no_rows(dp.atom_domain(T=bool), "numbers"),
            no_rows(dp.option_domain(INTS), "None"),
            no_rows(dp.vector_domain(INTS), "numbers"),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
