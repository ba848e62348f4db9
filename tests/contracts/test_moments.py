"""The contracts of make_mean, make_sum_of_squared_deviations and make_variance."""

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
INTEGERS = [
    dp.atom_domain(T="u8"),
    dp.atom_domain(T="i64"),
    dp.atom_domain(T="u64"),
    *(dp.atom_domain(b) for b in [(-3, 10), (0, 0), (5, 5), (2**62, 2**70), (-9, -2)]),
]
FLOATS = [
    dp.atom_domain(bounds)
    for bounds in [
        (0.0, 10.0),
        (-0.1, 0.3),
        (0.0, 0.0),
        (0.1, 0.1),
        (-5e-324, 5e-324),
        (1 + 2**-52, 1 + 2**-51),
        (-1e308, 1.7976931348623157e308),
        (2.0**50, 2.0**50 + 1),
    ]
] + [dp.atom_domain((-2.0, 0.5), T="f32")]
RATIONALS = [dp.atom_domain((Fraction(-1, 3), Fraction(5, 7))), dp.atom_domain((0, 1))]
# Grids that are counted by bits, by steps, and row by row; coarse ones and exact ones.
GRIDS = (-36, -37, -50, -60, -1018, 0, 3, 4, 1023)


def arguments(atoms: list[Any], sizes: list[int | None], **more: Any) -> Any:
    domains = st.builds(
        dp.vector_domain, st.sampled_from(atoms), st.sampled_from(sizes)
    )
    metrics = st.sampled_from(METRICS)
    fixed = {"input_domain": domains, "input_metric": metrics}
    return st.fixed_dictionaries(fixed, optional=more)


def call(atom: Any, size: int | None = 3, **more: Any) -> dict[str, Any]:
    domain = dp.vector_domain(atom, size)
    return {"input_domain": domain, "input_metric": METRICS[0], **more}


def refused(atom: Any, *words: str) -> Any:
    return call(atom), "MakeTransformation", ["input_domain", *words]


BOTH = [
    refused(dp.atom_domain(T=int), "finite bounds", "then_clamp"),
    refused(dp.atom_domain(T=Fraction), "finite bounds", "then_clamp"),
    refused(dp.atom_domain(T=float, nan=False), "finite bounds", "then_clamp"),
    refused(dp.atom_domain((0.0, math.inf)), "finite bounds", "then_clamp"),
    refused(dp.atom_domain(T=float), "NaN", "then_impute_constant"),
    refused(dp.atom_domain(T=str), "numbers", "then_cast_default"),
    refused(dp.atom_domain(T=bool), "numbers", "then_cast_default"),
    refused(dp.option_domain(INTEGERS[0]), "None", "then_impute_constant"),
    *(
        (arguments, "MakeTransformation", words)
        for arguments, words in [
            (call(INTEGERS[0], k=0), ["k", "only floats"]),
            (call(RATIONALS[0], k=0), ["k", "only floats"]),
            (call(FLOATS[0], k="fine"), ["k", "number"]),
            (call(FLOATS[0], k=0.5), ["k", "integer"]),
            (call(FLOATS[0], k=-1075), ["k", "at least"]),
            (call(FLOATS[0], k=1024), ["k", "1023"]),
            (call(FLOATS[3], k=0), ["k", "multiple"]),
            (
                {**call(INTEGERS[0]), "input_metric": dp.l1_distance(T=int)},
                ["input_metric", "Symmetric"],
            ),
            ({**call(INTEGERS[0]), "input_domain": INTEGERS[0]}, ["VectorDomain"]),
        ]
    ),
]
SUMMATION: list[Any] = [
    (call(FLOATS[0], S=S), "MakeTransformation", ["S", "Pairwise"])
    for S in ("Kahan<f64>", "", 3, float)
]
SIZED: list[Any] = [
    (call(INTEGERS[0], None), "MakeTransformation", ["input_domain", "size", "public"]),
    (call(INTEGERS[0], 0), "MakeTransformation", ["input_domain", "size", "at least"]),
]
DDOF: list[Any] = [
    (call(INTEGERS[0], 3, ddof=ddof), "MakeTransformation", ["ddof"])
    for ddof in (3, 4, -1, 0.5, "one", math.inf, math.nan, True, None)
]
WAYS = st.sampled_from([None, "Pairwise<f64>", "Sequential<f32>", "Pairwise"])
SIZES: list[int | None] = [1, 2, 3, 6]
ANY: list[int | None] = [None, 0, *SIZES]

CONTRACTS = [
    *(
        Contract(dp.t.make_mean, arguments(atoms, SIZES), BOTH + SIZED)
        for atoms in (INTEGERS, FLOATS, RATIONALS)
    ),
    *(
        Contract(
            dp.t.make_sum_of_squared_deviations,
            arguments(atoms, ANY, S=WAYS),
            BOTH + SUMMATION,
            examples=60,
        )
        for atoms in (INTEGERS, FLOATS, RATIONALS)
    ),
    *(
        Contract(
            dp.t.make_variance,
            arguments(atoms, [2, 3, 6], S=WAYS, ddof=st.sampled_from([0, 1, 1.0])),
            BOTH + SUMMATION + SIZED + DDOF,
        )
        for atoms in (INTEGERS, FLOATS, RATIONALS)
    ),
    *(
        Contract(
            make,
            arguments([FLOATS[0]], [2, 3], k=st.sampled_from(GRIDS)),
            refusals,
        )
        for make, refusals in (
            (dp.t.make_mean, BOTH + SIZED),
            (dp.t.make_sum_of_squared_deviations, BOTH + SUMMATION),
            (dp.t.make_variance, BOTH + SUMMATION + SIZED + DDOF),
        )
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
