"""The contract of make_covariance."""

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
BOUNDS: dict[type, list[Any]] = {
    int: [(0, 1), (-3, 10), (5, 5), (2**62, 2**70)],
    float: [
        (0.0, 1.0),
        (-0.1, 0.3),
        (0.5, 0.5),
        (2.0**50, 2.0**50 + 1),
        (-1e308, 1e308),
    ],
    Fraction: [(Fraction(-1, 3), Fraction(5, 7)), (0, 1)],
}


def pairs(atom: Any, size: int | None) -> Any:
    return dp.vector_domain(dp.vector_domain(atom, 2), size)


def arguments(T: type) -> Any:
    atom = dp.atom_domain(T=T, nan=False) if T is float else dp.atom_domain(T=T)
    bounds = st.sampled_from(BOUNDS[T])
    return st.fixed_dictionaries(
        {
            "input_domain": st.builds(pairs, st.just(atom), st.sampled_from([2, 3, 5])),
            "input_metric": st.sampled_from(METRICS),
            "bounds_0": bounds,
            "bounds_1": bounds,
        },
        optional={"ddof": st.sampled_from([0, 1])},
    )


GOOD: dict[str, Any] = {
    "input_domain": pairs(dp.atom_domain(T=int), 3),
    "input_metric": METRICS[0],
    "bounds_0": (0, 1),
    "bounds_1": (0, 1),
}
NUMBERS = dp.atom_domain(T=float, nan=False)
BAD: list[tuple[dict[str, Any], list[str]]] = [
    ({"input_domain": pairs(dp.atom_domain(T=int), None)}, ["input_domain", "size"]),
    ({"input_domain": pairs(dp.atom_domain(T=int), 0)}, ["input_domain", "size"]),
    ({"input_domain": dp.vector_domain(NUMBERS, 3)}, ["input_domain", "pair"]),
    (
        {"input_domain": dp.vector_domain(dp.vector_domain(NUMBERS, 3), 3)},
        ["input_domain", "pair"],
    ),
    (
        {"input_domain": dp.vector_domain(dp.vector_domain(NUMBERS), 3)},
        ["input_domain", "pair"],
    ),
    ({"input_domain": pairs(dp.atom_domain(T=float), 3)}, ["input_domain", "NaN"]),
    ({"input_domain": pairs(dp.atom_domain(T=str), 3)}, ["input_domain", "numbers"]),
    ({"input_domain": pairs(dp.option_domain(NUMBERS), 3)}, ["input_domain", "None"]),
    ({"input_domain": NUMBERS}, ["input_domain", "VectorDomain"]),
    ({"input_metric": dp.l1_distance(T=int)}, ["input_metric", "Symmetric"]),
    *(
        ({name: bounds}, [f"{name}={bounds!r}", "finite"])
        for name in ("bounds_0", "bounds_1")
        for bounds in (None, 3, (1, 0), (0.5, 1), ("a", "b"), (0, math.inf))
    ),
    *(
        ({name: (0, 1, 2)}, [f"{name}=<sequence>", "finite"])  # it may be data
        for name in ("bounds_0", "bounds_1")
    ),
    (
        {"input_domain": pairs(NUMBERS, 3), "bounds_0": (0.0, math.inf)},
        ["bounds_0", "finite"],
    ),
    (
        {"input_domain": pairs(NUMBERS, 3), "bounds_0": (math.nan, 1.0)},
        ["bounds_0", "finite"],
    ),
    *(({"ddof": ddof}, ["ddof"]) for ddof in (3, -1, 0.5, "one", None, math.inf)),
]
REFUSALS = [({**GOOD, **bad}, "MakeTransformation", words) for bad, words in BAD]

CONTRACTS = [
    Contract(
        dp.t.make_covariance,
        arguments(T),
        REFUSALS,
        examples=60,
    )
    for T in BOUNDS
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
