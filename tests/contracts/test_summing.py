"""The contract of make_sum."""

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
BALLS = [
    dp.ball_domain(dp.atom_domain(T=int), 2, 5),
    dp.ball_domain(dp.atom_domain(T=int), 3, "7/2", 1),
    dp.ball_domain(dp.atom_domain(T="u64"), 1, 2**64 - 1),
    dp.ball_domain(dp.atom_domain(T=int), 0, 1),
    dp.ball_domain(dp.atom_domain(T=float, nan=False), 2, 0.1),
    dp.ball_domain(dp.atom_domain(T=float, nan=False), 2, 0, 1),
    dp.ball_domain(dp.atom_domain((-1.0, 1e300)), 3, 10**400, 1),
    dp.ball_domain(dp.atom_domain(T=float, nan=False), 1, Fraction(1, 10**400)),
    dp.ball_domain(dp.atom_domain(T=Fraction), 2, Fraction(1, 3)),
]
SIZES = st.sampled_from([None, 0, 1, 3])


def arguments(atoms: list[Any]) -> Any:
    return st.fixed_dictionaries(
        {
            "input_domain": st.builds(dp.vector_domain, st.sampled_from(atoms), SIZES),
            "input_metric": st.sampled_from(METRICS),
        }
    )


def call(atom: Any, metric: Any = METRICS[0], **more: Any) -> dict[str, Any]:
    return {"input_domain": dp.vector_domain(atom), "input_metric": metric, **more}


def refused(atom: Any, *words: str) -> Any:
    return call(atom), "MakeTransformation", ["input_domain", *words]


FLAT = dp.ball_domain(dp.atom_domain(T=float, nan=False), 2, 1.0)
REFUSALS = [
    refused(dp.vector_domain(INTEGERS[0], 2), "bounded norm", "then_clip_rows"),
    refused(dp.atom_domain(T=int), "finite bounds", "then_clamp"),
    refused(dp.atom_domain(T=Fraction), "finite bounds", "then_clamp"),
    refused(dp.atom_domain(T=float, nan=False), "finite bounds", "then_clamp"),
    refused(dp.atom_domain((0.0, math.inf)), "finite bounds", "then_clamp"),
    refused(dp.atom_domain((-math.inf, 0.0)), "finite bounds", "then_clamp"),
    refused(dp.atom_domain(T=float), "NaN", "then_impute_constant"),
    refused(dp.atom_domain((0.0, 1.0), nan=True), "NaN"),
    refused(dp.atom_domain(T=str), "numbers", "then_cast_default"),
    refused(dp.atom_domain(T=bool), "numbers", "then_cast_default"),
    refused(dp.option_domain(INTEGERS[0]), "None", "then_impute_constant"),
    *(
        (arguments, "MakeTransformation", words)
        for arguments, words in [
            (call(INTEGERS[0], k=0), ["k", "only floats"]),
            (call(RATIONALS[0], k=0), ["k", "only floats"]),
            (call(BALLS[0], k=0), ["k", "only floats"]),
            (call(BALLS[-1], k=0), ["k", "only floats"]),
            (call(FLAT, k=-46), ["k", "at least -45"]),
            (call(FLAT, k=1024), ["k", "at most 1023"]),
            (call(FLAT, k=0.5), ["k", "integer"]),
            (call(FLOATS[0], k="fine"), ["k", "number"]),
            (call(FLOATS[0], k=0.5), ["k", "integer"]),
            (call(FLOATS[0], k=True), ["k", "truth value"]),
            (call(FLOATS[0], k=math.nan), ["k", "nan"]),
            (call(FLOATS[0], k=-1075), ["k", "at least"]),
            (call(FLOATS[0], k=1024), ["k", "1023"]),
            (call(FLOATS[3], k=0), ["k", "multiple"]),
            (call(FLOATS[6], k=-1000), ["k", "at least"]),
            (call(INTEGERS[0], dp.l1_distance(T=int)), ["input_metric", "Symmetric"]),
            ({**call(INTEGERS[0]), "input_domain": INTEGERS[0]}, "VectorDomain"),
        ]
    ),
]
# Grids that are summed in float64, in int64 and row by row; coarse ones and exact ones.
GRIDS = (-36, -37, -50, -59, -60, -1018, 0, 3, 4, 1023)

CONTRACTS = [
    Contract(dp.t.make_sum, arguments(INTEGERS), REFUSALS, examples=60),
    Contract(dp.t.make_sum, arguments(FLOATS), REFUSALS, examples=60),
    Contract(dp.t.make_sum, arguments(RATIONALS), REFUSALS),
    Contract(dp.t.make_sum, arguments(BALLS), REFUSALS, examples=60),
    Contract(
        dp.t.make_sum,
        st.builds(
            lambda metric, k: call(FLAT, metric, k=k),
            st.sampled_from(METRICS),
            st.sampled_from((-45, -30, -1, 0, 1, 1023)),
        ),
        REFUSALS,
    ),
    Contract(
        dp.t.make_sum,
        st.builds(
            lambda metric, k: call(FLOATS[0], metric, k=k),
            st.sampled_from(METRICS),
            st.sampled_from(GRIDS),
        ),
        REFUSALS,
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
