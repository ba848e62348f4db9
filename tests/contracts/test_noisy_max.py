"""The contract of make_noisy_max."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

ATOMS: list[tuple[Any, Any]] = [
    (dp.atom_domain(T=int), int),
    (dp.atom_domain(T="u8"), int),
    (dp.atom_domain(T=float, nan=False), float),
    (dp.atom_domain(T="f32", nan=False), float),
    (dp.atom_domain(T=Fraction), Fraction),
]
PURE, CONCENTRATED = dp.max_divergence(), dp.zero_concentrated_divergence()
SCALES = st.one_of(
    st.sampled_from([0, 1, 0.1, "1/3", Decimal("2.5"), 10**9, 1e-9, 1e300, 1e-300]),
    st.fractions(0, 100),
    st.floats(0, 100),
)


@st.composite
def selections(draw: st.DrawFn) -> dict[str, Any]:
    atom, T = draw(st.sampled_from(ATOMS))
    return {
        "input_domain": dp.vector_domain(atom, size=draw(st.none() | st.just(3))),
        "input_metric": dp.linf_distance(T=T, monotonic=draw(st.booleans())),
        "output_measure": draw(st.sampled_from([PURE, CONCENTRATED])),
        "scale": draw(SCALES),
        "negate": draw(st.booleans()),
    }


def on(
    domain: Any, metric: Any, measure: Any = PURE, scale: Any = 1, **more: Any
) -> dict[str, Any]:
    return {
        "input_domain": domain,
        "input_metric": metric,
        "output_measure": measure,
        "scale": scale,
        **more,
    }


INTEGERS = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
MONOTONIC = INTEGERS[0], dp.linf_distance(T=int, monotonic=True)
FLOATS = (
    dp.vector_domain(dp.atom_domain(T=float, nan=False)),
    dp.linf_distance(T=float),
)
FRACTIONS = dp.vector_domain(dp.atom_domain(T=Fraction)), dp.linf_distance(T=Fraction)
NAN = dp.vector_domain(dp.atom_domain(T=float))
NO_ROOM = dp.vector_domain(dp.atom_domain(T=int), size=0)

REFUSALS: list[Any] = [
    (arguments, "MakeMeasurement", words)
    for arguments, words in [
        (on(*INTEGERS, scale=-1), ["scale", "-1", "at least 0", "such as scale=1.0"]),
        (on(*INTEGERS, scale=math.nan), ["scale", "nan", "finite"]),
        (on(*INTEGERS, scale=math.inf), ["scale", "inf", "finite"]),
        (on(*INTEGERS, scale="abc"), ["scale", "'abc'", "such as"]),
        (on(*INTEGERS, scale=None), ["scale", "None", "number"]),
        (on(*INTEGERS, negate=1), ["negate", "1", "True or False"]),
        (on(None, INTEGERS[1]), ["input_domain=None", "vector_domain"]),
        (on(dp.atom_domain(T=int), INTEGERS[1]), ["input_domain", "vector_domain"]),
        (
            on(dp.vector_domain(dp.atom_domain(T=str)), INTEGERS[1]),
            ["input_domain", "Fraction"],
        ),
        (on(NAN, FLOATS[1]), ["input_domain", "NaN", "nan=False"]),
        (on(NO_ROOM, INTEGERS[1]), ["input_domain", "room", "at least 1"]),
        (on(INTEGERS[0], None), ["input_metric=None", "LInfDistance"]),
        (on(INTEGERS[0], dp.l1_distance(T=int)), ["input_metric", "LInfDistance"]),
        (
            on(INTEGERS[0], dp.symmetric_distance()),
            ["input_metric", "LInfDistance", "linf_distance"],
        ),
        (on(*INTEGERS, None), ["output_measure=None", "MaxDivergence"]),
        (on(*INTEGERS, "MaxDivergence"), ["output_measure", "max_divergence()"]),
        (on(*INTEGERS, dp.approximate(PURE)), ["output_measure", "ZeroConcentrated"]),
    ]
]

CERTIFICATES: list[Any] = [
    (on(*INTEGERS), [0, 0], [1, -1], 18),
    (on(*INTEGERS, scale=2), [0, 0, 0], [1, -1, 1], 20),
    (on(*MONOTONIC, scale="1/2"), [0, 3], [1, 3], 18),
    (on(*FLOATS, scale=0.5), [0.1, 0.0, -math.inf], [0.0, 0.1, -math.inf], 18),
    (on(*FRACTIONS, negate=True), [Fraction(1, 3), 0], [0, Fraction(1, 3)], 18),
    (on(*INTEGERS, CONCENTRATED), [0, 0], [1, -1], 20),
    (on(*INTEGERS, CONCENTRATED, scale=2), [0, 0, 0], [1, -1, 1], 20),
    (on(*MONOTONIC, CONCENTRATED, scale="1/2"), [0, 3], [1, 3], 20),
    (on(*FLOATS, CONCENTRATED, scale=0.5), [0.1, 0.0], [0.0, 0.1], 20),
]
LIMITS: list[Any] = [
    (on(*space, measure, **more), x, released)
    for measure in (PURE, CONCENTRATED)
    for space, more, x, released in [
        (INTEGERS, {"scale": 0}, [1, 10**40, 2], 1),
        (INTEGERS, {"scale": 0, "negate": True}, [1, 10**40, 2], 0),
        (INTEGERS, {"scale": 5}, [], -1),
        (INTEGERS, {"scale": 5}, [7], 0),
        (FLOATS, {"scale": 3}, [1.0, math.inf, -math.inf], 1),
        (FLOATS, {"scale": 3}, [-math.inf, -math.inf, 0.0], 2),
        (FLOATS, {"scale": 3, "negate": True}, [1.0, math.inf, -math.inf], 2),
        (
            FRACTIONS,
            {"scale": 0},
            [Fraction(1, 3), Fraction(10**30, 3 * 10**30 - 1)],
            1,
        ),
    ]
]
MAP_VALUES: list[Any] = [
    (on(*INTEGERS, scale="1/3"), 2, 12),
    (on(*MONOTONIC, scale="1/3"), 2, 6),
    (on(*INTEGERS, CONCENTRATED, scale="1/3"), 2, 18),
    (on(*MONOTONIC, CONCENTRATED, scale="1/3"), 2, mpq(9, 2)),
    (on(*INTEGERS, scale=0), 1, math.inf),
    (on(*INTEGERS, CONCENTRATED, scale=0), 1, math.inf),
    (on(*INTEGERS, CONCENTRATED, scale=0), 0, 0),
]

CONTRACTS = [
    Contract(
        dp.m.make_noisy_max,
        selections(),
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=40,
    )
]


# What stays: of integers, three scores under either measure.
LONG = [CERTIFICATES[0], CERTIFICATES[5]]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
