"""The contract of make_noisy_top_k."""

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
from tests.contracts.test_noisy_max import (
    ATOMS,
    CONCENTRATED,
    FLOATS,
    FRACTIONS,
    INTEGERS,
    MONOTONIC,
    NAN,
    NO_ROOM,
    PURE,
    SCALES,
)


@st.composite
def selections(draw: st.DrawFn) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(ATOMS))
    return {
        "input_domain": dp.vector_domain(atom, size=draw(st.none() | st.just(3))),
        "input_metric": dp.linf_distance(T=T, monotonic=draw(st.booleans())),
        "output_measure": draw(st.sampled_from([PURE, CONCENTRATED])),
        "k": draw(st.integers(0, 3)),
        "scale": draw(SCALES),
        "negate": draw(st.booleans()),
    }


def on(
    domain: Any,
    metric: Any,
    measure: Any = PURE,
    k: Any = 2,
    scale: Any = 1,
    **more: Any,
) -> dict[str, Any]:
    return {
        "input_domain": domain,
        "input_metric": metric,
        "output_measure": measure,
        "k": k,
        "scale": scale,
        **more,
    }


SIZED = dp.vector_domain(dp.atom_domain(T=int), size=2), dp.linf_distance(T=int)
ONE = dp.vector_domain(dp.atom_domain(T=int), size=1), dp.linf_distance(T=int)

REFUSALS: list[Any] = [
    (arguments, "MakeMeasurement", words)
    for arguments, words in [
        (on(*INTEGERS, k=-1), ["k", "-1", "at least 0", "such as k=3"]),
        (on(*INTEGERS, k=1.5), ["k", "1.5", "integer"]),
        (on(*INTEGERS, k=None), ["k", "None", "number"]),
        (on(*INTEGERS, k=True), ["k", "True"]),
        (on(*INTEGERS, k=math.inf), ["k", "inf", "finite"]),
        (on(*SIZED, k=3), ["k", "3", "at most 2"]),
        (on(*INTEGERS, scale=-1), ["scale", "-1", "at least 0", "such as scale=1.0"]),
        (on(*INTEGERS, scale=math.nan), ["scale", "nan", "finite"]),
        (on(*INTEGERS, scale=math.inf), ["scale", "inf", "finite"]),
        (on(*INTEGERS, scale="abc"), ["scale", "'abc'", "such as"]),
        (on(*INTEGERS, negate=1), ["negate", "1", "True or False"]),
        (on(None, INTEGERS[1]), ["input_domain=None", "vector_domain"]),
        (on(dp.atom_domain(T=int), INTEGERS[1]), ["input_domain", "vector_domain"]),
        (on(NAN, FLOATS[1]), ["input_domain", "NaN", "nan=False"]),
        (on(NO_ROOM, INTEGERS[1]), ["input_domain", "room", "at least 1"]),
        (on(INTEGERS[0], dp.l1_distance(T=int)), ["input_metric", "LInfDistance"]),
        (on(*INTEGERS, dp.approximate(PURE)), ["output_measure", "ZeroConcentrated"]),
    ]
]

CERTIFICATES: list[Any] = [
    (on(*INTEGERS), [0, 0], [1, -1], 18),
    (on(*SIZED), [0, 0], [1, -1], 18),
    (on(*INTEGERS, scale=2), [0, 0, 0], [1, -1, 1], 20),
    (on(*MONOTONIC, scale="1/2"), [0, 3], [1, 3], 18),
    (on(*FLOATS, scale=0.5), [0.1, 0.0, -math.inf], [0.0, 0.1, -math.inf], 18),
    (on(*FRACTIONS, negate=True), [Fraction(1, 3), 0], [0, Fraction(1, 3)], 18),
    (on(*INTEGERS, CONCENTRATED), [0, 0], [1, -1], 20),
    (on(*SIZED, CONCENTRATED), [0, 0], [1, -1], 20),
    (on(*INTEGERS, CONCENTRATED, scale=2), [0, 0, 0], [1, -1, 1], 20),
    (on(*MONOTONIC, CONCENTRATED, k=1, scale="1/2"), [0, 3], [1, 3], 20),
]
LIMITS: list[Any] = [
    (on(*space, measure, **more), x, released)
    for measure in (PURE, CONCENTRATED)
    for space, more, x, released in [
        (INTEGERS, {"scale": 0}, [1, 10**40, 2], [1, 2]),
        (INTEGERS, {"scale": 0, "negate": True}, [1, 10**40, 2], [0, 2]),
        (INTEGERS, {"scale": 0, "k": 5}, [1, 10**40, 2], [1, 2, 0]),
        (INTEGERS, {"scale": 5, "k": 0}, [1, 2], []),
        (INTEGERS, {"scale": 5}, [], []),
        (INTEGERS, {"scale": 5}, [7], [0]),
        (FLOATS, {"scale": 3, "k": 3}, [1.0, math.inf, -math.inf], [1, 0, 2]),
        (FLOATS, {"scale": 3, "negate": True}, [1.0, math.inf, -math.inf], [2, 0]),
        (FRACTIONS, {"scale": 0}, [Fraction(1, 3), 1, Fraction(2, 3)], [1, 2]),
    ]
]
MAP_VALUES: list[Any] = [
    (on(*INTEGERS, k=5, scale="1/3"), 2, 60),
    (on(*MONOTONIC, k=5, scale="1/3"), 2, 30),
    (on(*INTEGERS, CONCENTRATED, k=5, scale="1/3"), 2, 90),
    (on(*MONOTONIC, CONCENTRATED, k=5, scale="1/3"), 2, mpq(45, 2)),
    (on(*SIZED, k=2, scale="1/3"), 2, 12),
    (on(*SIZED, k=1, scale="1/3"), 2, 12),
    (on(*SIZED, CONCENTRATED, k=2, scale="1/3"), 2, 18),
    (on(*ONE, k=1), 7, 0),
    (on(*INTEGERS, k=0), 7, 0),
    (on(*INTEGERS, scale=0), 1, math.inf),
    (on(*INTEGERS, k=0, scale=0), 1, 0),
    (on(*INTEGERS, CONCENTRATED, scale=0), 0, 0),
]

CONTRACTS = [
    Contract(
        dp.m.make_noisy_top_k,
        selections(),
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=40,
        runs=20_000,
    )
]


# What stays: of integers, two of three scores under either measure.
LONG = [*CERTIFICATES[:2], *CERTIFICATES[6:8]]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG, one_in=2))
