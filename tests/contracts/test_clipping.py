"""The contract of make_clip_rows."""

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
ATOMS: dict[type, list[Any]] = {
    int: [dp.atom_domain(T=int), dp.atom_domain(T="u8"), dp.atom_domain(T="u64")],
    float: [dp.atom_domain(T=float, nan=False), dp.atom_domain((-2.0, 1e300))],
    Fraction: [dp.atom_domain(T=Fraction)],
}
NORMS: dict[type, list[Any]] = {
    int: [1, 5, 0.5, "7/2", 300, 2**31 - 1, 2**40, 2**63, 10**30],
    float: [1.0, Fraction(1, 3), 5e-324, 2, 1.7976931348623157e308, "1e-300"],
    Fraction: [1, Fraction(1, 3), 100],
}


def matrix(atom: Any, columns: int, size: int | None) -> Any:
    return dp.vector_domain(dp.vector_domain(atom, columns), size)


def arguments(T: type) -> Any:
    return st.fixed_dictionaries(
        {
            "input_domain": st.builds(
                matrix,
                st.sampled_from(ATOMS[T]),
                st.sampled_from([0, 1, 2, 3]),
                st.sampled_from([None, 2]),
            ),
            "input_metric": st.sampled_from(METRICS),
            "norm": st.sampled_from(NORMS[T]),
        },
        optional={"p": st.sampled_from([1, 2])},
    )


GRIDS = st.fixed_dictionaries(
    {
        "input_domain": st.just(matrix(ATOMS[float][0], 2, None)),
        "input_metric": st.sampled_from(METRICS),
        "norm": st.sampled_from([1.0, 0.75]),
        "p": st.sampled_from([1, 2]),
        "k": st.sampled_from([-1, -2, -31, -53]),
    }
)
GOOD: dict[str, Any] = {
    "input_domain": matrix(ATOMS[float][0], 2, None),
    "input_metric": METRICS[0],
    "norm": 1.0,
}
WHOLE = {"input_domain": matrix(dp.atom_domain(T=int), 2, None)}
BAD: list[tuple[dict[str, Any], str, list[str]]] = [
    *(
        ({"input_domain": domain}, "MakeTransformation", ["input_domain", *words])
        for domain, words in [
            (dp.vector_domain(ATOMS[float][0]), ["vector", "public size"]),
            (matrix(ATOMS[float][0], 2, None).element_domain, ["vector"]),
            (dp.vector_domain(dp.vector_domain(ATOMS[int][0])), ["public size"]),
            (matrix(dp.atom_domain(T=float), 2, None), ["NaN"]),
            (matrix(dp.atom_domain(T=str), 2, None), ["numbers"]),
            (matrix(dp.option_domain(ATOMS[int][0]), 2, None), ["None"]),
            (ATOMS[float][0], ["VectorDomain"]),
        ]
    ),
    ({"input_metric": dp.l2_distance(T=float)}, "MakeTransformation", ["input_metric"]),
    ({"norm": 0}, "MakeTransformation", ["norm", "above 0"]),
    ({"norm": 10**400}, "MakeTransformation", ["norm", "floats"]),
    ({"norm": Fraction(1, 10**400)}, "MakeTransformation", ["norm", "floats"]),
    ({"norm": -1}, "MakeDomain", ["norm", "at least 0"]),
    ({"norm": math.inf}, "MakeDomain", ["norm", "finite"]),
    ({"norm": math.nan}, "MakeDomain", ["norm"]),
    ({"norm": None}, "MakeDomain", ["norm"]),
    ({"norm": "long"}, "MakeDomain", ["norm"]),
    ({"p": 3}, "MakeDomain", ["p", "at most 2"]),
    ({"p": 0}, "MakeDomain", ["p", "at least 1"]),
    ({"p": math.inf}, "MakeDomain", ["p"]),
    ({"p": 1.5}, "MakeDomain", ["p", "integer"]),
    ({"k": 0}, "MakeTransformation", ["k", "at most -1"]),
    ({"k": -54}, "MakeTransformation", ["k", "at least -53"]),
    ({"k": 0.5}, "MakeTransformation", ["k"]),
    ({**WHOLE, "k": -3}, "MakeTransformation", ["k", "only floats"]),
]
REFUSALS = [({**GOOD, **bad}, variant, words) for bad, variant, words in BAD]

CONTRACTS = [
    Contract(dp.t.make_clip_rows, given, REFUSALS)
    for given in [*map(arguments, ATOMS), GRIDS]
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
