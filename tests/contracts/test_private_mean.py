"""The contract of make_private_mean."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
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
PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()
BITS = dp.atom_domain(bounds=(0, 1))
INTEGERS = [BITS, dp.atom_domain(bounds=(-3, 10**30)), dp.atom_domain(T="u8")]
FLOATS = [
    dp.atom_domain(bounds=(0.0, 10.0)),
    dp.atom_domain(bounds=(-1e300, 1e300)),
    dp.atom_domain(bounds=(2.0**50, 2.0**50 + 1)),
    dp.atom_domain(bounds=(-5e-324, 5e-324)),
    dp.atom_domain(bounds=(0.25, 0.75), T="f32"),
]


@st.composite
def means(draw: st.DrawFn) -> dict[str, Any]:
    atom = draw(st.sampled_from(INTEGERS + FLOATS))
    grid = {"k": -3} if atom == FLOATS[0] and draw(st.booleans()) else {}
    return {
        "input_domain": dp.vector_domain(atom, draw(st.sampled_from([None, None, 3]))),
        "input_metric": draw(st.sampled_from(METRICS)),
        "output_measure": draw(st.sampled_from([PURE, CONCENTRATED])),
        "scale": draw(st.sampled_from([0, 1, 0.1, "1/3", 1e9, 1e-300])),
        **grid,
    }


def mean(atom: Any = BITS, size: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "input_domain": dp.vector_domain(atom, size),
        "input_metric": METRICS[0],
        "output_measure": PURE,
        "scale": "1/4",
        **more,
    }


def exactly(above: int, below: int, **more: Any) -> dp.m.MeanEstimate:
    kept = {"bounds": (Fraction(0), Fraction(1)), "steps": 1, "gaussian": False}
    return dp.m.MeanEstimate(above, below, scale=Fraction(0), **{**kept, **more})


SPACES: list[Any] = [
    ({"input_domain": BITS}, ["input_domain", "VectorDomain"]),
    ({"input_metric": dp.l1_distance(T=int)}, ["input_metric", "Symmetric"]),
    ({"input_domain": dp.vector_domain(dp.atom_domain(T=int))}, ["finite bounds"]),
    ({"input_domain": dp.vector_domain(dp.atom_domain(T=str))}, ["numbers"]),
    ({"input_domain": dp.vector_domain(dp.atom_domain(T=float))}, ["NaN"]),
    (
        {"input_domain": dp.vector_domain(dp.option_domain(BITS))},
        ["missing", "then_impute_constant"],
    ),
    ({"k": 0}, ["k", "only floats"]),
]
MEASURED: list[Any] = [
    ({"scale": -1}, ["scale", "-1", "at least 0", "such as scale=1.0"]),
    ({"scale": math.inf}, ["scale", "inf", "finite"]),
    ({"scale": math.nan}, ["scale", "nan"]),
    ({"scale": None}, ["scale", "None", "number"]),
    ({"output_measure": None}, ["output_measure=None", "MaxDivergence"]),
    ({"output_measure": dp.approximate(PURE)}, ["output_measure", "ZeroConcentrated"]),
    (
        {"input_domain": dp.vector_domain(dp.atom_domain(bounds=(2, 2)))},
        ["input_domain", "must differ", "wider"],
    ),
    (mean(FLOATS[0], k=4), ["input_domain", "must differ, on the grid"]),
    (
        {
            "input_domain": dp.vector_domain(
                dp.atom_domain(bounds=(Fraction(0), Fraction(1)))
            )
        },
        ["input_domain", "int or float", "then_cast_default"],
    ),
]

CONTRACTS = [
    Contract(
        dp.m.make_private_mean,
        means(),
        [(mean(**more), "MakeTransformation", words) for more, words in SPACES]
        + [({**mean(), **m}, "MakeMeasurement", words) for m, words in MEASURED],
        certificates=[
            (mean(), [0, 1], [0, 1, 1], 26),
            (mean(), [], [0], 26),
            (mean(input_metric=METRICS[2]), [0, 1], [1, 1], 32),
            (mean(size=2), [0, 0], [1, 0], 32),
            (mean(dp.atom_domain(bounds=(0, 2)), scale="1/6"), [1], [], 26),
            (mean(FLOATS[0], k=3, scale="1/4"), [8.0], [8.0, 2.0], 26),
            (mean(output_measure=CONCENTRATED, scale="1/2"), [0], [0, 1], 38),
            (mean(output_measure=CONCENTRATED, scale="0.24"), [0], [0, 1], 30),
        ],
        limits=[
            (mean(scale=0), [0, 1, 1], exactly(2, 1)),
            (mean(scale=0), [], exactly(0, 0)),
            (
                mean(FLOATS[0], scale=0, k=1),
                [3.5, 10.0],
                exactly(7, 3, bounds=(Fraction(0), Fraction(10)), steps=5),
            ),
        ],
        map_values=[
            (mean(scale=2), 3, mpq(3, 2)),
            (mean(scale=2, input_metric=METRICS[3]), 3, 3),
            (mean(size=5, scale=2), 4, 2),
            (mean(size=5, scale=2), 1, 0),
            (mean(size=5, scale=2), math.inf, 5),
            (mean(scale=2), math.inf, math.inf),
            (mean(scale=0), 1, math.inf),
            (mean(scale=2, output_measure=CONCENTRATED), 4, 2),
            (
                mean(scale=1, output_measure=CONCENTRATED, input_metric=METRICS[2]),
                1,
                1,
            ),
        ],
        examples=60,
        runs=20_000,
    )
]


# What stays: bounds of two steps, a grid of floats, and a little Gaussian noise.
LONG = [*CONTRACTS[0].certificates[:4], CONTRACTS[0].certificates[6]]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
