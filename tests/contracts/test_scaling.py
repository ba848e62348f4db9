"""The contract of make_lipschitz_float_mul."""

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

CASES: dict[type, list[Any]] = {
    int: [(0, 1), (-3, 10), (5, 5), (2**62, 2**70)],
    float: [(0.0, 1.0), (-0.1, 0.3), (0.5, 0.5), (-1e308, 1.7976931348623157e308)],
    Fraction: [(Fraction(-1, 3), Fraction(5, 7)), (0, 1)],
}
CONSTANTS = [0, 1, -2, 0.1, "0.1", Fraction(-3, 7), 5e-324, 1e308]


def atom(T: type) -> Any:
    nan = False if T is float else None
    return dp.atom_domain(T=T, nan=nan)


def arguments(T: type) -> Any:
    return st.fixed_dictionaries(
        {
            "input_domain": st.just(atom(T)),
            "input_metric": st.just(dp.absolute_distance(T=T)),
            "constant": st.sampled_from(CONSTANTS),
            "bounds": st.sampled_from(CASES[T]),
        }
    )


GOOD: dict[str, Any] = {
    "input_domain": atom(float),
    "input_metric": dp.absolute_distance(T=float),
    "constant": 0.5,
    "bounds": (0.0, 1.0),
}
BAD: list[tuple[dict[str, Any], list[str]]] = [
    ({"input_domain": dp.atom_domain(T=float)}, ["input_domain", "NaN"]),
    ({"input_domain": dp.atom_domain(T=str)}, ["input_domain", "numbers"]),
    ({"input_domain": dp.atom_domain(T=bool)}, ["input_domain", "numbers"]),
    ({"input_domain": dp.vector_domain(atom(float))}, ["input_domain", "AtomDomain"]),
    ({"input_metric": dp.symmetric_distance()}, ["input_metric", "AbsoluteDistance"]),
    *(
        ({"constant": constant}, ["constant"])
        for constant in (math.inf, -math.inf, math.nan, "x", None, True, (1, 2))
    ),
    *(
        ({"bounds": bounds}, ["bounds", "finite"])
        for bounds in (
            None,
            3.0,
            (0.0, 1.0, 2.0),
            (1.0, 0.0),
            (0.0, math.inf),
            ("a", 1),
        )
    ),
    ({"bounds": (Fraction(1, 3), 1)}, ["bounds", "float"]),
]
REFUSALS = [({**GOOD, **bad}, "MakeTransformation", words) for bad, words in BAD]

CONTRACTS = [
    Contract(
        dp.t.make_lipschitz_float_mul,
        arguments(T),
        REFUSALS,
        examples=60,
    )
    for T in CASES
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
