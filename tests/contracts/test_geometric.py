"""The contract of make_geometric."""

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

ATOMS: list[Any] = [
    dp.atom_domain(T=int),
    dp.atom_domain(T="u8"),
    dp.atom_domain(bounds=(-3, 10)),
]
SCALES = st.one_of(
    st.sampled_from([0, 1, 0.1, "1/3", Decimal("2.5"), 10**9, 1e-9, Fraction(7, 2)]),
    st.fractions(0, 100),
    st.floats(0, 100),
)
MEASURES = st.sampled_from(["MaxDivergence", dp.MaxDivergence, dp.max_divergence()])
BOUNDS = st.none() | st.one_of(
    st.sampled_from([(0, 10), [0, 0], (-5.0, "7"), (-(2**63), 2**64), (0, 10**30)]),
    st.lists(st.integers(-20, 20), min_size=2, max_size=2).map(sorted).map(tuple),
)


@st.composite
def scalars(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "input_domain": draw(st.sampled_from(ATOMS)),
        "input_metric": dp.absolute_distance(T=int),
        "scale": draw(SCALES),
        "bounds": draw(BOUNDS),
        "MO": draw(MEASURES),
    }


@st.composite
def vectors(draw: st.DrawFn) -> dict[str, Any]:
    atom = draw(st.sampled_from(ATOMS))
    size = draw(st.none() | st.integers(0, 4))
    return {
        "input_domain": dp.vector_domain(atom, size=size),
        "input_metric": dp.l1_distance(T=int),
        "scale": draw(SCALES),
        "bounds": draw(BOUNDS),
    }


def on(domain: Any, metric: Any, scale: Any = 1, **more: Any) -> dict[str, Any]:
    return {"input_domain": domain, "input_metric": metric, "scale": scale, **more}


INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
FRACTIONS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
LISTS = dp.vector_domain(INTEGERS[0]), dp.l1_distance(T=int)
PAIRS = dp.vector_domain(INTEGERS[0], size=2), dp.l1_distance(T=int)

REFUSALS: list[Any] = [
    (arguments, "MakeMeasurement", words)
    for arguments, words in [
        (on(*INTEGERS, scale=-1), ["scale", "-1", "at least 0", "such as scale=1.0"]),
        (on(*INTEGERS, scale=math.nan), ["scale", "nan", "finite"]),
        (on(*INTEGERS, scale=math.inf), ["scale", "inf", "finite"]),
        (on(*INTEGERS, scale="abc"), ["scale", "'abc'", "such as"]),
        (on(*INTEGERS, scale=None), ["scale", "None", "number"]),
        (on(*INTEGERS, scale=True), ["scale", "True", "number"]),
        (on(*INTEGERS, bounds=(10, 0)), ["bounds=(10, 0)", "above", "(0, 10)"]),
        (on(*INTEGERS, bounds=(0, 0.5)), ["bounds=0.5", "integer", "(0, 10)"]),
        (on(*INTEGERS, bounds=("a", 1)), ["bounds='a'", "number", "(0, 10)"]),
        (on(*INTEGERS, bounds=(None, 1)), ["bounds=None", "number", "(0, 10)"]),
        (on(*INTEGERS, bounds=(0, True)), ["bounds=True", "number", "(0, 10)"]),
        (on(*INTEGERS, bounds=(-math.inf, 0)), ["bounds=-inf", "finite"]),
        (on(*INTEGERS, bounds=(0, math.nan)), ["bounds=nan", "finite"]),
        (on(*INTEGERS, bounds=10), ["bounds=10", "pair", "(lower, upper)"]),
        (on(*INTEGERS, bounds=(1, 2, 3)), ["bounds=<sequence>", "pair"]),
        (on(*INTEGERS, bounds="01"), ["bounds='01'", "pair"]),
        (on(*INTEGERS, MO="RenyiDivergence"), ["MO", "MaxDivergence", "Leave MO out"]),
        (on(None, INTEGERS[1]), ["input_domain=None", "int", "then_laplace"]),
        (on(dp.atom_domain(T=str), INTEGERS[1]), ["input_domain", "must hold int"]),
        (on(*FLOATS), ["input_domain", "must hold int", "then_laplace"]),
        (on(*FRACTIONS), ["input_domain", "must hold int", "then_laplace"]),
        (on(dp.vector_domain(FLOATS[0]), LISTS[1]), ["input_domain", "hold int"]),
        (on(INTEGERS[0], None), ["input_metric=None", "AbsoluteDistance"]),
        (on(INTEGERS[0], LISTS[1]), ["input_metric", "AbsoluteDistance"]),
        (on(LISTS[0], INTEGERS[1]), ["input_metric", "L1Distance"]),
        (on(LISTS[0], dp.l2_distance(T=int)), ["input_metric", "L1Distance"]),
        (on(LISTS[0], dp.symmetric_distance()), ["input_metric", "L1Distance"]),
    ]
]

CERTIFICATES: list[Any] = [
    (on(*INTEGERS, scale="1/2"), 5, 6, 20),
    (on(*INTEGERS, scale=1), 5, 3, 20),
    (on(*INTEGERS, scale=1, bounds=(0, 10)), 5, 6, 20),
    (on(*INTEGERS, scale=1, bounds=(0, 10)), 0, -3, 20),
    (on(*INTEGERS, scale="5/2", bounds=(0, 3)), 0, 3, 18),
    # Far apart, but at most 2 after clamping.
    (on(*INTEGERS, scale=1, bounds=(-1, 1)), -(10**30), 10**30, 18),
    (on(*INTEGERS, scale=10**30, bounds=(0, 4)), 1, 3, 18),
    (on(*INTEGERS, scale=1, bounds=(4, 4)), 1, 3, 18),
]
LIMITS: list[Any] = [
    (on(*INTEGERS, scale=0), 10**40, 10**40),
    (on(*INTEGERS, scale=0, bounds=(0, 10)), 7, 7),
    (on(*INTEGERS, scale=0, bounds=(0, 10)), 70, 10),
    (on(*INTEGERS, scale=0, bounds=(0, 10)), -70, 0),
    (on(*INTEGERS, scale=9, bounds=(5, 5)), 7, 5),
    (on(*INTEGERS, scale=1e-9, bounds=(0, 10**9)), 7, 7),
    (on(*LISTS, scale=0), [2**70, -1], [2**70, -1]),
    (on(*LISTS, scale=0, bounds=(0, 9)), [2**70, 4, -1], [9, 4, 0]),
    (on(*LISTS, scale=5, bounds=(0, 9)), [], []),
]
MAP_VALUES: list[Any] = [
    (on(*INTEGERS, scale="5/2"), 3, mpq(6, 5)),
    (on(*INTEGERS, scale="5/2", bounds=(0, 10)), 3, mpq(6, 5)),
    (on(*INTEGERS, scale=2, bounds=(0, 10)), 10, 5),
    (on(*INTEGERS, scale=2, bounds=(0, 10)), 11, 5),
    (on(*INTEGERS, scale=2, bounds=(0, 10)), math.inf, 5),
    (on(*INTEGERS, scale=2, bounds=(3, 3)), 7, 0),
    (on(*INTEGERS, scale=0, bounds=(3, 3)), 7, 0),
    (on(*INTEGERS, scale=0, bounds=(3, 4)), 7, math.inf),
    (on(*INTEGERS, scale=2), math.inf, math.inf),
    (on(*LISTS, scale=2, bounds=(0, 10)), 50, 25),
    (on(*LISTS, scale=2, bounds=(0, 10)), math.inf, math.inf),
    (on(*PAIRS, scale=2, bounds=(0, 10)), 19, mpq(19, 2)),
    (on(*PAIRS, scale=2, bounds=(0, 10)), 50, 10),
    (on(*PAIRS, scale=2), 50, 25),
]

CONTRACTS = [
    Contract(
        dp.m.make_geometric,
        scalars(),
        REFUSALS,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=60,
    ),
    Contract(
        dp.m.make_geometric,
        vectors(),
        REFUSALS,
        certificates=[
            (on(*LISTS, scale="1/4"), [0, 0], [1, 0], 26),
            (on(*PAIRS, scale=2, bounds=(0, 1)), [0, 5], [1, 0], 20),
        ],
        examples=40,
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
