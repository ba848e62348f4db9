"""The contract of make_private_bounds."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import attrs
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
INTEGERS = dp.atom_domain(T=int)
FLOATS = dp.atom_domain(T=float, nan=False)
ROWS: list[tuple[Any, list[Any]]] = [
    (INTEGERS, [None, (0, 0), (2, 5), [0, 100]]),
    (dp.atom_domain(T="u8"), [None, (0, 7)]),
    (FLOATS, [None, (-3, 3), (-1074, -1070), (1020, 1023)]),
    (dp.atom_domain(T="f32", nan=False), [None, (-149, -145), (120, 127)]),
    (dp.atom_domain(T=Fraction), [None, (-2, 2)]),
]


@st.composite
def many_bounds(draw: st.DrawFn) -> dict[str, Any]:
    atom, exponents = draw(st.sampled_from(ROWS))
    return {
        "input_domain": dp.vector_domain(atom, draw(st.sampled_from([None, None, 3]))),
        "input_metric": draw(st.sampled_from(METRICS)),
        "output_measure": draw(st.sampled_from([PURE, CONCENTRATED])),
        "scale": draw(st.sampled_from([0, 1, 0.1, "1/3", 1e9, 1e-300])),
        "alpha": draw(st.sampled_from([0.5, 1e-9, "1/3"])),
        "exponents": draw(st.sampled_from(exponents)),
    }


def bounds(atom: Any = INTEGERS, size: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "input_domain": dp.vector_domain(atom, size),
        "input_metric": METRICS[0],
        "output_measure": PURE,
        "scale": "1/4",
        "alpha": 0.5,
        "exponents": (0, 0),
        **more,
    }


SPACES: list[Any] = [
    ({"input_domain": INTEGERS}, ["input_domain", "VectorDomain"]),
    ({"input_metric": dp.l1_distance(T=int)}, ["input_metric", "Symmetric"]),
    ({"input_domain": dp.vector_domain(dp.atom_domain(T=str))}, ["numbers"]),
    ({"input_domain": dp.vector_domain(dp.atom_domain(T=float))}, ["NaN"]),
    ({"input_domain": dp.vector_domain(dp.option_domain(FLOATS))}, ["missing"]),
]
MEASURED: list[Any] = [
    ({"scale": -1}, ["scale", "-1", "at least 0", "such as scale=1.0"]),
    ({"scale": math.inf}, ["scale", "inf", "finite"]),
    ({"scale": None}, ["scale", "None", "number"]),
    ({"scale": 10**400}, ["scale", "bound", "such as"]),
    ({"alpha": 0}, ["alpha", "above 0", "such as alpha=0.01"]),
    ({"alpha": 1}, ["alpha", "below 1"]),
    ({"alpha": math.nan}, ["alpha", "nan"]),
    ({"alpha": "x"}, ["alpha", "'x'"]),
    ({"exponents": (3, 2)}, ["exponents", "not be above"]),
    ({"exponents": (-1, 2)}, ["exponents", "at least 0", "such as"]),
    ({"exponents": (0, 1024)}, ["exponents", "at most 1023"]),
    ({"exponents": (0, 0.5)}, ["exponents", "integer"]),
    ({"exponents": 7}, ["exponents", "pair"]),
    ({"exponents": (0, 1, 2)}, ["exponents", "pair"]),
    (
        bounds(dp.atom_domain(T="f32", nan=False), exponents=(0, 128)),
        ["exponents", "at most 127"],
    ),
    ({"output_measure": None}, ["output_measure=None", "MaxDivergence"]),
    ({"output_measure": dp.approximate(PURE)}, ["output_measure", "ZeroConcentrated"]),
]

CONTRACTS = [
    Contract(
        dp.m.make_private_bounds,
        many_bounds(),
        [({**bounds(), **m}, "MakeTransformation", words) for m, words in SPACES]
        + [({**bounds(), **m}, "MakeMeasurement", words) for m, words in MEASURED],
        # Four counts have noise, each of several bits.
        certificates=[(bounds(), [0], [0, -3], 36)],
        limits=[
            (bounds(scale=0), [], (-1, 1)),
            (bounds(scale=0), [0, 0], (0, 1)),
            (bounds(scale=0), [5], (0, 1)),
            (bounds(scale=0), [-5], (-1, 0)),
            (bounds(scale=0, exponents=None), [-5, 3, 7], (-8, 8)),
            (bounds(scale=0, exponents=None), [8], (8, 16)),
            (bounds(FLOATS, scale=0, exponents=(-2, 2)), [-0.0, 0.5], (0.0, 1.0)),
            (bounds(FLOATS, scale=0, exponents=(-2, 2)), [-math.inf], (-4.0, -2.0)),
        ],
        map_values=[
            (bounds(scale=2), 3, mpq(3, 2)),
            (bounds(scale=2, input_metric=METRICS[3]), 3, 3),
            (bounds(size=5, scale=2), 5, 2),
            (bounds(scale=2, output_measure=CONCENTRATED), 4, 2),
            (bounds(scale=0), 1, math.inf),
            (bounds(scale=2), math.inf, math.inf),
        ],
        examples=30,
        runs=20_000,
        cap=mpq(1, 40),
    )
]


# The law under either measure is checked in tests/measurements/estimates.
CONCENTRATED_PAIR: Any = (
    bounds(FLOATS, scale="1/4", output_measure=CONCENTRATED),
    [0.0],
    [0.0, -3.0],
    60,
)


# So few runs certify a delta of at most 1/5, and find large faults only.
FEW: dict[str, Any] = {"runs": 3000, "cap": mpq(1, 5)}


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(attrs.evolve(shorter(terms), **FEW))


@pytest.mark.audit
def test_a_certificate_of_concentrated_noise() -> None:
    terms = attrs.evolve(CONTRACTS[0], certificates=[CONCENTRATED_PAIR], examples=1)
    verify.contract(terms)
